/// One version of a model, from reading to migrating.
///
/// `ModelHashing` computes its hashes and checksum when they are first needed, once for all copies of the value. Two
/// versions are equal when name, path, index and model are.
public struct ModelVersion: Sendable, Hashable {
    /// The name: that of the `.xcdatamodel` or `.mom` without its extension, or the user's.
    public var name: String
    /// The path of the file or folder that it was read from; empty for one that was made in code.
    public var path: String
    /// The index in the order of its bundle, from 0: the oldest first.
    package var place: Int
    /// Whether it is its bundle's current version.
    public var isCurrent: Bool
    /// The self-referential many-to-many relationships that are stated to name their join tables, as `Person.friends`:
    /// which side does is not known otherwise.
    package var namingRelationships: Set<String> = []
    /// The entities and properties, such as `Person` or `Person.name`, that are stated to continue what the older
    /// version has under their renaming identifier, where others share it.
    package var claimants: Set<String> = []
    /// Whether SwiftData infers each step to it, from the model that a store carries: it is opened without a version, or by a
    /// plan without stages.
    package var isMigratedUnasked = false
    /// Whether it is of the classes of Swift sources that no version lists, beside versions that apps open: no step leads to it.
    package var isBeside = false
    /// The model.
    public let model: ManagedObjectModel
    /// What is computed from the model.
    package let memo = HashMemo()

    package init(
        name: String = "",
        path: String = "",
        place: Int = 0,
        isCurrent: Bool = false,
        model: ManagedObjectModel
    ) {
        (self.name, self.path, self.place, self.isCurrent) = (name, path, place, isCurrent)
        self.model = model
    }

    package func with(_ model: ManagedObjectModel) -> ModelVersion {
        var copy = ModelVersion(
            name: name,
            path: path,
            place: place,
            isCurrent: isCurrent,
            model: model
        )
        (copy.namingRelationships, copy.claimants) = (namingRelationships, claimants)
        (copy.isMigratedUnasked, copy.isBeside) = (isMigratedUnasked, isBeside)
        return copy
    }

    /// Whether both are the same version of the same bundle, by path and name.
    ///
    /// The versions of Swift sources share the path of their file, so a path alone is not enough.
    package func isSame(as other: ModelVersion) -> Bool { path == other.path && name == other.name }

    /// The path of the version's bundle, of sources or compiled; its own where it is in none.
    ///
    /// Given the bundle, a caller finds the version of a store before and after its migration.
    package var containerPath: String {
        guard let end = path.lastIndex(of: "/") else { return path }
        let folder = path[..<end]
        let endings = [".xcdatamodeld", ".momd", ".momd_precompiled"]
        return endings.contains { folder.hasSuffix($0) } ? String(folder) : path
    }

    /// The names of the entities that are not fully understood, and so have no hash.
    package var entitiesWithGaps: Set<String> {
        Set(model.entities.filter { !$0.gaps.isEmpty }.map(\.name))
    }

    /// Whether every entity is understood, so that hashes identify the version.
    package var isWhole: Bool { model.entities.allSatisfy(\.gaps.isEmpty) }

    /// The properties that are not understood, such as `Seat.numbers`.
    package var propertiesWithGaps: Set<String> {
        let names = model.entities.flatMap(\.gaps).compactMap { gap in
            gap.entity.flatMap { entity in gap.property.map { "\(entity).\($0)" } }
        }
        return Set(names)
    }

    package func without(_ names: Set<String>) -> ModelVersion {
        guard !names.isEmpty else { return self }
        var model = model
        model.entities.removeAll { names.contains($0.name) }
        return holding(model)
    }

    /// Returns the version with only the position in the hierarchy of some entities.
    package func outlining(_ names: Set<String>) -> ModelVersion {
        guard !names.isEmpty else { return self }
        var model = model
        for index in model.entities.indices where names.contains(model.entities[index].name) {
            let entity = model.entities[index]
            model.entities[index] = Entity(
                name: entity.name,
                parentEntity: entity.parentEntity,
                isAbstract: entity.isAbstract,
                renamingIdentifier: entity.renamingIdentifier,
                source: entity.source
            )
        }
        return holding(model)
    }

    /// The version with a part of its model, which does not tell how apps migrate.
    private func holding(_ model: ManagedObjectModel) -> ModelVersion {
        var version = with(model)
        version.isMigratedUnasked = false
        return version
    }
}

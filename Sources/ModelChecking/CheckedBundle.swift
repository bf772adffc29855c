import Diagnostics
import MappingInference
import ModelDiffing
import ModelHashing
public import ObjectModel

/// A version of a model as the checks take it.
public struct CheckedVersion: Sendable, Hashable {
    /// The name in its bundle.
    public var name: String
    /// The path of the file that findings about the version as a whole name.
    public var path: String
    /// Whether it is the current version of the bundle.
    public var isCurrent: Bool
    /// The model.
    public var model: ManagedObjectModel

    /// Creates a version.
    public init(name: String, path: String, isCurrent: Bool, model: ManagedObjectModel) {
        self.name = name
        self.path = path
        self.isCurrent = isCurrent
        self.model = model
    }

    var location: SourceLocation { model.source.element ?? SourceLocation(path: path) }
}

/// A version with its entities found by name.
struct CheckedModel {
    let version: CheckedVersion
    let graph: ModelGraph

    init(_ version: CheckedVersion) {
        self.version = version
        graph = ModelGraph(version.model)
    }

    var model: ManagedObjectModel { version.model }
    var entities: [Entity] { version.model.entities }

    /// Reports what a check says about each attribute of each entity.
    func forEachAttribute(_ check: (Attribute, Entity) -> Violation?) -> [Violation] {
        entities.flatMap { entity in entity.attributes.compactMap { check($0, entity) } }
    }

    /// Reports what a check says about each relationship of each entity.
    func forEachRelationship(_ check: (Relationship, Entity) -> Violation?) -> [Violation] {
        entities.flatMap { entity in entity.relationships.compactMap { check($0, entity) } }
    }

    /// The entities of configurations used with CloudKit; all of them when the default one is.
    var cloudKitEntities: [Entity] {
        let flag = model.documentSettings["usedWithCloudKit"]?.lowercased()
        guard flag != "yes" && flag != "true" && flag != "1" else { return entities }
        let names = Set(
            model.configurations.filter(\.isUsedWithCloudKit).flatMap(\.memberEntities)
        )
        return names.isEmpty ? [] : entities.filter { names.contains($0.name) }
    }
}

/// A version and the one before it, compared.
struct CheckedStep {
    let from: CheckedVersion
    let to: CheckedVersion
    let diff: ModelDiff
    let mapping: InferredMapping

    init(from: CheckedVersion, to: CheckedVersion) {
        self.from = from
        self.to = to
        let matching = ModelMatching(from: from.model, to: to.model)
        diff = ModelDiffing.diff(matching)
        mapping = inferMapping(matching, diff)
    }
}

/// All versions of a bundle, oldest first.
struct CheckedBundle {
    let path: String
    let versions: [CheckedVersion]
    let hashes: [ModelHashes]
    /// The names of the versions that a lock freezes.
    let locked: Set<String>
}

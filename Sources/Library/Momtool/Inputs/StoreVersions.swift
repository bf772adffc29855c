import Diagnosing
package import Diagnostics
import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SQLiteAccess
package import StoreFormat
import Essentials
import FileSystem

/// The version to migrate stores to, and the versions that they may have, of which only the needed ones are hashed.
package struct StoreVersions: Sendable {
    package private(set) var destination: ModelVersion
    package private(set) var all: [ModelVersion]
    private(set) var last: ModelBundle
    private let models: [ModelBundle]
    private let unreadable: [ModelBundle.UnreadableVersion]
    /// The indexes of the versions of earlier stores, for other stores of the same versions.
    private let known = Locked<[ModelHashes: [Int]]>([:])

    package struct Source: Sendable, Hashable {
        package var version: ModelVersion
        /// Whether it belongs to the given models, not only to the store.
        package var isListed: Bool
    }

    /// Collects the versions of some models; the new one, by default the current one, belongs to the last model.
    package init(_ models: [ModelBundle], to name: String? = nil) throws(MomtoolError) {
        guard let last = models.last else {
            throw MomtoolError(.usage, saying: "name a model", "no-model")
        }
        destination = try last.chosenVersion(name)
        all = models.flatMap(\.versions)
        unreadable = models.flatMap(\.unreadableVersions)
        (self.last, self.models) = (last, models)
    }

    /// The names of the entities of all versions.
    var entityNames: Set<String> { Set(all.flatMap { $0.model.entities.map(\.name) }) }

    /// The versions of all models together, if a store has entities of several models that share none, as an app merges
    /// them; `nil` for any other store.
    ///
    /// With several containers in sources, it is that of the store's container.
    func merging(for store: StoreFile) -> StoreVersions? {
        guard let hashes = try? store.metadata().hashes else { return nil }
        let names = Set(hashes.entityNames)
        if let own = last.narrowed(to: names) {
            let name = own.version(named: destination.name)?.name
            return try? StoreVersions(models.dropLast() + [own], to: name)
        }
        guard models.count > 1, ModelBundle.shareNoEntity(models) else { return nil }
        let touched = models.filter { !names.isDisjoint(with: $0.entityNames) }
        let current = touched.compactMap { $0.path == last.path ? destination : $0.currentVersion }
        guard touched.count > 1, current.count == touched.count,
            let combinations = ModelVersion.combinations(of: touched.map(\.versions))
        else { return nil }
        var copy = self
        copy.all = combinations.map(ModelVersion.init(merging:))
        copy.destination = ModelVersion(merging: current)
        return copy
    }

    /// Returns the versions with the choice of the relationships that name the join tables of an entity with itself.
    func namingJoinTables(by names: [String]) -> StoreVersions {
        var copy = self
        copy.last = last.namingJoinTables(by: names)
        for index in all.indices { copy.all[index].namingRelationships.formUnion(names) }
        copy.destination.namingRelationships.formUnion(names)
        return copy
    }

    /// Finds the version of a store: by its entity hashes; among equal ones by its version identifiers and its model.
    ///
    /// If no version has them, the store's own model is used, if its hashes are those of the metadata.
    package func source(
        of store: StoreFile,
        mayGoBack: Bool = false
    ) throws(MomtoolError) -> Source {
        let metadata = try asked { try store.metadata() }
        guard let writer = writer(of: store, metadata) else {
            if metadata.hashes == destination.hashes {
                return Source(version: destination, isListed: true)
            }
            return Source(version: try ownVersion(of: store, metadata.hashes), isListed: false)
        }
        let source = all[writer.place]
        if metadata.hashes == destination.hashes {
            // There is nothing to do; the name tells which of the equal versions wrote the store.
            var same = destination
            same.name = source.name
            return Source(version: same, isListed: true)
        }
        guard mayGoBack || !isNewer(writer.place) else {
            let message =
                "the store has the version '\(source.name)', which is newer than "
                + "'\(destination.name)'"
            throw MomtoolError(
                .refused,
                store.path,
                message,
                "backward-migration",
                advice: [.allowBackward]
            )
        }
        return Source(version: source, isListed: true)
    }

    func isNewer(_ store: StoreFile) -> Bool {
        guard let metadata = try? store.metadata(), metadata.hashes != destination.hashes else {
            return false
        }
        return writer(of: store, metadata).map { isNewer($0.place) } ?? false
    }

    func isNewer(_ version: ModelVersion) -> Bool {
        all.lastIndex { $0.isSame(as: version) }.map(isNewer) ?? false
    }

    /// Whether a version is newer than the new one; without a known order none is.
    private func isNewer(_ place: Int) -> Bool {
        let end = all.lastIndex { $0.isSame(as: destination) } ?? all.count
        guard place > end else { return false }
        return last.tellsOrder(of: all[place].name, and: destination.name)
    }

    private func writer(of store: StoreFile, _ metadata: StoreMetadata) -> StoreWriter? {
        let hashes = metadata.hashes
        var equals = known.withLock { $0[hashes] }
        if equals == nil {
            let found = all.places(withHashes: hashes)
            known.withLock { $0[hashes] = found }
            equals = found
        }
        return StoreWriter(of: store, metadata, among: all, equals ?? [])
    }

    private func ownVersion(
        of store: StoreFile,
        _ hashes: ModelHashes
    ) throws(MomtoolError) -> ModelVersion {
        if var own = try asked({ try embeddedVersion(of: store) })?.value, own.hashes == hashes {
            own.name = "the store's own model"
            return own
        }
        var lines = [
            "no version of the model wrote the store (134130 NSMigrationMissingSourceModelError)"
        ]
        if let absent = last.absentVersions.first(where: { $0.hashes == hashes }),
            !unreadable.contains(where: { $0.name == absent.name })
        {
            lines.append(absent.remark)
        } else if let fault = unreadable.fault(of: store.path) {
            throw fault
        } else if hashes.entities.isEmpty {
            lines.append("its metadata does not name a version, as in Mac OS X 10.4")
        } else if case .nearest(let name, let differences) = identify(
            storeHashes: hashes,
            among: all
        ) {
            let entities = differences.map(\.entity).joined(separator: ", ")
            lines.append("the nearest is '\(name)', which differs in \(entities)")
        }
        throw MomtoolError(
            .refused,
            store.path,
            lines.joined(separator: "; "),
            .unknownStoreVersion,
            advice: [.nameOlderModel]
        )
    }
}

/// Reads the version in a store's model cache, named as the store; `nil` when it carries none.
package func embeddedVersion(of store: StoreFile) throws(StoreError) -> Diagnosed<ModelVersion>? {
    guard let archive = try store.modelArchive() else { return nil }
    let name = fileURL(store.path).deletingPathExtension().lastPathComponent
    return readCompiledModel(archive, path: store.path).map { model in
        ModelVersion(name: name, path: store.path, isCurrent: true, model: model)
    }
}

extension ModelBundle {
    /// The model to read a store with: that of the version that wrote it, or that of the chosen one.
    package func model(of store: StoreFile) throws(MomtoolError) -> ManagedObjectModel {
        let metadata = try? store.metadata()
        let bundle = narrowed(to: Set(metadata?.hashes.entityNames ?? [])) ?? self
        // A model may be named because the metadata cannot be read.
        if let writer = try? StoreWriter(of: store, among: bundle.versions) {
            let version = bundle.versions[writer.place]
            // Versions with equal hashes differ by their indexes: the named or current one says which exist.
            let equal = bundle.versions.filter { $0.hashes == version.hashes }
            let wanted =
                bundle.selectedVersionName.map { name in equal.first { $0.name == name } }
                ?? equal.first(where: \.isCurrent)
            return (wanted ?? version).model
        }
        if bundle.selectedVersionName == nil {
            if metadata?.saysVersion == true {
                if let fault = bundle.unreadableVersions.fault(of: store.path) { throw fault }
            } else if let own = try? embeddedVersion(of: store), !own.hasErrors,
                let version = bundle.versions.last(where: { $0.hashes == own.value.hashes })
            {
                return version.model
            }
        }
        return try bundle.chosenVersion().model
    }
}

package import Diagnosing
package import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SQLiteAccess
package import StoreFormat
import SwiftDataReading

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

    /// The configuration that stores of a version keep; `nil` where they keep all entities.
    func configuration(of source: ModelVersion) -> String? {
        last.configuration ?? last.narrowed(for: source.hashes)?.configuration
    }

    var entityNames: Set<String> { Set(all.flatMap { $0.model.entities.map(\.name) }) }

    /// The versions of all models together, for a store of several models that share no entity; `nil` for other stores.
    ///
    /// With several containers in sources, or configurations, it is that of the store's.
    func merging(for store: StoreFile) -> StoreVersions? {
        guard let hashes = try? store.metadata().hashes else { return nil }
        let names = Set(hashes.entityNames)
        if let own = last.narrowed(for: hashes) {
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
    /// The bundle of the container or the configuration whose entities a store has; `nil` for a store of all entities.
    package func narrowed(for hashes: ModelHashes) -> ModelBundle? {
        if let own = narrowed(to: Set(hashes.entityNames)) { return own }
        let parts = configured
        guard !parts.isEmpty, versions.places(withHashes: hashes).isEmpty else { return nil }
        let fitting = parts.filter { !$0.versions.places(withHashes: hashes).isEmpty }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// The model to read a store with: that of the version that wrote it, or that of the chosen one.
    package func model(of store: StoreFile) throws(MomtoolError) -> ManagedObjectModel {
        let metadata = try? store.metadata()
        let bundle = metadata.flatMap { narrowed(for: $0.hashes) } ?? self
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

    /// The versions that the lock has, and the model lacks or has edited.
    package var absentVersions: [AbsentVersion] {
        let file = LockFile(ofModel: path)
        guard let lock = (try? file.read())?.value.lock else { return [] }
        let pruned = lock.prunedVersions.filter { !$0.entities.isEmpty }.compactMap { version in
            version.pruningRemark.map {
                AbsentVersion(
                    name: version.name,
                    hashes: version.hashes,
                    remark: $0,
                    prunedDay: version.prunedDay
                )
            }
        }
        // Versions that are not fully understood are not locked.
        let whole = lock.versions.filter { !$0.entities.isEmpty && $0.unknownEntities.isEmpty }
        return pruned
            + whole.map { version in
                let state = state(ofLocked: version.name)
                let remark = "it is a store of '\(version.name)' in \(file.path), \(state)"
                return AbsentVersion(name: version.name, hashes: version.hashes, remark: remark)
            }
    }

    private func state(ofLocked name: String) -> String {
        if unreadableVersions.contains(where: { $0.name == name }) {
            return "whose source cannot be read: correct it, and try again"
        }
        let isThere = versions.contains { $0.name == name }
        let state = "whose source \(isThere ? "was changed since" : "was removed")"
        return currentVersion?.isMigratedUnasked == true
            ? "\(state): SwiftData infers the step from the model in the store"
            : "\(state): an app with this model cannot open it; restore the source from version control"
    }
}

extension [ModelBundle.UnreadableVersion] {
    /// Why the version that wrote a store is not known, as some cannot be read; `nil` where all can be.
    package func fault(of store: String) -> MomtoolError? {
        guard !isEmpty else { return nil }
        let names = map { "'\($0.name)'" }.joined(separator: ", ")
        let message =
            "no readable version wrote the store; it may have \(names), which cannot be read"
        return MomtoolError(.badData, store, message, "unread-store-version")
    }
}

extension ModelBundle {
    var entityNames: Set<String> { Set(versions.flatMap { $0.model.entities.map(\.name) }) }

    /// Whether no two of several models have an entity of one name, so that an app may merge them.
    package static func shareNoEntity(_ bundles: [ModelBundle]) -> Bool {
        var known: Set<String> = []
        for bundle in bundles {
            let own = bundle.entityNames
            guard known.isDisjoint(with: own) else { return false }
            known.formUnion(own)
        }
        return bundles.count > 1
    }
}

extension ModelVersion {
    /// The versions of several models, each with each, as an app merges them; `nil` where they are too many.
    package static func combinations(of lists: [[ModelVersion]]) -> [[ModelVersion]]? {
        let count = lists.reduce(1) { $0.multipliedReportingOverflow(by: $1.count).0 }
        guard (1...2000).contains(count) else { return nil }
        var combinations: [[ModelVersion]] = [[]]
        for list in lists {
            combinations = combinations.flatMap { start in list.map { start + [$0] } }
        }
        return combinations
    }

    /// Versions of several models as one.
    package init(merging versions: [ModelVersion]) {
        self.init(
            name: versions.map(\.name).joined(separator: " + "),
            path: versions.first?.path ?? "",
            model: ManagedObjectModel(
                entities: versions.flatMap(\.model.entities),
                composites: versions.flatMap(\.model.composites),
                versionIdentifiers: versions.flatMap(\.model.versionIdentifiers)
            )
        )
    }
}

// Hashes need versions that are fully understood: the hash of an entity that is not is a guess.

extension ModelVersion {
    /// What is not understood of the version, with locations.
    package var gapFindings: [Diagnostic] {
        var reported: Set<Diagnostic> = []
        return model.entities.flatMap { entity in
            entity.gaps.map { gap in
                let property = gap.property.flatMap { entity.property($0) }
                let names = [gap.entity ?? entity.name, gap.property]
                return Diagnostic(
                    entity.source.isOfSwift ? .swiftNotUnderstood : "unknown-version-hash",
                    gap.description,
                    at: gap.source.element ?? property?.source.element ?? entity.source.element,
                    element: names.compactMap(\.self).joined(separator: ".")
                )
            }
        }.filter { reported.insert($0).inserted }
    }

    /// The same as warnings, where the version is not needed.
    var gapWarnings: [Diagnostic] {
        gapFindings.map { finding in
            var warning = finding
            warning.severity = .warning
            return warning
        }
    }

    package func requireWhole() throws(MomtoolError) {
        guard !isWhole else { return }
        throw MomtoolError(.badData, saying: gapFindings.asNeeded)
    }
}

extension Diagnosed<ModelBundle> {
    /// The bundle for use by hashes: without versions that are unreadable or not fully understood, if there are others.
    package var forHashes: Diagnosed<ModelBundle> {
        guard value.swift != nil else { return withoutUnreadableVersions }
        // A Swift file that is not read may be missing from any version.
        return isReadableInParts ? withoutVersionsWithGaps : self
    }
}

extension ModelBundle {
    /// The bundle to examine stores with: that of Swift sources without versions that are not fully understood; `nil`
    /// where the current one is among these.
    package var forExamination: ModelBundle? {
        guard swift != nil else { return self }
        guard currentVersion?.isWhole != false else { return nil }
        var copy = self
        copy.versions.removeAll { !$0.isWhole }
        return copy
    }
}

extension Model {
    /// Returns the model for use by hashes; a version that it leaves out is reported when asked for.
    func understood() throws(MomtoolError) -> ModelBundle {
        let usable = Diagnosed(bundle, diagnostics).forHashes
        guard !usable.hasErrors else {
            let faults = usable.diagnostics.filter { $0.severity == .error }
            throw MomtoolError(.badData, saying: faults.asNeeded)
        }
        return usable.value
    }
}

extension Diagnosed<Stages> {
    /// Refuses a list with a version that is not fully understood: stages tell versions apart by hashes.
    package func requireWhole() throws(MomtoolError) {
        let listed = value.manager.stages.flatMap(\.versions).compactMap(\.found)
        let found = listed.flatMap(\.gapFindings)
        guard !found.isEmpty else { return }
        // The messages of the reader include the advice.
        let messages = Set(found.map(\.message))
        let relevant = diagnostics.filter { messages.contains($0.message) }.map(\.asError)
        throw MomtoolError(.badData, saying: (relevant.isEmpty ? found : relevant).asNeeded)
    }
}

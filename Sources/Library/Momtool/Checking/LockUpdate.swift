package import Diagnostics
import FileSystem
package import MigrationPlanning
package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SettingsFiles
import StoreFormat

extension [Finding] {
    /// Adds those that say what none of these says: two locks may be about one version.
    package mutating func addUnsaid(_ more: [Finding]) {
        let said = Set(map(\.diagnostic.message))
        self += more.filter { !said.contains($0.diagnostic.message) }
    }
}

extension ModelBundle {
    /// Compares the versions with a lock.
    ///
    /// - Parameters:
    ///   - lock: the lock, with what was noticed while it was read.
    ///   - earlier: the versions that the sources had at a revision, by which edits are judged.
    ///   - configuration: what is said for the model, where its rules and what it ignores hold.
    /// - Returns: what keeps versions from being read, which are neither missing nor edited, and what the lock says.
    package func findings(
        of lock: Diagnosed<LocatedLock>,
        _ earlier: [ModelVersion] = [],
        by configuration: ToolConfiguration? = nil
    ) -> [Finding] {
        var lock = lock
        let unread = Set(unreadableVersions.map(\.name))
        lock.value.lock.versions.removeAll { unread.contains($0.name) }
        let found = checkLock(
            versions,
            path: path,
            reading: lock.diagnostics,
            lock: lock.value,
            unplanned: unplannedVersions,
            earlier: EarlierSources(
                earlier,
                losses: configuration?.ledger(of: versions) ?? LossLedger()
            )
        )
        let all = unreadFindings + found
        return configuration.map { heeded(all, versions, $0.check) } ?? all
    }

    fileprivate var unreadFindings: [Finding] {
        unreadableVersions.flatMap { version in
            version.diagnostics.map { Finding($0, version: version.name) }
        }
    }

    /// Finds what the steps into versions lose without its being named, which keeps them from being locked.
    ///
    /// - Parameters:
    ///   - names: the versions to lock.
    ///   - ledger: what was named.
    ///   - lock: the present lock.
    ///   - mappingModels: the mapping models of the app.
    /// - Returns: the losses, and what the rows decide.
    package func unnamedLosses(
        locking names: [String],
        _ ledger: LossLedger,
        _ lock: ModelLock?,
        _ mappingModels: MappingModels
    ) -> [Finding] {
        ModelChecking.unnamedLosses(
            locking: names,
            ledger.leavingToStages(of: self),
            path: path,
            lock,
            mappingModel: mappingModels.path
        )
    }
}

/// The versions that a lock gets in addition, and why it may not get them.
package struct LockUpdate: Sendable {
    /// The model.
    package var bundle: ModelBundle
    /// The stores whose versions are locked; empty for all versions of the model.
    package var stores: [String]
    /// The last version to lock, or the name of the version of the store.
    package var version: String?
    /// The versions that have not shipped.
    package var unshipped: [String]
    /// Whether what is locked is recorded anew.
    package var isAnew: Bool

    package init(
        of bundle: ModelBundle,
        stores: [String] = [],
        version: String? = nil,
        unshipped: [String] = [],
        isAnew: Bool = false
    ) {
        self.bundle = bundle
        self.stores = stores
        self.version = version
        self.unshipped = unshipped
        self.isAnew = isAnew
    }

    /// A lock that was brought up to date.
    package struct Result: Sendable {
        package var lock: ModelLock
        /// How many versions it got.
        package var added: Int
        /// What was not understood when its version was locked, and is locked now, by version.
        package var filled: [(version: String, entities: [String])]
        /// The versions that are not in it, as people are told.
        package var leftOut: [String]
    }

    /// Locks the versions.
    ///
    /// - Parameter file: the lock beside the model.
    /// - Returns: what to write there.
    /// - Throws: ``MomtoolError`` for a version that was edited, or whose step loses what is not named: nothing is locked.
    package func result(for file: LockFile) throws(MomtoolError) -> Result {
        // A lock that is made anew is written where a link leads, though nothing is there yet.
        let isNothingThere = isAnew && FileIdentity(of: file.path) == nil
        let read = isNothingThere ? nil : try file.read()
        if let read, read.hasErrors, !isAnew {
            throw MomtoolError(.badData, saying: read.diagnostics)
        }
        let known = read?.value.lock.following(bundle.versions).lock ?? ModelLock()
        var old = known
        if isAnew {
            old = ModelLock()
            old.prunedVersions = known.prunedVersions.filter {
                bundle.version(named: $0.name) == nil
            }
        }
        var new = try extended(old, known, file)
        let filled = new.lockUnderstood(in: bundle.versions)
        let left = bundle.versions.filter { new.version(named: $0.name) == nil }.map(\.name)
        return Result(
            lock: new,
            added: new.versions.count - old.versions.count,
            filled: filled,
            leftOut: left + bundle.unreadableVersions.map { "\($0.name) (cannot be read)" }
        )
    }

    /// What keeps versions out of a lock.
    package struct Obstacles: Sendable {
        /// What is found, by the version that it keeps out, oldest first.
        package var findings: [(version: String, findings: [Finding])] = []
        /// Whether stores of every version come to the current one, without an unnamed loss, where an app takes every step.
        package var areCuredByEveryStep = false

        /// Creates a list without any.
        package init() {}
    }

    /// Finds what keeps versions out of the lock.
    ///
    /// - Returns: the versions that lose something unnamed, and the current one where stores of older ones lose something
    ///   on their way to it, or do not get there.
    /// - Throws: ``MomtoolError`` for a configuration or a mapping model that cannot be read.
    package func obstacles() throws(MomtoolError) -> Obstacles {
        let configuration = try settings(for: bundle.path)
        var mappingModels = try MappingModels(around: bundle.path, configuration)
        let known = bundle.lock()?.following(bundle.versions).lock ?? ModelLock()
        var ledger = configuration.ledger(of: bundle.versions)
            .recording(known, takingShipped: true)
        let names = try versionsToFreeze(configuration).map(\.name)
            .filter { known.version(named: $0) == nil }
        var obstacles = Obstacles()
        for name in names {
            let found = bundle.unnamedLosses(locking: [name], ledger, known, mappingModels)
            if !found.isEmpty { obstacles.findings.append((name, found)) }
        }
        // What a step was found to lose is no news on a route.
        for (name, _) in obstacles.findings { ledger.named[name] = .all }
        func harms() -> [Finding] {
            harmsOfRoutes(names, ledger, known, mappingModels, configuration)
        }
        let found = harms()
        guard !found.isEmpty, let current = bundle.currentVersion?.name else { return obstacles }
        if let index = obstacles.findings.firstIndex(where: { $0.version == current }) {
            obstacles.findings[index].findings += found
        } else {
            obstacles.findings.append((current, found))
        }
        if !mappingModels.isStepwise {
            mappingModels.isStepwise = true
            obstacles.areCuredByEveryStep = harms().isEmpty
        }
        return obstacles
    }

    private func extended(
        _ old: ModelLock,
        _ known: ModelLock,
        _ file: LockFile
    ) throws(MomtoolError) -> ModelLock {
        // What is locked already and cannot be read keeps its place in the lock.
        let located = LocatedLock(old, path: file.path)
        let unread = Set(bundle.unreadableVersions.map(\.name))
        let faults = bundle.findings(of: Diagnosed(located)).filter { finding in
            guard let version = finding.version, unread.contains(version) else {
                return finding.diagnostic.severity == .error
            }
            return old.version(named: version) != nil
        }
        guard faults.isEmpty else {
            throw MomtoolError(.refused, saying: faults.map(\.diagnostic))
        }
        let configuration = try settings(for: bundle.path)
        var frozen: [ModelLock.Version] = []
        if stores.isEmpty { frozen = try versionsToFreeze(configuration) }
        for store in stores { frozen.append(try versionOfStore(store)) }
        let new = frozen.filter { old.version(named: $0.name) == nil }
        let ledger = configuration.ledger(of: bundle.versions)
            .recording(known, takingShipped: true)
        // What is locked already keeps what was recorded then.
        let names = new.filter { known.version(named: $0.name)?.hashes != $0.hashes }.map(\.name)
        var settled = known
        settled.versions.removeAll { names.contains($0.name) }
        let mappingModels = try MappingModels(around: bundle.path, configuration)
        try requireNamedLosses(names, ledger, settled, mappingModels)
        try requireRoutes(
            harmsOfRoutes(names, ledger, settled, mappingModels, configuration)
        )
        var lock = old
        for version in new {
            var version = version
            let losses = namedLosses(into: version.name, ledger)
            // Losses that shipped before the first lock were never named.
            version.losses = known.version(named: version.name)?.losses ?? losses
            lock.versions.append(version)
        }
        lock.versions = inOrder(lock.versions)
        let present = Set(lock.versions.map(\.name))
        lock.prunedVersions.removeAll { present.contains($0.name) }
        let before = settled.versions.isEmpty ? nil : settled
        return ledger.recordingShipped(
            in: lock,
            before,
            path: bundle.path,
            mappingModel: mappingModels.path
        )
    }

    /// Stores may come in any order; the lock is in that of the bundle.
    private func inOrder(_ versions: [ModelLock.Version]) -> [ModelLock.Version] {
        let order = Dictionary(
            bundle.versions.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return versions.enumerated().sorted { left, right in
            (order[left.element.name] ?? .max, left.offset)
                < (order[right.element.name] ?? .max, right.offset)
        }.map(\.element)
    }

    /// Finds why stores of older versions do not come to the current one, or only with unnamed losses.
    private func harmsOfRoutes(
        _ names: [String],
        _ ledger: LossLedger,
        _ settled: ModelLock,
        _ mappingModels: MappingModels,
        _ configuration: ToolConfiguration
    ) -> [Finding] {
        guard let current = bundle.currentVersion, names.contains(current.name),
            // Stages that cannot be read are told of by lint.
            let migrator = try? Migrator(
                by: configuration,
                of: bundle,
                mappingModels: mappingModels
            )
        else { return [] }
        let accepted = ledger.acceptingShipped(
            path: bundle.path,
            settled,
            mappingModel: mappingModels.path
        )
        let routes = RouteCheck(of: bundle, settled, by: migrator, accepted)
        return routes?.harms(bundle.versions, configuration.check) ?? []
    }

    /// Refuses a current version that does harm to stores of older ones.
    private func requireRoutes(_ harms: [Finding]) throws(MomtoolError) {
        guard harms.isEmpty else {
            var error = MomtoolError(.refused, saying: harms.map(\.diagnostic))
            error.remarks.append(
                "nothing was locked: stores of an older version do not open as they are"
            )
            throw error
        }
    }

    /// Refuses versions whose steps lose what is not named: a lock must not hide it.
    ///
    /// A version that was locked as it is keeps what was recorded then.
    private func requireNamedLosses(
        _ names: [String],
        _ ledger: LossLedger,
        _ settled: ModelLock,
        _ mappingModels: MappingModels
    ) throws(MomtoolError) {
        let losses = bundle.unnamedLosses(locking: names, ledger, settled, mappingModels)
        guard losses.isEmpty else {
            var error = MomtoolError(.refused, saying: losses.map(\.diagnostic))
            error.remarks.append(
                "nothing was locked: declare what was renamed, and name what is meant to be lost or asked of rows"
            )
            throw error
        }
    }

    /// Every version but those that have not shipped, and those behind the one that is named.
    private func versionsToFreeze(
        _ configuration: ToolConfiguration
    ) throws(MomtoolError) -> [ModelLock.Version] {
        for name in unshipped where bundle.version(named: name) == nil {
            _ = try bundle.chosenVersion(name)
        }
        let left = Set(unshipped + configuration.unshippedVersions)
        var end = bundle.versions.count
        if version != nil || bundle.selectedVersionName != nil {
            let last = try bundle.chosenVersion(version)
            end = (bundle.versions.firstIndex { $0.name == last.name } ?? 0) + 1
        }
        return bundle.versions.prefix(end).filter { !left.contains($0.name) }
            .map(ModelLock.Version.init)
    }

    /// The version of the bundle that the store was written with; else what the store says of its own.
    private func versionOfStore(_ path: String) throws(MomtoolError) -> ModelLock.Version {
        do {
            let store = try StoreFile(path: path)
            let hashes = try store.metadata().hashes
            let identity = identify(storeHashes: hashes, among: bundle.versions)
            if case .exact(let names) = identity, let name = names.first,
                let found = bundle.version(named: name),
                version == nil || names.contains(version ?? "")
            {
                return found.frozen(as: version ?? name)
            }
            guard let version else { throw unknownVersion(of: path, identity) }
            if let own = try embeddedVersion(of: store)?.value, own.hashes == hashes {
                return own.frozen(as: version)
            }
            return ModelLock.Version(name: version, hashes: hashes)
        } catch {
            throw MomtoolError(error)
        }
    }

    private func unknownVersion(of path: String, _ identity: StoreIdentity) -> MomtoolError {
        var message = "no version of the model wrote this store"
        if case .nearest(let name, let entities) = identity {
            let list = entities.map(\.entity).joined(separator: ", ")
            message += "; nearest is '\(name)', which differs in \(list)"
        }
        return MomtoolError(.refused, path, message, "unknown-version", advice: [.nameVersion])
    }
}

extension ModelVersion {
    fileprivate func frozen(as name: String) -> ModelLock.Version {
        var version = self
        version.name = name
        return ModelLock.Version(version)
    }
}

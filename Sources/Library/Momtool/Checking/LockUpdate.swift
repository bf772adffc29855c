package import Diagnostics
import FileSystem
import MigrationPlanning
package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SettingsFiles
import StoreFormat

extension [Finding] {
    /// Adds the findings that are new: two locks may cover one version.
    package mutating func addNew(_ more: [Finding]) {
        let known = Set(map(\.diagnostic.message))
        self += more.filter { !known.contains($0.diagnostic.message) }
    }
}

extension ModelBundle {
    /// Compares the versions with a lock; versions that cannot be read are reported as neither missing nor edited.
    package func findings(
        of lock: Diagnosed<LocatedLock>,
        _ earlier: [ModelVersion] = [],
        by configuration: ToolConfiguration? = nil,
        releasedBy settings: ToolConfiguration? = nil
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
            ) { name in
                (configuration ?? settings).map { release(of: name, $0) != nil } ?? false
            }
        )
        let unreadFindings = unreadableVersions.flatMap { version in
            version.diagnostics.map { Finding($0, version: version.name) }
        }
        let all = unreadFindings + found
        return configuration.map { heeded(all, versions, $0.check) } ?? all
    }
}

/// The steps and routes of a model, as they are judged before versions are locked.
private struct LockedSteps {
    let bundle: ModelBundle
    let configuration: ToolConfiguration
    var mappingModels: MappingModels
    /// What may be lost, with what the lock records.
    var ledger: LossLedger
    let lists: [ReadStages]

    init(
        _ bundle: ModelBundle,
        _ configuration: ToolConfiguration,
        _ known: ModelLock
    ) throws(MomtoolError) {
        (self.bundle, self.configuration) = (bundle, configuration)
        mappingModels = try MappingModels(around: bundle.path, configuration)
        ledger = configuration.ledger(of: bundle.versions).recording(known, takingShipped: true)
        lists = bundle.readStages(configuration.stagesFiles, mappingModels)
    }

    private func lists(of store: ModelBundle) -> [ReadStages] {
        store.versions.count == bundle.versions.count
            ? lists : store.readStages(configuration.stagesFiles, mappingModels)
    }

    /// Finds unnamed losses of the steps into versions, which keep them from being locked.
    func unnamedLosses(locking names: [String], _ lock: ModelLock) -> [Finding] {
        let answers = lists.answers(mappingModels)
        var ledgers = bundle.stores.map { ledger.keeping($0).leavingToStages(of: $0) }
        if lock.versions.isEmpty, let step = bundle.replacing(configuration) {
            ledgers.append(configuration.ledger(of: step.versions))
        }
        return ledgers.flatMap { ledger in
            ModelChecking.unnamedLosses(
                locking: names,
                ledger,
                path: bundle.path,
                lock,
                mappingModel: answers.path,
                leavesOpen: answers.leaveOpen
            )
        }
    }

    func harmsOfRoutes(_ names: [String], _ settled: ModelLock) -> [Finding] {
        let accepted = ledger.acceptingShipped(
            path: bundle.path,
            settled,
            mappingModel: mappingModels.path
        )
        func routes(of store: ModelBundle, by models: MappingModels) -> RouteCheck? {
            // The linter reports stages that cannot be read.
            let migrator = try? Migrator(by: configuration, of: store, mappingModels: models)
            return migrator.flatMap {
                RouteCheck(of: store, settled, by: $0, accepted.keeping(store))
            }
        }
        var stepwise = mappingModels
        stepwise.isStepwise = true
        return bundle.stores.flatMap { store -> [Finding] in
            guard let current = store.currentVersion, names.contains(current.name) else {
                return []
            }
            // The app raises an exception at each start.
            let faults = faultyPlan(of: store.knownPlans(), opening: current)?.faults.map {
                Finding(Diagnostic(.stagesFail, saying: $0.wording, at: $0.location))
            }
            let failures = store.stageFailures(in: lists(of: store)).filter {
                $0.severity == .error
            }
            let all = (faults ?? []) + failures.map { Finding($0) }
            if !all.isEmpty { return heeded(all, store.versions, configuration.check) }
            let found = routes(of: store, by: mappingModels)?
                .asking { routes(of: store, by: stepwise) }
            return found?.harms(store.versions, configuration.check) ?? []
        }
    }
}

package struct LockUpdate: Sendable {
    package var bundle: ModelBundle
    /// The stores whose versions are locked; empty for all versions of the model.
    package var stores: [String]
    /// The last version to lock, or the name of the version of the store.
    package var version: String?
    package var unshipped: [String]
    /// Whether what is locked is recorded again.
    package var isAnew: Bool

    package init(
        of bundle: ModelBundle,
        stores: [String] = [],
        version: String? = nil,
        unshipped: [String] = [],
        isAnew: Bool = false
    ) {
        (self.bundle, self.stores, self.version) = (bundle, stores, version)
        (self.unshipped, self.isAnew) = (unshipped, isAnew)
    }

    package struct Result: Sendable {
        package var lock: ModelLock
        package var added: Int
        /// By version, what was not understood when it was locked, and is locked now.
        package var filled: [(version: String, entities: [String])]
        /// The versions that are not in it, in the words of the report.
        package var leftOut: [String]
        /// What the tags of the repository show, for the report.
        package var releases: [String]
    }

    /// Locks the versions; throws, and locks none, where one was edited or its step loses what is not named.
    package func result(for file: LockFile) throws(MomtoolError) -> Result {
        if var left = leftJournal(of: bundle.path).first {
            // Half an edit would be locked.
            left.severity = .error
            throw MomtoolError(.refused, saying: [left])
        }
        // A new lock is written to the target of a link, even if that does not exist yet.
        let isNothingThere = isAnew && FileIdentity(of: file.path) == nil
        let read = isNothingThere ? nil : try file.read()
        if let read, read.hasErrors, !isAnew {
            throw MomtoolError(.badData, saying: read.diagnostics)
        }
        let settings = try settings(for: bundle.path)
        let shipped = read?.value ?? bundle.lockOfReleases(settings)
        var known = shipped?.lock.following(bundle.versions).lock ?? ModelLock()
        if read != nil, !isAnew { try takeOut(unshipped, of: &known, settings) }
        var old = read == nil || isAnew ? ModelLock() : known
        let isGone = { (version: ModelLock.Version) in bundle.version(named: version.name) == nil }
        if isAnew { old.prunedVersions = known.prunedVersions.filter(isGone) }
        var new = try extended(old, known, file, settings)
        let isFirst = read == nil && stores.isEmpty
        let releases =
            isFirst
            ? bundle.unreadReleases(settings).map(\.message)
                + recordReleases(in: &new, known, settings)
            : keepReleases(in: &new, old, settings)
        let filled = new.lockUnderstood(in: bundle.versions)
        let models = try MappingModels(around: bundle.path, settings)
        let ledger = settings.ledger(of: bundle.versions)
        let cured =
            isAnew || read == nil ? [] : ledger.forgetCured(in: &new, mappingModel: models.path)
        let unreleased = isFirst ? bundle.unreleasedVersions(settings) : []
        let left = bundle.versions.map(\.name).filter { new.version(named: $0) == nil }.map {
            unreleased.contains($0) ? "\($0) (in no release: lock it when it ships)" : $0
        }
        return Result(
            lock: new,
            added: new.versions.count - old.versions.count,
            filled: filled,
            leftOut: left + bundle.unreadableVersions.map { "\($0.name) (cannot be read)" },
            releases: releases + cured.map { "the step to '\($0)' no longer loses what it did" }
        )
    }

    package struct Obstacles: Sendable {
        /// The findings by the version that they keep out, oldest first.
        package var findings: [(version: String, findings: [Finding])] = []
        /// Whether stores of every version reach the current one without an unnamed loss where an app takes every step.
        package var areCuredByEveryStep = false

        package init() {}
    }

    /// Finds what keeps versions out of the lock: unnamed losses of their steps, and for the current one what stores of
    /// older versions lose on their way to it, or that they do not reach it.
    package func obstacles() throws(MomtoolError) -> Obstacles {
        let configuration = try settings(for: bundle.path)
        let lock = bundle.lock() ?? bundle.lockOfReleases(configuration)?.lock
        let known = lock?.following(bundle.versions).lock ?? ModelLock()
        var steps = try LockedSteps(bundle, configuration, known)
        let names = try versionsToFreeze(configuration, isFirst: bundle.lock() == nil).map(\.name)
            .filter { known.version(named: $0) == nil }
        var obstacles = Obstacles()
        for name in names {
            let found = steps.unnamedLosses(locking: [name], known)
            if !found.isEmpty { obstacles.findings.append((name, found)) }
        }
        // A loss found for a step is not reported again for a route.
        for (name, _) in obstacles.findings { steps.ledger.named[name] = .all }
        let found = steps.harmsOfRoutes(names, known)
        guard !found.isEmpty, let current = bundle.currentVersion?.name else { return obstacles }
        if let index = obstacles.findings.firstIndex(where: { $0.version == current }) {
            obstacles.findings[index].findings += found
        } else {
            obstacles.findings.append((current, found))
        }
        if !steps.mappingModels.isStepwise {
            steps.mappingModels.isStepwise = true
            obstacles.areCuredByEveryStep = steps.harmsOfRoutes(names, known).isEmpty
        }
        return obstacles
    }

    private func extended(
        _ old: ModelLock,
        _ known: ModelLock,
        _ file: LockFile,
        _ configuration: ToolConfiguration
    ) throws(MomtoolError) -> ModelLock {
        // Locked versions that cannot be read keep their place in the lock.
        let unread = Set(bundle.unreadableVersions.map(\.name))
        let locked = Diagnosed(LocatedLock(old, path: file.path))
        let all = bundle.findings(of: locked, releasedBy: configuration)
        let faults = all.filter { finding in
            guard let version = finding.version, unread.contains(version) else {
                return finding.diagnostic.severity == .error
            }
            return old.version(named: version) != nil
        }
        guard faults.isEmpty else {
            throw MomtoolError(.refused, saying: faults.map(\.diagnostic))
        }
        var frozen: [ModelLock.Version] = []
        let isFirst = old.versions.isEmpty && !isAnew
        if stores.isEmpty { frozen = try versionsToFreeze(configuration, isFirst: isFirst) }
        for store in stores { frozen.append(try versionOfStore(store)) }
        let new = frozen.filter { old.version(named: $0.name) == nil }
        // Locked versions keep what was recorded then.
        // What a release had is locked as it had it.
        let names = new.filter { version in
            let before = known.version(named: version.name)
            // Its renamings were edited after the release.
            if known.newestTag != nil, before?.losses != nil { return true }
            return before?.hashes != version.hashes && (before == nil || known.newestTag == nil)
        }.map(\.name)
        var settled = known
        settled.versions.removeAll { names.contains($0.name) }
        let steps = try LockedSteps(bundle, configuration, known)
        // A lock must not hide unnamed losses.
        try require(steps.unnamedLosses(locking: names, settled))
        try require(steps.harmsOfRoutes(names, settled))
        var lock = old
        for version in new {
            var version = version
            let losses = steps.lists.losses(into: version.name, steps.ledger, steps.mappingModels)
            // Losses that shipped before the first lock were never named.
            version.losses = known.version(named: version.name)?.losses ?? losses
            lock.versions.append(version)
        }
        lock.versions = inOrder(lock.versions)
        let present = Set(lock.versions.map(\.name))
        lock.prunedVersions.removeAll { present.contains($0.name) }
        let before = settled.versions.isEmpty ? nil : settled
        return steps.ledger.recordingShipped(
            in: lock,
            before,
            path: bundle.path,
            mappingModel: steps.mappingModels.path
        )
    }

    private func inOrder(_ versions: [ModelLock.Version]) -> [ModelLock.Version] {
        let order = Dictionary(firstOf: bundle.versions.enumerated().map { ($1.name, $0) })
        return versions.enumerated().sorted { left, right in
            (order[left.element.name] ?? .max, left.offset)
                < (order[right.element.name] ?? .max, right.offset)
        }.map(\.element)
    }

    /// Locks nothing where something was found.
    private func require(_ findings: [Finding]) throws(MomtoolError) {
        guard !findings.isEmpty else { return }
        var error = MomtoolError(.refused, saying: findings.map(\.diagnostic))
        let isLoss = findings.allSatisfy { Rule.ofLosses.contains($0.diagnostic.rule) }
        let cure =
            isLoss
            ? "declare what was renamed, and allow intended losses and requirements"
            : "stores of an older version do not open"
        error.remarks.append("\(bundle.path): nothing was locked: \(cure)")
        throw error
    }

    /// All versions except those that have not shipped, those after the named one, those of stores of their own, and those
    /// that no plan lists: their stores do not open.
    ///
    /// A first lock has none that no release has.
    private func versionsToFreeze(
        _ configuration: ToolConfiguration,
        isFirst: Bool
    ) throws(MomtoolError) -> [ModelLock.Version] {
        for name in unshipped where bundle.version(named: name) == nil {
            _ = try bundle.chosenVersion(name)
        }
        let left = Set(unshipped + configuration.unshippedVersions.filter { $0 != version })
        let isChosen = version != nil || bundle.selectedVersionName != nil
        var end = bundle.versions.count
        if isChosen {
            let last = try bundle.chosenVersion(version)
            end = (bundle.versions.firstIndex { $0.name == last.name } ?? 0) + 1
        }
        let unplanned = bundle.unplannedVersions
        let newer = isChosen ? [] : bundle.versions.drop { !$0.isCurrent }.dropFirst()
        // Newer versions than the current one have shipped only where a lock or a release says so.
        let locks =
            newer.isEmpty
            ? [] : [bundle.lock(), bundle.lockOfReleases(configuration)?.lock].compactMap(\.self)
        var unreleased = Set(newer.map(\.name)).filter { name in
            !locks.contains { $0.version(named: name) != nil }
        }
        if isFirst, !isChosen { unreleased.formUnion(bundle.unreleasedVersions(configuration)) }
        return bundle.versions.prefix(end).filter { version in
            let isOfApp =
                !version.isBeside && !unplanned.contains(version.name)
                && !unreleased.contains(version.name)
            return !left.contains(version.name) && (isOfApp || version.name == self.version)
        }.map(ModelLock.Version.init)
    }

    /// The version of the bundle that wrote the store, or what the store records about its version.
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
        } catch { throw MomtoolError(error) }
    }

    private func unknownVersion(of path: String, _ identity: StoreIdentity) -> MomtoolError {
        var message = "no version of the model wrote this store"
        if case .nearest(let name, let entities) = identity {
            let list = entities.map(\.entity).joined(separator: ", ")
            message += "; the nearest is '\(name)', which differs in \(list)"
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

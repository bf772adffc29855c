import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import ModelChecking
import ModelHashing
import Momtool
import ObjectModel
import ModelLoading
import Reporting
import SettingsFiles
import StoreFormat

/// `momtool lock`: freezes versions that shipped, and checks that they stay as they are.
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Record the versions that shipped, and check that they stay unchanged.",
        discussion: """
            Writes MODEL.lock with the checksum, entity hashes and property hashes of
            every version. Name versions that have not shipped yet with --unshipped, or
            under lock: unshipped: in .momtool.yml. For a folder, every model below it is
            locked, as lint finds them. A version whose step loses something is locked
            only when that is named under losses: in .momtool.yml; the lock records it.
            Keep the file in version control, and run --check in CI.

            EXAMPLE
              momtool lock Shop.xcdatamodeld
              momtool lock Shop.xcdatamodeld --check
              momtool lock Shop.xcdatamodeld --from-store Field.sqlite
            """
    )

    @Argument(help: "The models, or folders with models.", completion: .model)
    var models: [String]

    @Flag(help: "Compare the model with its lock and write nothing.")
    var check = false

    @Option(
        help: "Lock the version that wrote this store; may be repeated.",
        completion: .store
    )
    var fromStore: [String] = []

    @Option(
        help: "The last version to lock; with --from-store, the name of the store's version.",
        completion: .version
    )
    var version: String?

    @Option(
        help: "A version that has not shipped yet and is left out; may be repeated.",
        completion: .version
    )
    var unshipped: [String] = []

    @Flag(
        help:
            "Update the lock: record changed versions again and remove versions that no longer exist."
    )
    var relock = false

    @Option(help: "The lock file, instead of MODEL.lock.")
    var lock: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: OutputOptions<FindingFormats>

    func validate() throws {
        if models.isEmpty { throw ValidationError("name a model") }
        if check, relock || !fromStore.isEmpty || version != nil {
            throw ValidationError("--check goes with --lock and --format only")
        }
    }

    func run() throws {
        try Commands.run {
            let models = models.flatMap(modelPaths)
            guard models.count == 1 || (lock == nil && fromStore.isEmpty && version == nil) else {
                throw CommandFailure(usage: "--lock, --from-store and --version go with one model")
            }
            if check { return try compare(models) }
            var batch = Batch()
            for model in models {
                if models.count == 1 { return try write(model) }
                _ = try batch.attempt { try write(model) }
            }
            try batch.finish()
        }
    }

    /// Locks the versions of a model.
    private func write(_ model: String) throws {
        let bundle = try ModelArgument(model, swift.settings).load()
        let file = LockFile(of: bundle, chosen: lock)
        let read = try file.read()
        if let read, read.hasErrors, !relock {
            throw CommandFailure(.badData, read.diagnostics.map(\.description))
        }
        let known = read?.value.lock.following(bundle.versions).lock ?? ModelLock()
        let old = relock ? ModelLock() : known
        let new = try extended(old, known, bundle, file)
        try file.write(new, sparing: InputFiles([model] + fromStore))
        let added = new.versions.count - old.versions.count
        let count = new.versions.count.counted("version")
        Console.say("\(file.path): \(count) locked, \(added) new")
        let left =
            bundle.versions.filter { new.version(named: $0.name) == nil }.map(\.name)
            + bundle.unreadableVersions.map { "\($0.name) (cannot be read)" }
        if !left.isEmpty {
            Console.say("\(file.path): left out: \(left.joined(separator: ", "))")
        }
    }

    /// Compares models with their locks.
    private func compare(_ models: [String]) throws {
        var findings: [Finding] = []
        var inputs: [String] = []
        var batch = Batch()
        for model in models {
            func check() throws -> [Finding] {
                let bundle = try ModelArgument(model, swift.settings).load()
                let file = LockFile(of: bundle, chosen: lock)
                inputs += [model, file.path]
                guard let lock = try file.read() else {
                    let message = "there is no lock; write it with momtool lock \(model)"
                    throw CommandFailure(.noInput, file.path, message, .unreadableFile)
                }
                return unreadFindings(bundle) + lockFindings(bundle, lock)
            }
            findings += try models.count == 1 ? check() : batch.attempt(check) ?? []
        }
        let subject = models.count == 1 ? ModelArgument(models[0]).path : "\(models.count) models"
        let report = FindingReport(command: "lock", subject: subject, findings: findings)
        try output.deliver(sparing: InputFiles(inputs), report.rendered)
        if report.count(.error) > 0 { batch.note(.findings) }
        try batch.finish()
    }

    /// What keeps versions from being read: none of them is missing, and none can be compared.
    private func unreadFindings(_ bundle: ModelBundle) -> [Finding] {
        bundle.unreadableVersions.flatMap { version in
            version.diagnostics.map { Finding($0, version: version.name) }
        }
    }

    private func lockFindings(
        _ bundle: ModelBundle,
        _ lock: Diagnosed<LocatedLock>
    ) -> [Finding] {
        var lock = lock
        let unread = Set(bundle.unreadableVersions.map(\.name))
        lock.value.lock.versions.removeAll { unread.contains($0.name) }
        return checkLock(
            bundle.versions,
            path: bundle.path,
            reading: lock.diagnostics,
            lock: lock.value
        )
    }

    private func extended(
        _ old: ModelLock,
        _ known: ModelLock,
        _ bundle: ModelBundle,
        _ file: LockFile
    ) throws -> ModelLock {
        let located = Diagnosed(LocatedLock(old, path: file.path))
        // What is locked already and cannot be read keeps its place in the lock.
        let unread = unreadFindings(bundle).filter { finding in
            old.versions.contains { $0.name == finding.version }
        }
        let faults =
            unread + lockFindings(bundle, located).filter { $0.diagnostic.severity == .error }
        guard faults.isEmpty else {
            throw CommandFailure(.refused, faults.map(\.diagnostic.description))
        }
        let configuration = try loadConfiguration(nil, for: bundle.path)
        let frozen =
            try fromStore.isEmpty
            ? versionsToFreeze(bundle, configuration)
            : fromStore.map { try versionOfStore($0, bundle) }
        let new = frozen.filter { old.version(named: $0.name) == nil }
        let ledger = configuration.ledger(of: bundle.versions).recording(known)
        try requireNamedLosses(new, ledger, bundle, known, configuration)
        var lock = old
        for version in new {
            var version = version
            let losses = namedLosses(into: version.name, ledger)
            // What shipped before the first lock was named by nobody.
            version.losses = known.version(named: version.name)?.losses ?? losses
            lock.versions.append(version)
        }
        // Stores may come in any order; the lock is in that of the bundle.
        let order = Dictionary(
            bundle.versions.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        lock.versions = lock.versions.enumerated().sorted { left, right in
            (order[left.element.name] ?? .max, left.offset)
                < (order[right.element.name] ?? .max, right.offset)
        }.map(\.element)
        return lock
    }

    /// Refuses versions whose steps lose what nobody named: a lock must not hide it.
    ///
    /// A version that was locked as it is keeps what was recorded then.
    private func requireNamedLosses(
        _ new: [ModelLock.Version],
        _ ledger: LossLedger,
        _ bundle: ModelBundle,
        _ known: ModelLock,
        _ configuration: ToolConfiguration
    ) throws {
        let names = new.filter { known.version(named: $0.name)?.hashes != $0.hashes }.map(\.name)
        var settled = known
        settled.versions.removeAll { names.contains($0.name) }
        let losses = unnamedLosses(
            locking: names,
            ledger,
            path: bundle.path,
            settled,
            mappingModel: StepMappings(around: bundle.path, configuration).path
        )
        guard losses.isEmpty else {
            let advice =
                "nothing was locked: declare what was renamed, and name what is meant to be lost"
            throw CommandFailure(.refused, losses.map(\.diagnostic.description) + [advice])
        }
    }

    /// Every version but those that have not shipped, and those behind the one that is named.
    private func versionsToFreeze(
        _ bundle: ModelBundle,
        _ configuration: ToolConfiguration
    ) throws -> [ModelLock.Version] {
        let configured = configuration.unshippedVersions
        for name in unshipped where bundle.version(named: name) == nil {
            _ = try bundle.chosenVersion(name)
        }
        let left = Set(unshipped + configured)
        var end = bundle.versions.count
        if version != nil || bundle.selectedVersionName != nil {
            let last = try bundle.chosenVersion(version)
            end = (bundle.versions.firstIndex { $0.name == last.name } ?? 0) + 1
        }
        return bundle.versions.prefix(end).filter { !left.contains($0.name) }
            .map(ModelLock.Version.init)
    }

    /// The version of the bundle that the store was written with; else what the store says of its own.
    private func versionOfStore(
        _ path: String,
        _ bundle: ModelBundle
    ) throws -> ModelLock.Version {
        let store = try StoreFile(path: path)
        let identity = try identify(store, among: bundle.versions)
        if case .exact(let names) = identity, let name = names.first,
            let found = bundle.version(named: name),
            version == nil || names.contains(version ?? "")
        {
            return frozen(found, version ?? name)
        }
        let hashes = try store.metadata().hashes
        guard let version else {
            var message = "no version of the model wrote this store"
            if case .nearest(let name, let entities) = identity {
                let list = entities.map(\.entity).joined(separator: ", ")
                message += "; nearest is '\(name)', which differs in \(list)"
            }
            message += "; name the version with --version to lock what the store says"
            throw CommandFailure(.refused, path, message, "unknown-version")
        }
        if let own = try embeddedVersion(of: store)?.value, own.hashes == hashes {
            return frozen(own, version)
        }
        return ModelLock.Version(name: version, hashes: hashes)
    }

    private func frozen(_ version: ModelVersion, _ name: String) -> ModelLock.Version {
        var version = version
        version.name = name
        return ModelLock.Version(version)
    }
}

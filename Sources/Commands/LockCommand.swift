import ArgumentParser
import Diagnostics
import Essentials
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
            under lock: unshipped: in .momtool.yml. Keep the file in version control, and
            run --check in CI.

            EXAMPLE
              momtool lock Shop.xcdatamodeld
              momtool lock Shop.xcdatamodeld --check
              momtool lock Shop.xcdatamodeld --from-store Field.sqlite
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

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
        if check, relock || !fromStore.isEmpty || version != nil {
            throw ValidationError("--check goes with --lock and --format only")
        }
    }

    func run() throws {
        try Commands.run {
            let bundle = try ModelArgument(model, swift.settings).load()
            let file = LockFile(of: bundle, chosen: lock)
            let read = try file.read()
            if check {
                try compare(bundle, with: read, file)
                return
            }
            if let read, read.hasErrors, !relock {
                throw CommandFailure(.badData, read.diagnostics.map(\.description))
            }
            let old = relock ? ModelLock() : read?.value.lock ?? ModelLock()
            let new = try extended(old, bundle, file)
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
    }

    private func compare(
        _ bundle: ModelBundle,
        with lock: Diagnosed<LocatedLock>?,
        _ file: LockFile
    ) throws {
        guard let lock else {
            let message = "there is no lock; write it with momtool lock \(model)"
            throw CommandFailure(.noInput, file.path, message, .unreadableFile)
        }
        let findings = lockFindings(bundle, lock)
        let report = FindingReport(command: "lock", subject: bundle.path, findings: findings)
        try output.deliver(
            sparing: InputFiles([model, file.path]),
            report.rendered
        )
        guard report.count(.error) == 0 else { throw CommandFailure(.findings, []) }
    }

    private func lockFindings(
        _ bundle: ModelBundle,
        _ lock: Diagnosed<LocatedLock>
    ) -> [Finding] {
        checkLock(
            bundle.versions,
            path: bundle.path,
            reading: lock.diagnostics,
            lock: lock.value
        )
    }

    private func extended(
        _ old: ModelLock,
        _ bundle: ModelBundle,
        _ file: LockFile
    ) throws -> ModelLock {
        let located = Diagnosed(LocatedLock(old, path: file.path))
        let faults = lockFindings(bundle, located).filter { $0.diagnostic.severity == .error }
        guard faults.isEmpty else {
            throw CommandFailure(.refused, faults.map(\.diagnostic.description))
        }
        let frozen =
            try fromStore.isEmpty
            ? versionsToFreeze(bundle)
            : fromStore.map { try versionOfStore($0, bundle) }
        var lock = old
        for version in frozen where lock.version(named: version.name) == nil {
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

    /// Every version but those that have not shipped, and those behind the one that is named.
    private func versionsToFreeze(_ bundle: ModelBundle) throws -> [ModelLock.Version] {
        let configured = try loadConfiguration(nil, for: bundle.path).unshippedVersions
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

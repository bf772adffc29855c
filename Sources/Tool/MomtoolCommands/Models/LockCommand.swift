import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelChecking
import Momtool
import MomtoolReporting

struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Record the versions that shipped, and check that they stay unchanged.",
        discussion: """
            Writes MODEL.lock with the checksum, entity hashes and property hashes of
            every version. Name versions that have not shipped yet with --unshipped, or
            under lock: unshipped: in .momtool.yml. For a folder, every model below it is
            locked, as lint finds them; without arguments, every model that check finds
            below this folder. A version whose step drops data is locked
            only when losses: in .momtool.yml allows it; the lock records that. Where the
            repository has releases, a first lock leaves out what none of them has.
            The stores of a corpus below this folder (momtool test --corpus) are migrated;
            if all succeed, the stores of the versions new in the lock are made.
            Keep the file in version control, and run --check in CI.

            EXAMPLE
              momtool lock
              momtool lock Shop.xcdatamodeld
              momtool lock Shop.xcdatamodeld --dry-run
              momtool lock Shop.xcdatamodeld --check
              momtool lock Shop.xcdatamodeld --from-store Field.sqlite
            """
    )

    @Argument(
        help: "The models, or folders with models; all below this folder when left out.",
        completion: .model
    )
    var models: [String] = []

    @Flag(help: "Compare the model with its lock and write nothing.") var check = false

    @Flag(help: "Print what would change as a unified diff, and write nothing.") var dryRun = false

    @Option(help: "Lock the version that wrote this store; may be repeated.", completion: .store)
    var fromStore: [String] = []

    @Option(
        help: "The last version to lock; with --from-store, the name of the store's version.",
        completion: .version
    )
    var version: String?

    @Option(
        help:
            "A version that has not shipped yet: it is left out, or taken out of the lock; may be repeated.",
        completion: .version
    )
    var unshipped: [String] = []

    @Flag(
        help:
            "Update the lock: record changed versions again and remove versions that no longer exist."
    )
    var relock = false

    @Option(help: "The lock file, instead of MODEL.lock.") var lock: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func validate() throws {
        if check, relock || dryRun || !fromStore.isEmpty || version != nil {
            throw ValidationError("--check goes with --lock and --format only")
        }
    }

    func run() throws {
        // Models below submodules are locked, where none is named.
        let submodules = (self.models.isEmpty ? ["."] : self.models).flatMap(partsNotSeen)
        if !check { Console.show(submodules.map(\.diagnostic)) }
        let models = try found()
        guard models.count == 1 || (lock == nil && fromStore.isEmpty && version == nil) else {
            throw CommandFailure(usage: "--lock, --from-store and --version go with one model")
        }
        if check { return try compare(models, submodules) }
        guard output.format.allSatisfy({ [.text, .json].contains($0.format) }) else {
            throw CommandFailure(usage: "the formats are text and json; --check has more")
        }
        try output.check(sparing: InputFiles(models.map(\.path) + fromStore), apartFrom: lock)
        let isSeen = submodules.allSatisfy { part in
            !models.contains { part.diagnostic.location?.path.hasPrefix($0.path + "/") == true }
        }
        try write(models, isSeen: isSeen)
    }

    /// Locks the models; ends with findings where a part of one is not locked, or not seen.
    private func write(_ models: [ModelPlace], isSeen: Bool) throws {
        var batch = Batch()
        var work = WorkReport()
        var isWhole = true
        for model in models {
            func locked() throws -> Bool {
                try dryRun
                    ? write(model, &work) : inTurn(around: model.path) { try write(model, &work) }
            }
            guard models.count > 1 else {
                isWhole = try locked()
                break
            }
            isWhole = (try batch.attempt(locked) ?? true) && isWhole
        }
        if !dryRun {
            func filled() throws -> Bool { try fillCorpora(of: models, &work) }
            isWhole = (try batch.attempt(filled) ?? true) && isWhole
        }
        try output.deliver(work, sparing: models.map(\.path) + fromStore)
        if !isWhole || !isSeen { batch.note(.findings) }
        try batch.finish()
    }

    /// Brings the corpora of the models up to date; `false` where a store of an older version does not arrive as it did.
    private func fillCorpora(of models: [ModelPlace], _ work: inout WorkReport) throws -> Bool {
        var isWhole = true
        var options = MatrixOptions()
        options.words = .command
        for path in ProjectContents(below: ".").corpora {
            let folder = parent(of: path)
            guard let index = CorpusIndex.read(in: folder) else { continue }
            let place = resolvedPath("\(folder)/\(index.model)")
            let isMeant = models.contains { LockFile.isOneModel($0.path, and: place) }
            guard isMeant else { continue }
            // The corpus keeps the name by which it was recorded.
            let named = models.first { resolvedPath($0.path) == place }?.path ?? place
            let bundle = try ModelPlace(named, swift: swift.settings).load()
            let made = try CorpusRun(at: folder, bundle, options, swift.settings).release()
            work.lines += made.lines
            isWhole = isWhole && made.isWhole
        }
        return isWhole
    }

    /// The named models, or all below this folder, as for `init`.
    private func found() throws -> [ModelPlace] {
        guard models.isEmpty else {
            return models.flatMap { modelPlaces($0, swift.settings) }
        }
        let found = ProjectContents(of: ["."]).usablePlaces(swift.settings)
        guard !found.isEmpty else {
            let message = "there is no model here: name one, as in momtool lock MODEL"
            throw CommandFailure(.noInput, ".", message, "nothing-to-check")
        }
        return found
    }

    /// Locks the versions of a model; `false` where some cannot be read, and so are not locked.
    private func write(_ model: ModelPlace, _ work: inout WorkReport) throws -> Bool {
        let bundle = try model.load(allowingGaps: true, restingOn: .allVersions, toLock: true)
        let file = LockFile(ofModel: bundle.path, chosen: lock)
        let update = LockUpdate(
            of: bundle,
            stores: fromStore,
            version: version,
            unshipped: unshipped,
            isAnew: relock
        )
        let new = try update.result(for: file)
        let text = new.lock.text
        if dryRun {
            let change = FileChange.write(path: file.path, bytes: Array(text.utf8))
            let patch = FilePatch.text(of: try FilePatch.patches(of: [change]))
            work.isDry = true
            work.patch = [work.patch ?? "", patch].filter { !$0.isEmpty }.joined(separator: "\n")
        } else {
            let inputs = InputFiles([model.path] + fromStore, writing: file.path)
            try MomtoolCommands.write(Data(text.utf8), to: OutputPlace(file.path, sparing: inputs))
            UnreportedWork.note("\(file.path) is written")
        }
        let count = new.lock.versions.count.counted("version")
        work.add(file.path, .written, "\(file.path): \(count) locked, \(new.added) new")
        for (version, entities) in new.filled {
            let verb = entities.count == 1 ? "is" : "are"
            work.lines.append(
                "\(file.path): \(entities.listed(most: 3)) of '\(version)' \(verb) now understood and locked"
            )
        }
        work.lines += new.releases.map { "\(file.path): \($0)" }
        if !new.leftOut.isEmpty {
            work.lines.append("\(file.path): left out: \(new.leftOut.joined(separator: ", "))")
        }
        return bundle.unreadableVersions.isEmpty
    }

    private func compare(_ models: [ModelPlace], _ found: [Finding]) throws {
        var findings = found
        var inputs: [String] = []
        var batch = Batch()
        var count = 0
        var pruned: [String] = []
        for model in models {
            func check() throws -> [Finding] {
                let bundle = try model.load(allowingGaps: true, reportingVersions: true)
                let file = LockFile(ofModel: bundle.path, chosen: lock)
                inputs += [model.path, file.path]
                guard let lock = try file.read() else {
                    if let whole = try file.findingsOfShared(swift.settings) {
                        inputs.append(whole.lock)
                        count += whole.versions
                        return whole.findings
                    }
                    let message =
                        "there is no lock; write it with momtool lock \(shellWord(model.path))"
                    throw CommandFailure(.noInput, file.path, message, .unreadableFile)
                }
                count += lock.value.lock.versions.count
                pruned += lock.value.lock.prunedVersions.map {
                    "'\($0.name)' (on \($0.prunedDay ?? ""))"
                }
                var found = bundle.findings(of: lock)
                found += leftJournal(of: bundle.path).map { Finding($0) }
                found.addNew(try model.harmsOfRoutes(comparedWith: self.lock))
                return found
            }
            findings += try models.count == 1 ? check() : batch.attempt(check) ?? []
        }
        let subject = models.count == 1 ? models[0].path : "\(models.count) models"
        var report = FindingReport(command: "lock", subject: subject, findings: findings)
        report.isPartial = !batch.faults.isEmpty
        report.extent = count.counted("locked version")
        if !pruned.isEmpty {
            let names = pruned.listed(most: 3)
            report.extent =
                "\(count.counted("locked version")) and \(pruned.count) pruned: \(names)"
        }
        try output.deliver(sparing: InputFiles(inputs), report.rendered)
        if report.count(.error) + report.count(.warning) > 0 { batch.note(.findings) }
        try batch.finish()
    }
}

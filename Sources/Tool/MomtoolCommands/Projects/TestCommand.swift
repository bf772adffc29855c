import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelChecking
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import ProjectChecking
import SettingsFiles

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run fixture cases: rows of an old version, and the expected result.",
        discussion: """
            A case is a folder with case.yml (model, from, to, stages, expect and
            facts), before.json or before.sqlite, and after.json; case.yml may hold the
            rows, and several cases. Objects are compared by their values and links, not by
            their keys. Ends with status 1 when a case fails.

            EXAMPLE
              momtool test MigrationCases
              momtool test MigrationCases --new renamed --model Shop.xcdatamodeld \\
                --from V1 --to V2
              momtool test MigrationCases --format junit=report.xml --artifacts Failed
              momtool test --matrix Shop.xcdatamodeld --rows 500 --seed 7
              momtool test --matrix Shop.xcdatamodeld --to-every-version
              momtool test --model Shop.xcdatamodeld --stores 'Field/**/*.sqlite'
              momtool test --model Shop.xcdatamodeld --from-list stores.txt --jobs 8
              momtool test --corpus Corpus --model Shop.xcdatamodeld --record
            """
    )

    @Argument(
        help:
            "The folders with cases, or their files; the current folder when nothing else is run.",
        completion: .directory
    )
    var folders: [String] = []

    @Option(
        help:
            "A model: generate objects of every version and migrate them to the current one, or to the version in MODEL#VERSION.",
        completion: .model
    )
    var matrix: [String] = []

    @Flag(help: "With --matrix: migrate every version to each later one, up to that one.")
    var toEveryVersion = false

    @Flag(help: "With --matrix: start only from versions that the model's lock contains.")
    var locked = false

    @Option(help: "The number of objects to generate for each entity.") var rows = 20

    @Option(help: "The seed for generated values; the same seed gives the same objects.")
    var seed: UInt64 = 0

    @Option(
        parsing: .upToNextOption,
        help:
            "Real stores, or a pattern in which ** matches any folders: migrate copies of them and check that every value arrives.",
        completion: .store
    )
    var stores: [String] = []

    @Option(help: StoreList.help, completion: .file()) var fromList: String?

    @Option(
        help:
            "The model of the stores, or of a new case; repeat the option when another model has the version of a store. The last one has the new version.",
        completion: .model
    )
    var model: [String] = []

    @Flag(
        help:
            "A folder with a store of every version that shipped: migrate each; with --record, create them for --model."
    )
    var corpus = false

    @Flag(help: "Skip migrations that Core Data refuses, in a matrix or for real stores.")
    var skipRefused = false

    @Flag(help: "Write the result to after.json if that is missing or different.")
    var record = false

    @Flag(help: "Allow stages to run the programs that they name.") var allowPrograms = false

    @Option(help: ArgumentHelp("Run only tests whose name contains this text.", valueName: "name"))
    var filter: String?

    @Option(help: "How many cases to run at the same time.") var jobs = 2

    @Option(help: "A folder for the files of failed cases: stores, exports, plans and differences.")
    var artifacts: String?

    @Option(
        help:
            "Run nothing: write a case of this name, with every required value of the entities that change."
    )
    var new: String?

    @Flag(
        help:
            "Run nothing: write the case of the step to the current version, named after its versions."
    )
    var writeCase = false

    @Option(
        help: "The version of the new case's rows; the previous one when left out.",
        completion: .version
    )
    var from: String?

    @Option(
        help: "The version that the new case migrates to; the current one when left out.",
        completion: .version
    )
    var to: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TestFormats>

    func validate() throws {
        try requireSoundNewCase()
        guard !writesNewCase || (folders.count <= 1 && model.count == 1) else {
            throw ValidationError("name one folder of cases, and one --model, for a new case")
        }
        guard !corpus || folders.count <= 1 else {
            throw ValidationError("--corpus takes one folder")
        }
        guard !testsStores || !model.isEmpty else {
            throw ValidationError("\(stores.isEmpty ? "--from-list" : "--stores") needs --model")
        }
        guard !toEveryVersion || !matrix.isEmpty else {
            throw ValidationError("--to-every-version needs --matrix")
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64") }
        guard (1...100_000).contains(rows) else {
            throw ValidationError("--rows takes 1 to 100000")
        }
    }

    func run() throws {
        if let model = model.first, writesNewCase {
            let bundle = try ModelPlace(model, swift: swift.settings).load()
            let written = try newCase(in: folders.first ?? NewProject.casesFolder, model, bundle)
            var work = WorkReport()
            work.add(written.path, .written, "wrote \(written.path)")
            if let remark = written.remark {
                work.lines.append("  \(remark)")
                work.lines.append(
                    "  until then, momtool test ends with 66 unless another test runs"
                )
            }
            if !written.losses.isEmpty {
                let message =
                    "the case allows the loss of \(written.losses.listed(most: 5)): remove that from allowDataLoss "
                    + "unless it is intended"
                let place = FileLocation(path: written.path)
                Console.show([Diagnostic("data-loss", message, severity: .note, at: place)])
            }
            return try output.deliver(work, sparing: [model])
        }
        let inputs = try inputs()
        try output.check(sparing: inputs)
        if corpus, record { return try recordCorpus() }
        let report = try report()
        try output.deliver(sparing: inputs, report.rendered)
        guard report.count(.failed) == 0 else { throw CommandFailure(.findings, []) }
        guard report.cases.isEmpty || report.count(.skipped) < report.cases.count else {
            let isOfCases = !caseFolders.isEmpty && matrix.isEmpty && !testsStores
            let advice =
                isOfCases ? "; do what the lines above say, and remove skip: from the cases" : ""
            let message = "error: every test was skipped: nothing was run\(advice) [no-cases]"
            throw CommandFailure(.noInput, [message])
        }
    }

    /// The folders of cases: the current folder if nothing else is requested.
    private var caseFolders: [String] {
        if corpus { return [] }
        let isBare = folders.isEmpty && matrix.isEmpty && !testsStores
        return isBare ? ["."] : folders
    }

    private func inputs() throws -> InputFiles {
        let cases = caseFolders.flatMap { folder in
            ((try? MigrationCase.results(in: fileURL(folder))) ?? []).compactMap { _, result in
                try? result.get()
            }
        }
        let files = cases.flatMap { `case` in
            let names = [MigrationCase.fileName, "before.sqlite"]
            return names.map { `case`.folder.appending(path: $0).path }
                + ["before", "after"].map { `case`.rowsFile($0).path }
        }
        let lists = [fromList].compactMap(\.self)
        return InputFiles(try storePaths() + lists + files + matrix + model)
    }

    private func report() throws -> TestReport {
        var tests = try (caseTests() + matrixTests() + fieldTests() + corpusTests())
            .keepingArtifacts(in: artifacts.map { fileURL($0) })
        guard !tests.isEmpty else {
            let reason =
                matrix.isEmpty
                ? "there are no cases; --new NAME --model MODEL writes one"
                : "there is no other version to migrate from: nothing was run"
            throw CommandFailure(.noInput, (matrix + caseFolders)[0], reason, "no-cases")
        }
        if let filter {
            let names = tests.map(\.name)
            tests.removeAll { !$0.name.contains(filter) }
            guard !tests.isEmpty else {
                let near = suggestion(for: filter, among: names)
                let reason = "no test name contains '\(filter)'\(near): nothing was run"
                throw CommandFailure(
                    .noInput,
                    (matrix + caseFolders + stores + [fromList].compactMap(\.self))[0],
                    reason,
                    "no-cases"
                )
            }
        }
        let start = ContinuousClock.now
        let outcomes = outcomes(of: tests, jobs: jobs)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return TestReport(outcomes, seconds: seconds)
    }

    private func caseTests() throws -> [MigrationTest] {
        let options = CaseRunOptions(
            records: record,
            allowsPrograms: allowPrograms,
            words: .command
        )
        return try caseFolders.flatMap { folder in
            guard Files.exists(at: folder) else {
                let near = pathHint(folder)
                let next = "; --write-case --model MODEL makes it, with a first case"
                let reason = absence(of: folder)
                let message =
                    reason.hasPrefix("no such")
                    ? "no such folder" + (near.isEmpty ? next : near) : reason
                throw CommandFailure(.noInput, folder, message, "no-cases")
            }
            do {
                let results = try MigrationCase.results(in: fileURL(folder))
                for case .success(let found) in results.map(\.1) { try found.requireSettings() }
                return tests(of: results, in: folder, options)
            } catch let error as MigrationCaseError {
                let fault = Diagnostic(.brokenCase, error.reason, at: error.location)
                throw CommandFailure(.badData, [fault.commandWords])
            }
        }
    }

    private func matrixTests() throws -> [MigrationTest] {
        try matrix.flatMap { path in
            let bundle = try ModelPlace(path, swift: swift.settings).load()
            guard toEveryVersion else { return try matrixTests(path, bundle) }
            let last = try bundle.chosenVersion(nil)
            let end = bundle.versions.firstIndex { $0.isSame(as: last) } ?? 0
            return try bundle.versions.prefix(end + 1).dropFirst().flatMap { target in
                var chosen = bundle
                chosen.selectedVersionName = target.name
                return try matrixTests(path, chosen)
            }
        }
    }

    private func matrixTests(_ path: String, _ bundle: ModelBundle) throws -> [MigrationTest] {
        let app = try AppMigrations(of: bundle, chosenOptions, swift.settings)
        Console.show(app.unmatchedLosses)
        let target = try bundle.chosenVersion(nil)
        let versions =
            locked ? try lockedVersions(of: bundle) : bundle.versionsInTheField(before: target)
        let unread = locked ? [] : bundle.unreadableVersions(before: target)
        let failing = unread.map { version in
            let name = "\(version.name) → \(target.name)"
            let reason = "'\(version.name)' cannot be read"
            return MigrationTest.failing(group: path, name: name, reason: reason)
        }
        let tests = MigrationTesting.matrixTests(
            in: path,
            from: toEveryVersion ? versions.filter { bundle.isBefore($0, target) } : versions,
            to: target,
            by: app.migrator,
            options: app.options
        )
        return failing + tests
    }

    var chosenOptions: MatrixOptions {
        var options = MatrixOptions(rows: rows, seed: seed, skipsRefused: skipRefused)
        options.allowsPrograms = allowPrograms
        options.words = .command
        return options
    }

    private func lockedVersions(of bundle: ModelBundle) throws -> [ModelVersion] {
        let file = LockFile(ofModel: bundle.path)
        guard let lock = try file.read() else {
            let message = "there is no lock; write it with 'momtool lock'"
            throw CommandFailure(.noInput, file.path, message, .unreadableFile)
        }
        let names = Set(lock.value.lock.following(bundle.versions).lock.versions.map(\.name))
        return bundle.versions.filter { names.contains($0.name) }
    }
}

enum TestFormats: FormatList {
    static let formats: [ReportFormat] = [.text, .json, .junit, .github, .markdown]
}

extension ModelBundle {
    fileprivate func isBefore(_ version: ModelVersion, _ other: ModelVersion) -> Bool {
        let end = versions.firstIndex { $0.isSame(as: other) } ?? 0
        return versions.prefix(end).contains { $0.isSame(as: version) }
    }
}

/// Runs tests, several at a time, with progress on a terminal.
func outcomes(of tests: [MigrationTest], jobs: Int) -> [CaseOutcome] {
    let display = WorkDisplay("test", unit: "cases")
    let done = Locked<[CaseOutcome]>([])
    inParallel(tests.count, jobs: jobs) { index in
        tests[index].run()
    } handle: { outcome in
        let count = done.withLock { outcomes in
            outcomes.append(outcome)
            return outcomes.count
        }
        display.show(count, of: tests.count, outcome.name)
    }
    display.clear()
    // Files are named as a reader of the log finds them.
    let here = Surroundings.current.folderPath + "/"
    return done.withLock(\.self).map { outcome in
        var outcome = outcome
        outcome.lines = outcome.lines.map { $0.replacing(here, with: "") }
        outcome.remarks = outcome.remarks.map { $0.replacing(here, with: "") }
        outcome.subject = outcome.subject.map { place in
            FileLocation(path: place.path.replacing(here, with: ""), line: place.line)
        }
        return outcome
    }
}

import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelChecking
import Momtool
import ProjectChecking
import MomtoolReporting
import StoreFormat

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check everything below a folder: models, locks, steps, stages and cases.",
        discussion: """
            Finds every model, lock, configuration, stages file, mapping model and case
            below the paths. Does what lint and lock --check do, plans the migration of
            every version to the current one, stages included, migrates generated objects
            of each of them, and runs the cases. One summary and one status cover all.

            A loss is an error until losses: in .momtool.yml allows it. With
            --against, the differences from a git revision are added as notes, and its
            locks count too; without a lock, a loss in an edited version is a warning.

            EXAMPLE
              momtool check
              momtool check . --against main --format github --format sarif=momtool.sarif
              momtool check Shop.xcdatamodeld --release
              momtool check --against main --comment comment.md
            """
    )

    @Argument(help: "Folders, or models; the current folder when left out.", completion: .model)
    var paths: [String] = []

    @Option(help: "A git revision: show what differs from it, and compare with its locks.")
    var against: String?

    @Flag(help: "For a release: it is an error if a current version is not locked.")
    var release = false

    @Option(
        help:
            "The lowest severity that makes the command end with status 1: note, warning or error."
    )
    var failOn: Severity = .warning

    @Option(help: "The number of objects to generate for each entity.") var rows = 10

    @Option(help: "How many migrations to run at the same time.") var jobs = 2

    @Option(help: "A folder for the files of failed migrations and cases.") var artifacts: String?

    @Flag(help: "Allow stages to run the programs that they name.") var allowPrograms = false

    @Option(
        help: ArgumentHelp(
            "Write a comment for a pull request, in Markdown: verdicts, losses, refusals, a diagram.",
            valueName: "file"
        )
    )
    var comment: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func validate() throws {
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64") }
        guard (1...100_000).contains(rows) else {
            throw ValidationError("--rows takes 1 to 100000")
        }
    }

    func run() throws {
        let paths = paths.isEmpty ? ["."] : paths
        let contents = try contents(of: paths)
        // Inputs are searched only where a file is written: there may be thousands of them.
        lazy var inputs = InputFiles(
            paths + contents.models + contents.locks + contents.stages + contents.cases
                + contents.mappingModels
        )
        let commentPlace = try comment.map { try OutputPlace($0, sparing: inputs) }
        try output.check(sparing: inputs, apartFrom: commentPlace?.file)
        let forks = try forkPoints(paths)
        var options = ProjectCheck.Options()
        options.swift = swift.settings
        options.isRelease = release
        // What the other branch gained since is not what this one removed.
        options.revision = (forks.count == 1 ? forks.compactMap(\.self).first : nil) ?? against
        options.comparesNotes = comment != nil
        options.matrix = MatrixOptions(rows: rows, skipsRefused: true)
        options.matrix.allowsPrograms = allowPrograms
        options.matrix.words = .command
        var run = ProjectCheck(of: contents, options)
        // A revision may have had models that were removed.
        if contents.isEmpty, against == nil {
            Console.show(contents.folders.flatMap(partsNotSeen).map(\.diagnostic))
        } else {
            let artifacts = artifacts.map { fileURL($0) }
            run.checkAll { tests in outcomes(of: tests.keepingArtifacts(in: artifacts), jobs: jobs)
            }
        }
        guard !contents.isEmpty || !run.findings.isEmpty else {
            try write(CheckComment.withoutModels(in: paths), to: commentPlace)
            let message = "there is no model, lock or case here; name a folder that has one"
            throw CommandFailure(.noInput, paths[0], message, "nothing-to-check")
        }
        var report = FindingReport(command: "check", subject: run.summary, findings: run.findings)
        report.arguments = self.paths
        report.failOn = failOn
        try output.deliver(sparing: inputs, report.rendered)
        try write(remarks(report, run), to: commentPlace)
        let isFound = run.findings.contains { $0.diagnostic.severity >= failOn }
        if isFound { throw CommandFailure(.findings, []) }
    }

    private func remarks(_ report: FindingReport, _ run: ProjectCheck) -> String {
        let steps = run.steps.map { step in
            var difference = DiffReport(comparing: step.from, step.to)
            difference.meant = step.meant
            return CheckComment.Step(step.model, difference, isShipped: step.isShipped)
        }
        let whole = run.wholeModels.map { model in
            CheckComment.WholeModel(
                model: model.model,
                versions: model.versions,
                isNew: model.isNew
            )
        }
        return CheckComment(
            report,
            steps: steps,
            whole: whole,
            since: against,
            known: run.knownNotes
        ).text
    }

    private func write(_ comment: @autoclosure () -> String, to place: OutputPlace?) throws {
        guard let place else { return }
        let text = reportingPaths { comment() }
        try MomtoolCommands.write(Data((text + "\n").utf8), to: place)
    }

    /// Returns where each path's branch left the revision, and refuses an unknown one; git runs beside what is checked, which may be in another repository.
    private func forkPoints(_ paths: [String]) throws -> Set<String?> {
        guard let against else { return [] }
        var forks: Set<String?> = []
        for path in paths {
            let place = resolvedPath(ModelPlace(path).path)
            let isFolder = FileIdentity(of: place)?.isFolder == true && !isModelBundle(place)
            let folder = isFolder ? place : parent(of: place)
            guard PlacedRevision(against, in: folder).isHere(in: folder) else {
                let reason = (gitFault(in: folder) ?? GitError(missing: against)).reason
                let subject = against.isEmpty ? path : against
                throw CommandFailure(.noInput, subject, reason, .unreadableFile)
            }
            forks.insert(gitForkPoint(from: against, in: folder))
        }
        return forks
    }

    /// Why a path is not checked: it does not exist, or names a version of a model, or one in git.
    private func reason(for path: String) -> String {
        let place = ModelPlace(path)
        let isVersion = place.versionName != nil && FileIdentity(of: place.path) != nil
        guard isVersion || GitPlace(path) != nil else {
            return wordingOfGoneModel(at: path)?.commandWords
                ?? "\(absence(of: path))\(pathHint(path))"
        }
        return "check takes folders and whole models on disk; for one version use momtool lint "
            + shellWord(path)
    }

    private func contents(of paths: [String]) throws -> ProjectContents {
        let isMissing = { FileIdentity(of: $0) == nil && !ModelPlace($0).holdsSwift }
        if let path = paths.first(where: isMissing) {
            throw CommandFailure(.noInput, path, reason(for: path), .unreadableFile)
        }
        if let store = paths.first(where: isDatabase) {
            let message = "'\(store)' is a store, but check takes folders and models"
            throw CommandFailure(usage: "\(message); use momtool verify \(shellWord(store))")
        }
        return ProjectContents(of: paths)
    }
}

import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import ModelChecking
import ModelLoading
import Momtool
import Reporting
import SettingsFiles

/// The least severity that counts as a finding for the exit status.
enum Threshold: String, ExpressibleByArgument, CaseIterable {
    case note, warning, error

    var severity: Severity {
        switch self {
        case .note: .note
        case .warning: .warning
        case .error: .error
        }
    }
}

/// `momtool lint`: checks models against the rules.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check models against the rules, and against their locks.",
        discussion: """
            The versions that can still be changed are checked: the current one, and those that a lock beside the
            model does not freeze. Settings come from the nearest .momtool.yml upwards.

            EXAMPLE
              momtool lint Shop.xcdatamodeld
              momtool lint Shop.xcdatamodeld --format github --format sarif=lint.sarif
              momtool lint Shop.xcdatamodeld --fix
            """
    )

    @Argument(
        help: "The models: .xcdatamodeld, .xcdatamodel, .momd, .mom or a store.",
        completion: .model
    )
    var models: [String]

    @Flag(help: "Carry out the fixes that are certain; no version hash moves by them.")
    var fix = false

    @Flag(help: "Check every version, those that shipped too.")
    var allVersions = false

    @Option(help: "The least severity that makes the command end with 1: note, warning or error.")
    var failOn: Threshold = .warning

    @Option(help: "A file of findings that are let be.")
    var baseline: String?

    @Option(help: "Write what is found to a baseline file, and end with 0.")
    var writeBaseline: String?

    @Option(help: "The configuration, instead of the nearest .momtool.yml.")
    var config: String?

    @Option(help: "The lock, instead of MODEL.lock.")
    var lock: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        try Commands.run {
            let inputs = inputs
            try output.check(in: ReportFormat.allCases, sparing: inputs)
            let place = try writeBaseline.map { try OutputPlace($0, sparing: inputs) }
            var findings = try models.flatMap(check)
            if let baseline {
                let known = Baseline(parsing: try readText(baseline, limit: 64 << 20))
                findings = known.remaining(of: findings)
            }
            if let place { return try write(Data(Baseline(of: findings).text.utf8), to: place) }
            let subject = models.count == 1 ? models[0] : "\(models.count) models"
            let report = FindingReport(command: "lint", subject: subject, findings: findings)
            try output.deliver(in: ReportFormat.allCases, sparing: inputs, report.rendered)
            guard findings.allSatisfy({ $0.diagnostic.severity < failOn.severity }) else {
                throw CommandFailure(.findings, [])
            }
        }
    }

    /// What is read, also where no argument names it.
    private var inputs: InputFiles {
        let paths = models.map { trimmedPath(ModelArgument($0).path) }
        let beside =
            paths.map { $0 + ".lock" } + paths.compactMap(nearestConfiguration)
            + paths.flatMap { ProjectFiles(around: $0).paths }
        return InputFiles(models + [baseline, config, lock].compactMap(\.self) + beside)
    }

    private func check(_ model: String) throws -> [Finding] {
        let found = try findings(in: model)
        guard fix else { return found }
        let fixes = found.compactMap(\.fix)
        var fixed: [OutputFile] = []
        var count = 0
        let files = Dictionary(grouping: fixes, by: \.location.path)
        for path in files.keys.sorted() {
            guard let bytes = try? readFile(path, limit: .max) else { continue }
            let text = applying(files[path] ?? [], to: bytes)
            guard text.count > 0 else { continue }
            fixed.append(OutputFile(path: path, bytes: Data(text.text)))
            count += text.count
        }
        guard count > 0 else { return found }
        let path = ModelArgument(model).path
        _ = try OutputFiles(path: path, files: fixed, areModels: true).write()
        Console.complain("\(model): \(count) fixed")
        return try findings(in: model)
    }

    private func findings(in model: String) throws -> [Finding] {
        let bundle = try ModelArgument(model, swift.settings).loadWithFaults()
        let isUnreadable = bundle.diagnostics.contains { $0.rule == .unreadableFile }
        guard !isUnreadable || !bundle.value.versions.isEmpty else {
            throw CommandFailure(.noInput, bundle.diagnostics.map(\.description))
        }
        var options = try loadConfiguration(config, for: bundle.value.path).check
        if allVersions { options.scope = .all }
        let file = LockFile(of: bundle.value, chosen: lock)
        if lock != nil, !file.exists {
            throw CommandFailure(.noInput, file.path, "there is no such lock", .unreadableFile)
        }
        let lock = try file.read()
        let projects = ProjectFiles(around: bundle.value.path).read()
        return ModelChecking.check(
            bundle.value.versions,
            path: bundle.value.path,
            reading: bundle.diagnostics + (bundle.value.swift?.remarks ?? [])
                + (lock?.diagnostics ?? []) + projects.diagnostics,
            lock: lock?.value,
            projects: projects.value,
            options: options
        )
    }
}

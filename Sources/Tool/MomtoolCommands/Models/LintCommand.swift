public import ArgumentParser
public import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel

extension Severity: ExpressibleByArgument {}

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check models against the rules and their locks.",
        discussion: """
            Checks the versions that can still be changed: the current one, and those that
            are not in the model's lock. Settings come from the nearest .momtool.yml in
            the model's folder or above it. For a folder, every .xcdatamodeld and
            .xcdatamodel below it is checked, and its Swift sources with models.

            An error keeps a store from opening, or drops values without permission; a
            warning depends on the rows; a note is about conventions, or about a version
            that shipped. Notes alone end with status 0. Allow intended losses under
            losses: in .momtool.yml, for the version whose step drops the data. The stages
            files of the app are those under stages: there; momtool check also uses others
            that it finds. --fix lists what it writes; a fix that rests on a guess says so.

            EXAMPLE
              momtool lint
              momtool lint Shop.xcdatamodeld
              momtool lint Shop.xcdatamodeld --format github --format sarif=lint.sarif
              momtool lint Shop.xcdatamodeld --fix
            """
    )

    @Argument(
        help: """
            The models: .xcdatamodeld, .xcdatamodel, .momd, .mom, a store or a folder; the \
            current folder when left out.
            """,
        completion: .model
    )
    var models: [String] = []

    @Flag(
        help: """
            Apply the fixes, such as missing renaming identifiers; momtool rules shows which \
            rules have one. A version hash changes only in the newest version, and only if \
            a lock says that it has not shipped.
            """
    )
    var fix = false

    @Flag(help: "For a release: it is an error if the current version is not locked.")
    var release = false

    @Flag(help: "Check every version, including those that shipped.") var allVersions = false

    @Option(
        help:
            "The lowest severity that makes the command end with status 1: note, warning or error."
    )
    var failOn: Severity = .warning

    @Option(help: "A file with known findings, which are not reported.") var baseline: String?

    @Option(help: "Write the findings to a baseline file, and end with status 0.")
    var writeBaseline: String?

    @Option(help: "The configuration file, instead of the nearest .momtool.yml.")
    var config: String?

    @Option(help: "The lock file, instead of MODEL.lock.") var lock: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func run() throws {
        let named = self.models.isEmpty ? ["."] : self.models
        let submodules = named.flatMap(partsNotSeen)
        let models = named.flatMap { modelPlaces($0, swift.settings) }
        // Inputs are searched only where a file is written: there may be thousands of them.
        lazy var inputs = InputFiles(
            models.map(\.text) + [baseline, config, lock].compactMap(\.self)
        )
        let place = try writeBaseline.map { try OutputPlace($0, sparing: inputs) }
        try output.check(sparing: inputs, apartFrom: place?.file)
        var batch = Batch()
        var found = [submodules]
        var fixed: [Fix] = []
        var (checked, all) = (0, 0)
        for model in models {
            let one =
                try models.count == 1
                ? check(model, beside: submodules) : batch.attempt { try check(model) }
            found.append(one?.result.findings ?? [])
            fixed += one?.fixed ?? []
            (checked, all) = (
                checked + (one?.checked ?? 0), all + (one?.result.bundle.versions.count ?? 0)
            )
        }
        if let baseline {
            let known = try Self.known(baseline)
            found = found.map { known.remaining(of: $0) }
        }
        let findings = found.flatMap(\.self)
        if let place {
            try write(Data(Baseline(of: findings).text.utf8), to: place)
            return try batch.finish()
        }
        let subject = models.count == 1 ? models[0].text : "\(models.count) models"
        var report = FindingReport(
            command: "lint",
            subject: subject,
            // Findings that two models share are in both.
            findings: distinct(found.flatMap { merged($0) })
        )
        report.fixed = fixed
        report.failOn = failOn
        report.isPartial = !batch.faults.isEmpty
        report.extent = "\(checked) of \(all.counted("version")), \(Rule.all.count.counted("rule"))"
        // In text the models that could not be checked were named when they failed.
        var whole = report
        whole.findings += batch.faults.map { Finding($0) }
        try output.deliver(sparing: inputs) { format in
            if format == .json || format == .sarif { whole.findReplacements() }
            return (format == .text ? report : whole).rendered(as: format)
        }
        if findings.contains(where: { $0.diagnostic.severity >= failOn }) { batch.note(.findings) }
        try batch.finish()
    }

    private static func known(_ path: String) throws -> Baseline {
        guard FileIdentity(of: path) != nil else {
            let message = "no such file\(suggestion(forPath: path)); --write-baseline writes one"
            throw CommandFailure(.noInput, path, message, .unreadableFile)
        }
        let read = Baseline.parse(try readText(path, limit: 64 << 20), path: path)
        guard !read.hasErrors else {
            throw CommandFailure(.badData, read.diagnostics.map(\.commandWords))
        }
        return read.value
    }

    /// The findings in a model, and the number of checked versions.
    private struct Checked {
        var result: Linter.Result
        var checked: Int
        var fixed: [Fix] = []
    }

    /// Checks the only model; without one, other findings are reported on their own.
    private func check(_ model: ModelPlace, beside findings: [Finding]) throws -> Checked {
        do {
            return try check(model)
        } catch {
            Console.show(findings.map(\.diagnostic))
            throw error
        }
    }

    private func check(_ model: ModelPlace) throws -> Checked {
        guard fix else { return try findings(in: model) }
        return try inTurn(around: model.path) { try fixed(model) }
    }

    private func fixed(_ model: ModelPlace) throws -> Checked {
        let found = try findings(in: model)
        let run = try FixRun(found.result, swift.settings)
        for remark in run.remarks.map(\.commandWords) {
            Console.complain(remark.hasPrefix(model.text) ? remark : "\(model.text): \(remark)")
        }
        guard !run.made.isEmpty else { return found }
        let files = run.files.map { OutputFile(path: $0.path, bytes: Data($0.bytes)) }
        _ = try OutputFiles(path: model.path, files: files, areModels: true).write()
        UnreportedWork.note("\(model.text): \(run.made.count) fixed")
        if !Console.isQuiet {
            (fixLines(run.made) + ["\(model.text): \(run.made.count) fixed"]).forEach {
                Console.complain($0)
            }
        }
        var checked = try findings(in: model)
        checked.fixed = run.made
        return checked
    }

    private func findings(in model: ModelPlace) throws -> Checked {
        var linter = Linter(config: config, lock: lock, checksAll: allVersions, isRelease: release)
        linter.swift = swift.settings
        let result = try linter.result(for: model)
        let versions = result.bundle.versions
        let shipped = Set(result.lock?.versions.map(\.name) ?? [])
        let checked = versions.count { allVersions || $0.isCurrent || !shipped.contains($0.name) }
        return Checked(result: result, checked: checked)
    }
}

extension FindingReport {
    /// Finds what the fixes of the findings, up to a limit, do to the lines of their files.
    mutating func findReplacements() {
        var bytes: [String: [UInt8]] = [:]
        let fixes = findings.enumerated().filter { $0.element.fix != nil }
        for (index, finding) in fixes.prefix(Self.replacementLimit) {
            guard let fix = finding.fix else { continue }
            if bytes[fix.path] == nil {
                bytes[fix.path] = (try? readFile(fix.path, limit: 16 << 20)) ?? []
            }
            replacements[index] = FixReplacement(of: fix, in: bytes[fix.path] ?? [])
        }
    }

    /// Each parses the source once.
    private static let replacementLimit = 200
}

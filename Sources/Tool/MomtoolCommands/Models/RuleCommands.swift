import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelChecking
import ModelLoading
import Momtool
import MomtoolReporting
import SettingsFiles

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules, or show what one requires, why, and examples.",
        discussion: """
            Your team's rules, in the .momtool.yml of this folder or above it, come last.

            EXAMPLE
              momtool rules --format json
              momtool rules missing-inverse
            """
    )

    @Argument(
        help: "The ID of a rule, which findings show in brackets; all when left out.",
        completion: .rule
    )
    var rule: String?

    @OptionGroup var output: ReportOptions<RuleListFormats>

    func run() throws {
        guard let rule else {
            let list = try RuleList(houseRules())
            return try output.deliver(sparing: InputFiles([]), list.rendered)
        }
        guard output.format.allSatisfy({ TextFormats.formats.contains($0.format) }) else {
            throw CommandFailure(usage: "the formats of a single rule are text and json")
        }
        try output.deliver(sparing: InputFiles([]), explanation(of: rule).rendered)
    }

    /// The explanation of a rule, or the meaning of another ID.
    private func explanation(of rule: String) throws -> any Rendering {
        if let found = Rule.named(rule) { return RuleExplanation(found) }
        let house = try houseRules()
        if let found = house.first(where: { $0.id.rawValue == rule }) {
            return RuleExplanation(found)
        }
        if let found = OtherIdentifier(rule) { return found }
        if let code = Int(rule), CoreDataErrorCode(rawValue: code) != nil {
            // `doctor` takes a number of four digits for a code only after `error`.
            let words = code > 100_000 ? rule : "'error \(rule)'"
            throw CommandFailure(
                usage: "\(rule) is not a rule but an error of Core Data; "
                    + "momtool doctor \(words) explains it"
            )
        }
        let names = Rule.all.map(\.id.rawValue) + house.map(\.id.rawValue)
        let nearest = suggestion(for: rule, among: names)
        throw CommandFailure(
            usage: "there is no rule '\(rule)'\(nearest); momtool rules lists them"
        )
    }
}

/// The rules of the configuration in the current folder, or above it; its faults are printed.
func houseRules() throws -> [HouseRule] {
    let read = try configuration(nil, for: ToolConfiguration.fileName)
    Console.show(read.diagnostics)
    return read.value.check.houseRules
}

enum RuleListFormats: FormatList { static let formats = RuleList.formats }

/// `momtool config`: the settings in effect for a model, and their origin.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the effective settings of a model, and where they come from.",
        discussion: """
            --test runs the rules under rules: on their examples under passes: and fails:.

            EXAMPLE
              momtool config Shop.xcdatamodeld
              momtool config Shop.xcdatamodeld --format json
              momtool config --test
            """
    )

    @Argument(help: "The model, or a folder; the current folder when left out.", completion: .model)
    var model: String?

    @Flag(help: "Run the rules under rules: on their examples.") var test = false

    @OptionGroup var output: ReportOptions<TextFormats>

    func run() throws {
        if model == nil, test { return try tryRules(of: ToolConfiguration.fileName) }
        let model = model ?? "."
        let path = trimmedPath(ModelPlace(model).path)
        // A model at a git revision is looked for where it would be on disk.
        guard path.contains(":") || FileIdentity(of: path) != nil else {
            throw CommandFailure(.noInput, path, absence(of: path), .unreadableFile)
        }
        guard !test else { return try tryRules(of: model) }
        let settings = try settings(nil, for: model)
        try output.deliver(
            sparing: InputFiles([model, settings.path].compactMap(\.self)),
            SettingsReport(settings).rendered
        )
    }

    private func tryRules(of path: String) throws {
        let rules = try settings(nil, for: path).check.houseRules
        let count = rules.map { $0.passes.count + $0.fails.count }.reduce(0, +)
        guard count > 0 else {
            let message = "no rule has an example: nothing was tested"
            throw CommandFailure(.noInput, path, message, "no-cases")
        }
        let faults = rules.flatMap { $0.faults() }
        let extent = "\(rules.count.counted("rule")), \(count.counted("example"))"
        var report = FindingReport(command: "config", subject: path, diagnostics: faults)
        report.extent = extent
        let result = faults.isEmpty ? "all as expected" : "\(faults.count) not as expected"
        let lines = faults.map(\.shown.commandWords) + ["\(extent): \(result)"]
        try output.deliver(sparing: InputFiles([])) { format in
            format == .json ? report.rendered(as: .json) : lines.joined(separator: "\n")
        }
        guard faults.isEmpty else { throw CommandFailure(.findings, []) }
    }
}

/// The settings in effect for a model, by the keys of `.momtool.yml`, as `momtool config` prints them.
struct SettingsReport: TextReport, KeyedReport {
    private let settings: ToolConfiguration

    init(_ settings: ToolConfiguration) { self.settings = settings }

    var text: String { settings.text }

    var jsonObject: JSONObject {
        let check = settings.check
        let houseRules = check.houseRules.map { rule -> JSONObject in
            ["rule": rule.id, "for": rule.subject.rawValue, "severity": rule.severity]
        }
        let ignored = check.suppressions.map { item -> JSONObject in
            [
                "rule": item.rule, "element": item.element, "version": item.version,
                "reason": item.reason,
            ]
        }
        return [
            "configuration": settings.path, "versions": check.scope == .all ? "all" : "changeable",
            "order": settings.versionOrder, "releases": settings.releases,
            "unshipped": settings.unshippedVersions, "allowDataLoss": settings.allowsDataLoss.words,
            "losses": settings.losses.mapValues(\.words),
            "migration": settings.isStepwise ? "stepwise" : "direct", "stages": settings.stages,
            "mappingModels": settings.mappingModels, "policies": settings.policies,
            "rows": settings.rows, "joinTables": settings.namingRelationships,
            "claimants": settings.claimants,
            "rules": Dictionary(check.settings.map { ($0.rawValue, $1.word) }) { $1 },
            "houseRules": houseRules, "ignore": ignored,
        ]
    }
}

extension LossAgreement {
    fileprivate var words: [String] {
        switch self {
        case .all: ["*"]
        case .named(let names): names.sorted()
        }
    }
}

extension CheckOptions.Setting {
    fileprivate var word: String {
        switch self {
        case .off: "off"
        case .severity(let severity): severity.rawValue
        }
    }
}

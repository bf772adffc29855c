import Momtool
import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Reporting
import SettingsFiles

/// `momtool explain`: what a rule asks for, and why.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a rule: what it requires, why, and examples.",
        discussion: """
            EXAMPLE
              momtool explain missing-inverse
              momtool explain missing-inverse --format json
            """
    )

    @Argument(help: "The ID of the rule, which findings show in brackets.", completion: .rule)
    var rule: String

    @OptionGroup var output: ReportOptions<TextFormats>

    func run() throws {
        try Commands.run {
            guard let found = Rule.named(rule) else {
                let nearest = suggestion(for: rule, among: Rule.all.map(\.id.rawValue))
                let message = "there is no rule '\(rule)'\(nearest); momtool rules lists them"
                throw CommandFailure(usage: message)
            }
            try output.deliver(sparing: InputFiles([]), RuleExplanation(found).rendered)
        }
    }
}

/// `momtool rules`: the list of rules.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules with their severities.",
        discussion: """
            EXAMPLE
              momtool rules --format json
            """
    )

    @OptionGroup var output: ReportOptions<RuleListFormats>

    func run() throws {
        try Commands.run {
            try output.deliver(
                sparing: InputFiles([]),
                RuleList().rendered
            )
        }
    }
}

/// What the list of rules has.
enum RuleListFormats: FormatList {
    static let formats = RuleList.formats
}

/// `momtool config`: what is in effect for a model, and where it comes from.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in effect for a model, and where they come from.",
        discussion: """
            EXAMPLE
              momtool config Shop.xcdatamodeld
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Option(help: "The configuration file, instead of the nearest .momtool.yml.")
    var config: String?

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        try Commands.run {
            let path = trimmedPath(ModelArgument(model).path)
            // What git has at a revision is looked for where it would be on disk.
            guard path.contains(":") || FileIdentity(of: path) != nil else {
                throw CommandFailure(.noInput, path, "no such file or folder", .unreadableFile)
            }
            Console.say(try settings(config, for: model).text)
        }
    }
}

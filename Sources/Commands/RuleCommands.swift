import ArgumentParser
import ModelChecking
import Reporting
import SettingsFiles

/// `momtool explain`: what a rule asks for, and why.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a rule: what it asks for, why, and examples.",
        discussion: """
            EXAMPLE
              momtool explain missing-inverse
            """
    )

    @Argument(help: "The ID of the rule, as findings name it in brackets.")
    var rule: String

    func run() throws {
        try Commands.run {
            guard let found = Rule.named(rule) else {
                throw CommandFailure(
                    .usage,
                    ["error: there is no rule '\(rule)'; momtool rules lists them"]
                )
            }
            Console.say(explanation(of: found))
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

    @OptionGroup var output: OutputOptions

    func run() throws {
        try Commands.run {
            try output.deliver(
                in: RuleList.formats,
                sparing: InputFiles([]),
                RuleList().rendered
            )
        }
    }
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

    @Argument(help: "The model.")
    var model: String

    @Option(help: "The configuration, instead of the nearest .momtool.yml.")
    var config: String?

    func run() throws {
        try Commands.run {
            Console.say(try loadConfiguration(config, for: model).text)
        }
    }
}

import ArgumentParser
import Diagnostics
import Essentials
import MomtoolReporting

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a command's output with --format json.",
        discussion: """
            The schemas are written in JSON Schema, draft 2020-12. A command that fails
            before it can report prints findings, which every schema allows. Without a
            command, lists the commands that have one. .momtool.yml prints the schema
            of that file, for editors that use it to complete and check YAML.

            EXAMPLE
              momtool schema
              momtool schema check
              momtool schema cloudkit diff
              momtool schema .momtool.yml
            """
    )

    @Argument(
        help: "The words of the command.",
        completion: .list(ReportSchema.all.map(\.command) + [SettingsSchema.name])
    )
    var command: [String] = []

    @OptionGroup var output: TextOutput

    func run() throws {
        let name = command.joined(separator: " ")
        guard !name.isEmpty else {
            let rows =
                ReportSchema.all.map { "\($0.command): \($0.about)" }
                + ["\(SettingsSchema.name): \(SettingsSchema.about)"]
            return try output.deliver(rows.joined(separator: "\n"), as: .lines)
        }
        guard name != SettingsSchema.name else {
            return try output.deliver(SettingsSchema.document.document(isPretty: true), as: .json)
        }
        guard let schema = ReportSchema.of(name) else {
            let names = ReportSchema.all.map(\.command) + [SettingsSchema.name]
            let inner = names.filter { $0.hasPrefix(name + " ") }
            guard inner.isEmpty else {
                throw CommandFailure(
                    usage: "name a command of '\(name)'; there are: "
                        + inner.joined(separator: ", ")
                )
            }
            throw CommandFailure(
                usage: "'\(name)' has no JSON report\(suggestion(for: name, among: names)); "
                    + "momtool schema lists the commands that have one"
            )
        }
        try output.deliver(schema.document.document(isPretty: true), as: .json)
    }
}

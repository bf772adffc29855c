import AgentServing
import ArgumentParser
import Essentials
import FileSystem
import ModelLoading
import MomtoolReporting

struct McpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract:
            "Serve coding agents with the Model Context Protocol, over standard input and output.",
        discussion: """
            Offers tools (inspect, check, plan, diff, edits of models, doctor, cases,
            stores made and migrated to copies) and resources (the skill, schemas, rules).
            Tools can only use the folder: paths and links that lead out of it are
            refused, and on Linux the system refuses all other files. Nothing is replaced,
            no store is changed in place, and tools that do not say so write nothing.

            EXAMPLE
              claude mcp add momtool -- momtool mcp .
              momtool mcp App
            """
    )

    @Argument(help: "The folder; the current one when left out.", completion: .directory)
    var folder = "."

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        guard FileIdentity(of: folder)?.isFolder != false else {
            throw CommandFailure(
                .usage,
                folder,
                "this is a file; name the folder that the server may use",
                .unreadableFile
            )
        }
        guard chdir(folder) == 0 else {
            throw CommandFailure(.noInput, folder, "no such folder", .unreadableFile)
        }
        let server = try AgentServer(
            root: resolvedPath("."),
            program: [Self.program],
            version: toolVersion,
            resources: Self.resources,
            describe: Self.description,
            failure: FailureReport.document
        )
        if !server.confine() {
            Console.complain(
                "note: this system cannot confine processes: paths are checked, but not references in files"
            )
        }
        server.run()
    }

    private static var resources: [AgentServer.Resource] {
        let schemas = ReportSchema.all.map { schema -> AgentServer.Resource in
            let path = "schema/" + schema.command.replacing(" ", with: "/")
            let text = { schema.document.document(isPretty: true) }
            return (path, "application/schema+json", text)
        }
        return [
            ("skill", "text/markdown", { skill }),
            ("rules", "text/markdown", { try RuleList(houseRules()).rendered(as: .markdown) }),
        ] + schemas
    }

    private static func description(of words: [String]) -> JSONValue {
        guard let command = try? MomtoolCommand.namedCommand(words)?.type else { return .null }
        let description = try? JSONValue(parsing: Array(command._dumpHelp().utf8))
        return description?[key: "command"] ?? .null
    }

    /// This program, even after another one has replaced its file.
    private static var program: String {
        exists("/proc/self/exe") ? "/proc/self/exe" : (processArguments.first ?? "momtool")
    }
}

package import ArgumentParser
import Diagnostics
package import Essentials
import FileSystem
import Momtool
import MomtoolReporting
import SQLiteAccess

/// The command `momtool` with its subcommands.
///
/// Only this module deals with arguments, exit statuses and the terminal; it does not use SQL, XML or JSON.
package struct MomtoolCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "momtool",
        abstract: "Core Data models and stores without a Mac.",
        discussion: """
            EXAMPLE
              momtool migrate Shop.sqlite --model Shop.xcdatamodeld -o Migrated.sqlite

            EXIT STATUS
              0   done, nothing found
              1   findings
              2   differences, with --exit-code
              3   refused before anything was written
              4   failed, and the store is unchanged
              64  usage  65  bad input data  66  no input  73  cannot create
              74  input or output failed
            """,
        // The commands that teams need first come first, here and on every page that lists commands.
        subcommands: [
            CheckCommand.self, InitCommand.self, DiffCommand.self, PlanCommand.self,
            ModelCommand.self, LintCommand.self, LockCommand.self, TestCommand.self,
            InspectCommand.self, MigrateCommand.self, DoctorCommand.self, IdentifyCommand.self,
            VerifyCommand.self, RepairCommand.self, ExportCommand.self, CreateCommand.self,
            GraphCommand.self, GenerateCommand.self, CompileCommand.self, DecompileCommand.self,
            HashCommand.self, CloudKitCommand.self, RulesCommand.self, ConfigCommand.self,
            SkillCommand.self, McpCommand.self, SchemaCommand.self, AcceptCommand.self,
        ]
    )

    /// The parser would offer its own `--version` with every command, but some have one for a version of a model.
    @Flag(help: "Print the version of this program.") var version = false

    // It is removed from the words before they are parsed, at any position; here it is listed.
    @Flag(help: "Let files of a project name paths outside it; works with any command.")
    var allowOutside = false

    package init() {}

    package func run() throws {
        guard version else { throw CleanExit.helpRequest(self) }
        Console.say(toolVersion)
    }

    /// Runs the command with the arguments of the process and ends it.
    package static func start() -> Never {
        openStandardDescriptors()
        // A pipe without a reader and a file that may not grow are errors to report, not reasons to end.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        guard hasRoomForFiles() else {
            Console.complain(
                "error: this process cannot have \(fileCount) files open (ulimit -n) [inaccessible-file]"
            )
            endProcess(.ioFailed)
        }
        Interruptions.install()
        countNoDatabaseMemory()
        guard hasReadableArguments else {
            Console.complain(
                "error: an argument is not UTF-8; name files in UTF-8 [unreadable-argument]"
            )
            endProcess(.usage)
        }
        let program = processArguments.first?.split(separator: "/").last.map(String.init) ?? ""
        endProcess(status(of: RunWords.current, by: program))
    }

    /// Runs the command with words in an absolute folder, and returns the exit status; the process continues.
    package static func run(
        _ words: [String],
        in folder: String,
        environment: [String: String],
        input: [UInt8] = [],
        output: any TextSink,
        errors: any TextSink
    ) -> ExitStatus {
        let streams = Streams(input: input, output: output, errors: errors)
        let surroundings = Surroundings(folder: folder, environment: environment, streams: streams)
        return Surroundings.$current.withValue(surroundings) {
            RunWords.set(words)
            return status(of: words, by: "momtool")
        }
    }

    private static func status(of words: [String], by program: String) -> ExitStatus {
        keepGitAnswers()
        defer { reportRefusedPaths() }
        do {
            if let compiler = AppleCompiler(rawValue: program) {
                try compiler.run(words)
            } else if let compiler = words.first.flatMap(AppleCompiler.init) {
                try compiler.run(Array(words.dropFirst()))
            } else {
                try perform(words)
            }
            try StandardStreams.sendOutput()
            if let failure = Console.outputFailure { throw failure }
            return Console.hasErred ? .badData : .done
        } catch let failure as CommandFailure {
            return end(failure)
        } catch let error as MomtoolError {
            return end(CommandFailure(error))
        } catch {
            return end(error)
        }
    }

    /// Translates words from git's configuration and scripts to the present ones.
    private static func newWords(_ words: [String]) -> [String] {
        words.first == "merge" ? ["model"] + words : words
    }

    private static func perform(_ arguments: [String]) throws {
        // The question of every script takes no parser.
        guard arguments != ["--version"] else { return Console.say(toolVersion) }
        let call = try understood(
            SettingOptions.spellingOut(
                SettingOptions.separatingEmptyTexts(
                    in: SettingOptions.joiningTypes(
                        in: namingLosses(newWords(keepingPathsInside(arguments)))
                    )
                )
            )
        )
        try FailureReport.requirePlaces(beside: call.arguments)
        var command = call.command
        try MomtoolCommands.run { try command.run() }
    }

    /// Returns the command that words name, and its arguments.
    private static func understood(
        _ words: [String]
    ) throws -> (command: any ParsableCommand, arguments: [String]) {
        let named = try namedCommand(words)
        try requireFilled(words)
        if let named { try requireVersionName(named, words) }
        try SettingOptions.requireTruths(words)
        try named.map { try requireValues($0, words) }
        let arguments = try StandardStreams.replaced(in: words)
        return (
            try named.flatMap { parsed(as: $0, arguments) } ?? parsed(named, arguments), arguments
        )
    }

    private static func end(_ failure: CommandFailure) -> ExitStatus {
        for message in failure.messages { Console.complain(text: message) }
        if failure.status == .usage { report(failure) }
        return failure.status
    }

    private static func report(_ failure: CommandFailure) {
        FailureReport.expect(words: RunWords.current)
        FailureReport.deliver(failure)
    }

    /// Reports what ended a run: help goes to standard output, faults in the arguments are like other errors.
    private static func end(_ error: any Error) -> ExitStatus {
        // Without the parser's words for errors, unless findings could not be written, which makes them useless.
        if let code = error as? ExitCode {
            let status = ExitStatus(rawValue: code.rawValue) ?? .failed
            return Console.outputFailure.map { end($0) } ?? status
        }
        let code = exitCode(for: error)
        let text = fullMessage(for: error)
        if code == .success, !text.isEmpty { Console.write(text + "\n", to: STDOUT_FILENO) }
        guard code != .success, !text.isEmpty else {
            return ExitStatus(rawValue: code.rawValue) ?? .failed
        }
        let message = "error: " + reworded(text)
        Console.complain(text: message)
        // What ArgumentParser takes for EX_USAGE differs between systems.
        let isUsage = code == .validationFailure
        let first = message.split(separator: "\n").first.map(String.init) ?? ""
        if isUsage { report(CommandFailure(.usage, [first])) }
        return isUsage ? .usage : ExitStatus(rawValue: code.rawValue) ?? .failed
    }

    typealias NamedCommand = (type: any ParsableCommand.Type, words: Int)

    /// Words of other tools, and the command with that meaning here.
    private static let foreignWords = [
        "delete": "remove", "drop": "remove", "dump": "export", "fix": "lint", "info": "inspect",
        "list": "inspect", "print": "inspect", "show": "inspect", "status": "check",
        "upgrade": "migrate", "validate": "check", "which": "identify",
    ]

    private static let foreignOptions = [
        "completion": "momtool --generate-completion-script zsh",
        "completions": "momtool --generate-completion-script zsh", "version": "momtool --version",
    ]

    /// Names the command that was probably intended, with its group; or lists those of a small group.
    private static func advice(for word: String, in group: any ParsableCommand.Type) -> String {
        if group == Self.self, let meant = foreignOptions[word] { return "; give '\(meant)'" }
        func names(_ command: any ParsableCommand.Type) -> [String] {
            command.configuration.subcommands.compactMap { $0.configuration.commandName }
        }
        for meant in [word, foreignWords[word]].compactMap(\.self) {
            let owner = group.configuration.subcommands.first { names($0).contains(meant) }
            let own = owner?.configuration.commandName.map { "\($0) \(meant)" }
            if let own = names(group).contains(meant) ? meant : own {
                return "; did you mean '\(own)'"
            }
            if names(Self.self).contains(meant) { return "; did you mean 'momtool \(meant)'" }
        }
        let near = suggestion(for: word, among: names(group))
        guard near.isEmpty, group != Self.self else { return near }
        return "; there are: \(names(group).joined(separator: ", "))"
    }

    /// Returns the command that words begin with; `nil` where they name none, or ask for help.
    static func namedCommand(_ words: [String]) throws -> NamedCommand? {
        var command: any ParsableCommand.Type = Self.self
        for (place, word) in words.enumerated() where word != "help" {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty else { return words[0] == "help" ? nil : (command, place) }
            guard !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                throw ValidationError(
                    "there is no command '\(word)'" + advice(for: word, in: command)
                )
            }
            command = next
        }
        let isWhole = command.configuration.subcommands.isEmpty && words[0] != "help"
        return isWhole ? (command, words.count) : nil
    }

    /// The words after the name of the command that words begin with; all of them where they name none.
    static func operands(in words: [String]) -> ArraySlice<String> {
        words.dropFirst((try? namedCommand(words))?.words ?? 0)
    }

    /// Refuses `--version` without the name of a version, and for a command without that option, and names the right
    /// command: the parser would read it as the program's option.
    private static func requireVersionName(_ command: NamedCommand, _ words: [String]) throws {
        let rest = Array(words.dropFirst(command.words).prefix { $0 != "--" })
        guard rest.contains("--version") else { return }
        guard !takesVersion(command) else {
            let places = rest.indices.filter { rest[$0] == "--version" }
            let isWhole = places.allSatisfy { place in
                rest.dropFirst(place + 1).first?.hasPrefix("-") == false
            }
            guard isWhole || rest.contains("--help") || rest.contains("-h") else {
                throw failure("missing value for '--version <version>'", in: command, words)
            }
            return
        }
        guard rest.count > 1 else { throw CleanExit.message(toolVersion) }
        let name = words.prefix(command.words).joined(separator: " ")
        throw ValidationError(
            "'\(name)' has no option --version; name a version of a model as MODEL#VERSION"
        )
    }

    private static func takesVersion(_ command: NamedCommand) -> Bool {
        command.type.helpMessage().contains("--version <")
    }

    /// Parses the arguments of a command without those of the commands above it, which take a tenth of a short run;
    /// `nil` where something is wrong with them, or they ask for help.
    private static func parsed(
        as command: NamedCommand,
        _ arguments: [String]
    ) -> (any ParsableCommand)? {
        try? command.type.parseAsRoot(Array(arguments.dropFirst(command.words)))
    }

    /// Parses faulty arguments, to find the fault: an unknown option comes first, unlike in the parser.
    private static func parsed(
        _ named: NamedCommand?,
        _ arguments: [String]
    ) throws -> any ParsableCommand {
        if let named, let fault = faultBesideVersion(named, arguments) {
            throw failure(fault, in: named, arguments)
        }
        do { return try parseAsRoot(arguments) } catch {
            guard let named, exitCode(for: error) != .success,
                let fault = unknownOption(of: named, arguments)
                    ?? strayWord(behind: named, arguments, fullMessage(for: error))
            else { throw error }
            throw failure(fault, in: named, arguments)
        }
    }

    /// The fault of a surplus word, if the command has an option for it, or another command is intended.
    private static func strayWord(
        behind command: NamedCommand,
        _ words: [String],
        _ message: String
    ) -> String? {
        let line = message.split(separator: "\n").first ?? ""
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0].lowercased().hasSuffix("unexpected argument ") else {
            return nil
        }
        let (fault, word) = ("unexpected argument '\(parts[1])'", shellWord(parts[1]))
        let model = words.dropFirst(command.words).first { !$0.hasPrefix("-") }
        guard let model, versionAdvice([model, parts[1]]) != nil else { return nil }
        let name = takesVersion(command) ? "--version \(word)" : shellWord("\(model)#\(parts[1])")
        return "\(fault); name a version with \(name)"
    }

    private static func unknownOption(of command: NamedCommand, _ words: [String]) -> String? {
        OptionNames(of: command.type).unknownOption(
            in: words.dropFirst(command.words),
            of: words.prefix(command.words).joined(separator: " ")
        )
    }

    /// The fault of the arguments of a command where one is its own `--version`: that of the program would take the
    /// word out, and the rest may be right without it.
    private static func faultBesideVersion(_ command: NamedCommand, _ words: [String]) -> String? {
        let rest = Array(words.dropFirst(command.words))
        guard rest.prefix(while: { $0 != "--" }).contains("--version"), takesVersion(command)
        else { return nil }
        do {
            _ = try command.type.parseAsRoot(rest)
            return nil
        } catch {
            guard exitCode(for: error) != .success else { return nil }
            let message = reworded(command.type.message(for: error))
            return unknownOption(of: command, words)
                ?? message.replacing(" [usage]", with: "", maxReplacements: 1)
        }
    }

    /// Refuses several models for a command that takes one, an option with `=` and nothing after it, and an option of a
    /// command as the value of another one, which accepts any text.
    private static func requireValues(_ command: NamedCommand, _ words: [String]) throws {
        let own = words.dropFirst(command.words)
        if let fault = OptionNames.repeatedModel(in: own, of: command.type) {
            throw failure(fault, in: command, words)
        }
        let isEdit = words.first == "model"
        // The names are looked up only where something may be wrong.
        let isDoubtful =
            words.contains { $0.hasSuffix("=") }
            || isEdit
                && zip(own, own.dropFirst()).contains {
                    SettingOptions.texts.contains($0) && $1.hasPrefix("--")
                }
        guard isDoubtful else { return }
        let names = OptionNames(of: command.type)
        let missing = isEdit ? names.missingValue(in: own, SettingOptions.texts) : nil
        guard let fault = missing ?? names.emptyValue(in: own) else { return }
        throw failure(fault, in: command, words)
    }

    private static func failure(
        _ fault: String,
        in command: NamedCommand,
        _ words: [String]
    ) -> CommandFailure {
        let name = (["momtool"] + words.prefix(command.words)).joined(separator: " ")
        let usage = "Usage: " + usageString(for: command.type)
        return CommandFailure(
            .usage,
            ["error: \(fault) [usage]", usage, "  See '\(name) --help' for more information."]
        )
    }
}

private func endProcess(_ status: ExitStatus) -> Never { exit(status.rawValue) }

import ArgumentParser
import Diagnostics
import MigrationPlanning
import ModelChecking
import Momtool
import ObjectModel
import MomtoolReporting

/// The exit statuses of the tool; those from 64 follow sysexits.
package enum ExitStatus: Int32, Sendable {
    case done = 0, findings = 1, differences = 2, refused = 3, failed = 4, usage = 64, badData = 65
    case noInput = 66, cannotCreate = 73, ioFailed = 74
}

/// The end of a command that did not do its work: messages and the exit status.
struct CommandFailure: Error {
    var status: ExitStatus
    var messages: [String]

    init(_ status: ExitStatus, _ messages: [String]) {
        (self.status, self.messages) = (status, messages)
    }

    init(_ status: ExitStatus, _ path: String, _ message: String, _ rule: RuleID) {
        let diagnostic = Diagnostic(rule, message, at: FileLocation(path: path))
        self.init(status, [Self.naming(diagnostic.description)])
    }

    /// A usage error, without a file.
    init(usage message: String) {
        self.init(.usage, ["momtool: error: \(message) [usage]".onOneLine])
    }

    /// The end of a command whose diagnostics were shown: if none of them was an error, it says what is needed.
    init(shown diagnostics: [Diagnostic], _ kind: MomtoolError.Kind = .badData) {
        let faults = diagnostics.filter { $0.severity == .error }
        self.init(MomtoolError(kind, saying: faults.asNeeded))
        if faults.contains(where: { $0.gradedByRule.severity == .error }) { messages = [] }
    }

    init(noEntity name: String, in version: ModelVersion) {
        let names = version.model.entities.map(\.name).sorted()
        let message =
            "there is no entity '\(name)' in '\(version.name)'"
            + "\(suggestion(for: name, among: names)); there are: \(names.joined(separator: ", "))"
        self.init(.usage, version.path, message, "unknown-entity")
    }

    /// Takes any error; one about a dead end gets a proposal.
    init(_ error: any Error) {
        if let failure = error as? CommandFailure {
            self = failure
            return
        }
        let error = MomtoolError(error)
        self.init(
            ExitStatus(error.kind),
            error.lines.map { Self.naming($0.commandWords) }
                + error.deadEnds.flatMap(\.bridgeProposal)
        )
    }

    /// Adds the nearest name to the message about a missing path.
    private static func naming(_ message: String) -> String {
        if message.hasPrefix("error: "), message.hasSuffix(" [usage]") {
            return "momtool: \(message)"
        }
        guard let diagnostic = Diagnostic(printed: message), let path = diagnostic.location?.path,
            ["no such file", "no such folder"].contains(where: diagnostic.message.hasPrefix),
            !diagnostic.message.contains("; ")
        else { return message }
        return message.replacing(
            diagnostic.message,
            with: diagnostic.message + pathHint(path),
            maxReplacements: 1
        )
    }
}

extension ExitStatus {
    init(_ kind: MomtoolError.Kind) {
        self =
            switch kind {
            case .refused: .refused
            case .failed, .cancelled: .failed
            case .usage: .usage
            case .badData: .badData
            case .noInput: .noInput
            case .cannotCreate: .cannotCreate
            case .inputOutput: .ioFailed
            }
    }
}

extension MigrationPlan {
    fileprivate var bridgeProposal: [String] {
        guard let bridge = BridgingVersion(for: self) else {
            return [
                ("note: momtool found no version that makes \(source.name) → \(destination.name) possible; "
                    + "write a mapping or a map for it").onOneLine
            ]
        }
        var lines = bridge.words(from: source.name, to: destination.name)
        if let path = destination.bundlePath, source.bundlePath == path {
            let command = Wording(.bridging(path, from: source.name, to: destination.name))
            lines.append("\(command.commandWords) writes both")
        }
        return lines.map { line in (line.hasPrefix(" ") ? line : "note: \(line)").onOneLine }
    }
}

/// Runs the body of a command; a failure is printed on standard error and ends the process with its status.
func run(_ body: () throws -> Void) throws {
    do {
        try body()
        Console.showKept()
    } catch {
        // The parser of arguments handles these correctly; that help is asked for is an error of its own.
        if error is ExitCode || error is ValidationError
            || MomtoolCommand.exitCode(for: error) == .success
        {
            Console.showKept()
            throw error
        }
        try end(CommandFailure(error))
    }
}

private func end(_ failure: CommandFailure) throws -> Never {
    Console.showKept(besides: failure.messages)
    Console.complain(once: failure.messages)
    FailureReport.deliver(failure)
    throw ExitCode(failure.status.rawValue)
}

import ArgumentParser
import Diagnostics

/// Several inputs of a command: one that fails stops no other.
///
/// What is wrong is said at once; the command ends with the worst status when all are done and reported.
struct Batch {
    private var worst: ExitStatus?
    /// What is wrong with the inputs that failed, for the report of all.
    private(set) var faults: [Diagnostic] = []
    /// What is wrong with the last input that failed.
    private(set) var lastFaults: [Diagnostic] = []

    /// Creates a batch that ends with the worst of some statuses.
    init(ending statuses: Set<ExitStatus> = []) {
        for status in statuses { note(status) }
    }

    /// Does the work of each input before any result is used; ends the command where all of them fail.
    ///
    /// - Parameters:
    ///   - inputs: the paths of the inputs.
    ///   - body: does the work of one.
    /// - Returns: the results of those that did not fail; what was noticed of all is noted for the report.
    /// - Throws: `CommandFailure` where none is left.
    mutating func results<Result>(
        of inputs: [String],
        _ body: (String) throws -> Result
    ) throws -> [Result] {
        var noticed: [Diagnostic] = []
        let results = try inputs.compactMap { input in
            defer { noticed += FailureReport.takeNoticed() }
            return try attempt { try body(input) }
        }
        if results.isEmpty { try finish() }
        FailureReport.note(noticed + faults)
        return results
    }

    /// Does the work of one input; `nil` when it failed.
    mutating func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
        _ = FailureReport.takeNoticed()
        do {
            return try body()
        } catch {
            // What the parser of arguments makes of these is right.
            if error is ExitCode || error is ValidationError || error is CleanExit { throw error }
            let failure = CommandFailure(error)
            // What is wrong beside several inputs, as in their configuration, is said once.
            Console.complain(once: failure.messages)
            lastFaults = FailureReport.takeNoticed() + failure.diagnostics
            faults += lastFaults.filter { !faults.contains($0) }
            note(failure.status)
            return nil
        }
    }

    /// Remembers a status.
    mutating func note(_ status: ExitStatus) {
        if worst.map({ $0.gravity < status.gravity }) ?? true { worst = status }
    }

    /// Ends the command with the worst status of all, if there was one.
    func finish() throws {
        guard let worst else { return }
        FailureReport.note(faults)
        throw CommandFailure(worst, [])
    }
}

extension ExitStatus {
    /// How bad a status is among others: what was looked at and judged, what was refused, what could not be read.
    fileprivate var gravity: Int {
        switch self {
        case .done: 0
        case .differences: 1
        case .findings: 2
        case .refused: 3
        case .usage: 4
        case .noInput: 5
        case .badData: 6
        case .cannotCreate: 7
        case .ioFailed: 8
        case .failed: 9
        }
    }
}

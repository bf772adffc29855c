import ArgumentParser
import Diagnostics

/// Several inputs of a command: one that fails stops no other.
///
/// Errors are printed at once; the command ends with the worst status when all are done and reported.
struct Batch {
    private var worst: ExitStatus?
    private(set) var faults: [Diagnostic] = []
    private(set) var lastFaults: [Diagnostic] = []

    /// Creates a batch that ends with the worst of some statuses.
    init(ending statuses: Set<ExitStatus> = []) { for status in statuses { note(status) } }

    /// Does the work of each input before any result is used; ends the command where all of them fail.
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
        do { return try body() } catch {
            // The parser of arguments handles these correctly.
            if error is ExitCode || error is ValidationError || error is CleanExit { throw error }
            let failure = CommandFailure(error)
            // An error that several inputs share, as in their configuration, is printed once.
            Console.complain(once: failure.messages)
            lastFaults = FailureReport.takeNoticed() + failure.diagnostics
            faults += lastFaults.filter { !faults.contains($0) }
            note(failure.status)
            return nil
        }
    }

    mutating func note(_ status: ExitStatus) {
        if worst.map({ $0.gravity < status.gravity }) ?? true { worst = status }
    }

    func finish() throws {
        guard let worst else { return }
        FailureReport.note(faults)
        throw CommandFailure(worst, [])
    }
}

extension ExitStatus {
    /// The rank of a status: what was judged, what was refused, what could not be read.
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

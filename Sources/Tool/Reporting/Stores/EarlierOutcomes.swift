package import Diagnostics
package import Essentials

/// What earlier runs said of their stores.
extension MigrationOutcomes {
    /// Whether a file is a journal: some line of it is a whole outcome by itself, or all are torn ones.
    static func isJournal(_ data: Data) -> Bool {
        let all = data.split(separator: lineFeed)
        let lines = all.filter { $0.starts(with: lineStart) }
        return lines.contains { journalOutcome($0) != nil }
            || !lines.isEmpty && lines.count == all.count && lines.allSatisfy(isTorn)
    }

    /// Reads a journal with one outcome per line, or the report of `migrate` or `export`.
    ///
    /// - Returns: the outcomes; `nil` with an error when it is neither. A line that was cut off when its process was
    ///   killed is passed over with a warning.
    static func reading(_ data: Data, path: String) -> Diagnosed<MigrationOutcomes?> {
        if let report = try? JSONDecoder().decode(MigrationOutcomes.self, from: data) {
            return Diagnosed(report)
        }
        var outcomes: [MigrationOutcome] = []
        var faults: [Diagnostic] = []
        for (index, line) in data.split(separator: lineFeed, omittingEmptySubsequences: false)
            .enumerated()
        where !line.isEmpty {
            if let outcome = journalOutcome(line) {
                outcomes.append(outcome)
            } else {
                let place = SourceLocation(path: path, line: index + 1)
                let message = "this line is no outcome of a store"
                faults.append(
                    Diagnostic("broken-journal-line", message, severity: .warning, at: place)
                )
            }
        }
        guard !outcomes.isEmpty || data.isEmpty || isJournal(data) else {
            let message = "this is neither a report in JSON of a command for stores nor a journal"
            return Diagnosed(
                nil,
                [Diagnostic("not-a-report", message, at: SourceLocation(path: path))]
            )
        }
        return Diagnosed(MigrationOutcomes(outcomes), faults)
    }

    /// Reads what an earlier run left undone: of a journal, or of the report in JSON of any command that goes through
    /// stores.
    ///
    /// - Returns: the stores with the last outcome of each that is not done, in their order; `nil` with an error when
    ///   it is neither.
    package static func unfinished(
        _ data: Data,
        path: String
    ) -> Diagnosed<[MigrationOutcome]?> {
        if let reported = unfinishedReports(data) { return Diagnosed(reported) }
        return reading(data, path: path).map { $0?.last.filter { !$0.isDone } }
    }

    /// Two results of different stores in one file, of which the later one is wrongly taken for done.
    var sharedResults: [Diagnostic] {
        var owners: [String: String] = [:]
        return stores.compactMap { outcome in
            guard outcome.isDone, let result = outcome.result else { return nil }
            let store = outcome.store.split(separator: "/").filter { $0 != "." }
                .joined(separator: "/")
            guard let owner = owners.updateValue(store, forKey: result), owner != store else {
                return nil
            }
            let message = "the reports give it the result of \(owner), \(result)"
            return Diagnostic(
                "repeated-output",
                message,
                at: SourceLocation(path: outcome.store)
            )
        }
    }
}

/// The stores of a report that is not one of outcomes, of which something is left to do; `nil` for no such report.
private func unfinishedReports(_ data: Data) -> [MigrationOutcome]? {
    let decoder = JSONDecoder()
    func outcomes<Report>(
        _ reports: [Report],
        _ store: (Report) -> (path: String, place: String?, isUnfinished: Bool)
    ) -> [MigrationOutcome] {
        reports.map(store).filter(\.isUnfinished).map { path, place, _ in
            var outcome = MigrationOutcome("failed", of: path, summary: path)
            outcome.place = place
            return outcome
        }
    }
    if let report = try? decoder.decode(JSONFindings.self, from: data) {
        guard report.command == "verify" else { return nil }
        let faulty = Set(report.findings.filter { $0.severity != "note" }.compactMap(\.path))
        return outcomes(report.subjects ?? [report.subject]) { ($0, nil, faulty.contains($0)) }
    }
    if let list = try? decoder.decode(OneOrMore<IdentityReport>.self, from: data) {
        return outcomes(list.reports) { ($0.store, nil, $0.isUnfinished) }
    }
    if let list = try? decoder.decode(OneOrMore<RepairReport>.self, from: data) {
        return outcomes(list.reports) { ($0.store, $0.place, $0.isUnfinished) }
    }
    if let list = try? decoder.decode(OneOrMore<DiagnosisReport>.self, from: data) {
        return outcomes(list.reports) { ($0.subject, nil, $0.isUnfinished) }
    }
    return nil
}

extension IdentityReport {
    /// Whether no version is known to have written the store.
    var isUnfinished: Bool { versions.isEmpty }
}

extension RepairReport {
    /// Whether the store failed, is still faulty, or could be repaired.
    var isUnfinished: Bool {
        error != nil || !obstacles.isEmpty || !remaining.isEmpty || !isDone && !steps.isEmpty
    }
}

extension DiagnosisReport {
    /// Whether something is wrong with the store, or it could not be looked at.
    var isUnfinished: Bool {
        error != nil || !symptoms.isEmpty || findings.contains { $0.severity != "note" }
            || !writers.allSatisfy(\.isContent)
    }
}

private let lineFeed = UInt8(ascii: "\n")

/// How each line of a journal begins, and no report that is written for people to read.
private let lineStart = Array("{\"".utf8)

private func journalOutcome(_ line: Data) -> MigrationOutcome? {
    try? JSONDecoder().decode(MigrationOutcome.self, from: Data(line))
}

/// Whether a line is no whole value.
private func isTorn(_ line: Data) -> Bool {
    (try? JSONValue(parsing: Array(line))) == nil
}

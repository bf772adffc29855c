package import Diagnostics
package import Essentials

/// What earlier runs said of their stores.
extension MigrationOutcomes {
    /// Reads what an earlier run left undone, of the report in JSON of any command that goes through stores.
    ///
    /// - Returns: the stores that are not done, in their order; `nil` with an error when it is no such report.
    package static func unfinished(
        _ data: Data,
        path: String
    ) -> Diagnosed<[MigrationOutcome]?> {
        if let reported = unfinishedReports(data) { return Diagnosed(reported) }
        if let report = try? JSONDecoder().decode(MigrationOutcomes.self, from: data) {
            return Diagnosed(counting([report.stores], \.counted).entries.filter { !$0.isDone })
        }
        let message = "this is neither a report in JSON of a command for stores nor a journal"
        return Diagnosed(
            nil,
            [Diagnostic("not-a-report", message, at: FileLocation(path: path))]
        )
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
        let faulty = report.faultySubjects
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

    /// What counts of it.
    var counted: CountedOutcome { CountedOutcome(store: store, isDone: !isUnfinished) }
}

extension RepairReport {
    /// Whether the store failed, is still faulty, or could be repaired.
    var isUnfinished: Bool {
        error != nil || !obstacles.isEmpty || !remaining.isEmpty || !isDone && !steps.isEmpty
    }

    /// What counts of it.
    var counted: CountedOutcome {
        CountedOutcome(
            store: store,
            isDone: !isUnfinished,
            wasDoneBefore: wasDoneBefore == true
        )
    }
}

extension DiagnosisReport {
    /// Whether something is wrong with the store, or it could not be looked at.
    var isUnfinished: Bool {
        error != nil || !symptoms.isEmpty || findings.contains { $0.severity != "note" }
            || !writers.allSatisfy(\.isContent)
    }

    /// What counts of it.
    var counted: CountedOutcome { CountedOutcome(store: subject, isDone: !isUnfinished) }
}

extension JSONFindings {
    /// The subjects that something is wrong with.
    var faultySubjects: Set<String> {
        let faulty = Set(
            findings.map(\.diagnostic).filter { $0.severity > .note }
                .compactMap(\.location?.path)
        )
        return Set(
            (subjects ?? [subject]).filter { subject in
                // Findings name what is in the current folder without './'.
                var shown = subject
                shown.dropCurrentFolder()
                return faulty.contains(shown)
            }
        )
    }
}

package import Diagnostics
package import Essentials
import XMLReading

/// The reports of several processes, as of the shards of one run, joined in the form that they have.
package struct JoinedReport: Sendable {
    /// The joined report.
    package var text: String
    /// Whether any of them says that something failed or is wrong.
    package var hasFailures: Bool
    /// The form.
    package var format = ReportFormat.json
    /// What the reports are about, such as stores or tests, and how often each was done; `nil` where the form does not say.
    package var inputs: InputTally?
    /// How many tests ended in each way, in words; `nil` for a report of anything else.
    package var summary: String?
    /// The names of the inputs, by their numbers.
    package var names: [String] = []
    /// What is wrong with the reports beside each other.
    var faults: [Diagnostic] = []

    /// Joins reports in JUnit's XML, in SARIF, or in the JSON of the commands that shards run.
    ///
    /// Journals are read in pieces, by ``JournalOutcomes``.
    ///
    /// - Parameter files: the reports with their paths, all of one form.
    /// - Returns: the joined report, `nil` when there is an error.
    package static func joining(
        _ files: [(path: String, data: Data)]
    ) -> Diagnosed<JoinedReport?> {
        guard let first = files.first else { return Diagnosed(nil) }
        let start = first.data.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start == UInt8(ascii: "<") {
            return joinedJUnit(files)
        }
        let forms: [Form] = [
            form(SARIFLog.self, joinedLogs), form(JSONFindings.self, joinedFindings),
            form(TestReport.self) { joinedTests($0, files.map(\.path)) },
            form(MigrationOutcomes.self, joinedOutcomes),
            form([GitLabIssue].self, joinedIssues),
            form(OneOrMore<IdentityReport>.self) { joinedStores($0, \.counted) },
            form(OneOrMore<RepairReport>.self) { joinedStores($0, \.counted) },
            form(OneOrMore<DiagnosisReport>.self) { joinedStores($0, \.counted) },
        ]
        for form in forms {
            switch form(files) {
            case .joined(let report): return Diagnosed(report, report.faults)
            case .otherForm(let path): return Diagnosed(nil, [fault(path, isFirst: false)])
            case .unknown: continue
            }
        }
        return Diagnosed(nil, [fault(first.path, isFirst: true)])
    }

    private typealias Form = ([(path: String, data: Data)]) -> Outcome

    private enum Outcome {
        case joined(JoinedReport)
        case otherForm(path: String)
        case unknown
    }

    /// A form in JSON: all files are read as it, or the first is not of it.
    private static func form<Content: Decodable>(
        _ type: Content.Type,
        _ join: @escaping ([Content]) -> JoinedReport
    ) -> Form {
        { files in
            var contents: [Content] = []
            for file in files {
                guard let content = try? JSONDecoder().decode(type, from: file.data) else {
                    return contents.isEmpty ? .unknown : .otherForm(path: file.path)
                }
                contents.append(content)
            }
            return .joined(join(contents))
        }
    }

    fileprivate static func fault(_ path: String, isFirst: Bool) -> Diagnostic {
        let message =
            isFirst
            ? "this is not a report in JSON, SARIF, or the XML of JUnit; give what --format wrote"
            : "this report has a different format from the first one"
        return Diagnostic("not-a-report", message, at: FileLocation(path: path))
    }
}

/// The report of one store, or those of several.
struct OneOrMore<Report: Decodable>: Decodable {
    var reports: [Report]

    init(from decoder: any Decoder) throws {
        let lone = try? Report(from: decoder)
        reports = try lone.map { [$0] } ?? [Report](from: decoder)
    }
}

private func joinedLogs(_ logs: [SARIFLog]) -> JoinedReport {
    var joined = logs[0]
    var rules: [SARIFLog.Descriptor] = []
    var places: [String: Int] = [:]
    var results: [SARIFLog.Result] = []
    for run in logs.flatMap(\.runs) {
        for rule in run.tool.driver.rules where places[rule.id] == nil {
            places[rule.id] = rules.count
            rules.append(rule)
        }
        results += run.results.map { result in
            var result = result
            result.ruleIndex = places[result.ruleId] ?? 0
            return result
        }
    }
    // One run: code scanning takes one of each tool.
    if var run = logs.flatMap(\.runs).first {
        run.tool.driver.rules = rules
        run.results = results
        joined.runs = [run]
    }
    return JoinedReport(
        text: plainJSON(joined),
        hasFailures: results.contains { $0.level != "note" },
        format: .sarif
    )
}

private func joinedFindings(_ reports: [JSONFindings]) -> JoinedReport {
    var joined = reports[0]
    joined.subject = reports.map(\.subject).joined(separator: ", ")
    joined.findings = reports.flatMap(\.findings)
    var inputs: InputTally?
    joined.subjects = nil
    if reports.allSatisfy({ $0.subjects != nil }) {
        var tally = OutcomeTally<Int>()
        for (number, report) in reports.enumerated() {
            let faulty = report.faultySubjects
            for subject in report.subjects ?? [] {
                let outcome = CountedOutcome(store: subject, isDone: !faulty.contains(subject))
                tally.add(outcome, of: number, at: number)
            }
        }
        joined.subjects = uniqued(reports.flatMap { $0.subjects ?? [] })
        joined.subject = joined.subjects?.count.counted("store") ?? ""
        joined.findings = reports.enumerated().flatMap { number, report in
            report.findings.filter { finding in
                // Findings name what is in the current folder without './'.
                let index = (finding.diagnostic.location?.path).flatMap {
                    tally.inputs.known($0) ?? tally.inputs.known("./" + $0)
                }
                guard let index else { return true }
                return tally.position(index) == number
            }
        }
        inputs = tally.inputs
    }
    joined.counts.error = joined.findings.count { $0.diagnostic.severity == .error }
    joined.counts.warning = joined.findings.count { $0.diagnostic.severity == .warning }
    joined.counts.note = joined.findings.count { $0.diagnostic.severity == .note }
    return JoinedReport(
        text: json(joined),
        hasFailures: joined.counts.error + joined.counts.warning > 0,
        inputs: inputs,
        names: joined.subjects ?? []
    )
}

/// The names, each once, where it is first.
private func uniqued(_ names: [String]) -> [String] {
    var seen = InputTally()
    return names.filter { name in
        let count = seen.count
        return seen.index(of: name) == count
    }
}

private func joinedTests(_ reports: [TestReport], _ paths: [String]) -> JoinedReport {
    // Shards run beside each other: the slowest one says how long the run took.
    let seconds = reports.map(\.seconds).max() ?? 0
    var joined = TestReport(cases: reports.flatMap(\.cases), seconds: seconds)
    var tally = ShardTally()
    for (report, path) in zip(reports, paths) { tally.add(report.shards ?? [], of: path) }
    joined.take(tally)
    return JoinedReport(
        text: json(joined),
        hasFailures: joined.failed > 0 || !joined.shardFaults.isEmpty,
        inputs: joined.inputs.tally,
        summary: joined.summary,
        names: joined.inputs.names,
        faults: joined.shardFaults
    )
}

extension TestReport {
    /// What its cases are of, each once, and how often each was done.
    fileprivate var inputs: (names: [String], tally: InputTally) {
        var tally = InputTally()
        guard !isOfFindings else {
            // A store may have several findings: nothing tells which store was done twice.
            let names = uniqued(cases.map(\.group))
            for name in names { _ = tally.index(of: name) }
            return (names, tally)
        }
        for item in cases { tally.add(at: tally.index(of: item.name)) }
        return (uniqued(cases.map(\.name)), tally)
    }
}

/// The entries of reports that count, of which each store has one, and the stores.
func counting<Entry: Sendable>(
    _ reports: [[Entry]],
    _ outcome: (Entry) -> CountedOutcome
) -> (entries: [Entry], inputs: InputTally) {
    var tally = OutcomeTally<Entry>()
    for (number, report) in reports.enumerated() {
        for entry in report { tally.add(outcome(entry), of: number, at: entry) }
    }
    return ((0..<tally.inputs.count).map { tally.position($0) }, tally.inputs)
}

private func joinedOutcomes(_ reports: [MigrationOutcomes]) -> JoinedReport {
    let (stores, inputs) = counting(reports.map(\.stores), \.counted)
    var owners = ResultOwners()
    let faults = stores.enumerated().compactMap { index, outcome in
        owners.add(outcome, index) { stores[$0].store }
    }
    return JoinedReport(
        text: json(MigrationOutcomes(stores)),
        hasFailures: !faults.isEmpty || stores.contains { !$0.isDone },
        inputs: inputs,
        names: stores.map(\.store),
        faults: faults
    )
}

private func joinedIssues(_ reports: [[GitLabIssue]]) -> JoinedReport {
    let joined = reports.flatMap(\.self)
    return JoinedReport(
        text: plainJSON(joined),
        hasFailures: joined.contains { $0.severity != "info" },
        format: .gitlab
    )
}

/// Joins reports of a kind that has one for each store.
private func joinedStores<Report: Codable & Sendable>(
    _ lists: [OneOrMore<Report>],
    _ outcome: (Report) -> CountedOutcome
) -> JoinedReport {
    let (joined, inputs) = counting(lists.map(\.reports), outcome)
    let outcomes = joined.map(outcome)
    return JoinedReport(
        text: json(joined),
        hasFailures: outcomes.contains { !$0.isDone },
        inputs: inputs,
        names: outcomes.map(\.store)
    )
}

private func joinedJUnit(_ files: [(path: String, data: Data)]) -> Diagnosed<JoinedReport?> {
    let joined = TestReport.merging(jUnit: files)
    guard !joined.hasErrors else { return Diagnosed(nil, joined.diagnostics) }
    let text = joined.value.rendered(as: .junit)
    let inputs = joined.value.inputs
    let report = JoinedReport(
        text: text,
        hasFailures: joined.value.failed > 0 || !joined.value.shardFaults.isEmpty,
        format: .junit,
        inputs: inputs.tally,
        summary: joined.value.summary,
        names: inputs.names
    )
    return Diagnosed(report, joined.diagnostics + joined.value.shardFaults)
}

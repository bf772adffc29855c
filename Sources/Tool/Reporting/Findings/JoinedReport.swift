package import Diagnostics
package import Essentials
import XMLReading

/// The reports of several processes, as of the shards of one run, joined in the form that they have.
package struct JoinedReport: Sendable {
    /// The joined report.
    package var text: String
    /// Whether any of them says that something failed or is wrong.
    package var hasFailures: Bool
    /// What the reports are about, once for each time that a report names it; `nil` where the form does not say.
    ///
    /// These are paths of stores, or names of tests.
    package var subjects: [String]?
    /// Whether a subject is named once for each finding rather than once.
    package var countsFindings = false
    /// What is wrong with the reports beside each other.
    var faults: [Diagnostic] = []

    /// Joins reports in JUnit's or Checkstyle's XML, in SARIF, or in the JSON of the commands that shards run.
    ///
    /// - Parameter files: the reports with their paths, all of one form.
    /// - Returns: the joined report, `nil` when there is an error.
    package static func joining(
        _ files: [(path: String, data: Data)]
    ) -> Diagnosed<JoinedReport?> {
        guard let first = files.first else { return Diagnosed(nil) }
        // A shard without stores leaves an empty journal, a killed one perhaps a torn line.
        if files.contains(where: { MigrationOutcomes.isJournal($0.data) })
            || files.allSatisfy({ $0.data.isEmpty })
        {
            return joinedJournals(files)
        }
        let start = first.data.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start == UInt8(ascii: "<") {
            return isCheckstyle(first) ? joinedCheckstyle(files) : joinedJUnit(files)
        }
        let forms: [Form] = [
            form(SARIFLog.self, joinedLogs), form(JSONFindings.self, joinedFindings),
            form(TestReport.self, joinedTests), form(MigrationOutcomes.self, joinedOutcomes),
            form([GitLabIssue].self, joinedIssues),
            form(OneOrMore<IdentityReport>.self, joinedIdentities),
            form(OneOrMore<RepairReport>.self, joinedRepairs),
            form(OneOrMore<DiagnosisReport>.self, joinedDiagnoses),
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
            ? "this is not a report in JSON, SARIF, or the XML of JUnit or Checkstyle; give what --format wrote"
            : "this report has a different format from the first one"
        return Diagnostic("not-a-report", message, at: SourceLocation(path: path))
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
        hasFailures: results.contains { $0.level != "note" }
    )
}

private func joinedFindings(_ reports: [JSONFindings]) -> JoinedReport {
    var joined = reports[0]
    joined.subject = reports.map(\.subject).joined(separator: ", ")
    let subjects = reports.compactMap(\.subjects).flatMap(\.self)
    let namesAll = reports.allSatisfy { $0.subjects != nil }
    joined.subjects = namesAll ? subjects : nil
    if namesAll { joined.subject = subjects.count.counted("store") }
    joined.findings = reports.flatMap(\.findings)
    joined.counts.error = reports.map(\.counts.error).reduce(0, +)
    joined.counts.warning = reports.map(\.counts.warning).reduce(0, +)
    joined.counts.note = reports.map(\.counts.note).reduce(0, +)
    let hasFailures = joined.counts.error + joined.counts.warning > 0
    return JoinedReport(
        text: json(joined),
        hasFailures: hasFailures,
        subjects: joined.subjects
    )
}

private func joinedTests(_ reports: [TestReport]) -> JoinedReport {
    // Shards run beside each other: the slowest one says how long the run took.
    let seconds = reports.map(\.seconds).max() ?? 0
    let joined = TestReport(cases: reports.flatMap(\.cases), seconds: seconds)
    return JoinedReport(
        text: json(joined),
        hasFailures: joined.failed > 0,
        subjects: joined.cases.map(\.name)
    )
}

private func joinedOutcomes(_ reports: [MigrationOutcomes]) -> JoinedReport {
    let joined = MigrationOutcomes(reports.flatMap(\.stores))
    let faults = joined.sharedResults
    return JoinedReport(
        text: json(joined),
        hasFailures: !faults.isEmpty || joined.stores.contains { !$0.isDone },
        subjects: joined.stores.map(\.store),
        faults: faults
    )
}

/// Joins journals, in which the last outcome of a store counts: a task that was started again went on with them.
private func joinedJournals(_ files: [(path: String, data: Data)]) -> Diagnosed<JoinedReport?> {
    var outcomes: [MigrationOutcome] = []
    var faults: [Diagnostic] = []
    for file in files {
        let read = MigrationOutcomes.reading(file.data, path: file.path)
        faults += read.diagnostics
        guard let journal = read.value else { return Diagnosed(nil, faults) }
        outcomes += journal.stores
    }
    let joined = MigrationOutcomes(MigrationOutcomes(outcomes).last)
    // A store that two tasks migrated, rather than one found it done, was done twice.
    let migrated = outcomes.filter { $0.status == "migrated" }.map(\.store)
    let others = Set(joined.stores.map(\.store)).subtracting(migrated)
    let shared = joined.sharedResults
    return Diagnosed(
        JoinedReport(
            text: json(joined),
            hasFailures: !shared.isEmpty || joined.stores.contains { !$0.isDone },
            subjects: migrated + others.sorted()
        ),
        faults + shared
    )
}

private func joinedIssues(_ reports: [[GitLabIssue]]) -> JoinedReport {
    let joined = reports.flatMap(\.self)
    return JoinedReport(
        text: plainJSON(joined),
        hasFailures: joined.contains { $0.severity != "info" }
    )
}

private func joinedRepairs(_ lists: [OneOrMore<RepairReport>]) -> JoinedReport {
    let joined = lists.flatMap(\.reports)
    return JoinedReport(
        text: json(joined),
        hasFailures: joined.contains(where: \.isUnfinished),
        subjects: joined.map(\.store)
    )
}

private func joinedDiagnoses(_ lists: [OneOrMore<DiagnosisReport>]) -> JoinedReport {
    let joined = lists.flatMap(\.reports)
    return JoinedReport(
        text: json(joined),
        hasFailures: joined.contains(where: \.isUnfinished),
        subjects: joined.map(\.subject)
    )
}

private func joinedIdentities(_ lists: [OneOrMore<IdentityReport>]) -> JoinedReport {
    let joined = lists.flatMap(\.reports)
    return JoinedReport(
        text: json(joined),
        hasFailures: joined.contains(where: \.isUnfinished),
        subjects: joined.map(\.store)
    )
}

private func joinedJUnit(_ files: [(path: String, data: Data)]) -> Diagnosed<JoinedReport?> {
    let joined = TestReport.merging(jUnit: files)
    guard !joined.hasErrors else { return Diagnosed(nil, joined.diagnostics) }
    let text = joined.value.rendered(as: .junit)
    let report = JoinedReport(
        text: text,
        hasFailures: joined.value.failed > 0,
        subjects: joined.value.cases.map(\.group),
        countsFindings: true
    )
    return Diagnosed(report, joined.diagnostics)
}

private func isCheckstyle(_ file: (path: String, data: Data)) -> Bool {
    (try? readXML(file.data, path: file.path))?.root.name == "checkstyle"
}

private func joinedCheckstyle(_ files: [(path: String, data: Data)]) -> Diagnosed<JoinedReport?> {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<checkstyle version=\"4.3\">"]
    var hasFailures = false
    for file in files {
        do throws(XMLFault) {
            let root = try readXML(file.data, path: file.path).root
            guard root.name == "checkstyle" else {
                return Diagnosed(nil, [JoinedReport.fault(file.path, isFirst: false)])
            }
            for element in root.children where element.name == "file" {
                lines.append("  <file name=\"\(markup(element["name"] ?? ""))\">")
                for error in element.children where error.name == "error" {
                    if error["severity"] != "info" { hasFailures = true }
                    let attributes = ["line", "column", "severity", "message", "source"]
                        .compactMap { name in error[name].map { " \(name)=\"\(markup($0))\"" } }
                    lines.append("    <error\(attributes.joined())/>")
                }
                lines.append("  </file>")
            }
        } catch {
            return Diagnosed(nil, [error.diagnostic])
        }
    }
    let text = (lines + ["</checkstyle>"]).joined(separator: "\n")
    return Diagnosed(JoinedReport(text: text, hasFailures: hasFailures))
}

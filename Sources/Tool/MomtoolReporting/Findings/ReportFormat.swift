import Essentials

/// The forms in which commands give what they found.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For people; findings as clang and Xcode print them.
    case text
    /// For programs.
    case json
    /// Findings in the Static Analysis Results Interchange Format 2.1.0.
    case sarif
    /// Findings as annotations of GitHub Actions.
    case github
    /// Findings as a code quality report of GitLab.
    case gitlab
    /// Findings as failed tests in JUnit's XML.
    case junit
    /// A table for comments and job summaries.
    case markdown
    /// The edits that lead from one version of a model to another, as `momtool model apply` takes them.
    case edits

    /// Whether what reads the report looks for files from the root of the repository, wherever the command ran.
    var namesFilesInRepository: Bool {
        switch self {
        case .sarif, .github, .gitlab: true
        case .text, .json, .junit, .markdown, .edits: false
        }
    }
}

/// The version of the shape of JSON reports.
///
/// It grows when a key goes, is renamed or means something else; a new key is no new version.
let reportVersion = 1

/// A report with the version of its shape beside its own keys.
private struct VersionedReport<Report: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey { case formatVersion }

    var report: Report

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reportVersion, forKey: .formatVersion)
    }
}

/// Writes a report as JSON, with the version of its shape.
package func json(_ report: some Encodable, isPretty: Bool = true) -> String {
    plainJSON(VersionedReport(report: report), isPretty: isPretty)
}

/// Writes a list of reports as JSON, each with the version of its shape.
func json<Report: Encodable>(_ reports: [Report]) -> String {
    var versioned: [VersionedReport<Report>] = []
    for report in reports { versioned.append(VersionedReport(report: report)) }
    return plainJSON(versioned)
}

/// Writes a value as JSON: keys sorted, the same bytes for the same value; two spaces deep, or in one line.
func plainJSON(_ value: some Encodable, isPretty: Bool = true) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    // Reports hold strings, numbers and truth values only, all of which JSON can hold.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
}

/// A report that can be written in several forms.
package protocol Rendering: Encodable {
    /// Writes the report.
    func rendered(as format: ReportFormat) -> String
}

extension Array where Element: Rendering {
    /// Writes several reports: one below the other, or as a JSON array; a lone one stands for itself.
    package func rendered(as format: ReportFormat) -> String {
        if count == 1 { return self[0].rendered(as: format) }
        guard format != .json else { return json(self) }
        let texts = map { $0.rendered(as: format) }
        let areLines = texts.allSatisfy { !$0.contains("\n") }
        return texts.joined(separator: areLines ? "\n" : "\n\n")
    }
}

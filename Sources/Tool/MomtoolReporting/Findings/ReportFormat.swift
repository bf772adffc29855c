import Essentials

package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For people; findings as clang and Xcode print them.
    case text
    case json
    /// Findings in the Static Analysis Results Interchange Format 2.1.0.
    case sarif
    case github, gitlab, junit, markdown
    /// The edits between two versions of a model, as `momtool model apply` takes them.
    case edits

    /// Whether readers of the report look for files from the root of the repository, wherever the command ran.
    var namesFilesInRepository: Bool {
        switch self {
        case .sarif, .github, .gitlab: true
        case .text, .json, .junit, .markdown, .edits: false
        }
    }
}

/// The version of the shape of JSON reports.
///
/// It grows when a key is removed, renamed or changes its meaning; a new key does not change it.
let reportVersion = 1

private struct VersionedReport<Report: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey { case formatVersion }

    var report: Report

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reportVersion, forKey: .formatVersion)
    }
}

/// A JSON object written key by key; a key without a value is left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Member: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private let members: [String: Member]

    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        let stated = members.compactMap { key, value in value.map { (key, Member(value: $0)) } }
        self.members = Dictionary(stated) { $1 }
    }

    package func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

/// A report whose JSON is written key by key, as it holds the values that it is about.
package protocol KeyedReport: Encodable { var jsonObject: JSONObject { get } }

extension KeyedReport {
    package func encode(to encoder: any Encoder) throws { try jsonObject.encode(to: encoder) }
}

package func json(_ report: some Encodable, isPretty: Bool = true) -> String {
    plainJSON(VersionedReport(report: report), isPretty: isPretty)
}

func json<Report: Encodable>(_ reports: [Report]) -> String {
    var versioned: [VersionedReport<Report>] = []
    for report in reports { versioned.append(VersionedReport(report: report)) }
    return plainJSON(versioned)
}

/// Writes a value as JSON with sorted keys, the same bytes for the same value; indented by two spaces, or in one line.
func plainJSON(_ value: some Encodable, isPretty: Bool = true) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    // Reports have only strings, numbers and Booleans, all of which JSON can express.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
}

package protocol Rendering: Encodable { func rendered(as format: ReportFormat) -> String }

/// A report that is one text for people in every format but JSON.
package protocol TextReport: Rendering { var text: String { get } }

extension TextReport {
    package func rendered(as format: ReportFormat) -> String { format == .json ? json(self) : text }
}

extension Array where Element: Rendering {
    /// Writes several reports: one below the other, or as a JSON array; a single one on its own.
    package func rendered(as format: ReportFormat) -> String {
        if count == 1 { return self[0].rendered(as: format) }
        guard format != .json else { return json(self) }
        let texts = map { $0.rendered(as: format) }
        let areLines = texts.allSatisfy { !$0.contains("\n") }
        return texts.joined(separator: areLines ? "\n" : "\n\n")
    }
}

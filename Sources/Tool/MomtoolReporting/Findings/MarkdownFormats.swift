import Diagnostics
import ModelChecking

func markdownTable(_ report: FindingReport) -> String {
    let title = "### momtool \(report.command): \(report.summary)"
    guard !report.findings.isEmpty else { return title }
    let rows = report.findings.map { finding in
        let diagnostic = finding.diagnostic
        let place = diagnostic.location?.description ?? report.subject
        return [
            diagnostic.severity.rawValue, code(diagnostic.rule.rawValue), code(place),
            cell(finding.wholeMessage),
        ]
    }
    return title + "\n\n" + markdownTable(heading: ["", "Rule", "Place", "Finding"], rows)
}

func markdownTable(heading: [String], _ rows: [[String]]) -> String {
    let lines = [heading, heading.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
}

func cell(_ text: String) -> String {
    var result = ""
    for scalar in text.escaping(\.isObeyed).unicodeScalars {
        switch scalar {
        case "\n": result += "<br>"
        case "|", "*", "_", "`", "[", "]", "\\": result += "\\\(scalar)"
        case "<": result += "&lt;"
        case "&": result += "&amp;"
        // A name in a model must not mention a user.
        case "@": result += "@\u{200B}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

func code(_ text: String) -> String {
    text.utf8.contains(where: "`\n|".utf8.contains) ? cell(text) : "`\(text.onOneLine)`"
}

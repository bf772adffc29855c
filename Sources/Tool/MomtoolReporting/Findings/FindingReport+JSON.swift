import Diagnostics
import ModelChecking

/// A finding for programs: the keys of the diagnostic, beside those of the finding.
struct JSONFinding: Encodable {
    var finding: Finding
    var replacement: FixReplacement?

    func encode(to encoder: any Encoder) throws {
        try finding.diagnostic.encode(to: encoder)
        let own: JSONObject = [
            "version": finding.version, "fix": finding.fix?.summary,
            "edit": replacement.map(jsonObject),
        ]
        try own.encode(to: encoder)
    }
}

extension FindingReport {
    var jsonFindings: [JSONFinding] {
        findings.enumerated().map { JSONFinding(finding: $1, replacement: replacements[$0]) }
    }
}

func jsonObject(_ report: FindingReport) -> JSONObject {
    let counts: JSONObject = [
        "error": report.count(.error), "warning": report.count(.warning),
        "note": report.count(.note),
    ]
    return [
        "command": report.command, "subject": report.subject, "subjects": report.subjects,
        "extent": report.extent.isEmpty ? nil : report.extent, "counts": counts,
        "fixed": report.fixed.isEmpty ? nil : report.fixed.map(jsonObject),
        "findings": report.jsonFindings,
    ]
}

private func jsonObject(_ replacement: FixReplacement) -> JSONObject {
    [
        "path": replacement.path, "firstLine": replacement.firstLine,
        "lines": replacement.lineCount, "text": replacement.text,
    ]
}

private func jsonObject(_ made: Fix) -> JSONObject {
    let place = made.place
    return [
        "fix": made.summary, "path": place?.path ?? "", "line": place?.line,
        "column": place?.column, "isGuess": made.isGuess,
    ]
}

import Essentials
import Diagnostics
import ModelChecking

/// Writes findings as the workflow commands that GitHub Actions turns into annotations.
///
/// A step has ten annotations of each kind, and a run fifty: notes stand in the log alone.
func gitHubAnnotations(_ report: FindingReport) -> String {
    report.findings.map { finding in
        let diagnostic = finding.diagnostic
        guard diagnostic.severity > .note else {
            let lines = finding.wholeMessage.split(separator: "\n").map { String($0).onOneLine }
            return "note: \(finding.path(in: report)): \(lines.joined(separator: "; "))"
        }
        var properties = ["file=\(annotationProperty(finding.path(in: report)))"]
        if let line = diagnostic.location?.line { properties.append("line=\(line)") }
        if let column = diagnostic.location?.column { properties.append("col=\(column)") }
        properties.append("title=\(annotationProperty(diagnostic.rule.rawValue))")
        let list = properties.joined(separator: ",")
        return
            "::\(diagnostic.severity.rawValue) \(list)::\(annotationMessage(finding.wholeMessage))"
    }.joined(separator: "\n")
}

/// Escapes the message of a workflow command, as the runner's toolkit does.
func annotationMessage(_ text: String) -> String {
    text.replacingBytes(of: "%", with: "%25").replacingBytes(of: "\r", with: "%0D")
        .replacingBytes(of: "\n", with: "%0A")
}

/// Escapes the value of a property of a workflow command.
func annotationProperty(_ text: String) -> String {
    annotationMessage(text).replacingBytes(of: ":", with: "%3A")
        .replacingBytes(of: ",", with: "%2C")
}

/// An issue of GitLab's code quality report, a subset of the Code Climate format.
struct GitLabIssue: Codable {
    struct Lines: Codable { var begin: Int }
    struct Location: Codable {
        var path: String
        var lines: Lines
    }
    var description: String
    var checkName: String
    var fingerprint: String
    var severity: String
    var location: Location

    private enum CodingKeys: String, CodingKey {
        case description, fingerprint, severity, location
        case checkName = "check_name"
    }
}

/// Makes GitLab's issues of findings.
func gitLabIssues(_ report: FindingReport) -> [GitLabIssue] {
    zip(report.findings, fingerprints(of: report)).map { finding, fingerprint in
        let severity =
            switch finding.diagnostic.severity {
            case .note: "info"
            case .warning: "minor"
            case .error: "major"
            }
        return GitLabIssue(
            description: finding.diagnostic.message,
            checkName: finding.diagnostic.rule.rawValue,
            fingerprint: fingerprint,
            severity: severity,
            location: GitLabIssue.Location(
                path: finding.path(in: report),
                lines: GitLabIssue.Lines(begin: finding.diagnostic.location?.line ?? 1)
            )
        )
    }
}

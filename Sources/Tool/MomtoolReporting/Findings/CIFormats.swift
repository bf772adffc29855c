import Diagnostics
import Essentials
import ModelChecking
import ObjectModel

/// Writes findings as the workflow commands that GitHub Actions turns into annotations.
///
/// A step has ten annotations of each kind, and a run fifty: notes are only in the log, and all differences of one
/// locked version, or failures in one file of cases, are one annotation.
func gitHubAnnotations(_ report: FindingReport) -> String {
    let joined = Dictionary(grouping: report.findings.filter(\.isJoinedByFile)) {
        $0.path(in: report) + "\0" + $0.diagnostic.rule.rawValue
    }
    var reported: Set<String> = []
    return report.findings.compactMap { finding -> String? in
        let diagnostic = finding.diagnostic
        guard diagnostic.severity > .note else {
            let lines = finding.wholeMessage.split(separator: "\n").map { String($0).onOneLine }
            let place = FileLocation(
                path: finding.path(in: report),
                line: diagnostic.location?.line,
                column: diagnostic.location?.column
            )
            return "note: \("\(place)".onOneLine): \(lines.joined(separator: "; "))"
        }
        let path = finding.path(in: report)
        let key = path + "\0" + diagnostic.rule.rawValue
        let all = finding.isJoinedByFile ? joined[key] ?? [] : []
        guard all.isEmpty || reported.insert(key).inserted else { return nil }
        let message = all.count > 1 ? joinedMessage(all) : finding.wholeMessage
        var properties = ["file=\(annotationProperty(path))"]
        if let line = diagnostic.location?.line { properties.append("line=\(line)") }
        if let column = diagnostic.location?.column { properties.append("col=\(column)") }
        properties.append("title=\(annotationProperty(diagnostic.rule.rawValue))")
        return annotation(diagnostic.severity.rawValue, properties, message)
    }.joined(separator: "\n")
}

/// Joins findings of one file and one rule in one message, which starts with their number.
private func joinedMessage(_ findings: [Finding]) -> String {
    guard findings[0].diagnostic.rule == Finding.editOfLockedVersion else {
        return (["\(findings.count) cases of this file fail:"] + findings.map(\.wholeMessage))
            .joined(separator: "\n")
    }
    let lines = findings.map { finding in
        let line = finding.diagnostic.location?.line.map { "line \($0): " } ?? ""
        return line + finding.diagnostic.message.onOneLine
    }
    // The log has each location in the lock; the advice is the same for all.
    let notes = findings[0].diagnostic.notes.filter { $0.location == nil }.map(\.text)
    return (["\(findings.count) lines differ from the lock:"] + lines + notes)
        .joined(separator: "\n")
}

extension Finding {
    fileprivate static let editOfLockedVersion: RuleID = "locked-version-edited"

    fileprivate var isJoinedByFile: Bool {
        let rules: Set<RuleID> = [Self.editOfLockedVersion, "migration-test-failed"]
        return rules.contains(diagnostic.rule) && diagnostic.severity > .note
    }
}

/// A workflow command for one annotation; properties such as `file=App.swift` are escaped already.
func annotation(_ kind: String, _ properties: [String], _ message: String) -> String {
    "::\(kind) \(properties.joined(separator: ","))::\(annotationMessage(message))"
}

/// Escapes the message of a workflow command, as the runner's toolkit does.
func annotationMessage(_ text: String) -> String {
    text.replacingBytes(of: "%", with: "%25").replacingBytes(of: "\r", with: "%0D")
        .replacingBytes(of: "\n", with: "%0A")
}

func annotationProperty(_ text: String) -> String {
    annotationMessage(text).replacingBytes(of: ":", with: "%3A")
        .replacingBytes(of: ",", with: "%2C")
}

/// The issues of GitLab's code quality report, a subset of the Code Climate format.
func gitLabIssues(_ report: FindingReport) -> [JSONObject] {
    zip(report.findings, fingerprints(of: report)).map { finding, fingerprint in
        let severity =
            switch finding.diagnostic.severity {
            case .note: "info"
            case .warning: "minor"
            case .error: "major"
            }
        let lines: JSONObject = ["begin": finding.diagnostic.location?.line ?? 1]
        let location: JSONObject = ["path": finding.path(in: report), "lines": lines]
        return [
            "description": finding.diagnostic.message,
            "check_name": finding.diagnostic.rule.rawValue, "fingerprint": fingerprint,
            "severity": severity, "location": location,
        ]
    }
}

/// Returns a unique text for each finding that stays the same while lines move.
func fingerprints(of report: FindingReport) -> [String] {
    var counts: [String: Int] = [:]
    return report.findings.map { finding in
        let parts = [
            finding.diagnostic.rule.rawValue, finding.path(in: report),
            finding.diagnostic.element ?? "", finding.diagnostic.message,
        ]
        let digest = fowlerNollVo(parts.joined(separator: "\u{0}"))
        let number = counts[digest, default: 0]
        counts[digest] = number + 1
        return fowlerNollVo("\(digest)\(number)") + digest
    }
}

/// The 64-bit FNV-1a hash, which needs no library and is the same everywhere.
private func fowlerNollVo(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS).
func sarifLog(_ report: FindingReport) -> JSONObject {
    let ids = Set(report.findings.map(\.diagnostic.rule.rawValue)).sorted()
    let indexes = Dictionary(firstOf: ids.enumerated().map { ($1, $0) })
    let prints = fingerprints(of: report)
    let results = report.findings.enumerated().map { number, finding in
        result(
            finding,
            in: report,
            index: indexes[finding.diagnostic.rule.rawValue] ?? 0,
            fingerprint: prints[number],
            replacement: report.replacements[number]
        )
    }
    let driver: JSONObject = [
        "name": "momtool", "semanticVersion": toolVersion, "rules": ids.map(descriptor),
    ]
    let run: JSONObject = ["tool": ["driver": driver] as JSONObject, "results": results]
    return [
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [run],
    ]
}

private func descriptor(_ id: String) -> JSONObject {
    guard let rule = Rule.named(id) else {
        return ["id": id, "shortDescription": message(id.replacing("-", with: " "))]
    }
    return [
        "id": id, "shortDescription": message(rule.summary),
        "fullDescription": message(rule.rationale), "help": message(rule.rationale),
        "defaultConfiguration": ["level": rule.severity.rawValue],
        "properties": ["tags": [rule.family.rawValue]],
    ]
}

private func message(_ text: String) -> JSONObject { ["text": text] }

private func result(
    _ finding: Finding,
    in report: FindingReport,
    index: Int,
    fingerprint: String,
    replacement: FixReplacement?
) -> JSONObject {
    let diagnostic = finding.diagnostic
    let location: JSONObject = [
        "physicalLocation": physical(diagnostic.location ?? FileLocation(path: report.subject)),
        "logicalLocations": diagnostic.element.map {
            [["fullyQualifiedName": $0, "kind": $0.contains(".") ? "member" : "type"]]
        },
    ]
    let notes = diagnostic.notes.enumerated().map { number, note -> JSONObject in
        [
            "id": number + 1, "message": message(note.text),
            "physicalLocation": note.location.map(physical),
        ]
    }
    var fixes: [JSONObject]?
    if let fix = finding.fix, let replacement { fixes = [change(replacement, fix.summary)] }
    return [
        "ruleId": diagnostic.rule, "ruleIndex": index, "level": diagnostic.severity,
        "message": message(diagnostic.message), "locations": [location],
        "relatedLocations": notes.isEmpty ? nil : notes,
        "partialFingerprints": ["momtool/v1": fingerprint], "fixes": fixes,
    ]
}

/// A fix replaces complete lines, so that no column depends on how a reader counts characters.
private func change(_ replacement: FixReplacement, _ summary: String) -> JSONObject {
    let (start, count) = (replacement.firstLine, replacement.lineCount)
    let isOpen = replacement.openEnd != nil && count > 0
    let lines: JSONObject = [
        "deletedRegion": [
            "startLine": start, "startColumn": 1, "endLine": start + count - (isOpen ? 1 : 0),
            "endColumn": isOpen ? (replacement.openEnd ?? 0) + 1 : 1,
        ], "insertedContent": message(replacement.text),
    ]
    let change: JSONObject = [
        "artifactLocation": ["uri": replacement.path.asURIReference], "replacements": [lines],
    ]
    return ["description": message(summary), "artifactChanges": [change]]
}

private func physical(_ location: FileLocation) -> JSONObject {
    let region = location.line.map { line -> JSONObject in
        ["startLine": line, "startColumn": location.column]
    }
    return ["artifactLocation": ["uri": location.path.asURIReference], "region": region]
}

extension String {
    /// The path as a URI reference, percent-encoded.
    fileprivate var asURIReference: String {
        let allowed = Set("!$&'()*+,-./=@_~".utf8)
        let path = utf8.map { byte in
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            let isPlain = isLetter || (0x30...0x39).contains(byte) || allowed.contains(byte)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + byte.hexadecimal(2, uppercase: true)
        }.joined()
        return hasPrefix("/") ? "file://" + path : path
    }
}

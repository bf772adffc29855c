import ObjectModel
import Diagnostics
import Essentials
import ModelChecking

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

package import Diagnostics

/// Findings from the time when a team began to check its model, ignored until they are fixed.
///
/// A text file of one finding a line: rule, version and element, without locations, so that edits elsewhere do not
/// affect it. An entry listed twice suppresses two findings.
package struct Baseline: Sendable, Hashable {
    private var counts: [String: Int] = [:]

    package init(of findings: [Finding]) {
        for finding in findings { counts[Self.key(finding), default: 0] += 1 }
    }

    /// Reads the text of a baseline, except empty lines and lines that begin with `#`; other malformed lines are errors.
    package static func parse(_ text: String, path: String) -> Diagnosed<Baseline> {
        var baseline = Diagnosed(Baseline(of: []))
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard let rule = fields.first, !rule.hasPrefix("#") else { continue }
            guard baseline.diagnostics.count < 100 else { break }
            if fields.count == 3, rule.utf8.allSatisfy(isOfRule) {
                baseline.value.counts[fields.joined(separator: " "), default: 0] += 1
            } else {
                let place = FileLocation(path: path, line: number)
                baseline.diagnostics.append(
                    Diagnostic("invalid-baseline", saying: fault, at: place)
                )
            }
        }
        return baseline
    }

    private static let fault: Wording =
        "this line does not have the form RULE VERSION ELEMENT that \(.baseline) writes"

    private static func isOfRule(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    package func remaining(of findings: [Finding]) -> [Finding] {
        var left = counts
        return findings.filter { finding in
            let key = Self.key(finding)
            guard let count = left[key], count > 0 else { return true }
            left[key] = count - 1
            return false
        }
    }

    package var text: String {
        let lines = counts.keys.sorted().flatMap { key in
            Array(repeating: key, count: min(counts[key] ?? 0, 1_000_000))
        }
        let head = "# momtool lint: ignored findings, one per line: rule, version, element"
        return ([head] + lines).map { $0 + "\n" }.joined()
    }

    private static func key(_ finding: Finding) -> String {
        [
            finding.diagnostic.rule.rawValue, finding.version ?? "-",
            finding.diagnostic.element ?? "-",
        ].map(EscapedName.escape).joined(separator: " ")
    }
}

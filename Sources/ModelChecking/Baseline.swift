import Diagnostics

/// Findings that were there when a team began to check its model, and are let be until they are gone.
///
/// A text file of one finding a line: rule, version and element, without places, so that edits elsewhere
/// do not touch it. A finding that stands there twice is let be twice.
public struct Baseline: Sendable, Hashable {
    private var counts: [String: Int] = [:]

    /// Takes findings as they are.
    public init(of findings: [Finding]) {
        for finding in findings { counts[Self.key(finding), default: 0] += 1 }
    }

    /// Reads the text of a baseline; empty lines and those that begin with `#` say nothing.
    public init(parsing text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.first.map({ !$0.hasPrefix("#") }) ?? false else { continue }
            counts[fields.joined(separator: " "), default: 0] += 1
        }
    }

    /// Returns the findings that are not in the baseline.
    public func remaining(of findings: [Finding]) -> [Finding] {
        var left = counts
        return findings.filter { finding in
            let key = Self.key(finding)
            guard let count = left[key], count > 0 else { return true }
            left[key] = count - 1
            return false
        }
    }

    /// The text of the baseline, sorted.
    public var text: String {
        let lines = counts.keys.sorted().flatMap { key in
            Array(repeating: key, count: min(counts[key] ?? 0, 1_000_000))
        }
        let head = "# momtool lint: findings that are ignored, one per line: rule, version, element"
        return ([head] + lines).map { $0 + "\n" }.joined()
    }

    private static func key(_ finding: Finding) -> String {
        [
            finding.diagnostic.rule.rawValue, finding.version ?? "-",
            finding.diagnostic.element ?? "-",
        ].map(EscapedName.escape).joined(separator: " ")
    }
}

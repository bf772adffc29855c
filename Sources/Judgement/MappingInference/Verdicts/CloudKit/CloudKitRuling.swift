/// The effect in CloudKit of a change of something that is mirrored.
package enum CloudKitVerdict: String, Sendable, Hashable, CaseIterable {
    case noTrace = "no-trace"
    /// Production accepts what is new once it is deployed.
    case accepted
    /// Production, which only grows, refuses it: what was deployed stays as it was.
    case refused
    /// Mirroring itself refuses such a model, so that the store does not load.
    case unsupported
    /// Neither documents nor published schemas tell.
    case unknown

    package var words: String {
        switch self {
        case .noTrace: "not visible in the schema"
        case .accepted: "Production accepts it"
        case .refused: "Production refuses it"
        case .unsupported: "mirroring does not support it"
        case .unknown: "momtool cannot tell"
        }
    }
}

/// A row of the table of CloudKit's verdicts on one kind of change of a mirrored store.
///
/// Texts may hold `{type}`, `{old}`, `{field}`, `{from}` and `{to}`, which a judgement replaces (CloudKitSchemas,
/// "Production").
package struct CloudKitRuling: Sendable, Hashable {
    /// The change, in the words of the page of verdicts.
    package var change: String
    package var verdict: CloudKitVerdict
    /// Lower case, no final period.
    package var effect: String
    package var evidence: Evidence
    /// Where it was observed or is documented, for the page of verdicts.
    package var seen: String?

    static func on(_ verdict: CloudKitVerdict) -> RulingDraft<CloudKitVerdict> {
        RulingDraft(verdict)
    }

    package var line: String { "CloudKit: \(verdict.words): \(effect)" }

    func with(_ texts: KeyValuePairs<String, String>) -> CloudKitRuling {
        var copy = self
        copy.effect = Self.filled(effect[...], texts)
        return copy
    }

    /// Fills in one pass, so that a name with a placeholder in it stays as it is.
    private static func filled(
        _ template: Substring,
        _ texts: KeyValuePairs<String, String>
    ) -> String {
        var (result, rest) = ("", template)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            result += rest[..<open]
            result += texts.first { $0.key == name }?.value ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension RulingDraft<CloudKitVerdict> {
    /// Completes the row; `seen` is where it was observed or is documented.
    func by(_ evidence: Evidence, _ seen: String? = nil) -> CloudKitRuling {
        CloudKitRuling(
            change: change,
            verdict: named,
            effect: effect,
            evidence: evidence,
            seen: seen
        )
    }
}

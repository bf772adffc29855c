import Diagnostics
import ModelChecking

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

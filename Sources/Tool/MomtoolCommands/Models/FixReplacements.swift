import FileSystem
import ModelChecking
import MomtoolReporting

extension FindingReport {
    /// Finds what the fixes of the findings, up to a limit, do to the lines of their files.
    mutating func findReplacements() {
        var bytes: [String: [UInt8]] = [:]
        let fixes = findings.enumerated().filter { $0.element.fix != nil }
        for (index, finding) in fixes.prefix(Self.replacementLimit) {
            guard let fix = finding.fix else { continue }
            if bytes[fix.path] == nil {
                bytes[fix.path] = (try? readFile(fix.path, limit: 16 << 20)) ?? []
            }
            replacements[index] = FixReplacement(of: fix, in: bytes[fix.path] ?? [])
        }
    }

    /// Each parses the source once.
    private static let replacementLimit = 200
}

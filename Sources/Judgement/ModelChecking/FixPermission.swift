import Diagnostics
import ObjectModel

/// Gives findings of the reader their cures, and takes away those that must not be carried out.
///
/// - Parameters:
///   - findings: the findings.
///   - bundle: the model.
///   - scope: the names of the versions that are checked; others are not edited.
/// - Returns: the findings.
func curing(_ findings: [Finding], in bundle: CheckedBundle, _ scope: Set<String>) -> [Finding] {
    var known: [String: StructuralFixes] = [:]
    var rest = structuralFixLimit
    return findings.map { finding in
        var finding = finding
        if finding.fix == nil { finding.fix = fixOfCurrentVersion(finding.diagnostic, in: bundle) }
        if StructuralFixes.rules.contains(finding.diagnostic.rule), rest > 0,
            let name = finding.version, scope.contains(name),
            let version = bundle.versions.first(where: { $0.name == name })
        {
            rest -= 1
            let fixes = known[name] ?? StructuralFixes(version)
            known[name] = fixes
            finding.fix = fixes.fix(of: finding.diagnostic)
        }
        // The edits are those of models in XML.
        if finding.fix?.path.hasSuffix(".swift") == true { finding.fix = nil }
        return permitting(finding, in: bundle)
    }
}

/// Each looks through its version, so that a file of thousands of faults would take long; a second run finds the next ones.
private let structuralFixLimit = 500

/// Writes into the model which version is current, where only a project says it.
private func fixOfCurrentVersion(_ finding: Diagnostic, in bundle: CheckedBundle) -> Fix? {
    guard finding.rule == "missing-current-version", finding.severity == .note,
        let current = bundle.versions.first(where: \.isCurrent)
    else { return nil }
    return Fix(
        "name the current version in the model, too",
        file: bundle.path + "/.xccurrentversion",
        .nameCurrent(version: current.name)
    )
}

/// Takes the fix from a finding where it would move the hash of a version that may have shipped, and says why.
///
/// Stores in the field are known by the hash: a version that shipped and gets another one opens none of them. Without a
/// lock nobody says what shipped.
private func permitting(_ finding: Finding, in bundle: CheckedBundle) -> Finding {
    guard let fix = finding.fix, fix.movesHash else { return finding }
    var finding = finding
    let name = finding.version ?? ""
    if bundle.locked.isEmpty {
        finding.obstacle = "no lock says that '\(name)' has not shipped"
    } else if bundle.locked.contains(name) {
        finding.obstacle = "'\(name)' is locked"
    } else if bundle.versions.last?.name != name {
        finding.obstacle = "'\(name)' is not the newest version"
    }
    if finding.obstacle != nil { finding.fix = nil }
    return finding
}

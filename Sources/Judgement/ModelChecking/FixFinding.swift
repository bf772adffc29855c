package import Diagnostics
package import ObjectModel

/// Gives findings of the reader their cures.
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
        // The other edits are those of models in XML.
        if finding.fix?.path.hasSuffix(".swift") == true { finding.fix = nil }
        if finding.diagnostic.rule == "inverse-not-written" {
            finding.fix = inverseFix(of: finding.diagnostic, in: bundle, scope)
        }
        return finding
    }
}

/// Writes an inverse that SwiftData finds by itself.
///
/// Where it finds none, which relationships are two sides of one is a choice.
private func inverseFix(
    of finding: Diagnostic,
    in bundle: CheckedBundle,
    _ scope: Set<String>
) -> Fix? {
    guard finding.severity == .note, let place = finding.location else { return nil }
    let owners = bundle.versions.filter { $0.hasRelationship(at: place) }
    guard let owner = owners.first, owners.allSatisfy({ scope.contains($0.name) }) else {
        return nil
    }
    let graph = ModelGraph(owner.model)
    let relationships = owner.model.entities.flatMap(\.relationships)
    guard let side = relationships.first(where: { $0.source.element == place }),
        let (other, entity) = graph.inverse(of: side)
    else { return nil }
    return Fix(
        "write the inverse '\(entity.name).\(other.name)'",
        at: place,
        .writeInverse(entity: entity.name, property: other.name)
    )
}

extension ModelVersion {
    /// Whether a relationship of the version stands at a place: versions of Swift sources may share classes.
    package func hasRelationship(at place: SourceLocation) -> Bool {
        model.entities.contains { entity in
            entity.relationships.contains { $0.source.element == place }
        }
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

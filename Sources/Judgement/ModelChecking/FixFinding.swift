package import Diagnostics
import ModelCompiling
import ModelEditing
package import ObjectModel

/// Adds cures to findings of the reader, for versions that are checked; others are not edited.
func curing(_ findings: [Finding], in bundle: CheckedBundle, _ scope: Set<String>) -> [Finding] {
    var known: [String: StructuralFixes] = [:]
    lazy var inverses = InverseFixes(bundle.versions)
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
            finding.fix = inverses.fix(of: finding.diagnostic, scope)
        }
        return finding
    }
}

/// Writes inverses that SwiftData finds automatically; each version is searched once.
private struct InverseFixes {
    private let places: RelationshipPlaces
    private var graphs: [String: ModelGraph] = [:]

    init(_ versions: [ModelVersion]) { places = RelationshipPlaces(versions) }

    /// The fix of a finding; where SwiftData finds none, which relationships are two sides of one is a choice.
    mutating func fix(of finding: Diagnostic, _ scope: Set<String>) -> Fix? {
        guard finding.severity == .note, let place = finding.location else { return nil }
        let owners = places.owners(of: place)
        guard let owner = owners.first, owners.allSatisfy({ scope.contains($0.version.name) })
        else { return nil }
        let graph = graphs[owner.version.name] ?? ModelGraph(owner.version.model)
        graphs[owner.version.name] = graph
        guard let (other, entity) = graph.inverse(of: owner.relationship) else { return nil }
        return Fix(
            "write the inverse '\(entity.name).\(other.name)'",
            at: place,
            .writeInverse(entity: entity.name, property: other.name)
        )
    }
}

/// The relationships of versions by declaration: versions of Swift sources may share classes.
package struct RelationshipPlaces: Sendable {
    private var all: [FileLocation: [(version: ModelVersion, relationship: Relationship)]] = [:]

    package init(_ versions: [ModelVersion]) {
        for version in versions {
            for relationship in version.model.entities.flatMap(\.relationships) {
                guard let place = relationship.source.element,
                    all[place]?.last?.version.name != version.name
                else { continue }
                all[place, default: []].append((version, relationship))
            }
        }
    }

    package func owners(
        of place: FileLocation
    ) -> [(version: ModelVersion, relationship: Relationship)] { all[place] ?? [] }
}

/// Each searches its version, so that a file of thousands of faults would take long; a second run finds the next ones.
private let structuralFixLimit = 500

/// Writes the current version into the model, where only a project names one that exists.
private func fixOfCurrentVersion(_ finding: Diagnostic, in bundle: CheckedBundle) -> Fix? {
    guard finding.rule == "missing-current-version", finding.severity != .error,
        let current = bundle.versions.first(where: \.isCurrent)
    else { return nil }
    return Fix(
        "name the current version in the model too",
        file: bundle.path + "/.xccurrentversion",
        .nameCurrent(version: current.name)
    )
}

/// Applies fixes to the bytes of one model source, in any order, and returns those applied; every other byte stays.
///
/// A fix whose location no longer holds what it names is left out, as in a file that is not UTF-8.
package func applying(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], made: [Fix]) {
    var starts = [0]
    for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
        starts.append(offset + 1)
    }
    // Two findings may have one cure, as the two sides of a relationship.
    var seen: Set<[Fix.Change]> = []
    let distinct = fixes.filter { seen.insert($0.changes).inserted }
    let edits = distinct.map { fix in
        fix.changes.compactMap { change -> (offset: Int, edit: TagEdit)? in
            guard let line = change.location.line, let column = change.location.column,
                starts.indices.contains(line - 1), column > 0, case .tag(let edit) = change.edit
            else { return nil }
            return (starts[line - 1] + column - 1, edit)
        }
    }
    let (result, indices) = edited(text, tags: edits, path: fixes.first?.path ?? "")
    let made = indices.map { distinct[$0] }
    let rewriting = fixes.first { fix in fix.changes.contains { $0.edit == .rewrite } }
    guard let rewriting, let form = xcodeForm(of: result, path: rewriting.path), form != result
    else { return (result, made) }
    return (form, made + [rewriting])
}

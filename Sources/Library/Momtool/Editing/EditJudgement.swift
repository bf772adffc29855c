import Diagnostics
import Essentials
import ModelChecking
import ModelEditing
import ModelLoading
import ObjectModel

struct EditJudgement {
    /// New findings of the model reader and of the rules about a single version.
    let findings: [Diagnostic]

    /// Compares the findings before and after edits; renamed or moved elements may change the words of old ones.
    init(
        of old: Diagnosed<ManagedObjectModel>,
        _ new: Diagnosed<ManagedObjectModel>,
        hasRenamings: Bool
    ) {
        var known: [RuleID: [String: Int]] = [:]
        for diagnostic in Self.all(of: old) {
            known[diagnostic.rule, default: [:]][Self.text(diagnostic), default: 0] += 1
        }
        var rest = Self.all(of: new).filter { diagnostic in
            let text = Self.text(diagnostic)
            guard let count = known[diagnostic.rule]?[text], count > 0 else { return true }
            known[diagnostic.rule]?[text] = count - 1
            return false
        }
        if hasRenamings {
            var left = known.mapValues { $0.values.reduce(0, +) }
            rest.removeAll { diagnostic in
                guard let count = left[diagnostic.rule], count > 0 else { return false }
                left[diagnostic.rule] = count - 1
                return true
            }
        }
        findings = rest
    }

    private static func all(of model: Diagnosed<ManagedObjectModel>) -> [Diagnostic] {
        model.diagnostics + editFindings(in: model.value)
    }

    private static func text(_ diagnostic: Diagnostic) -> String {
        "\(diagnostic.element ?? "") \(diagnostic.message)"
    }
}

extension ModelEdit {
    var isRenaming: Bool {
        switch self {
        case .rename, .move: true
        case .add, .insert, .remove, .removeWithReferences, .set, .setParts, .order: false
        }
    }
}

extension BundleEditor {
    func requireNoLooseEnds(_ looseEnds: [ElementPath]) throws(MomtoolError) {
        guard !looseEnds.isEmpty else { return }
        let shown = looseEnds.map(\.text).listed(most: 20)
        let wording: Wording =
            "\(looseEnds.count.counted("reference")) would be left dangling: \(shown); \(.elementReferences) removes that too"
        throw MomtoolError(.refused, file, saying: wording, .impossibleEdit)
    }

    /// Refuses a version that shipped, unless its hashes stay: what is in no hash, as a delete rule, changes no store.
    func requireUnlocked(for changed: ModelVersion) throws(MomtoolError) {
        guard lockedNames.contains(source.name), !changed.hasHashes(of: source) else { return }
        let message = "'\(source.name)' is locked: stores in the field have it, so it cannot change"
        throw MomtoolError(.refused, lockPath, message, "edited-version", advice: [.startVersion])
    }

    package func requireRemovable() throws(MomtoolError) {
        guard lockedNames.contains(source.name) else { return }
        let wording: Wording = """
            '\(source.name)' is locked: stores in the field have it, so it cannot be undone; a later version may \
            undo its changes: \(.newVersion(of: path))
            """
        throw MomtoolError(.refused, lockPath, saying: wording, "edited-version")
    }

    /// A remark that the edits of a version that shipped changed no hash; `nil` if there is nothing to say.
    package var lockedRemark: String? {
        guard fresh == nil, contents != original, lockedNames.contains(version.name) else {
            return nil
        }
        return
            "'\(version.name)' is locked, but no hash of it changes, so stores in the field still open"
    }

    package var remarks: [String] { (fresh?.remarks ?? []) + [lockedRemark].compactMap(\.self) }

    /// What is only a warning in an existing file, but which Xcode's inspector does not accept.
    static let refused: Set<RuleID> = [
        .brokenInverse, .invalidValue, .redeclaredProperty, .unknownKeyword, .unknownReference,
        "impossible-count", "impossible-limits", "invalid-constraint", "missing-inverse",
        "reserved-property-name", "to-one-count", "unknown-derivation",
    ]

    /// What Xcode builds all the same.
    static let forceable: Set<RuleID> = [.brokenInverse, "missing-inverse"]
}

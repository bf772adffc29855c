package import Diagnostics
package import ModelEditing
import YAMLReading

package struct Finding: Sendable, Hashable {
    package var diagnostic: Diagnostic
    /// `nil` for the whole bundle.
    package var version: String?
    /// Why it is not cured though the cure is certain.
    package enum Obstacle: Sendable, Hashable {
        /// The cure would move the hash of a version that may have shipped.
        case movesHash(String)
        /// The cure would do harm there.
        case harm(String, at: FileLocation?)
    }

    /// The losses to name under `losses:` by version, where there are several.
    var severalLosses: [String] = []
    /// The losses that the configuration names for the version already; `nil` where it has no `losses:`.
    package var namedLosses: [String]?
    /// Other losses of the version that have the same cause and cure.
    var explained: [String] = []
    /// The certain cure.
    package var fix: Fix?
    package var obstacle: Obstacle?

    package init(_ diagnostic: Diagnostic, version: String? = nil, fix: Fix? = nil) {
        (self.diagnostic, self.version, self.fix) = (diagnostic, version, fix)
    }

    /// The losses to name under `losses:` by version, if they are intended; none for a note, and for a probable rename.
    package var unnamedLosses: [String] {
        guard diagnostic.severity > .note, version != nil, diagnostic.rule != "undeclared-rename"
        else { return [] }
        return diagnostic.loss.map { [$0] } ?? severalLosses
    }
}

extension Diagnostic {
    /// The diagnostic as a finding on a version; `nil` stands for the whole bundle.
    package func finding(of version: String?, fix: Fix? = nil) -> Finding {
        Finding(self, version: version, fix: fix)
    }
}

/// Writes all losses in findings as one entry of `.momtool.yml`, as a file has the key `losses` once, or as entries below
/// that key where there is one; none for fewer than two.
///
/// A demand on rows is not among them: named, it would hide that every store with a row fails.
package func lossesEntry(for findings: [Finding]) -> [String] {
    var names: [(version: String, names: [String])] = []
    let owners = findings.filter { !$0.unnamedLosses.isEmpty }
        .filter { $0.diagnostic.rule != Rule.newRequiredWithoutDefault.id }
    guard owners.count > 1 else { return [] }
    for finding in owners {
        let version = finding.version ?? ""
        let index = names.firstIndex { $0.version == version } ?? names.count
        if index == names.count { names.append((version, finding.namedLosses ?? [])) }
        names[index].names += finding.unnamedLosses.filter { !names[index].names.contains($0) }
    }
    return (findings.contains { $0.namedLosses != nil } ? [] : ["losses:"])
        + names.map { version, names in
            "  \(yamlText(version)): [\(names.map(yamlText).joined(separator: ", "))]"
        }
}

/// Edits that certainly fix a finding, and change nothing else.
package struct Fix: Sendable, Hashable {
    package enum Edit: Sendable, Hashable {
        case tag(TagEdit)
        /// Rewrites the whole file as Xcode does, after every other edit.
        case rewrite
        case enterInProject(version: String, isCurrent: Bool)
        case nameCurrent(version: String)
        /// Renames versions in the lock to their present names.
        case renameInLock
        /// In Swift sources, as `Book.notes`.
        case writeInverse(entity: String, property: String)
    }

    package struct Change: Sendable, Hashable {
        /// The location of the tag; only the file where there is none.
        package var location: FileLocation
        package var edit: Edit
    }

    package var summary: String
    /// The edits of one file.
    package var changes: [Change]
    /// Whether version hashes change, which is only allowed for a version that has not shipped.
    package var movesHash = false
    /// Whether it depends on a guess, so that people have to look at the result.
    package var isGuess = false

    package var path: String { changes.first?.location.path ?? "" }

    init?(
        _ summary: String,
        at location: FileLocation?,
        _ edits: Edit...,
        movesHash: Bool = false
    ) {
        guard let location, location.line != nil, location.column != nil else { return nil }
        (self.summary, self.movesHash) = (summary, movesHash)
        changes = edits.map { Change(location: location, edit: $0) }
    }

    init?(_ summary: String, _ changes: [Change], movesHash: Bool) {
        guard !changes.isEmpty, changes.allSatisfy({ $0.location.column != nil }) else {
            return nil
        }
        (self.summary, self.changes, self.movesHash) = (summary, changes, movesHash)
    }

    init(_ summary: String, file path: String, _ edit: Edit) {
        self.summary = summary
        changes = [Change(location: FileLocation(path: path), edit: edit)]
    }
}

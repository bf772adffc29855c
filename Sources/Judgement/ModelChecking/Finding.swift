package import Diagnostics
import YAMLReading

/// What a rule has to say about a model.
package struct Finding: Sendable, Hashable {
    /// What, where, and what to do.
    package var diagnostic: Diagnostic
    /// The name of the version that it is in; `nil` for the bundle as a whole.
    package var version: String?
    /// Why it is not cured though the cure is certain.
    package enum Obstacle: Sendable, Hashable {
        /// That would move the hash of a version that may have shipped.
        case movesHash(String)
        /// That would do harm there.
        case harm(String, at: FileLocation?)
    }

    /// What it tells to name under `losses:` by its version, where it tells of several losses.
    var severalLosses: [String] = []
    /// What is certain to cure it.
    package var fix: Fix?
    /// Why the cure was taken away.
    package var obstacle: Obstacle?

    package init(_ diagnostic: Diagnostic, version: String? = nil, fix: Fix? = nil) {
        self.diagnostic = diagnostic
        self.version = version
        self.fix = fix
    }

    /// The losses that are to be named under `losses:` by its version, if they are meant; none for a note.
    package var unnamedLosses: [String] {
        guard diagnostic.severity > .note, version != nil else { return [] }
        return diagnostic.loss.map { [$0] } ?? severalLosses
    }
}

/// Writes all losses that findings tell to name as one entry of `.momtool.yml`: a file has the key `losses` once.
///
/// - Parameter findings: the findings.
/// - Returns: the lines; none where fewer than two findings have losses.
package func lossesEntry(for findings: [Finding]) -> [String] {
    var names: [(version: String, names: [String])] = []
    let owners = findings.filter { !$0.unnamedLosses.isEmpty }
    guard owners.count > 1 else { return [] }
    for finding in owners {
        let version = finding.version ?? ""
        let index = names.firstIndex { $0.version == version } ?? names.count
        if index == names.count { names.append((version, [])) }
        names[index].names += finding.unnamedLosses.filter { !names[index].names.contains($0) }
    }
    return ["losses:"]
        + names.map { version, names in
            "  \(yamlText(version)): [\(names.map(yamlText).joined(separator: ", "))]"
        }
}

/// Edits that are certain to cure a finding, and change nothing else.
package struct Fix: Sendable, Hashable {
    /// A change of one XML tag, of a whole source, or of a file beside the model.
    package enum Edit: Sendable, Hashable {
        /// Gives an attribute another name and keeps its value.
        case rename(attribute: String, to: String)
        /// Takes an attribute away, with the white space before it.
        case remove(attribute: String)
        /// Adds an attribute where Xcode writes it.
        case add(attribute: String, value: String)
        /// Gives an attribute a value, in place of the one that it has or where Xcode writes it.
        case set(attribute: String, value: String)
        /// Gives an attribute of elements directly below the tag another value, where it has a certain one.
        case replace(below: String, attribute: String, value: String, with: String)
        /// Takes the element away; another one like it stays.
        case removeTwin
        /// Writes the whole file as Xcode does, after every other edit.
        case rewrite
        /// Lists a version in a project, as the current one where it is.
        case enterInProject(version: String, isCurrent: Bool)
        /// Names the current version in the bundle.
        case nameCurrent(version: String)
        /// Calls versions in the lock as they are called now.
        case renameInLock
        /// Writes the inverse of a relationship in Swift sources, as `Book.notes`.
        case writeInverse(entity: String, property: String)
    }

    /// An edit and what it is made in.
    package struct Change: Sendable, Hashable {
        /// Where the tag begins; the file alone where there is none.
        package var location: FileLocation
        package var edit: Edit
    }

    /// What the fix does; imperative.
    package var summary: String
    /// The edits, of one file.
    package var changes: [Change]
    /// Whether version hashes change, which they may in a version alone that has not shipped.
    package var movesHash = false
    /// Whether it rests on a guess, so that somebody has to look at what it did.
    package var isGuess = false

    /// The file that is changed.
    package var path: String { changes.first?.location.path ?? "" }

    init?(
        _ summary: String,
        at location: FileLocation?,
        _ edits: Edit...,
        movesHash: Bool = false
    ) {
        guard let location, location.line != nil, location.column != nil else { return nil }
        self.summary = summary
        self.movesHash = movesHash
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

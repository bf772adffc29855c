package import Diagnostics
import Essentials
package import FileSystem
import MappingInference
import ModelChecking
import ModelEditing
import ModelHashing
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

    /// The current version after the removal of this one: the present one, the one that was current before it in the
    /// history, the previous one, or the next one.
    package var remaining: ModelVersion {
        get throws(MomtoolError) {
            let others = bundle.versions.filter { $0.name != source.name }
            let index = bundle.versions.firstIndex { $0.name == source.name } ?? 0
            let before = bundle.versions[..<index].last
            let current = others.first { $0.isCurrent } ?? formerCurrent(of: others)
            guard let next = current ?? before ?? others.first else {
                let message = "'\(source.name)' is the only version"
                throw MomtoolError(.refused, path, message, .impossibleEdit)
            }
            return next
        }
    }

    /// The one of some versions that git last had as the current one.
    private func formerCurrent(of versions: [ModelVersion]) -> ModelVersion? {
        let name = ".xccurrentversion"
        let history = try? GitHistory(of: name, in: path, range: "HEAD") { $0.hasSuffix(name) }
        return history?.contents.lazy.compactMap { content in
            let place = ModelPlace(path, at: content.first.id, ofOwnRepository: true)
            let current = (try? place.readUsable())?.value.namedCurrentVersion
            return versions.first { $0.name == current }
        }.first
    }

    /// A remark that the edits of a version that shipped changed no hash; `nil` if there is nothing to say.
    package var lockedRemark: String? {
        guard fresh == nil, contents != original, lockedNames.contains(version.name) else {
            return nil
        }
        let losses = newLosses
        return losses.isEmpty
            ? "'\(version.name)' is locked, but no hash of it changes, so stores in the field still open"
            : "'\(version.name)' is locked; with this edit alone \(losses.listed(most: 3)): make it in the other version too"
    }

    /// What the steps into the version and from it lose only since the edit.
    private var newLosses: [String] {
        let versions = bundle.versions
        guard let index = versions.firstIndex(where: { $0.name == source.name }) else { return [] }
        func losses(around version: ModelVersion) -> [String] {
            let route =
                versions.prefix(index).suffix(1) + [version] + versions[(index + 1)...].prefix(1)
            return zip(route, route.dropFirst()).flatMap { from, to in
                stepLosses(from: from, to: to).filter { $0.kind == .dropped }
                    .map { "the step from '\(from.name)' to '\(to.name)' drops \($0.name)" }
            }
        }
        let known = losses(around: source)
        return losses(around: version).filter { !known.contains($0) }
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

/// A warning about a version that is edited in place although it may have shipped: it is in git, but in no lock.
///
/// Equal hashes leave every store as it is. `nil` for a version that is only being made.
func shippingDoubt(
    of version: ModelVersion,
    edited: ModelVersion,
    in file: String,
    model: String
) -> Diagnostic? {
    guard version.hashes != edited.hashes, isCommitted(file) else { return nil }
    return Diagnostic(
        "unlocked-edit",
        saying: """
            '\(version.name)' is committed, and no lock says whether it shipped: if it did, undo this \
            edit and start with \(.newVersion(of: model)); \(.lock) records the versions that shipped
            """,
        severity: .warning,
        at: FileLocation(path: file)
    )
}

private func isCommitted(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let found = try? GitObjects.shared(at: parent(of: path)).name(of: "HEAD:./\(name)")
    return found != nil
}

/// Waits until no other process changes the project of a model; to be held from the first read to the last write.
package func changeTurn(around path: String) throws(MomtoolError) -> ChangeTurn {
    var place = resolvedPath(path)
    // A version and its bundle share the turn.
    while [".xcdatamodeld", ".xcdatamodel"].contains(where: parent(of: place).hasSuffix) {
        place = parent(of: place)
    }
    do throws(FileError) { return try ChangeTurn(around: place) } catch { throw refusal(of: error) }
}

/// Takes back what a killed command had changed of a model, as its journal records; returns what was done, or `nil`.
func settledChanges(
    of path: String,
    _ others: [String] = [],
    isDry: Bool
) throws(MomtoolError) -> String? {
    let journal = ChangeJournal(of: path)
    let isBundle = isModelBundle(path)
    let projects = (ProjectFiles(around: path).paths + others).map(resolvedPath)
    guard journal.isThere else {
        if !isDry { clearDrafts(of: path, besides: projects) }
        return nil
    }
    guard !isDry else {
        // Another command may be at work, which ends soon.
        guard journal.isLeft() else { return nil }
        let wording: Wording = "a command was killed while it changed the model; \(.settling)"
        throw MomtoolError(.refused, path, saying: wording, .impossibleEdit)
    }
    let root = resolvedPath(path) + "/"
    do throws(FileError) {
        let settled = try journal.settle { place in
            projects.contains(place)
                || (place.hasPrefix(root) && (isBundle || place.hasSuffix(".swift")))
        }
        clearDrafts(of: path, besides: projects)
        switch settled {
        case .nothing: return nil
        case .finished:
            return "a command was killed after it had changed \(path); nothing is missing"
        case .takenBack(let files):
            let list = files.map(pathFromHere).joined(separator: ", ")
            return
                "a command was killed while it changed \(path); its changes were undone, in \(list)"
        }
    } catch { throw refusal(of: error) }
}

/// Removes what killed commands left unfinished of a model's files and projects.
private func clearDrafts(of path: String, besides projects: [String]) {
    if isModelBundle(path) {
        let versions = ((try? Files.names(in: path)) ?? []).filter { $0.hasSuffix(".xcdatamodel") }
        for folder in [path] + versions.map({ "\(path)/\($0)" }) { DraftFolder.clear(folder) }
    }
    for file in projects { _ = DraftFolder(parent(of: file), for: [file]) }
}

/// Warns about the journal of a killed command that lies at a model, as long as no command is at work.
package func leftJournal(of model: String) -> [Diagnostic] {
    let journal = ChangeJournal(of: model)
    guard journal.isLeft() else { return [] }
    let message =
        "a command was killed while it changed the model, or somebody added this; the next edit undoes "
        + "these changes, or says what is wrong"
    let place = FileLocation(path: pathFromHere(journal.path))
    return [Diagnostic(.impossibleEdit, message, severity: .warning, at: place)]
}

private func refusal(of error: FileError) -> MomtoolError {
    MomtoolError(.refused, error.path, error.reason, .impossibleEdit)
}

import Diagnostics
import Essentials
import ModelEditing
import ModelHashing
import ModelLoading
import XMLReading

/// Merges the `contents` of a version of a model.
///
/// Content is compared, not lines: positions in the diagram, tool versions and the order of elements never conflict. If
/// both sides changed the same item differently, ours stays, with theirs beside it in a comment between git's markers, so
/// that Xcode still opens the file.
///
/// Conflicts name `path`. Throws if one of the texts is not a model.
package func mergeContents(_ sides: MergeSides, path: String) throws(MergeFault) -> MergedFile {
    if let bytes = sides.onlyChange { return MergedFile(bytes: bytes) }
    let ours = try SourceText(sides.ours, path: path, name: "ours")
    let theirs = try SourceText(sides.theirs, path: path, name: "theirs")
    guard !sides.base.isEmpty else { return addedTwice(sides, ours, theirs, path) }
    let base = try SourceText(sides.base, path: path, name: "base")
    let renamed = (
        ours: Renaming(from: base.root, to: ours), theirs: Renaming(from: base.root, to: theirs)
    )
    let one = renamed.ours.undone(in: ours.root)
    let two = renamed.theirs.undone(in: theirs.root)
    guard one.name == two.name, one.name == base.root.name,
        case .element(let root) = merged(base: base.root, ours: one, theirs: two, in: [])
    else {
        let fault = Diagnostic(.notAModel, "the files have no model", at: FileLocation(path: path))
        throw MergeFault(diagnostics: [fault])
    }
    let text = MergedText(root, into: ours, renamed: renamed)
    let places = XMLSource(path: path, bytes: text.bytes)
    let conflicts = text.conflicts.map { clash, offset in
        Diagnostic(
            .mergeConflict,
            clash.text,
            at: places.location(atOffset: offset),
            element: clash.element.isEmpty ? nil : clash.element
        )
    }
    var found = misfits(in: text.bytes, of: sides, path: path)
    if !found.isEmpty, !conflicts.isEmpty {
        // Ours stays for now: faults that only this choice causes end with the conflict.
        let other = MergedChild.element(root).flattened(preferring: .theirs)
            .map { MergedText($0, into: ours, renamed: renamed).bytes }
        let messages = other.flatMap { misfits(in: $0, of: sides, path: path) }.map(\.message)
        found = found.filter { messages.contains($0.message) }
    }
    return MergedFile(bytes: text.bytes, conflicts: conflicts + found)
}

/// Faults that readers tolerate, and that no side intends if it has them from the other.
private let unfitting: Set<RuleID> = [.brokenInverse, .redeclaredProperty, .unknownReference]

/// Finds what is right on each side and wrong in combination, such as a relationship to a removed entity.
private func misfits(in merged: [UInt8], of sides: MergeSides, path: String) -> [Diagnostic] {
    func faults(_ bytes: [UInt8]) -> [Diagnostic] {
        readModel(contents: Data(bytes), path: path, takingOurs: true).diagnostics
            .filter { $0.severity == .error || unfitting.contains($0.rule) }
    }
    func key(_ fault: Diagnostic) -> [String] { [fault.rule.rawValue, fault.message] }
    let found = faults(merged)
    guard !found.isEmpty else { return [] }
    let known = Set((faults(sides.ours) + faults(sides.theirs)).map(key))
    return found.filter { !known.contains(key($0)) }.map { fault in
        Diagnostic(
            .mergeConflict,
            saying: "the two sides do not fit together: \(fault.wording)",
            at: fault.location,
            element: fault.element,
            notes: fault.notes
        )
    }
}

private func addedTwice(
    _ sides: MergeSides,
    _ ours: SourceText,
    _ theirs: SourceText,
    _ path: String
) -> MergedFile {
    if ElementContent(ours.root) == ElementContent(theirs.root),
        case .element(let root) = merged(base: nil, ours: ours.root, theirs: theirs.root, in: [])
    {
        let renamed = (ours: Renaming(in: ours), theirs: Renaming(in: theirs))
        return MergedFile(bytes: MergedText(root, into: ours, renamed: renamed).bytes)
    }
    let models = [sides.ours, sides.theirs].map {
        versionHashes(of: readModel(contents: Data($0), path: path, takingOurs: true).value)
            .checksum
    }
    let advice = VersionAdvice(path: path, checksums: (ours: models[0], theirs: models[1]))
    let text = noted(advice, in: ours)
    let place = XMLSource(path: path, bytes: text.bytes).location(atOffset: text.offset)
    let conflict = Diagnostic(
        .versionAddedTwice,
        advice.message,
        at: place,
        notes: advice.notes.map { Diagnostic.Note(saying: $0) }
    )
    return MergedFile(bytes: text.bytes, conflicts: [conflict])
}

/// Returns our text with the advice in a comment above the model.
private func noted(_ advice: VersionAdvice, in text: SourceText) -> (bytes: [UInt8], offset: Int) {
    // A comment of XML has no options, as it cannot contain two hyphens.
    let notes = advice.notes.map { $0.text(in: .code) }
    let lines = ["<!-- <<<<<<< ours", advice.message] + notes + [">>>>>>> theirs -->", ""]
    let comment =
        lines.dropLast(2).joined(separator: "\n").replacing("--", with: "- -")
        .replacing("<!- -", with: "<!--") + "\n" + lines.suffix(2).joined(separator: "\n")
    let bytes = Array(text.tree.text.utf8)
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let start = mark + text.root.node.gap.utf8.count
    return (Array(bytes[..<start]) + Array(comment.utf8) + bytes[start...], start)
}

package enum MergeKind: Sendable, Hashable {
    case contents
    case currentVersion
    case lock

    /// Detects the kind from the three texts; `nil` if one of them has no known kind.
    init?(_ sides: MergeSides, path: String) {
        let isNamed = path.split(separator: "/").last == ".xccurrentversion"
        let isNamedLock = path.hasSuffix(".lock")
        let kinds = [sides.base, sides.ours, sides.theirs].filter { !$0.isEmpty }
            .map { isNamed ? .currentVersion : MergeKind($0, isNamedLock: isNamedLock) }
        guard let kind = kinds.first ?? nil, kinds.allSatisfy({ $0 == kind }) else { return nil }
        self = kind
    }

    private init?(_ bytes: [UInt8], isNamedLock: Bool) {
        let start = bytes.prefix(1024).drop { isSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        if start.starts(with: "bplist".utf8) {
            self = .currentVersion
        } else if start.first == UInt8(ascii: "<") {
            self = start.firstRange(of: "<plist".utf8) == nil ? .contents : .currentVersion
        } else if start.starts(with: "# momtool lock ".utf8)
            || isNamedLock && start.starts(with: "version ".utf8)
        {
            self = .lock
        } else {
            return nil
        }
    }
}

/// Merges a file of a model that two branches changed.
///
/// Conflicts name `path`, the file in its project. Throws if one of the texts is
/// invalid, or both sides changed a file that does not belong to a model: then nothing of either side is lost.
package func merge(_ sides: MergeSides, path: String) throws(MergeFault) -> MergedFile {
    switch MergeKind(sides, path: path) {
    case nil:
        if let bytes = sides.onlyChange { return MergedFile(bytes: bytes) }
        let message =
            "this is not the contents of a model, an .xccurrentversion or a MODEL.lock, or is not UTF-8; "
            + "merge it with git merge-file"
        let fault = Diagnostic(.notAModel, message, at: FileLocation(path: path))
        throw MergeFault(diagnostics: [fault])
    case .contents: return try mergeContents(sides, path: path)
    case .currentVersion: return try mergeCurrentVersion(sides, path: path)
    case .lock: return mergeLock(sides, path: path)
    }
}

private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

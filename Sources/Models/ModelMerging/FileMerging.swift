import Diagnostics
import ModelLoading

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
package func merge(
    _ sides: MergeSides,
    path: String
) throws(MergeFault) -> MergedFile {
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

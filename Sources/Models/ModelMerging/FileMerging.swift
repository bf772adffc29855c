package import Diagnostics
/// The files of a model that can be merged.
package enum MergeKind: Sendable, Hashable {
    /// The `contents` of a version.
    case contents
    /// The `.xccurrentversion` of a bundle.
    case currentVersion
    /// A `MODEL.lock`.
    case lock

    /// Tells a file by its name, or else by what it holds.
    ///
    /// - Parameters:
    ///   - path: the name of the file in its project; git gives drivers another one to read from.
    ///   - bytes: the file's content.
    init(path: String, bytes: [UInt8]) {
        switch path.split(separator: "/").last {
        case "contents": self = .contents
        case ".xccurrentversion": self = .currentVersion
        case let name? where name.hasSuffix(".lock"): self = .lock
        default:
            let start = bytes.prefix(1024)
            let isMarkup = start.first { !isSpace($0) } == UInt8(ascii: "<") || start.first == 0xEF
            let isList = start.firstRange(of: Array("<plist".utf8)) != nil
            self = isMarkup ? (isList ? .currentVersion : .contents) : .lock
        }
    }
}

/// Merges a file of a model that two branches changed.
///
/// - Parameters:
///   - sides: the three texts.
///   - path: the name of the file in its project, which conflicts name and which tells what it is.
///   - words: whose words the comments that are written into the file are in.
/// - Returns: the merged file and its conflicts.
/// - Throws: `MergeFault` when one of the texts is not what it should be.
package func merge(
    _ sides: MergeSides,
    path: String,
    words: Words = .code
) throws(MergeFault) -> MergedFile {
    switch MergeKind(path: path, bytes: sides.ours.isEmpty ? sides.theirs : sides.ours) {
    case .contents: try mergeContents(sides, path: path, words: words)
    case .currentVersion: try mergeCurrentVersion(sides, path: path)
    case .lock: mergeLock(sides, path: path)
    }
}

private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

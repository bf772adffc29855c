import Diagnostics

extension ModelLock {
    /// Reads the losses that were recorded, with their locations.
    ///
    /// - Parameters:
    ///   - text: the text of a lock's file.
    ///   - path: the path of the file.
    /// - Returns: the names, by their versions.
    package static func namedLosses(in text: String, path: String) -> [NamedLoss] {
        var version: String?
        var losses: [NamedLoss] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineEnd)
        for (index, line) in lines.enumerated() {
            let fields = line.split(separator: " ")
            guard fields.count >= 2 else { continue }
            let name = EscapedName.unescape(fields[1])
            if fields[0] == "version" { version = name }
            guard fields[0] == "loses", let version, let name, name != anyLoss else { continue }
            let location = FileLocation(path: path, line: index + 1)
            losses.append(NamedLoss(version: version, name: name, at: location))
        }
        return losses
    }

    /// Reads the names of the versions alone, in the order of the lock, which takes a fraction of the time.
    ///
    /// - Parameter text: the text of a lock's file, in whatever state.
    /// - Returns: the names; lines that are not those of a version are passed over.
    package static func versionNames(in text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.starts(with: "version ".utf8) else { return nil }
            let name = line.dropFirst("version ".utf8.count)
                .prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
            return EscapedName.unescape(Substring(name))
        }
    }
}

extension Character {
    /// Whether it ends a line, as Git may write it on Windows too.
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r\n" }
}

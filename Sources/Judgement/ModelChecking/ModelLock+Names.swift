import Diagnostics

extension ModelLock {
    /// Reads the recorded losses, with their locations.
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

    /// Reads only the names of the versions, in the order of the lock, which takes a fraction of the time.
    ///
    /// The text may be in any state; other lines are skipped.
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
    /// Whether it ends a line, as git may write it on Windows too.
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r\n" }
}

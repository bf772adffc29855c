/// A location in a file, as compilers print it.
public struct FileLocation: Sendable, Hashable, Codable {
    /// The path as the user gave it, or below what the user gave.
    public var path: String
    /// The line, counted from 1; `nil` for files without lines (a store, a compiled model).
    public var line: Int?
    /// The column in UTF-8 bytes, counted from 1.
    public var column: Int?

    /// Creates a location; without `line` and `column` it is the whole file.
    package init(path: String, line: Int? = nil, column: Int? = nil) {
        (self.path, self.line, self.column) = (path, line, column)
    }
}

extension String {
    /// Removes `./` from the beginning of a path: reports name files from the current folder, as git does.
    package mutating func dropCurrentFolder() {
        while hasPrefix("./"), let first = utf8.dropFirst(2).firstIndex(where: { $0 != 0x2F }) {
            self = String(self[first...])
        }
    }
}

extension Diagnostic {
    package var shown: Diagnostic {
        var copy = self
        copy.location?.path.dropCurrentFolder()
        for index in notes.indices { copy.notes[index].location?.path.dropCurrentFolder() }
        return copy
    }
}

extension FileLocation: CustomStringConvertible {
    /// The location as `path`, `path:line` or `path:line:column`; an empty path is named as such.
    public var description: String {
        guard !path.isEmpty else { return "an empty path" }
        guard let line else { return path }
        guard let column else { return "\(path):\(line)" }
        return "\(path):\(line):\(column)"
    }
}

extension FileLocation: Comparable {
    /// Orders by path, then line, then column, so that reports read from top to bottom.
    public static func < (left: FileLocation, right: FileLocation) -> Bool {
        (left.path, left.line ?? 0, left.column ?? 0)
            < (right.path, right.line ?? 0, right.column ?? 0)
    }
}

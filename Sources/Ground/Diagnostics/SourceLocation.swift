/// A location in a file, as compilers print it.
public struct SourceLocation: Sendable, Hashable {
    /// The path as the user gave it, or below what the user gave.
    public var path: String
    /// The line, counted from 1; `nil` where the file has no lines (a store, a compiled model).
    public var line: Int?
    /// The column in UTF-8 bytes, counted from 1.
    public var column: Int?

    /// Creates a location; leave `line` and `column` out for a file as a whole.
    public init(path: String, line: Int? = nil, column: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// The location as `path`, `path:line` or `path:line:column`.
    public var description: String {
        guard let line else { return path }
        guard let column else { return "\(path):\(line)" }
        return "\(path):\(line):\(column)"
    }
}

extension SourceLocation: Comparable {
    /// Orders by path, then line, then column, so that reports read from top to bottom.
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.path, left.line ?? 0, left.column ?? 0)
            < (right.path, right.line ?? 0, right.column ?? 0)
    }
}

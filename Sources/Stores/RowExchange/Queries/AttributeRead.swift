package struct AttributeRead: Sendable, Hashable {
    package var row: String
    /// The row's entity, or one above it.
    package var entity: String
    /// The name of the attribute, with the names below a composite one.
    package var path: [String]
    /// The condition under which the value contributes to the expression's; `nil` where it always does.
    package var condition: String?
    /// The part of a text that is used; `nil` for the whole value.
    package var part: Part?
    /// How the row is found; `nil` for the row that the expression is about.
    package var origin: Origin?

    /// The tables after `FROM`, outermost first, and the conditions on a row and on those that lead to it.
    package struct Origin: Sendable, Hashable {
        package var tables: [String] = []
        package var conditions: [String] = []
    }

    package struct Part: Sendable, Hashable {
        package var text: String
        package var separator: String
        /// The index of the part; a negative one means all parts from one on, the first being -1.
        package var place: String

        package init(text: String, separator: String, place: String) {
            (self.text, self.separator, self.place) = (text, separator, place)
        }
    }

    package func and(_ other: String) -> AttributeRead {
        var read = self
        read.condition = condition.map { "(\($0)) AND (\(other))" } ?? other
        return read
    }

    /// The read under another condition besides its own.
    package func or(_ other: String) -> AttributeRead {
        var read = self
        read.condition = condition.map { "(\($0)) OR (\(other))" }
        return read
    }
}

/// An attribute whose value an expression reads.
package struct AttributeRead: Sendable, Hashable {
    /// The name of the row in SQL.
    package var row: String
    /// The row's entity, or one above it.
    package var entity: String
    /// The name of the attribute, with the names below a composite one.
    package var path: [String]
    /// The condition on the row under which the value goes into that of the expression; `nil` where it always does.
    package var condition: String?
    /// The part of a text that is taken of it; `nil` for the whole value.
    package var part: Part?

    /// A part of a text between separators, in SQL.
    package struct Part: Sendable, Hashable {
        package var text: String
        package var separator: String
        /// The index of the part; below zero for all parts from one on, of which the first is -1.
        package var place: String

        package init(text: String, separator: String, place: String) {
            (self.text, self.separator, self.place) = (text, separator, place)
        }
    }

    /// The read where a further condition holds.
    package func and(_ other: String) -> AttributeRead {
        var read = self
        read.condition = condition.map { "(\($0)) AND (\(other))" } ?? other
        return read
    }

    /// The read where another condition may hold in place of its own.
    package func or(_ other: String) -> AttributeRead {
        var read = self
        read.condition = condition.map { "(\($0)) OR (\(other))" }
        return read
    }
}

/// The values that the enums of an app's sources have, for an attribute that holds such values.
///
/// A model does not hold them, and neither does its hash: the cases of an enum with raw values may change in a version
/// that shipped. A row whose value no case has any more is of no use to the app all the same. Any two values are equal,
/// so that models which differ in nothing else are equal.
package struct EnumCases: Sendable, Hashable {
    /// A case of an enum.
    package struct Case: Sendable, Hashable {
        package var name: String
        /// Its raw value, as stores hold it: a text or an integer.
        package var value: AttributeValue

        package init(name: String, value: AttributeValue) {
            (self.name, self.value) = (name, value)
        }
    }

    private var cases: [String: [Case]]

    /// Creates the cases of an attribute, by the names of the elements of its composite.
    package init(_ cases: [String: [Case]] = [:]) {
        self.cases = cases
    }

    /// The paths of the elements with known cases below the attribute, sorted.
    package var paths: [[String]] { cases.keys.sorted().map { [$0] } }

    /// Returns the cases of an element; `nil` where they are not known.
    package subscript(_ path: [String]) -> [Case]? {
        path.count == 1 ? cases[path[0]] : nil
    }

    /// Returns `true`.
    package static func == (left: EnumCases, right: EnumCases) -> Bool { true }

    /// Adds nothing to the hasher.
    package func hash(into hasher: inout Hasher) {}
}

extension EnumCases.Case {
    /// The raw value as text, as locks and messages have it.
    package var text: String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: name
        }
    }
}

/// The members of structs that lead to each element of a composite attribute, in the order of the elements.
///
/// Only sources say them: `[["body", "hue"], ["wing", "hue"]]`. Neither models nor hashes hold them, so that any two values
/// are equal; they tell which of two elements of one name went where when a struct changed.
package struct MemberPaths: Sendable, Hashable {
    /// The path of each element; empty where none is known.
    package var paths: [[String]] = []

    /// Returns `true`.
    package static func == (left: MemberPaths, right: MemberPaths) -> Bool { true }

    /// Adds nothing to the hasher.
    package func hash(into hasher: inout Hasher) {}
}

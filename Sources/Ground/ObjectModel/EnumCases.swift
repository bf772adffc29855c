/// The values of the enums in an app's sources, for an attribute that holds such values.
///
/// Neither a model nor its hash contains them: the cases of an enum with raw values may change in a version that
/// shipped. An app still cannot use a row with the value of a removed case. Any two values compare as equal, so that
/// models that differ only here are equal.
package struct EnumCases: Sendable, Hashable {
    package struct Case: Sendable, Hashable {
        package var name: String
        /// Its raw value in stores: a text or an integer.
        package var value: AttributeValue

        package init(name: String, value: AttributeValue) {
            (self.name, self.value) = (name, value)
        }
    }

    private var cases: [String: [Case]]
    /// The elements of which a value that is not optional in Swift needs one: the app crashes on a row without any.
    package let required: [[String]]
    /// Whether a class of Core Data declares the attribute as not optional, with a type that Swift cannot make of `nil`.
    package var isRequiredByClass = false

    /// Creates the cases of an attribute, by the names of the elements of its composite.
    package init(_ cases: [String: [Case]] = [:], required: [[String]] = []) {
        (self.cases, self.required) = (cases, required)
    }

    package var isEmpty: Bool { cases.isEmpty && required.isEmpty && !isRequiredByClass }

    package var paths: [[String]] { cases.keys.sorted().map { [$0] } }

    /// Returns the cases of an element; `nil` where they are not known.
    package subscript(_ path: [String]) -> [Case]? { path.count == 1 ? cases[path[0]] : nil }

    /// What is wrong where a required value is missing.
    package static let missingValue =
        "NULL, but the property is not optional in Swift: the app crashes when it reads it"

    /// The name of an attribute's value, such as `place.kind`.
    package static func name(of required: [String], in attribute: String) -> String {
        required.count > 1 || required == [attribute] ? attribute : "\(attribute).\(required[0])"
    }

    package static func == (left: EnumCases, right: EnumCases) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension EnumCases.Case {
    /// The raw value as text, as in locks and messages.
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
/// Only sources show them: `[["body", "hue"], ["wing", "hue"]]`. Neither models nor hashes hold them, so any two values
/// are equal; they tell two elements of one name apart when a struct changed.
package struct MemberPaths: Sendable, Hashable {
    /// The path of each element; empty where none is known.
    package var paths: [[String]] = []

    package static func == (left: MemberPaths, right: MemberPaths) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

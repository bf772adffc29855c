/// What the values consist of that an attribute keeps as encoded data, such as an array of structs.
///
/// Only sources say it. Neither models nor hashes hold it, so that any two shapes are equal.
package struct EncodedShape: Sendable, Hashable {
    /// A value with its type.
    package struct Member: Sendable, Hashable {
        /// Its path, such as `members[].name`.
        package var name: String
        /// Its type in Swift, in which `struct` stands for any struct, and `coded` for one that code of the app encodes.
        package var type: String

        package init(name: String, type: String) {
            (self.name, self.type) = (name, type)
        }
    }

    /// The values, those of structs behind the struct.
    package var members: [Member] = []

    /// Returns `true`.
    package static func == (left: EncodedShape, right: EncodedShape) -> Bool { true }

    /// Adds nothing to the hasher.
    package func hash(into hasher: inout Hasher) {}
}

extension Attribute {
    /// The values that it keeps as encoded data, with paths that begin with a name of it.
    ///
    /// - Parameter name: the name; its own when left out.
    /// - Returns: the values.
    package func encodedMembers(named name: String? = nil) -> [EncodedShape.Member] {
        encodedMembers.map {
            EncodedShape.Member(name: (name ?? self.name).followed(by: $0.name), type: $0.type)
        }
    }
}

extension String {
    /// The path of a part of an attribute's values: `members` with `[].name` gives `members[].name`.
    package func followed(by path: String) -> String {
        path.isEmpty || path.hasPrefix("[") ? self + path : "\(self).\(path)"
    }
}

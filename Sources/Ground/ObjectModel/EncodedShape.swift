/// What the values of an attribute consist of that is kept as encoded data, such as an array of structs.
///
/// Only sources show it. Neither models nor hashes hold it, so any two shapes are equal.
package struct EncodedShape: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        /// Its path, such as `members[].name`.
        package var name: String
        /// Its type in Swift, where `struct` means any struct, and `coded` a type that the app encodes.
        package var type: String

        package init(name: String, type: String) { (self.name, self.type) = (name, type) }
    }

    /// The values, those of structs after the struct.
    package var members: [Member] = []

    package static func == (left: EncodedShape, right: EncodedShape) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension Attribute {
    /// The values kept as encoded data, with paths that begin with a name, by default its own.
    package func encodedMembers(named name: String? = nil) -> [EncodedShape.Member] {
        encodedMembers.map {
            EncodedShape.Member(name: (name ?? self.name).followed(by: $0.name), type: $0.type)
        }
    }
}

extension String {
    /// The path of a part of values: `members` with `[].name` gives `members[].name`; an empty path adds nothing.
    package func followed(by path: String) -> String {
        isEmpty || path.isEmpty || path.hasPrefix("[") ? self + path : "\(self).\(path)"
    }
}

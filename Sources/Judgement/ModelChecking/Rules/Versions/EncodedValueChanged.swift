import Diagnostics

extension Rule {
    static let encodedValueChanged = Rule(
        .named("encoded-value-changed", .versions, .warning),
        summary: "Codable values stored as data keep their members",
        rationale: """
            SwiftData keeps arrays and dictionaries of structs and enums as encoded data. Their members are not part of any \
            hash, so no migration notices that one was added, was removed or has another type. If a row \
            holds data that the new type cannot decode, the app crashes when it reads it. Make a new member optional, keep the type \
            of an old one, or decode both in an `init(from:)`, which is not checked.
            """,
        check: .lock
    )
}

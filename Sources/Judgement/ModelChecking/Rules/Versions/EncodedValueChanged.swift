import Diagnostics

extension Rule {
    static let encodedValueChanged = Rule(
        .named("encoded-value-changed", .versions, .warning),
        summary: "Codable values that are stored as data keep their members",
        rationale: """
            SwiftData keeps arrays and dictionaries of structs and enums as encoded data. Their members are part of no \
            hash, so that no migration tells that one was added, was removed or has another type. A row that \
            holds what the new type cannot decode stops the app when it is read. Make a new member optional, keep the type \
            of an old one, or decode both by an `init(from:)`, which is not looked at.
            """,
        check: .lock
    )
}

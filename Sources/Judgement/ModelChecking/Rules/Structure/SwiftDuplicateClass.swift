import Diagnostics

extension Rule {
    static let swiftDuplicateClass = Rule(
        .named("swift-duplicate-class", .structure, .error),
        summary: "A version has one class of each name",
        rationale: """
            The entity is named as the class alone, whatever types are around it, so that two \
            classes of one name cannot be in one schema.
            """,
        check: .reading
    )
}

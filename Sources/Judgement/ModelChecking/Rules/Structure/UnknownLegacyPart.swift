import Diagnostics

extension Rule {
    static let unknownLegacyPart = Rule(
        .named("unknown-legacy-part", .structure, .warning),
        summary: "Parts of Xcode 3 models with a known format",
        rationale: """
            The format of Xcode 3 is known from public files, and none of them \
            has this part: a configuration, a compound index, an unknown key. It is left out, and \
            the rest of the model is read and checked. The version is not compared with others, \
            commands that need the whole model end with an error, and the entity has no hash where \
            the part may belong to it. Open and save the model in a later Xcode to write \
            `contents`, which momtool reads completely.
            """,
        check: .reading
    )
}

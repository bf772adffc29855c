import Diagnostics

extension Rule {
    static let unknownLegacyPart = Rule(
        .named("unknown-legacy-part", .structure, .warning),
        summary: "A part of a model of Xcode 3 whose form is known",
        rationale: """
            What the format of Xcode 3 looks like was learned from public files, and none of them \
            holds this part: a configuration, a compound index, an unknown key. It is left out, and \
            the rest of the model is read and checked. The version is compared with no other, \
            commands that need the whole model end with an error, and the entity has no hash where \
            the part may belong to it. Opening and saving the model in a later Xcode writes \
            `contents`, which is read whole.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let legacyModelFormat = Rule(
        .named("legacy-model-format", .structure, .note),
        summary: "A model in the format of Xcode 4 or later",
        rationale: """
            Until Xcode 3 a model was a folder with the files `elements` and `layout`. Xcode \
            still compiles it, and momtool reads it like any other. `momtool decompile MODEL -o FOLDER` \
            writes `contents` instead, as opening and saving the model in a later Xcode does: text that \
            shows in reviews what changed, and that git can merge.
            """,
        check: .reading
    )
}

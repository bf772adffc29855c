import Diagnostics

extension Rule {
    static let mapBeyondCoreData = Rule(
        .named("map-beyond-core-data", .versions, .warning),
        summary: "A custom stage does what Core Data's stages can do",
        rationale: """
            A map is momtool's own: Core Data's stages run code before and after a lightweight step, and have no \
            value expressions. If the step is not lightweight, an app with these stages fails with 134140 and \
            needs a mapping model. If it is, the app opens the store, but only its own code can do what the map \
            says; this is a note. A stage with a mapping model is not reported.
            """,
        check: .stages
    )
}

import ArgumentParser
import Momtool

/// Options for what Swift sources leave open, of every command that takes a model.
struct SwiftOptions: ParsableArguments {
    @Option(
        name: .customLong("model-types"),
        help: ArgumentHelp(
            "For Swift sources: the classes of the schema, if code builds its list at run time.",
            valueName: "A,B"
        )
    )
    var modelTypes: String?

    @Option(
        help: ArgumentHelp(
            "For Swift sources: a true #if condition, such as DEBUG; may be repeated.",
            valueName: "name"
        )
    )
    var define: [String] = []

    @Option(
        help: ArgumentHelp(
            "For Swift sources: the platform that os(…) tests for; iOS when left out.",
            valueName: "system"
        )
    )
    var platform: String?

    var settings: SwiftSettings {
        SwiftSettings(
            modelTypes: (modelTypes ?? "").split(separator: ",").map {
                String($0.drop { $0 == " " })
            },
            definitions: Set(define),
            platform: platform
        )
    }
}

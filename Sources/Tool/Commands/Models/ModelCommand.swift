import ArgumentParser

/// `momtool model`: changes the sources of a model.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Change the sources of a model as Xcode does.",
        discussion: """
            EXAMPLE
              momtool model convert Shop.xcdatamodeld
            """,
        subcommands: [ModelConvertCommand.self]
    )
}

import ArgumentParser

struct AcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract:
            "Test Core Data itself on a Mac, and compare the result with momtool's predictions.",
        discussion: """
            EXAMPLE
              momtool accept kit Kit Shop.xcdatamodeld
              momtool accept report Report.json
            """,
        subcommands: [AcceptKitCommand.self, AcceptReportCommand.self]
    )
}

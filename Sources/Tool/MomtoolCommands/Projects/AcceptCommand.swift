import ArgumentParser

struct AcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Ask Core Data itself on a Mac, and compare what it did with momtool's rulings.",
        discussion: """
            EXAMPLE
              momtool accept kit Kit Shop.xcdatamodeld
              momtool accept report Report.json
            """,
        subcommands: [AcceptKitCommand.self, AcceptReportCommand.self]
    )
}

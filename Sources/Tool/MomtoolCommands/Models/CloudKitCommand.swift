import ArgumentParser

struct CloudKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloudkit",
        abstract: "Compare models with CloudKit schemas, and generate schemas from models.",
        discussion: """
            A schema is the .ckdb text file that the CloudKit console and cktool export.

            EXAMPLE
              momtool cloudkit check Shop.xcdatamodeld production.ckdb
              momtool cloudkit schema Shop.xcdatamodeld > development.ckdb
              momtool cloudkit diff production.ckdb development.ckdb
            """,
        subcommands: [
            CloudKitCheckCommand.self, CloudKitSchemaCommand.self, CloudKitDiffCommand.self,
        ]
    )
}

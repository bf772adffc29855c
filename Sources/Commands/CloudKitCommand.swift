import ArgumentParser

/// `momtool cloudkit`: models and the schemas of CloudKit.
struct CloudKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloudkit",
        abstract: "Compare models with CloudKit's schemas, and make schemas of models.",
        discussion: """
            A schema is the text that the CloudKit console and cktool export, a .ckdb file.

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

import ArgumentParser

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Change the sources of a model as Xcode does.",
        discussion: """
            Every command writes its whole change or nothing, changes no other byte of a
            file, and says in one line what the step means for stores. --dry-run shows the
            change and writes nothing. In a locked version, only what affects no hash can
            be edited.

            EXAMPLE
              momtool model new-version Shop.xcdatamodeld
              momtool model rename New.xcdatamodeld Book.title caption --dry-run
            """,
        subcommands: [
            AddCommand.self, SetCommand.self, RemoveCommand.self, RenameCommand.self,
            MoveCommand.self, ApplyCommand.self, NewVersionCommand.self, SetCurrentCommand.self,
            RenameVersionCommand.self, UndoVersionCommand.self, MergeCommand.self,
        ]
    )
}

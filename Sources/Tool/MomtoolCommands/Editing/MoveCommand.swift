import ArgumentParser
import ModelEditing

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a property to the parent entity or a sub-entity.",
        discussion: """
            Core Data keeps the values of objects that still have the property. The
            printed line says what other objects lose.

            EXAMPLE
              momtool model move New.xcdatamodeld Customer.name Book --dry-run
            """
    )

    @OptionGroup var options: EditOptions

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "The property, as Book.note.")
    var property: String

    @Argument(help: "The entity to move it to.")
    var entity: String

    private var model: String { options.model }

    func run() throws {
        var run = try EditRun(options, mappings, report)
        let outline = try run.outline()
        let edit = try EditRun.refusing(model) { () throws(EditFault) in
            ModelEdit.move(
                try outline.path(of: property),
                to: try outline.path(of: "entity \(entity)")
            )
        }
        try run.finish([edit])
    }
}

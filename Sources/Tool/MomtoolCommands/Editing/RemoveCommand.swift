import ArgumentParser
import Essentials
import ModelEditing

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an entity, a property or anything else from a version.",
        discussion: """
            References to it would be left dangling, such as the relationship that leads
            back, an index or a predicate: the command lists them and writes nothing.
            --with-references removes them too.

            EXAMPLE
              momtool model remove New.xcdatamodeld Book.title
              momtool model remove New.xcdatamodeld entity Order --with-references
            """
    )

    @OptionGroup var options: EditOptions

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "What to remove.")
    var element: [String]

    @Flag(help: "Also remove what refers to it.")
    var withReferences = false

    private var model: String { options.model }

    func run() throws {
        var run = try EditRun(options, mappings, report)
        let outline = try run.outline()
        let path = try EditRun.refusing(model) { () throws(EditFault) in
            try outline.path(of: element.joined(separator: " "))
        }
        // A single name may be a property whose kind was forgotten.
        if path.kind == .entity, element.count == 1, !withReferences, !options.force {
            throw run.refuse(
                "'\(element[0])' is an entity; write 'entity \(element[0])' to remove it with its rows, "
                    + "or \(element[0]).NAME for a property"
            )
        }
        guard !withReferences else { return try run.finish([.removeWithReferences(path)]) }
        try run.finish([.remove(path)])
    }
}

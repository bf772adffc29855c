import ArgumentParser
import ModelEditing

struct RenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename an entity, a property or anything else, so that values are kept.",
        discussion: """
            Sets the renaming identifier, which leads Core Data to the old values, and
            renames it wherever the model names it: inverses, predicates, derivations,
            indexes, constraints, fetch requests and configurations.

            EXAMPLE
              momtool model rename Shop.xcdatamodeld Book.title caption --new-version
            """
    )

    @OptionGroup var options: EditOptions

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "What to rename, and its new name.")
    var elementAndName: [String]

    private var model: String { options.model }

    func validate() throws {
        if elementAndName.count < 2 {
            throw ValidationError("name what to rename, then its new name")
        }
    }

    func run() throws {
        var run = try EditRun(options, mappings, report)
        let outline = try run.outline()
        let path = try EditRun.refusing(model) { () throws(EditFault) in
            try outline.path(of: elementAndName.dropLast().joined(separator: " "))
        }
        try run.finish([.rename(path, to: elementAndName[elementAndName.count - 1])])
    }
}

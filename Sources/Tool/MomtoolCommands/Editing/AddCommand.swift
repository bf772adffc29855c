import ArgumentParser
import ModelEditing
import Momtool

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an entity, a property or anything else to a version.",
        discussion: """
            Say what it is, then its name: entity NAME; attribute, relationship,
            fetchedProperty, index or constraint ENTITY.NAME; composite NAME and element
            COMPOSITE.NAME; fetchRequest NAME; configuration NAME and member
            CONFIGURATION.ENTITY; attribute 'Book.title / userInfo KEY'. A constraint has
            the names of its properties for a name: Book.isbn or Book.author,title.

            What is not said is as in Xcode: an attribute is optional, a relationship
            leads to one object and nullifies. Only the lines of what is added change.
            The edited version is the current one, or the one behind MODEL#.

            EXAMPLE
              momtool model add Shop.xcdatamodeld entity Tag --new-version
              momtool model add New.xcdatamodeld attribute Book.rating Double --default 1.5
              momtool model add New.xcdatamodeld index Book.byTitle --set properties=title
            """
    )

    @OptionGroup var options: EditOptions

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "What is added: entity, attribute, relationship, index, constraint …")
    var kind: String

    @Argument(help: "Its name, with that of what it belongs to before it.")
    var name: String

    @Argument(help: "The type of an attribute.")
    var attributeType: String?

    @OptionGroup var settings: SettingOptions

    private var model: String { options.model }

    func run() throws {
        try MomtoolCommands.run {
            var run = try EditRun(options, mappings, report)
            let path = try EditRun.refusing(model) { () throws(EditFault) in
                guard kind != "userInfo" else {
                    throw EditFault("name its owner, as in attribute 'Book.title / userInfo KEY'")
                }
                return try ElementPath(text: "\(kind) \(name)")
            }
            try run.finish([edit(for: path)])
        }
    }

    private func edit(for path: ElementPath) throws -> ModelEdit {
        var typed = settings
        if let attributeType {
            guard settings.type == nil, path.kind == .attribute || path.kind == .element else {
                throw CommandFailure(usage: "'\(attributeType)' is one word too many")
            }
            typed.type = attributeType
        }
        return try EditRun.refusing(model) { () throws(EditFault) in
            .add(path, try typed.settings(of: path.kind))
        }
    }
}

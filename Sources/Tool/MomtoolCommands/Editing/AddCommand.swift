import ArgumentParser
import ModelEditing

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an entity, a property or anything else to a version.",
        discussion: """
            Name its kind, then its name: entity NAME; attribute, relationship,
            fetchedProperty, index or constraint ENTITY.NAME; composite NAME and element
            COMPOSITE.NAME; fetchRequest NAME; configuration NAME and member
            CONFIGURATION.ENTITY; attribute 'Book.title / userInfo KEY'. A constraint is
            named by its properties: Book.isbn or Book.author,title.

            Defaults are those of Xcode: an attribute is optional, a relationship
            is to-one and nullifies. Only the added lines change in the file.
            The edited version is the current one, or the one in MODEL#VERSION.

            EXAMPLE
              momtool model add Shop.xcdatamodeld entity Tag --new-version
              momtool model add New.xcdatamodeld attribute Book.rating Double --default 1.5
              momtool model add New.xcdatamodeld index Book.byTitle --set properties=title
            """
    )

    @OptionGroup var options: EditOptions

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "The kind to add: entity, attribute, relationship, index, constraint …")
    var kind: String

    @Argument(help: "Its name, after the name of its owner.")
    var name: String

    @Argument(help: "The type of an attribute.")
    var attributeType: String?

    @OptionGroup var settings: SettingOptions

    private var model: String { options.model }

    func run() throws {
        var run = try EditRun(options, mappings, report)
        let path = try EditRun.refusing(model) { () throws(EditFault) in
            guard kind != "userInfo" else {
                throw EditFault("name its owner, as in attribute 'Book.title / userInfo KEY'")
            }
            return try ElementPath(text: "\(kind) \(name)")
        }
        try run.finish([edit(for: path)])
    }

    private func edit(for path: ElementPath) throws -> ModelEdit {
        var typed = settings
        if let attributeType {
            guard settings.type == nil, path.kind == .attribute || path.kind == .element else {
                throw CommandFailure(usage: "the argument '\(attributeType)' is not expected")
            }
            typed.type = attributeType
        }
        return try EditRun.refusing(model) { () throws(EditFault) in
            .add(path, try typed.settings(of: path.kind))
        }
    }
}

import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelCompiling
import ModelEditing
import Momtool
import MomtoolReporting
import ObjectModel

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

    @Argument(help: "The kind to add: entity, attribute, relationship, index, constraint …")
    var kind: String

    @Argument(help: "Its name, after the name of its owner.") var name: String

    @Argument(help: "The type of an attribute.") var attributeType: String?

    @OptionGroup var settings: SettingOptions

    func run() throws {
        var run = try EditRun(options)
        try run.finish([EditRun.refusing(options.model, edit)])
    }

    private func edit() throws -> ModelEdit {
        guard kind != "userInfo" else {
            throw EditFault("name its element, as in attribute 'Book.title / userInfo KEY'")
        }
        let path = try ElementPath(text: "\(kind) \(name)")
        var typed = settings
        if let attributeType {
            guard settings.type == nil, path.kind == .attribute || path.kind == .element else {
                throw CommandFailure(usage: "the argument '\(attributeType)' is not expected")
            }
            typed.type = attributeType
        }
        return .add(path, try typed.settings(of: path.kind))
    }
}

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of an entity, a property or anything else.",
        discussion: """
            Name it as Book, Book.title or model; if several things have this name, say
            which: 'index Book.title'. Options are those of add, and --unset removes a
            setting by its name in the source. Nothing else in the file changes.

            EXAMPLE
              momtool model set New.xcdatamodeld Book.title --default none
              momtool model set Shop.xcdatamodeld entity Book --hash-modifier 2 \\
                --new-version
            """
    )

    @OptionGroup var options: EditOptions

    @Argument(help: "What to change.") var element: [String]

    @OptionGroup var settings: SettingOptions

    func run() throws {
        var run = try EditRun(options)
        let outline = try run.outline()
        let edit = try EditRun.refusing(options.model) {
            let path = try outline.path(of: element.joined(separator: " "))
            let all = try settings.settings(of: path.kind, outline.settings(of: path) ?? [:])
            guard !all.isEmpty else {
                throw CommandFailure(usage: "say what to change, such as --optional no")
            }
            return ModelEdit.set(path, all)
        }
        try run.finish([edit])
    }
}

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

    @Argument(help: "What to rename, and its new name.") var elementAndName: [String]

    func validate() throws {
        if elementAndName.count < 2 {
            throw ValidationError("name what to rename, then its new name")
        }
    }

    func run() throws {
        var run = try EditRun(options)
        let path = try run.path(of: elementAndName.dropLast())
        try run.finish([.rename(path, to: elementAndName[elementAndName.count - 1])])
    }
}

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

    @Argument(help: "The property, as Book.note.") var property: String

    @Argument(help: "The entity to move it to.") var entity: String

    func run() throws {
        var run = try EditRun(options)
        let outline = try run.outline()
        let edit = try EditRun.refusing(options.model) {
            ModelEdit.move(
                try outline.path(of: property),
                to: try outline.path(of: "entity \(entity)")
            )
        }
        try run.finish([edit])
    }
}

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

    @Argument(help: "What to remove.") var element: [String]

    @Flag(help: "Also remove what refers to it.") var withReferences = false

    func run() throws {
        var run = try EditRun(options)
        let path = try run.path(of: element)
        // A single name may be a property whose kind was forgotten.
        if path.kind == .entity, element.count == 1, !withReferences, !options.force {
            throw run.refuse(
                "'\(element[0])' is an entity; write 'entity \(element[0])' to remove it with its rows, "
                    + "or \(element[0]).NAME for a property"
            )
        }
        try run.finish([withReferences ? .removeWithReferences(path) : .remove(path)])
    }
}

struct ApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply the edits of a YAML file to a version, all or none.",
        discussion: """
            Each edit is one of add, insert, remove, rename, move, set and order, with the
            path of an element and settings by their names in the source; true and
            false are written as Xcode does. withReferences: true also removes what
            refers to the element:

              - add: attribute Book.rating
                with: {attributeType: Double}
              - rename: attribute Book.label
                to: caption
              - move: attribute Book.note
                to: entity Order
              - insert: index Book.byTitle
                parts: [{property: title, type: Binary, order: ascending}]
              - order: entity Book
                as: [attribute title, attribute rating]

            EXAMPLE
              momtool model apply New.xcdatamodeld edits.yml
            """
    )

    @OptionGroup var options: EditOptions

    @Argument(help: "The edits; - is standard input.", completion: .file(extensions: ["yml"]))
    var edits: String

    func run() throws {
        var run = try EditRun(options)
        try run.finish(readEdits())
    }

    private func readEdits() throws -> [ModelEdit] {
        let text = try readText(edits, limit: 16 << 20)
        do throws(EditFault) { return try ModelEdit.read(text) } catch {
            throw CommandFailure(.badData, edits, error.wording.commandWords, .impossibleEdit)
        }
    }
}

/// The options of every command that edits a version: one group, as debug builds of the parser visit each five times, and a
/// nested one sixteen times.
struct EditOptions: ReportTargets {
    @Argument(help: "The model.", completion: .model) var model: String

    @Flag(help: "Print what would change as a unified diff, and write nothing.") var dryRun = false

    @Flag(
        help: "Show in full what the step means for stores, as 'momtool plan' does."
    )
    var plan = false

    @Flag(help: "First add a new version, as 'momtool model new-version' does, and edit that.")
    var newVersion = false

    @Flag(help: "Write even what Xcode warns about, such as an inverse that leads elsewhere.")
    var force = false

    @Option(help: NamedMappingModels.help) var mappingModels: [String] = []
    @Option(help: OutputOptions<TextFormats>.formatHelp)
    var format: [OutputRequest<TextFormats>] = []
    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    func validate() throws { expectReports(color, quiet) }
}

enum Truth: String, ExpressibleByArgument, CaseIterable {
    case yes, no

    init?(argument: String) {
        switch argument.lowercased() {
        case "yes", "true", "1": self = .yes
        case "no", "false", "0": self = .no
        default: return nil
        }
    }
}

extension Truth: CustomStringConvertible { var description: String { rawValue } }

/// The edits from one version to another, as `momtool model apply` takes them.
struct EditList {
    /// The edits as YAML, without a final line break.
    let text: String

    /// Compares two versions by their files, or by generated files for compiled models.
    init(from old: ModelVersion, to new: ModelVersion) throws {
        let (before, after) = (Self.file(of: old), Self.file(of: new))
        // Generated files spell some values differently, such as 0 for 0.0: then both are generated.
        let isWhole = before != nil && after != nil
        let found = try EditRun.refusing(new.path.isEmpty ? new.name : new.path) {
            try edits(
                from: isWhole ? before ?? [] : Self.written(old),
                to: isWhole ? after ?? [] : Self.written(new),
                path: new.path
            )
        }
        let known = isWhole ? found : found.compactMap(Self.withoutTools)
        text = String(ModelEdit.text(of: known).dropLast())
    }

    /// The bytes of a version's source; `nil` where edits cannot be applied to it.
    private static func file(of version: ModelVersion) -> [UInt8]? {
        guard let identity = FileIdentity(of: version.path) else { return nil }
        let path = identity.isFolder ? version.path + "/contents" : version.path
        guard let bytes = try? readFile(path, limit: 16 << 20) else { return nil }
        return try? edited(bytes, [], path: path)
    }

    private static func written(_ version: ModelVersion) -> [UInt8] {
        Array(modelContents(of: version.model).value.utf8)
    }

    /// Leaves out what only matters to the tools that saved a file: the diagram, and their versions.
    private static func withoutTools(_ edit: ModelEdit) -> ModelEdit? {
        switch edit {
        case .set(.model, let settings):
            let own = settings.filter { $0.name == "userDefinedModelVersionIdentifier" }
            return own.isEmpty ? nil : .set(.model, own)
        case .order(_, let steps) where steps.contains { $0.kind == .diagram }: return nil
        default: return edit.path.steps.first?.kind == .diagram ? nil : edit
        }
    }
}

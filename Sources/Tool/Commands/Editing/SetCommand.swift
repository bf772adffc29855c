import ArgumentParser
import ModelEditing

/// `momtool model set`: changes settings of something in a version.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of an entity, a property or anything else.",
        discussion: """
            Name it as Book, Book.title or model; where several things have a name, say
            which: 'index Book.title'. Options are those of add, and --unset takes one
            away by its name in the source. Nothing else of the file changes.

            EXAMPLE
              momtool model set New.xcdatamodeld Book.title --default none
              momtool model set Shop.xcdatamodeld entity Book --hash-modifier 2 --new-version
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Argument(help: "What is changed.")
    var element: [String]

    @Option(help: "What an entry of the user info belongs to, such as Book.title or model.")
    var of: String?

    @OptionGroup var settings: SettingOptions

    @OptionGroup var options: EditOptions

    func run() throws {
        try Commands.run {
            var run = try EditRun(model, options)
            let outline = try run.outline()
            let edits = try EditRun.refusing(model) { () throws(EditFault) -> [ModelEdit] in
                try self.edits(for: outline.element(element, of: of), in: outline)
            }
            guard !edits.isEmpty else {
                throw CommandFailure(usage: "say what to change, as --optional no")
            }
            try run.finish(edits)
        }
    }

    private func edits(
        for path: ElementPath,
        in outline: ModelOutline
    ) throws(EditFault) -> [ModelEdit] {
        let old = outline.settings(of: path) ?? [:]
        var all = try settings.settings(of: path.kind, old)
        var edits: [ModelEdit] = []
        if let parts = settings.indexParts { edits.append(.setParts(path, parts)) }
        if let inverse = settings.inverse, path.kind == .relationship {
            let end = settings.to ?? old["destinationEntity"] ?? ""
            all.append(ElementSetting("inverseEntity", end))
            edits += inverseEdits(of: path, to: .entity(end), inverse, old, outline)
        }
        return (all.isEmpty ? [] : [.set(path, all)]) + edits
    }

    /// Ties the other side of a relationship, which is made where it is missing, and unties the one before.
    private func inverseEdits(
        of path: ElementPath,
        to end: ElementPath,
        _ name: String,
        _ old: [String: String],
        _ outline: ModelOutline
    ) -> [ModelEdit] {
        var edits: [ModelEdit] = []
        let other = end.appending(.relationship, name)
        if let entity = old["inverseEntity"], let former = old["inverseName"] {
            let before = ElementPath.entity(entity).appending(.relationship, former)
            let untied = ["inverseName", "inverseEntity"].map { ElementSetting($0, nil) }
            if before != other, outline.settings(of: before) != nil {
                edits.append(.set(before, untied))
            }
        }
        let tied = [
            ElementSetting("inverseName", path.key),
            ElementSetting("inverseEntity", path.parent.key),
        ]
        guard outline.settings(of: other) == nil else { return edits + [.set(other, tied)] }
        let destination = ElementSetting("destinationEntity", path.parent.key)
        return edits + [.add(other, [destination]), .set(other, tied)]
    }
}

extension ModelOutline {
    /// Finds what the words of a command name: `Book.title`, `index Book.title`, or a key of the user info of something.
    func element(_ words: [String], of owner: String?) throws(EditFault) -> ElementPath {
        let text = words.joined(separator: " ")
        guard let owner else { return try path(of: text) }
        let key = words.first == "userInfo" ? words.dropFirst().joined(separator: " ") : text
        let path = try path(of: owner).appending(.userInfo, key)
        try require(path)
        return path
    }
}

import ArgumentParser
import ModelEditing
import Momtool
import MomtoolReporting

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

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "The edits; - is standard input.", completion: .file(extensions: ["yml"]))
    var edits: String

    func run() throws {
        var run = try EditRun(options, mappings, report)
        try run.finish(readEdits())
    }

    private func readEdits() throws -> [ModelEdit] {
        let text = try readText(edits, limit: 16 << 20)
        do throws(EditFault) { return try ModelEdit.read(text) } catch {
            throw CommandFailure(.badData, edits, error.wording.commandWords, .impossibleEdit)
        }
    }
}

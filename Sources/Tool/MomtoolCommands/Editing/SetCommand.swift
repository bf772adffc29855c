import ArgumentParser
import ModelEditing

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

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "What to change.")
    var element: [String]

    @OptionGroup var settings: SettingOptions

    private var model: String { options.model }

    func run() throws {
        var run = try EditRun(options, mappings, report)
        let outline = try run.outline()
        let path = try EditRun.refusing(model) { () throws(EditFault) in
            try outline.path(of: element.joined(separator: " "))
        }
        let all = try EditRun.refusing(model) { () throws(EditFault) in
            try settings.settings(of: path.kind, outline.settings(of: path) ?? [:])
        }
        guard !all.isEmpty else {
            throw CommandFailure(usage: "say what to change, such as --optional no")
        }
        try run.finish([.set(path, all)])
    }
}

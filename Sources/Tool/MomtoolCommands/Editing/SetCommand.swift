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
              momtool model set Shop.xcdatamodeld entity Book --hash-modifier 2 \\
                --new-version
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
        try MomtoolCommands.run {
            var run = try EditRun(model, options)
            let outline = try run.outline()
            let path = try EditRun.refusing(model) { () throws(EditFault) in
                try outline.element(element, of: of)
            }
            let all = try EditRun.refusing(model) { () throws(EditFault) in
                try settings.settings(of: path.kind, outline.settings(of: path) ?? [:])
            }
            guard !all.isEmpty else {
                throw CommandFailure(usage: "say what to change, as --optional no")
            }
            try run.finish([.set(path, all)])
        }
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

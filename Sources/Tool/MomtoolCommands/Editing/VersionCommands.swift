import ArgumentParser
import Momtool

struct SetCurrentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-current",
        abstract: "Make a version the current one, which new stores have.",
        discussion: """
            Changes .xccurrentversion, and currentVersion in every Xcode project that lists
            the versions.

            EXAMPLE
              momtool model set-current Shop.xcdatamodeld V1
            """
    )

    @OptionGroup var options: VersionOptions

    @Argument(help: "The version.", completion: .version)
    var version: String

    func run() throws {
        let editor = try BundleEditor(options.model, version: version, options)
        try editor.requireBundle()
        let change = try VersionChange.makingCurrent(editor.source.name, of: editor.bundle)
        let title = "'\(editor.source.name)' is current"
        try change.carryOut(as: title, of: editor.path, in: editor.turn, options)
    }
}

struct RenameVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename-version",
        abstract: "Rename a version; stores do not contain its name.",
        discussion: """
            Renames the folder, the entry in .xccurrentversion if it is current, and in
            every Xcode project that lists the versions.

            EXAMPLE
              momtool model rename-version Shop.xcdatamodeld V1 "Shop 1"
            """
    )

    @OptionGroup var options: VersionOptions

    @Argument(help: "The version.", completion: .version)
    var version: String

    @Argument(help: "The new name.")
    var name: String

    func run() throws {
        let editor = try BundleEditor(options.model, version: version, options)
        try editor.requireBundle()
        let name = try editor.bundle.checkedVersionName(name)
        let change = try VersionChange.renaming(editor.source, to: name, of: editor.bundle)
        let title = "renamed '\(editor.source.name)' to '\(name)'"
        try change.carryOut(as: title, of: editor.path, in: editor.turn, options)
    }
}

struct UndoVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo-version",
        abstract: "Undo a version that has not shipped.",
        discussion: """
            Removes the folder of the version with its edits. If it was the current
            version, the previous one becomes current. A locked version is not
            removed.

            EXAMPLE
              momtool model undo-version New.xcdatamodeld --dry-run
            """
    )

    @OptionGroup var options: VersionOptions

    @Argument(help: "The version, when it is not the current one.", completion: .version)
    var version: String?

    func run() throws {
        let editor = try BundleEditor(options.model, version: version, options)
        try editor.requireBundle()
        try editor.requireRemovable()
        let next = try editor.remaining
        let change = try VersionChange.removing(editor.source, leaving: next, of: editor.bundle)
        let current = editor.source.isCurrent ? "; '\(next.name)' is current" : ""
        let title = "took back '\(editor.source.name)'\(current)"
        try change.carryOut(as: title, of: editor.path, in: editor.turn, options)
    }
}

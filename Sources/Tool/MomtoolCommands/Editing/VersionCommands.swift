import ArgumentParser
import FileSystem
import ModelHashing
import Momtool
import MomtoolReporting
import ObjectModel

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

/// The options of every command for versions, in one group.
struct VersionOptions: ReportTargets {
    @Argument(help: "The model.", completion: .model)
    var model: String

    @Flag(help: "Print what would change as a unified diff, and write nothing.")
    var dryRun = false

    @Option(help: OutputOptions<TextFormats>.formatHelp)
    var format: [OutputRequest<TextFormats>] = []
    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    func validate() throws { expectReports(color, quiet) }
}

extension BundleEditor {
    /// Reports the changes of a command that was killed.
    func reportRemark() { Console.note(each: [remark].compactMap(\.self)) }

    init(_ model: String, version: String?, _ options: VersionOptions) throws {
        try self.init(model, version: version, isDry: options.dryRun)
        reportRemark()
    }
}

extension VersionChange {
    /// Makes the change, or shows it.
    func carryOut(
        as title: String,
        of model: String,
        in turn: ChangeTurn?,
        _ options: VersionOptions
    ) throws {
        var work = WorkReport(try FilePatch.patches(of: changes), isDry: options.dryRun)
        if !options.dryRun {
            try make(changes, of: model, in: turn)
            work.lines.append(line(for: title, of: model))
        }
        Console.note(each: remarks)
        try options.deliver(work)
    }

    func line(for title: String, of model: String) -> String {
        "\(model): " + ([title] + done).joined(separator: "; ")
    }
}

/// Makes a version of Swift sources: reads them, edits, writes and reports the effect on stores.
enum SwiftVersionRun {
    static func isMeant(_ model: String) -> Bool {
        !StandardStreams.named(model).hasPrefix("-") && ModelPlace(model).holdsSwift
    }

    static func startVersion(
        _ model: String,
        named name: String?,
        asOf revision: String?,
        _ options: VersionOptions
    ) throws {
        var editor = try SwiftSourceEditor(model, isDry: options.dryRun)
        let old = try editor.version
        Console.note(each: [editor.remark].compactMap(\.self))
        if let revision {
            try editor.restoreVersion(of: revision, named: name)
        } else {
            try editor.startVersion(named: name)
        }
        let version = try editor.version
        let before = (try? editor.bundle.predecessor(of: version)) ?? old
        let title =
            revision.map { "made '\(before.name)' as of \($0), checksum \(before.checksum)" }
            ?? "made '\(version.name)' from '\(old.name)'"
        let verdict = StepVerdict(from: before, to: version).line
        var work = WorkReport(try FilePatch.patches(of: editor.changes), isDry: options.dryRun)
        work.verdict = verdict
        if options.dryRun {
            Console.note(each: editor.remarks + [verdict])
        } else {
            try editor.write()
            work.lines.append("\(model): \(title); \(verdict)")
            Console.note(each: editor.remarks)
        }
        try options.deliver(work)
    }
}

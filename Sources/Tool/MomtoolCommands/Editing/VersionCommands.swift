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

    @Argument(help: "The version.", completion: .version) var version: String

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

    @Argument(help: "The version.", completion: .version) var version: String

    @Argument(help: "The new name.") var name: String

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
            version, the one that git had as current before becomes current, or the
            previous one. A locked version is not removed.

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
        let rest = editor.bundle.versions.drop { $0.name != editor.source.name }
        let last = rest.last { !editor.lockedNames.contains($0.name) }?.name
        if version == nil, let last, last != editor.source.name {
            let choice = "name the version to undo: '\(last)' is the last one, and not current"
            throw CommandFailure(.refused, editor.path, choice, .impossibleEdit)
        }
        try editor.requireRemovable()
        let next = try editor.remaining
        let change = try VersionChange.removing(editor.source, leaving: next, of: editor.bundle)
        let current = editor.source.isCurrent ? "; '\(next.name)' is current" : ""
        let title = "removed '\(editor.source.name)'\(current)"
        try change.carryOut(as: title, of: editor.path, in: editor.turn, options)
    }
}

/// The options of every command for versions, in one group.
struct VersionOptions: ReportTargets {
    @Argument(help: "The model.", completion: .model) var model: String

    @Flag(help: "Print what would change as a unified diff, and write nothing.") var dryRun = false

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

struct NewVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-version",
        abstract: "Add a version: a copy of the current one, made current.",
        discussion: """
            Writes the folder of the version, .xccurrentversion, and in every Xcode
            project that lists the versions the file reference, the group's child and
            currentVersion, as Xcode does. Synchronized folders, packages and XcodeGen need
            nothing. A manifest of Tuist is not edited; if it has a currentVersion: that
            names another version, its line is printed. A project that cannot be edited
            safely is left alone, and the lines to add are printed. All files are written,
            or none.

            For Swift sources, the version gets its own copies of its classes, with equal
            hashes, and the next one is added to the plan with a lightweight stage.
            --as-of TAG freezes what shipped at that tag, before the current version; it
            writes nothing unless the hashes equal those of the sources at the tag.

            If Core Data refuses a step, --bridge OLD NEW writes the version between the
            two that makes it possible, as momtool plan describes it, and does not change
            the current one. OLD never changes. NEW gets the renaming identifiers that lead
            from that version to it. They are not part of any version hash: stores that NEW
            wrote still open. If NEW is locked, this needs --edit-locked.

            EXAMPLE
              momtool model new-version Shop.xcdatamodeld
              momtool model new-version Shop.xcdatamodeld "Shop 9" --from V1 --keep-current
              momtool model new-version Sources/Shop
              momtool model new-version Sources/Shop --as-of v1.4
            """
    )

    @OptionGroup var options: VersionOptions

    @Argument(help: "The name; when left out, the name of the copied version with the next number.")
    var name: String?

    @Option(help: "The version to copy, instead of the current one.", completion: .version)
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Of Swift sources: freeze the version that this revision has.",
            valueName: "revision"
        )
    )
    var asOf: String?

    @Flag(help: "Leave the current version as it is.") var keepCurrent = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Write the version between these two, whose step Core Data refuses.",
            valueName: "version"
        ),
        completion: .version
    )
    var bridge: [String] = []

    @Flag(
        help:
            "With --bridge: write renaming identifiers into the newer version even if it is locked."
    )
    var editLocked = false

    private var model: String { options.model }

    func validate() throws {
        guard !bridge.isEmpty else {
            guard !editLocked else { throw ValidationError("--edit-locked is for --bridge") }
            return
        }
        guard bridge.count == 2, from == nil else {
            throw ValidationError(
                "--bridge takes two versions, old and new, and cannot be used with --from"
            )
        }
    }

    func run() throws {
        if SwiftVersionRun.isMeant(model) {
            guard from == nil, !keepCurrent, bridge.isEmpty else {
                throw CommandFailure(
                    usage: "--from, --keep-current and --bridge do not work with Swift sources"
                )
            }
            return try SwiftVersionRun.startVersion(model, named: name, asOf: asOf, options)
        }
        guard asOf == nil else { throw CommandFailure(usage: "--as-of is for Swift sources") }
        if bridge.count == 2 { return try writeBridge(from: bridge[0], to: bridge[1]) }
        var editor = try BundleEditor(model, version: from, options)
        try editor.startVersion(named: name, makesCurrent: !keepCurrent)
        guard let fresh = editor.fresh else { return }
        let (old, new) = (editor.source.name, editor.version.name)
        let current = keepCurrent ? "" : ", now current"
        let title = "made '\(new)' from '\(old)'\(current)"
        try fresh.carryOut(as: title, of: editor.path, in: editor.turn, options)
    }

    private func writeBridge(from old: String, to new: String) throws {
        let editor = try BundleEditor(model, version: new, options)
        var made = try BridgeChange(from: old, to: editor, named: name)
        let newer = editor.source.name
        if !made.bridge.renamings.isEmpty, editor.lockedNames.contains(newer), !editLocked {
            let names = made.bridge.renamings.map(\.element).joined(separator: ", ")
            throw CommandFailure(
                .refused,
                editor.lockPath,
                "'\(newer)' is locked, but needs other renaming identifiers (\(names)); they are not part of "
                    + "any version hash, so its stores still open: --edit-locked writes them",
                .impossibleEdit
            )
        }
        for renaming in made.bridge.renamings {
            let what = renaming.identifier.map { "now has the renaming identifier '\($0)'" }
            made.change.note(
                "'\(newer)': \(renaming.element) \(what ?? "has no renaming identifier any more"), "
                    + "which does not change its hashes"
            )
        }
        if made.bridge.renamings.contains(where: { $0.identifier != nil }) {
            made.change.note(
                "move the values to their new form in a custom stage from '\(made.name)' to '\(newer)'"
            )
        }
        let title = "made '\(made.name)' between '\(old)' and '\(newer)'"
        try made.change.carryOut(as: title, of: editor.path, in: editor.turn, options)
    }
}

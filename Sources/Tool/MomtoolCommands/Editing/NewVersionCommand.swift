import ArgumentParser
import Momtool
import MomtoolReporting

struct NewVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-version",
        abstract: "Add a version: a copy of the current one, made current.",
        discussion: """
            Writes the folder of the version, .xccurrentversion, and in every Xcode
            project that lists the versions the file reference, the group's child and
            currentVersion, as Xcode does. Synchronized folders, packages, XcodeGen and
            Tuist need nothing. A project that cannot be edited surely is left alone, and
            the lines to enter are printed. All files are written or none.

            Of Swift sources, the version gets its own copies of its classes, with equal
            hashes, and the next one is entered in the plan with a lightweight stage.
            --as-of TAG freezes after the fact what shipped there, before the current one;
            nothing is written unless its hashes are those of the sources at the tag.

            Where Core Data refuses a step, --bridge OLD NEW writes the version between the
            two that makes it legal, as momtool plan describes it, and leaves the current
            one as it is. OLD is never changed. NEW gets the renaming identifiers that lead
            from the version between to it, which no version hash holds: stores that NEW
            wrote still open. Where NEW is locked that takes --edit-locked.

            EXAMPLE
              momtool model new-version Shop.xcdatamodeld
              momtool model new-version Shop.xcdatamodeld "Shop 9" --from V1 --keep-current
              momtool model new-version Sources/Shop
              momtool model new-version Sources/Shop --as-of v1.4
            """
    )

    @OptionGroup var options: VersionOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    @Argument(help: "The name; when left out, that of the copied version with the next number.")
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

    @Flag(help: "Leave the current version as it is.")
    var keepCurrent = false

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
        help: "With --bridge: let a newer version that is locked get its renaming identifiers."
    )
    var editLocked = false

    private var model: String { options.model }

    func validate() throws {
        guard !bridge.isEmpty else {
            guard !editLocked else { throw ValidationError("--edit-locked is for --bridge") }
            return
        }
        guard bridge.count == 2, from == nil else {
            throw ValidationError("--bridge takes two versions, old and new, and no --from")
        }
    }

    func run() throws {
        try MomtoolCommands.run {
            if SwiftVersionRun.isMeant(model) {
                guard from == nil, !keepCurrent, bridge.isEmpty else {
                    throw CommandFailure(
                        usage: "Swift sources have no --from, no --keep-current and no --bridge"
                    )
                }
                return try SwiftVersionRun.startVersion(
                    model,
                    named: name,
                    asOf: asOf,
                    options,
                    report
                )
            }
            guard asOf == nil else { throw CommandFailure(usage: "--as-of is for Swift sources") }
            if bridge.count == 2 { return try writeBridge(from: bridge[0], to: bridge[1]) }
            var editor = try BundleEditor(model, version: from, options)
            try editor.startVersion(named: name, makesCurrent: !keepCurrent)
            guard let fresh = editor.fresh else { return }
            let (old, new) = (editor.source.name, editor.version.name)
            let current = keepCurrent ? "" : ", current"
            let title = "made '\(new)' from '\(old)'\(current)"
            try fresh.carryOut(as: title, of: editor.path, in: editor.turn, options, report)
        }
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
                "'\(newer)' is locked, and other renaming identifiers are needed in it (\(names)); they are in "
                    + "no version hash, so stores of it still open: --edit-locked writes them",
                .impossibleEdit
            )
        }
        for renaming in made.bridge.renamings {
            let what = renaming.identifier.map { "has the renaming identifier '\($0)' now" }
            made.change.note(
                "'\(newer)': \(renaming.element) \(what ?? "has no renaming identifier any more"), "
                    + "which leaves its hashes as they are"
            )
        }
        if made.bridge.renamings.contains(where: { $0.identifier != nil }) {
            made.change.note(
                "move the values to their new form in a custom stage from '\(made.name)' to '\(newer)'"
            )
        }
        let title = "made '\(made.name)' between '\(old)' and '\(newer)'"
        try made.change.carryOut(as: title, of: editor.path, in: editor.turn, options, report)
    }
}

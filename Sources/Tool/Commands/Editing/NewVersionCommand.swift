import ArgumentParser
import Momtool
import Reporting

/// `momtool model new-version`: adds a version to a model as Xcode does.
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

            EXAMPLE
              momtool model new-version Shop.xcdatamodeld
              momtool model new-version Shop.xcdatamodeld "Shop 20" --from V1 --keep-current
              momtool model new-version Sources/Shop
            """
    )

    @Argument(help: "The model.", completion: .model)
    var model: String

    @Argument(help: "The name; when left out, that of the copied version with the next number.")
    var name: String?

    @Option(help: "The version to copy, instead of the current one.", completion: .version)
    var from: String?

    @Flag(help: "Leave the current version as it is.")
    var keepCurrent = false

    @OptionGroup var options: VersionOptions

    func run() throws {
        try Commands.run {
            if SwiftEditRun.isMeant(model) {
                guard from == nil, !keepCurrent else {
                    throw CommandFailure(
                        usage: "Swift sources have no --from and no --keep-current"
                    )
                }
                return try SwiftEditRun.startVersion(model, named: name, options)
            }
            var editor = try ModelEditor(model, version: from, options)
            try editor.startVersion(named: name, makesCurrent: !keepCurrent)
            guard let fresh = editor.fresh else { return }
            let (old, new) = (editor.source.name, editor.version.name)
            let current = keepCurrent ? "" : ", current"
            let title = "made '\(new)' from '\(old)'\(current)"
            try fresh.carryOut(as: title, of: editor.path, options)
        }
    }
}

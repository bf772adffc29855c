import ArgumentParser
import Diagnostics
import FileSystem
import ModelLoading
import Momtool
import ObjectModel
import Reporting

/// The options of the commands that change which versions a bundle has.
struct VersionOptions: ParsableArguments {
    @Flag(help: "Print what would change as a unified diff, and write nothing.")
    var dryRun = false

    @OptionGroup var terminal: TerminalOptions
}

extension ModelEditor {
    /// Says what became of the changes of a command that was killed.
    func reportRemark() {
        if let remark { Console.complain("note: \(remark)") }
    }

    /// Reads the version whose bundle is changed.
    init(_ model: String, version: String?, _ options: VersionOptions) throws {
        try self.init(model, version: version, isDry: options.dryRun)
        reportRemark()
    }
}

extension VersionChange {
    /// Makes the change, or shows it.
    ///
    /// - Parameters:
    ///   - title: what was done to the model, in a few words.
    ///   - model: the path of the model.
    ///   - isDry: whether it is only shown.
    /// - Throws: `MomtoolError` when the system refuses one of the files; then none is changed.
    func carryOut(as title: String, of model: String, isDry: Bool) throws {
        guard !isDry else {
            FilePatch.show(try FilePatch.patches(of: changes))
            return remarks.forEach { Console.complain("note: \($0)") }
        }
        do throws(FileError) {
            try make(changes, of: model)
        } catch {
            throw MomtoolError(error)
        }
        report(for: title, of: model)
    }

    /// Says what was done, and what is left to do.
    func report(for title: String, of model: String) {
        Console.say("\(model): " + ([title] + done).joined(separator: "; "))
        for remark in remarks { Console.complain("note: \(remark)") }
    }
}

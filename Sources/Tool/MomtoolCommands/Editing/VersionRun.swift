import ArgumentParser
import Diagnostics
import FileSystem
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting

/// The options of the commands that change which versions a bundle has.
struct VersionOptions: ParsableArguments {
    @Argument(help: "The model.", completion: .model)
    var model: String

    @Flag(help: "Print what would change as a unified diff, and write nothing.")
    var dryRun = false

    @OptionGroup var report: OutputOptions<TextFormats>
}

extension BundleEditor {
    /// Says what became of the changes of a command that was killed.
    func reportRemark() {
        Console.tell(notes: [remark].compactMap(\.self))
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
    ///   - turn: the turn to change it, held since it was read; `nil` where nothing is written.
    ///   - options: whether it is only shown, and how it is told.
    ///   - consequences: what it means, a line each, which comes first.
    /// - Throws: `MomtoolError` when the system refuses one of the files; then none is changed.
    func carryOut(
        as title: String,
        of model: String,
        in turn: ChangeTurn?,
        _ options: VersionOptions,
        telling consequences: [String] = []
    ) throws {
        var work = WorkReport(try FilePatch.patches(of: changes), isDry: options.dryRun)
        work.verdict = consequences.first
        if options.dryRun {
            Console.tell(notes: consequences)
        } else {
            do throws(FileError) {
                try make(changes, of: model, in: turn)
            } catch {
                throw MomtoolError(error)
            }
            work.lines += consequences + [line(for: title, of: model)]
        }
        Console.tell(notes: remarks)
        try options.report.deliver(work)
    }

    /// What was done, in a line.
    func line(for title: String, of model: String) -> String {
        "\(model): " + ([title] + done).joined(separator: "; ")
    }
}

import ArgumentParser
import FileSystem
import Momtool
import MomtoolReporting

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

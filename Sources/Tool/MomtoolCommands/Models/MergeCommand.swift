import ArgumentParser
import FileSystem
import Essentials
import ModelLoading
import ModelMerging
import MomtoolReporting
import Momtool

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the changes that two branches made to a model.",
        discussion: """
            Merges the contents file of a version, an .xccurrentversion or a MODEL.lock.
            Positions in the diagram, tool versions and the order of elements never
            conflict. If both sides changed the same thing in different ways, the
            result has our change, and their change in a comment next to it; each conflict
            is reported, and the status is 1. To use it as git's merge driver:

              git config merge.momtool.driver \\
                'momtool model merge %O %A %B -o %A --path %P'

            EXAMPLE
              momtool model merge Base/contents Ours/contents Theirs/contents \\
                -o Merged/contents
            """
    )

    @Argument(help: "The file in the common ancestor; an empty file if there is none.")
    var base: String

    @Argument(help: "The file in the current branch.") var ours: String

    @Argument(help: "The file in the merged branch.") var theirs: String

    @Option(name: .shortAndLong, help: "The merged file; may be OURS itself.") var output: String

    @Option(help: "The path of the file in the project, for messages; git passes it as %P.")
    var path: String?

    @OptionGroup var report: OutputOptions<TextFormats>

    func run() throws {
        let spared = InputFiles([base, theirs])
        let place = try OutputPlace(output, sparing: spared, replacesModels: true)
        let sides = MergeSides(base: try read(base), ours: try read(ours), theirs: try read(theirs))
        let merged: MergedFile
        do throws(MergeFault) {
            merged = try merge(sides, path: path ?? output)
        } catch { throw CommandFailure(.badData, error.diagnostics.map(\.commandWords)) }
        try write(Data(merged.bytes), to: place)
        Console.show(merged.conflicts)
        var work = WorkReport()
        work.add(output, .written)
        if output != "-" || !report.isForPeople {
            try report.deliver(work, sparing: [base, theirs])
        }
        guard merged.conflicts.isEmpty else { throw CommandFailure(.findings, []) }
    }

    private func read(_ path: String) throws -> [UInt8] {
        do throws(FileFault) { return try readFile(path, limit: 16 << 20) } catch .tooLarge {
            let message = "the file is larger than 16 MB, the limit"
            throw CommandFailure(.badData, path, message, .unreadableFile)
        } catch { throw CommandFailure(.noInput, path, error.reason, .unreadableFile) }
    }
}

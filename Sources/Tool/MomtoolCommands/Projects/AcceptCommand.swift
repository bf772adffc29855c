import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelLoading
import Momtool
import MomtoolReporting

struct AcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract:
            "Test Core Data itself on a Mac, and compare the result with momtool's predictions.",
        discussion: """
            EXAMPLE
              momtool accept kit Kit Shop.xcdatamodeld
              momtool accept report Report.json
            """,
        subcommands: [AcceptKitCommand.self, AcceptReportCommand.self]
    )
}

struct AcceptKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kit",
        abstract: "Write a kit that tests Core Data itself on a Mac with models and cases.",
        discussion: """
            Takes models, folders of models and folders of cases. The kit has each version
            compiled, a store of each case before and after its migration, and what momtool
            expects of Core Data. .ci/accept of momtool's repository builds the program
            that runs it, on macOS; momtool accept report reads its report.

            EXAMPLE
              momtool accept kit Kit Shop.xcdatamodeld
              momtool accept kit Kit Shop.xcdatamodeld MigrationCases
            """
    )

    @Argument(help: "The folder of the kit, which must not exist.", completion: .directory)
    var folder: String

    @Argument(help: "Models, folders of models, and folders of cases.", completion: .model)
    var inputs: [String]

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func run() throws {
        guard FileIdentity(of: folder) == nil else {
            throw cannotCreate(folder, "this path already exists; name a new folder")
        }
        let place = fileURL(folder)
        let draft = fileURL(folder + ".unfinished-" + UUID().uuidString)
        defer { try? Files.remove(at: draft.path) }
        do { try Files.makeFolder(at: draft.path, alone: true) } catch {
            throw cannotCreate(folder, "the folder cannot be created")
        }
        var writer = try KitWriter(folder: draft, momtool: toolVersion)
        var batch = Batch()
        for input in inputs { _ = try batch.attempt { try add(input, to: &writer) } }
        Console.show(writer.remarks)
        guard !writer.kit.items.isEmpty else {
            throw CommandFailure(
                .noInput,
                inputs[0],
                "there are neither models nor cases here",
                "nothing-to-ask"
            )
        }
        try writer.finish()
        guard rename(draft.path, place.path) == 0 else {
            throw cannotCreate(folder, String(cString: strerror(errno)))
        }
        let counts = [AcceptanceItem.Kind.model: "version", .step: "step", .store: "store"]
        let words = [AcceptanceItem.Kind.model, .step, .store].map { kind in
            writer.kit.items.count { $0.kind == kind }.counted(counts[kind] ?? "")
        }
        var work = WorkReport()
        work.add(folder, .written, "\(folder): \(words.joined(separator: ", "))")
        try report.deliver(work, sparing: inputs)
        try batch.finish()
    }

    private func add(_ input: String, to writer: inout KitWriter) throws {
        let path = trimmedPath(input)
        let isFolder = FileIdentity(of: path)?.isFolder == true
        if isFolder, ModelFileKind(at: path) == nil {
            let cases = try MigrationCase.results(in: fileURL(path))
            if !cases.isEmpty {
                for (name, result) in cases {
                    let isCase = fileURL(path).lastPathComponent == name
                    writer.add(try result.get(), named: isCase ? path : "\(path)/\(name)")
                }
                return
            }
            let sources = modelSources(below: path)
            if !sources.isEmpty {
                for source in sources {
                    writer.add(
                        try ModelPlace(source, swift: swift.settings).load(allowingGaps: true),
                        named: source
                    )
                }
                return
            }
        }
        writer.add(
            try ModelPlace(path, swift: swift.settings).load(allowingGaps: true),
            named: path
        )
    }
}

struct AcceptReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Compare what Core Data did on a Mac with momtool's predictions, rule by rule.",
        discussion: """
            Reads the report that the program of a kit wrote. Ends with status 1 when Core
            Data differs from momtool's prediction. What momtool could not tell is
            listed with the answer.

            EXAMPLE
              momtool accept report Report.json
              momtool accept report Report.json --format markdown=Rulings.md
            """
    )

    @Argument(help: "The report, as JSON.", completion: .file(extensions: ["json"]))
    var report: String

    @Option(
        help: "A newer kit of the same items; the report's own kit when left out.",
        completion: .directory
    )
    var kit: String?

    @OptionGroup var output: ReportOptions<AcceptanceFormats>

    func run() throws {
        let file = try read(report, AcceptanceReport.read)
        let newer = try kit.map { folder in
            let path = fileURL(folder).appending(path: AcceptanceKit.fileName).path
            return try read(path, AcceptanceKit.read)
        }
        let comparison = AcceptanceComparison(of: file, with: newer)
        let words = AcceptanceWords(comparison)
        let inputs = [report] + [kit].compactMap(\.self)
        try output.deliver(sparing: InputFiles(inputs)) { words.text(as: $0) }
        guard comparison.findings.contains(where: { $0.outcome != .notAsked }) else {
            let message = "Core Data ran no check; the report confirms nothing"
            throw CommandFailure(.noInput, report, message, "nothing-asked")
        }
        guard comparison.findings.allSatisfy({ $0.outcome != .different }) else {
            throw CommandFailure(.findings, [])
        }
    }

    private func read<Value>(
        _ path: String,
        _ decode: (Data) throws(AcceptanceFileError) -> Value
    ) throws -> Value {
        let text = try readText(path, limit: 256 << 20)
        do throws(AcceptanceFileError) { return try decode(Data(text.utf8)) } catch {
            throw CommandFailure(.badData, path, error.wording.commandWords, "not-a-report")
        }
    }
}

enum AcceptanceFormats: FormatList {
    static let formats: [ReportFormat] = [.text, .json, .markdown]
}

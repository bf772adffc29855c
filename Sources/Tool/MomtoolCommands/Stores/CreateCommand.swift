import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting
import RowExchange
import StoreFormat

struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a store with the layout that Core Data uses, empty or with rows.",
        discussion: """
            Rows are JSON as `momtool export` writes it. If anything fails, no store is
            created.

            EXAMPLE
              momtool create Shop.sqlite --model Shop.xcdatamodeld --version V2
              momtool create Empty.sqlite --model Shop.xcdatamodeld#V1
              momtool create Shop.sqlite --model Shop.xcdatamodeld --rows Rows.json
            """
    )

    @Argument(help: "The new file.", completion: .store) var store: String?

    @Option(name: .shortAndLong, help: "The new file, as in other commands.", completion: .store)
    var output: String?

    @Option(help: "The model.", completion: .model) var model: String

    @Option(help: "The version of the model; the current one when left out.", completion: .version)
    var version: String?

    @Option(help: "The rows as JSON; - for standard input.") var rows: String?

    @Flag(help: "Leave out links to missing rows, such as those of a partial export.")
    var clearLinks = false

    @Flag(help: "Add the tables of persistent history, which stores of SwiftData always have.")
    var history = false

    @Flag(help: "Replace an existing store.") var force = false

    @Option(help: joinTableHelp) var joinTable: [String] = []

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        guard (store == nil) != (output == nil) else {
            throw ValidationError("give exactly one path for the new file")
        }
    }

    func run() throws {
        let store = store ?? output ?? ""
        let inputs = InputFiles(
            [model] + [rows].compactMap(\.self),
            besides: [ResultPlaces([store], below: store)]
        )
        try report.check(sparing: inputs)
        let bundle = try ModelPlace(model, swift: swift.settings).load()
        let version = try [bundle].namingJoinTables(by: joinTable)[0].chosenVersion(version)
        if let entity = version.model.entities.first(where: { !$0.gaps.isEmpty }) {
            let refusal = Refusal.unknownHash(of: entity)
            throw CommandFailure(.refused, version.path, refusal.text, refusal.rule)
        }
        var options = StoreCreationOptions(keepsHistory: history || bundle.swift != nil)
        options.layout.choose(version.namingRelationships, in: version.model)
        warn(about: StoreLayout(model: version.model, options: options.layout))
        let source = try rows.map { try openRows($0) }
        let display = WorkDisplay("create", unit: "kB")
        defer { display.clear() }
        if display.isVisible { source?.progress = { display.show($0 >> 10, of: $1 >> 10) } }
        let isThere = Files.exists(at: store)
        let count: Int
        if force, isThere {
            // A file that is not a store is never replaced.
            _ = try StoreFile(path: store)
            let folder = try TemporaryFolder()
            let new = folder.url.appendingPathComponent("New.sqlite").path
            count = try create(at: new, version.model, source, options)
            try replaceStore(at: store, by: new)
        } else {
            guard !isThere else {
                let message = "already exists; name another file, or replace it with --force"
                throw CommandFailure(.cannotCreate, store, message, "file-exists")
            }
            count = try create(at: store, version.model, source, options)
        }
        UnreportedWork.note("\(store) is written")
        var work = WorkReport()
        work.add(store, .written, "\(store): \(version.name), \(count.counted("row"))")
        try report.deliver(work, sparing: [model] + [rows].compactMap(\.self))
    }

    private func create(
        at path: String,
        _ model: ManagedObjectModel,
        _ source: RowSource?,
        _ options: StoreCreationOptions
    ) throws -> Int {
        guard let source else {
            try createStore(at: path, model: model, options: options)
            return 0
        }
        return try createStore(
            at: path,
            model: model,
            rows: source,
            options: options,
            clearsLinks: clearLinks
        )
    }

    private func openRows(_ path: String) throws -> RowSource {
        guard ![".yml", ".yaml"].contains(where: path.hasSuffix) else {
            throw CommandFailure(
                .badData,
                path,
                "rows must be JSON, as momtool export writes it; momtool test runs the rows of a case",
                "invalid-json"
            )
        }
        do { return try RowSource(path: path) } catch {
            throw CommandFailure(.noInput, path, error.reason, .unreadableFile)
        }
    }

    /// Warns of guesses and unknown parts of the layout.
    private func warn(about layout: StoreLayout) {
        for join in layout.joinTables where join.isNameGuessed {
            Console.show([
                Diagnostic(
                    .guessedJoinTable,
                    "'\(join.namingRelationship)' and its inverse '\(join.first.leadsThrough)' "
                        + "lead to the same entity; momtool guesses which one names their table, and "
                        + "Core Data may look for another name; choose it with --join-table",
                    severity: .warning
                )
            ])
        }
        for property in layout.unknownIndexes {
            let message = "the index '\(property)' is left out; its form in SQLite is unknown"
            Console.show([Diagnostic("unknown-index-form", message, severity: .warning)])
        }
        for property in layout.unknownDerivations {
            let message = "'\(property)' is not kept up to date; its triggers are unknown"
            Console.show([Diagnostic("unknown-derivation", message, severity: .warning)])
        }
    }
}

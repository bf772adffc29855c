import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import Momtool
import ObjectModel
import MomtoolReporting
import SQLiteAccess
import StoreFormat

/// `momtool history`: who changed what, and when.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the persistent history of a store: who changed which objects, and when.",
        discussion: """
            Lists transactions with time, author, context and process, and the objects that
            each inserted, updated and deleted, with the values kept of deleted ones.
            Counts by day and by entity follow. Which property a bit of an update stands
            for is not documented: bits are given by number.

            EXAMPLE
              momtool history Shop.sqlite --by-day
              momtool history Shop.sqlite --object Order/p5 --since 2024-02-29
              momtool history Shop.sqlite --entity Order --format json=History.json
            """
    )

    @Argument(help: "The store.", completion: .store)
    var store: String

    @Option(help: "The model; the one in the store, if any, when left out.", completion: .model)
    var model: String?

    @Option(
        help: ArgumentHelp(
            "Show only the changes of one object: Entity/p5, or its URI x-coredata://….",
            valueName: "object"
        )
    )
    var object: String?

    @Option(
        help: "Show only the changes of this entity and its sub-entities; may be repeated.",
        completion: .entity
    )
    var entity: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show only transactions from this time on, such as 2024-02-29 or 2024-02-29T12:30:00Z.",
            valueName: "time"
        )
    )
    var since: String?

    @Flag(help: "Show only the counts by day and by entity.")
    var byDay = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func validate() throws {
        if let since, StoredDate.seconds(typed: since) == nil {
            throw ValidationError(
                "--since takes a day as 2024-02-29 or a time as 2024-02-29T12:30:00Z"
            )
        }
        if let object, ObjectReference(object) == nil {
            throw ValidationError("--object takes an object as Entity/p5, or its URI")
        }
    }

    func run() throws {
        try MomtoolCommands.run {
            let file = try StoreFile(path: store)
            guard let history = try StoreHistory(of: file) else {
                throw CommandFailure(.noInput, store, try lack(in: file), "no-history")
            }
            if !history.lostTables.isEmpty {
                let tables = history.lostTables.joined(separator: ", ")
                Console.complain(
                    "\(store): warning: the table \(tables) is missing, and what it told of the history with it"
                )
            }
            let names = HistoryNames(try file.primaryKeys(), model: try knownModel(of: file))
            let uuid = try? file.metadata().uuid
            let reference = object.flatMap(ObjectReference.init)
            if let other = reference?.store, let uuid, other.uppercased() != uuid.uppercased() {
                let message = "the object is of another store: \(other); this one is \(uuid)"
                throw CommandFailure(.usage, store, message, "other-store")
            }
            let filter = HistoryFilter(
                entities: try chosenEntities(reference, names),
                object: reference?.key,
                since: since.flatMap(StoredDate.seconds(typed:))
            )
            let subject = HistoryReport.Subject(
                store: store,
                uuid: uuid,
                names: names,
                object: reference,
                mirroring: try filter.object.map {
                    try mirroredRecords(of: $0, filter.entities ?? [], in: file)
                } ?? []
            )
            let streams = try output.streams(
                sparing: InputFiles([store] + [model].compactMap(\.self))
            )
            try write(history, filter, subject, to: streams)
        }
    }

    /// Why a store has no history.
    private func lack(in file: StoreFile) throws -> String {
        let tables = Set(try file.schema().filter { $0.kind == .table }.map(\.name))
        let lost = HistoryLayout.lost(try file.primaryKeys(), tables).map(\.table)
        guard !lost.contains("ACHANGE") else {
            return
                "the tables of its persistent history are missing; Z_PRIMARYKEY still counts their rows"
        }
        return
            "the store keeps no persistent history; it has no tables of it, which an app gets by "
            + "NSPersistentHistoryTrackingKey"
    }

    /// The model, which names what was renamed; a store without one is read by its numbers.
    private func knownModel(of file: StoreFile) throws -> ManagedObjectModel? {
        if model != nil { return try StoreModels(named: model, swift.settings).model(of: file) }
        return try? embeddedVersion(of: file)?.value.model
    }

    /// The numbers of the entities that were asked for, those of the object's among them.
    private func chosenEntities(
        _ object: ObjectReference?,
        _ names: HistoryNames
    ) throws -> Set<Int64>? {
        func numbers(of name: String) throws -> Set<Int64> {
            if let numbers = names.numbers(of: name) { return numbers }
            let message = "there is no entity '\(name)'\(suggestion(for: name, among: names.all))"
            throw CommandFailure(.usage, store, message, "unknown-entity")
        }
        let chosen = try entity.reduce(into: Set<Int64>()) { try $0.formUnion(numbers(of: $1)) }
        guard let object else { return entity.isEmpty ? nil : chosen }
        let own = try numbers(of: object.entity)
        return entity.isEmpty ? own : own.intersection(chosen)
    }

    private func write(
        _ history: StoreHistory,
        _ filter: HistoryFilter,
        _ subject: HistoryReport.Subject,
        to streams: [ReportStream]
    ) throws {
        // Changes go to a terminal themselves, where a line about them would be in their way.
        let isWanted = byDay || isatty(STDOUT_FILENO) == 0
        let display = WorkDisplay("history", unit: "changes", isWanted: isWanted)
        defer { display.clear() }
        let total = display.isVisible ? history.changeEstimate : nil
        var reports = streams.map {
            HistoryReport(subject, as: $0.format, hasEvents: !byDay)
        }
        var summary = HistorySummary()
        do {
            try writing {
                for (stream, report) in zip(streams, reports) {
                    try stream.write(report.beginning())
                }
                try history.read(filter) { event throws(StoreError) in
                    summary.add(event, subject.names)
                    display.show(summary.total.changes, of: total)
                    do throws(FileError) {
                        for place in streams.indices {
                            try streams[place].write(reports[place].text(of: event))
                        }
                    } catch {
                        throw StoreError(error)
                    }
                }
                for (stream, report) in zip(streams, reports) {
                    try stream.write(report.end(summary))
                    try stream.finish()
                }
            }
        } catch {
            // A reader that went away, as `head` does, is no failure of the command.
            guard streams.contains(where: \.isUnread) else {
                throw streams.lazy.compactMap(\.failure).first ?? error
            }
        }
    }
}

import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

/// `momtool export`: the rows of a store as JSON.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the rows of a store as canonical JSON.",
        discussion: """
            The same store always gives the same text, one row per line; `momtool create
            --rows` reads it back. Persistent history and the records of CloudKit mirroring
            are not written.

            EXAMPLE
              momtool export Shop.sqlite -o Rows.json
              momtool export Shop.sqlite --entity Order --where 'customer.name BEGINSWITH "A"'
            """
    )

    @Argument(help: "The store.", completion: .store)
    var store: String

    @Option(help: "The model; the one in the store when left out.", completion: .model)
    var model: String?

    @Option(name: .shortAndLong, help: "The file; standard output when left out.")
    var output: String?

    @Option(
        help: "Write only the rows of this entity and its sub-entities; may be repeated.",
        completion: .entity
    )
    var entity: [String] = []

    @Option(
        name: .customLong("where"),
        help:
            "Write only rows that match a predicate, such as 'price > 10 AND name BEGINSWITH \"A\"'."
    )
    var predicate: String?

    @Flag(name: .shortAndLong, help: "Print nothing when there is no error.")
    var quiet = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        try Commands.run {
            let inputs = InputFiles([store] + [model].compactMap(\.self))
            let place =
                try output.map { try OutputPlace($0, sparing: inputs) } ?? .standardOutput
            let file = try StoreFile(path: store)
            let model = try StoreModels(named: model, swift.settings).model(of: file)
            let options = RowExportOptions(entities: entity, predicate: predicate)
            let exported = try export(file, model, options, to: place)
            let count = exported.value
            Console.show(exported.diagnostics)
            if let output, output != "-", !quiet {
                Console.say("\(output): \(count.counted("row"))")
            }
            guard exported.diagnostics.isEmpty else { throw CommandFailure(.findings, []) }
        }
    }

    private func export(
        _ file: StoreFile,
        _ model: ManagedObjectModel,
        _ options: RowExportOptions,
        to place: OutputPlace
    ) throws -> Diagnosed<Int> {
        // Rows go to a terminal themselves, where a line about them would be in their way.
        let display = WorkDisplay(
            "export",
            unit: "rows",
            isWanted: !quiet && (isatty(STDOUT_FILENO) == 0 || output ?? "-" != "-")
        )
        defer { display.clear() }
        let isAll = options.entities.isEmpty && options.predicate == nil
        let total = isAll ? try file.rowEstimate() : nil
        var count = 0
        return try writing {
            let draft = try OutputDraft(place)
            do {
                let exported = try exportRows(of: file, model: model, options: options) {
                    piece throws(RowExchangeError) in
                    if display.isVisible {
                        count += piece.count { $0 == UInt8(ascii: "\n") }
                        display.show(count, of: total)
                    }
                    do throws(FileError) {
                        try draft.write(piece)
                    } catch {
                        throw .store(StoreError(error))
                    }
                }
                try draft.finish()
                try draft.publish()
                return exported
            } catch {
                // A reader that went away, as `head` does, is no failure of the command.
                if draft.hasLostReader, output ?? "-" == "-" { return Diagnosed(0) }
                throw draft.failure ?? error
            }
        }
    }
}

extension StoreFile {
    /// About as many rows as there are: those that ever were of each root entity, which no pass is needed for.
    fileprivate func rowEstimate() throws -> Int {
        let sum = try primaryKeys().filter { $0.superNumber == 0 }.reduce(Int64(0)) {
            $0 &+ max(0, $1.maximumKey)
        }
        return Int(clamping: sum)
    }
}

import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import Momtool
import ObjectModel
import MomtoolReporting
import RowExchange
import StoreFormat

struct ExportCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the rows of stores as canonical JSON.",
        discussion: """
            The same store always gives the same text, one row per line; `momtool create
            --rows` reads it back. For a partial export, as with --where, it needs
            --clear-links if links lead to other rows; --with-required exports those that
            required links lead to. Persistent history and the records of CloudKit
            mirroring are not written. The rows of several stores go into the folder of
            -o, into a file per store with its path, as for momtool migrate, and
            .json; the exit status is the highest of all.

            EXAMPLE
              momtool export Shop.sqlite -o Rows.json
              momtool export --from-list stores.txt -o Rows --journal export.jsonl
              momtool export Shop.sqlite --entity Order --where 'customer.name LIKE "A*"'
              momtool export Shop.sqlite --entity Order \\
                --where 'created >= "2024-02-29" AND customer == "Customer/p3"'
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(help: "The model; the one in the store when left out.", completion: .model)
    var model: String?

    @Option(
        name: .shortAndLong,
        help: "The file, or the folder for several stores; standard output when left out."
    )
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

    @Flag(help: "With --entity or --where: also write the rows that required links lead to.")
    var withRequired = false

    @Flag(help: "Skip stores whose complete file exists from an earlier run.") var skipDone = false

    @OptionGroup var fleet: FleetOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        let isName = { (word: String) in !word.contains("/") && !word.contains(".") }
        if list.stores.count > 1, exists(list.stores[0]),
            let word = list.stores.first(where: { isName($0) && !exists($0) })
        {
            throw ValidationError(
                "there is no store '\(word)'; name an entity with --entity \(shellWord(word))"
            )
        }
        guard !list.isList || output ?? "-" != "-" else {
            throw ValidationError("several stores need a folder: name it with -o")
        }
        guard output ?? "-" != "-" || report.format.allSatisfy({ $0.path != nil }) else {
            throw ValidationError(
                "the rows go to standard output, so --format cannot; name a file with -o"
            )
        }
    }

    func run() throws {
        let stores = try list.all()
        let targets = try list.targets(among: stores, output: output)
        let files = FleetFiles(
            inputs: stores + [model].compactMap(\.self),
            list: list.fromList,
            results: results(of: targets)
        )
        let inputs = FleetFiles(inputs: files.inputs, list: list.fromList).spared
        let journal = try fleet.openJournal(of: "export", among: files, besides: report)
        let models = StoreModels(named: model, swift.settings)
        let work = Fleet<MigrationOutcome>(
            command: "export",
            options: fleet,
            isOneOfSeveral: list.isList,
            keepsReports: !report.format.isEmpty
        )
        let folders = NewFolders()
        // Leftovers of killed runs are removed before several stores are at work in the folder.
        let drafts = Dictionary(grouping: places(of: targets), by: parent(of:))
            .map { DraftFolder($0.key, for: $0.value) }
        defer { withExtendedLifetime(drafts) {} }
        let ended = work.run(targets, journal: journal) {
            result(of: $0, models, inputs, folders)
        } handle: { result in
            let isPrinted = output ?? "-" != "-" && result.outcome.result != nil
            if isPrinted, report.isForPeople { Console.note(result.outcome.summary) }
        }
        if list.fromList == nil { folders.removeEmpty() }
        if !report.format.isEmpty {
            try report.deliver(sparing: files.spared, MigrationOutcomes(ended.reports).rendered)
        }
        if list.isList, report.isForPeople { Console.note(ended.counts.words(for: "exported")) }
        if let worst = ended.worst { throw CommandFailure(worst, []) }
    }

    private func result(
        of target: MigrationTarget,
        _ models: StoreModels,
        _ inputs: InputFiles,
        _ folders: NewFolders
    ) -> StoreResult<MigrationOutcome> {
        let (store, path) = (target.store, output(of: target))
        return StoreResult.of(store, failing: { $0 }) {
            if skipDone, let path, path != "-", target.isCurrent(path), isWholeExport(path) {
                let outcome = MigrationOutcome(done: store, in: path, from: nil, to: nil)
                return StoreResult(outcome: outcome, report: outcome)
            }
            if list.isList { try target.makeFolders(ofSeveral: true, folders) }
            let place = try path.map { try OutputPlace($0, sparing: inputs) } ?? .standardOutput
            let file = try StoreFile(path: store)
            let model = try models.model(of: file)
            let options = RowExportOptions(
                entities: entity,
                predicate: predicate,
                takesRequired: withRequired
            )
            let exported = try export(file, model, options, to: place)
            Console.show(exported.diagnostics)
            if let path { UnreportedWork.note("\(path) is written") }
            let outcome = MigrationOutcome(
                "exported",
                of: store,
                in: path,
                summary: "\(path ?? store): \(exported.value.counted("row"))",
                messages: exported.diagnostics.map(\.commandWords)
            )
            let isClean = exported.diagnostics.allSatisfy { $0.severity == .note }
            return StoreResult(
                outcome: outcome,
                report: outcome,
                failure: isClean ? nil : CommandFailure(.findings, [])
            )
        }
    }

    /// The outputs besides reports; none where the rows go to standard output.
    private func results(of targets: [MigrationTarget]) -> [ResultPlaces] {
        guard let output, output != "-" else { return [] }
        return [ResultPlaces(places(of: targets), below: output)]
    }

    private func places(of targets: [MigrationTarget]) -> [String] {
        output == "-" ? [] : targets.compactMap(self.output)
    }

    /// The file for the rows of a store; `nil` for standard output.
    private func output(of target: MigrationTarget) -> String? {
        target.output.map { list.isList ? $0 + ".json" : $0 }
    }

    private func export(
        _ file: StoreFile,
        _ model: ManagedObjectModel,
        _ options: RowExportOptions,
        to place: OutputPlace
    ) throws -> Diagnosed<Int> {
        // Rows on a terminal would collide with a line of progress.
        let display = WorkDisplay(
            "export",
            unit: "rows",
            isWanted: !list.isList && (!Console.isTerminal(STDOUT_FILENO) || output ?? "-" != "-")
        )
        defer { display.clear() }
        let isAll = options.entities.isEmpty && options.predicate == nil
        let total = isAll ? try file.rowEstimate() : nil
        var count = 0
        return try writing {
            let draft = try OutputDraft(place)
            do {
                let exported = try exportRows(of: file, model: model, options: options) {
                    piece throws(StoreError) in
                    if display.isVisible {
                        count += piece.count { $0 == UInt8(ascii: "\n") }
                        display.show(count, of: total)
                    }
                    do throws(FileError) { try draft.write(piece) } catch {
                        throw StoreError(error)
                    }
                }
                try draft.finish()
                try draft.publish()
                return exported
            } catch {
                // A reader that closes the pipe, as `head` does, is not a failure of the command.
                if draft.hasLostReader, output ?? "-" == "-" { return Diagnosed(0) }
                throw draft.failure ?? error
            }
        }
    }
}

/// Whether a file begins and ends with the first and last bytes of an export's only object.
private func isWholeExport(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let (first, last) = (readBytes(1, at: 0, of: descriptor), fileSize(path) - 2)
    return first == Array("{".utf8) && readBytes(2, at: last, of: descriptor) == Array("}\n".utf8)
}

private func readBytes(_ count: Int, at offset: Int64, of descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : []
}

extension StoreFile {
    /// An estimate of the number of rows: the greatest keys of each root entity, which needs no pass.
    fileprivate func rowEstimate() throws -> Int {
        let sum = try primaryKeys().filter { $0.superNumber == 0 }.reduce(Int64(0)) {
            $0 &+ max(0, $1.maximumKey)
        }
        return Int(clamping: sum)
    }
}

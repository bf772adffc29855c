import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import Momtool
import MomtoolReporting
import ObjectModel
import StoreFormat
import StoreMigration

struct RepairCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair damaged stores without inventing values.",
        discussion: """
            Prints what it would do; with --sql, the statements. With -o or
            --backup it makes the repairs in one transaction, verifies the result, and
            discards it if anything is worse; if there is nothing to repair, -o makes
            a copy, and --backup none. Missing tables, columns, indexes and triggers are
            created, key numbers and order keys recomputed, objects get the only possible
            entity, and links that only one side has are added to the other. With
            --model, metadata and the model cache are written again. Lost values are never
            invented: repair asks for them by name. Ends with status 0 only when momtool
            verify finds nothing wrong afterwards, with 3 if it needs a decision from you,
            and with 1 for whatever else is wrong and left. Several stores are repaired
            independently of each other: -o then names a folder, and the exit status is
            the highest of all, as with momtool migrate.

            EXAMPLE
              momtool repair Shop.sqlite
              momtool repair Shop.sqlite --model Shop.xcdatamodeld#V7 \\
                --set Book.title=unknown -o Repaired.sqlite
              momtool repair --from-list stores.txt -o Repaired --journal repair.jsonl
              momtool repair Shop.sqlite --prune-history 30 --drop-ownerless Order \\
                --compact --backup Backups
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(
        help:
            "The model, or MODEL#VERSION for another version than the current one; the one in the store when left out.",
        completion: .model
    )
    var model: String?

    @Option(
        name: .customLong("set"),
        help:
            "A value for required attributes that have none, and for values of another type: Entity.attribute=value; may be repeated."
    )
    var values: [String] = []

    @Option(
        help: ArgumentHelp(
            "Set values of another type to nil, for an optional attribute; may be repeated.",
            valueName: "Entity.attribute"
        )
    )
    var clearValues: [String] = []

    @Flag(
        help:
            "Convert values of another type if that loses nothing, such as the text 12, or a date in ISO 8601."
    )
    var convert = false

    @Flag(help: "Remove links to objects that do not exist.") var clearLinks = false

    @Flag(help: "Create missing tables empty, even if they had rows.") var allowDataLoss = false

    @Option(
        help: ArgumentHelp(
            "Remove persistent history older than this number of days.",
            valueName: "days"
        )
    )
    var pruneHistory: Double?

    @Option(
        help: ArgumentHelp(
            "Delete objects of this entity that have lost their owner, and what they own; may be repeated.",
            valueName: "entity"
        ),
        completion: .entity
    )
    var dropOwnerless: [String] = []

    @Flag(help: "Delete files beside the store that no value refers to.") var dropFiles = false

    @Flag(help: "Finally, rewrite the store without free pages.") var compact = false

    @Flag(help: "Show each SQL statement.") var sql = false

    @Option(
        name: .shortAndLong,
        help:
            "The file for the repaired store, or the folder for several; the stores themselves are only read."
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Repair in place, and keep a copy of the original in this folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var backup: String?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Skip stores whose repaired copy exists from an earlier run; the default for several stores."
    )
    var skipDone: Bool?

    @OptionGroup var fleet: FleetOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        if let pruneHistory, !(pruneHistory >= 0) {
            throw ValidationError("--prune-history takes a number of days, 0 or more")
        }
        if output != nil, backup != nil { throw ValidationError("give -o or --backup, not both") }
    }

    func run() throws {
        let stores = try list.all()
        let targets = try list.targets(among: stores, output: output, backup: backup)
        let files = FleetFiles(
            inputs: targets.map(\.store) + [model].compactMap(\.self),
            list: list.fromList,
            results: ResultPlaces.all(of: targets, output: output, backup: backup)
        )
        let journal = try fleet.openJournal(of: "repair", among: files, besides: report)
        let models = StoreModels(named: model, swift.settings)
        let isPrinted = list.isList && report.format.isEmpty
        let work = Fleet<RepairReport>(
            command: "repair",
            options: fleet,
            isOneOfSeveral: list.isList,
            keepsReports: !isPrinted,
            isCancellable: true
        )
        let folders = NewFolders()
        let all = work.run(targets, journal: journal) { target in
            result(of: target, models, folders)
        } handle: { result in
            guard isPrinted, result.report.error == nil else { return }
            Console.print(result.report.rendered(as: .text), as: .lines)
        }
        if list.fromList == nil { folders.removeEmpty() }
        let count = all.counts["repaired"]
        if count > 0 {
            UnreportedWork.note("\(count.counted("store")) repaired")
        } else if let output, all.counts["sound"] > 0 {
            UnreportedWork.note("\(output) is written")
        }
        // The fault of the only store was printed already.
        let reports = list.isList ? all.reports : all.reports.filter { $0.error == nil }
        if !reports.isEmpty { try report.deliver(sparing: files.spared, reports.rendered) }
        if isPrinted, report.isForPeople { Console.say(all.counts.words(for: "repaired")) }
        if let worst = all.worst { throw CommandFailure(worst, []) }
    }

    private func result(
        of target: MigrationTarget,
        _ models: StoreModels,
        _ folders: NewFolders
    ) -> StoreResult<RepairReport> {
        StoreResult.of(
            target.store,
            reportingRefusals: true,
            failing: { RepairReport(of: target.store, error: $0.summary) }
        ) { try repaired(target, models, folders) }
    }

    private func repaired(
        _ target: MigrationTarget,
        _ models: StoreModels,
        _ folders: NewFolders
    ) throws -> StoreResult<RepairReport> {
        // Where a model is named, missing tables that make a database a store can be made again.
        let file = try StoreFile(path: target.store, requiringSystemTables: model == nil)
        let model = try models.model(of: file)
        if let result = try resultOfEarlierRun(target, file, model) { return result }
        let repair = try planned(file, model)
        let isWanted = output != nil || backup != nil
        // The new file exists whenever the command ends with 0: later commands read it.
        let upkeep = try dropFiles || compact ? StoreUpkeep(of: file, against: model) : nil
        let hasUpkeep = compact || dropFiles && upkeep?.surplusFiles.isEmpty == false
        let isDone =
            isWanted && repair.obstacles.isEmpty
            && (!repair.steps.isEmpty || output != nil || hasUpkeep)
        var left = repair.remaining
        let before = bytes(of: target.store)
        var room = upkeep.map { self.room(of: $0, bytes: before) }
        if isDone {
            try requireNoLeftover(of: target)
            try target.makeFolders(ofSeveral: list.isList, folders)
            try carryOut(repair, file, target)
            if let found = try takeRoom(in: target, against: model) {
                room = self.room(of: found, bytes: before)
                room?.bytesAfter = bytes(of: target.output ?? target.store)
            }
            left = try faults(in: target, against: model)
        }
        var report = RepairReport(repair, of: target.store, isDone: isDone, left, showsSQL: sql)
        report.room = room
        if isDone { report.output = target.output }
        if isWanted, !isDone, !repair.obstacles.isEmpty, !list.isList {
            let open = repair.obstacles.count.counted("decision")
            Console.note(each: ["nothing was written: first make the \(open) shown above"])
        }
        let isOpen = !repair.isEmpty || room?.isOpen == true
        let status = status(of: repair, left, isDone: isDone, isOpen: isOpen)
        let word = status == .refused ? "refused" : word(repair, status, isDone: isDone)
        let outcome = MigrationOutcome(
            word,
            of: target.store,
            in: report.output,
            summary: "\(target.store): \(word)",
            messages: left.map(\.commandWords)
                + repair.obstacles.map { "\($0.problem): \($0.remedy.commandWords)" }
        )
        return StoreResult(
            outcome: outcome,
            report: report,
            failure: status.map { CommandFailure($0, []) }
        )
    }

    private func word(_ repair: StoreRepair, _ status: ExitStatus?, isDone: Bool) -> String {
        guard status != nil else { return repair.isEmpty ? "sound" : "repaired" }
        return isDone ? "repaired" : "ill"
    }

    /// The exit status for a store; `nil` when all is well.
    private func status(
        of repair: StoreRepair,
        _ left: [Diagnostic],
        isDone: Bool,
        isOpen: Bool
    ) -> ExitStatus? {
        // Only a decision keeps anything from being written; faults that are left are findings.
        guard repair.obstacles.isEmpty else { return .refused }
        return left.isEmpty && (isDone || !isOpen) ? nil : .findings
    }

    private func planned(_ file: StoreFile, _ model: ManagedObjectModel) throws -> StoreRepair {
        let options = try RepairOptions(following: decisions(), in: model, of: file)
        do {
            return try showing("parts") { progress in
                try Interruptions.cancelling { cancellation in
                    try StoreRepair(
                        of: file,
                        against: model,
                        options: options,
                        cancellation: cancellation,
                        progress: progress
                    )
                }
            }
        } catch {
            // What somebody writes meanwhile looks like damage.
            try file.requireUnchanged()
            throw error
        }
    }

    private func carryOut(
        _ repair: StoreRepair,
        _ file: StoreFile,
        _ target: MigrationTarget
    ) throws {
        try showing("steps") { progress in
            try Interruptions.cancelling { try target.run(repair, of: file, $0, progress) }
        }
    }

    /// Shows the progress of work on the only store; of several, stores are counted.
    private func showing<Result>(
        _ unit: String,
        _ work: (_ progress: ((_ done: Int, _ total: Int) -> Void)?) throws -> Result
    ) throws -> Result {
        guard !list.isList else { return try work(nil) }
        return try WorkDisplay.during("repair", unit: unit, work)
    }

    private func faults(
        in target: MigrationTarget,
        against model: ManagedObjectModel
    ) throws -> [Diagnostic] {
        let repaired = try StoreFile(path: target.output ?? target.store)
        let findings = try showing("checks") { progress in
            try verify(repaired, against: model, progress: progress)
        }
        return findings.filter { $0.severity != .note }
    }

    private func decisions() throws -> [Advice] {
        let given = try values.map { text in
            let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[0].split(separator: ".").count == 2 else {
                let message = "'--set \(text)' does not have the form Entity.attribute=value"
                throw CommandFailure(usage: message)
            }
            return Advice.setValue(of: String(sides[0]), to: String(sides[1]))
        }
        return given + clearValues.map { .clearValues(of: $0) }
            + dropOwnerless.map { .dropOwnerless($0) }
            + (pruneHistory.map { [.pruneHistory(olderThanDays: $0)] } ?? [])
            + (convert ? [.convertValues] : []) + (clearLinks ? [.clearLinks] : [])
            + (allowDataLoss ? [.createEmptyTables] : [])
    }
}

/// Unused space in a store.
extension RepairCommand {
    /// Reclaims unused space in the result, when that was asked for.
    func takeRoom(
        in target: MigrationTarget,
        against model: ManagedObjectModel
    ) throws -> StoreUpkeep? {
        guard dropFiles || compact else { return nil }
        return try WorkDisplay.during("repair", unit: "steps") { _ in
            try StoreUpkeep.run(
                at: target.output ?? target.store,
                against: model,
                removingFiles: dropFiles,
                compacting: compact
            )
        }
    }

    func room(of found: StoreUpkeep, bytes: Int) -> RepairReport.Room {
        RepairReport.Room(found, bytes: bytes, removingFiles: dropFiles, compacting: compact)
    }

    func bytes(of path: String) -> Int { Int(clamping: fileSize(path) + fileSize(path + "-wal")) }
}

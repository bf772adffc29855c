import Diagnostics
import Essentials
import FileSystem
import ModelHashing
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// The layout of a store by its model; unreadable metadata is rewritten, if the model fits.
func repairLayout(
    of store: StoreFile,
    _ model: ManagedObjectModel
) throws(StoreError) -> StoreLayout {
    let metadata = (try? store.metadata()) ?? StoreMetadata(uuid: "", entries: [:])
    return storedLayout(of: model, metadata, try store.schema())
}

extension StoreRepair {
    /// Says why a model cannot be that of a store whose version is unknown; `nil` where every table fits.
    package static func misfit(
        of model: ManagedObjectModel,
        in store: StoreFile,
        _ options: RepairOptions = RepairOptions()
    ) throws(StoreError) -> String? {
        let layout = try repairLayout(of: store, model)
        return try RepairScan(store.connection, layout, options).misfits().first
    }

    /// Whether every table of a store fits a model; of one that it carries, tables may be lost.
    ///
    /// `false` where the store cannot be read.
    package static func fits(
        _ model: ManagedObjectModel,
        in store: StoreFile,
        isOwn: Bool = false
    ) -> Bool {
        var options = RepairOptions()
        options.isOwnModel = isOwn
        return (try? misfit(of: model, in: store, options)) == .some(nil)
    }
}

/// Finds the steps of a repair by taking them on a copy of the store.
///
/// Each round examines one part of the store after the other, restoring before removing, and performs the steps it
/// finds before it continues. The last round finds nothing.
struct RepairPlanner {
    let store: StoreFile
    var options: RepairOptions
    let layout: StoreLayout
    /// Whether SQLite's check of the whole file is known to find nothing.
    let isFileSound: Bool
    let cancellation: MigrationCancellation?
    var progress: ((_ done: Int, _ total: Int) -> Void)?

    private var model: ManagedObjectModel { layout.graph.model }

    /// Every round restores something for good, so few are needed.
    private static let roundLimit = 12

    func plan(_ repair: inout StoreRepair) throws(StoreMigrationError) {
        do throws(StoreMigrationError) {
            guard let first = try storeErrors(examine(&repair)) else { return }
            try rehearse(&repair, after: first)
            guard isCancelled() else { return }
        } catch { guard isCancelled() else { throw error } }
        throw .interrupted(stage: "the repair", isTimeout: false)
    }

    private func isCancelled() -> Bool { cancellation?.isCancelled == true }

    /// Checks the store in place; returns the first steps, perhaps none, of a store that needs any.
    private func examine(_ repair: inout StoreRepair) throws(StoreError) -> [StoreRepair.Step]? {
        if let metadata = try? store.metadata(), metadata.saysVersion,
            metadata.hashes != versionHashes(of: model)
        {
            repair.obstacles = [
                StoreRepair.Obstacle(
                    problem: "another version of the model wrote the store",
                    remedy: "name the version that wrote it; \(.identify) finds it"
                )
            ]
            return nil
        }
        let present = Set(try store.schema().filter { $0.kind == .table }.map(\.name))
        let history = present.filter { $0.hasPrefix("A") }
        repair.countedTables = layout.tableNames.union(history).filter(present.contains).sorted()
        var file = try RepairScan(store.connection, layout, options)
        if !isFileSound { try file.scanIndexes() }
        guard file.obstacles.isEmpty else {
            repair.obstacles = file.obstacles
            return nil
        }
        if file.steps.isEmpty, try isHealthy(&repair) { return nil }
        return file.steps
    }

    /// Checks the parts of the store in place; `false` if there are steps to perform.
    private func isHealthy(_ repair: inout StoreRepair) throws(StoreError) -> Bool {
        try withProgress(on: store.connection) { isDone throws(StoreError) in
            var obstacles: [StoreRepair.Obstacle] = []
            for (place, part) in RepairScan.Part.allCases.enumerated() {
                let scan = try scan(part, on: store.connection)
                guard scan.steps.isEmpty else { return false }
                obstacles += scan.obstacles
                isDone(place + 1)
                // A model that may be that of another version says nothing about the rest.
                if part == .metadata, !obstacles.isEmpty { break }
            }
            repair.obstacles = obstacles
            repair.remaining = try remaining(in: store, obstacles, checksFiles: true)
            return true
        }
    }

    private func withProgress<Result>(
        on connection: SQLiteConnection,
        _ work: (_ isDone: (Int) -> Void) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let total = RepairScan.Part.allCases.count
        return try connection.withProgress(progress, of: total, stoppingWhen: isCancelled, work)
    }

    private func scan(
        _ part: RepairScan.Part,
        on connection: SQLiteConnection
    ) throws(StoreError) -> RepairScan {
        var scan = try RepairScan(connection, layout, options)
        try scan.scan(part)
        return scan
    }

    /// Performs the steps on a throwaway copy, starting with those that later parts rely on.
    private func rehearse(
        _ repair: inout StoreRepair,
        after first: [StoreRepair.Step]
    ) throws(StoreMigrationError) {
        let folder = try storeErrors(fileErrors(TemporaryFolder()))
        let copy = folder.url.appending(path: "Repair.sqlite").path
        var found = repair
        try workOnCopy(of: store, at: copy, reportedPath: store.path, cancellation) {
            connection throws(StoreMigrationError) in
            try storeErrors { () throws(StoreError) in
                try withProgress(on: connection) { isDone throws(StoreError) in
                    try take(first, &found, on: connection)
                    try takeSteps(&found, on: connection, isDone)
                }
            }
        }
        repair = found
    }

    private func takeSteps(
        _ repair: inout StoreRepair,
        on connection: SQLiteConnection,
        _ isDone: (Int) -> Void
    ) throws(StoreError) {
        // The effects of triggers that are not Core Data's are not part of a repair.
        let own = OwnObjects(of: layout)
        let foreign = try StoreSchema(connection).triggers
            .filter { !own.isTrigger($0) && $0.sql.isTriggerStatement }
        try connection.execute("PRAGMA trusted_schema = ON")
        try take(
            foreign.map { StoreRepair.Step(change: .schema(.dropTrigger($0.name, of: $0.table))) },
            &repair,
            on: connection
        )
        var isFirstRound = true
        for _ in 0..<Self.roundLimit {
            let count = repair.steps.count
            var obstacles: [StoreRepair.Obstacle] = []
            for (place, part) in RepairScan.Part.allCases.enumerated() {
                let scan = try scan(part, on: connection)
                try take(scan.steps, &repair, on: connection)
                obstacles += scan.obstacles
                if isFirstRound, part.mayUncoverFaults {
                    repair.verificationPoints.append(repair.steps.count)
                }
                isDone(place + 1)
            }
            isFirstRound = false
            repair.obstacles = obstacles
            if repair.steps.count == count { break }
        }
        try computeAgain(&repair, on: connection)
        try restore(foreign, &repair, on: connection)
        let result = StoreFile(on: connection)
        repair.remaining = try remaining(in: result, repair.obstacles, checksFiles: false)
    }

    /// Restores triggers that were set aside, except those that the model has in another form.
    private func restore(
        _ triggers: [SchemaObject],
        _ repair: inout StoreRepair,
        on connection: SQLiteConnection
    ) throws(StoreError) {
        let own = OwnObjects(of: layout)
        let present = Set(try StoreSchema(connection).triggers.map { $0.name.lowercased() })
        let restored = triggers.filter {
            !own.isStale($0) && !present.contains($0.name.lowercased())
        }
        let steps = restored.map { StoreRepair.Step(change: .schema(.restore($0))) }
        try take(steps, &repair, on: connection)
    }

    private func computeAgain(
        _ repair: inout StoreRepair,
        on connection: SQLiteConnection
    ) throws(StoreError) {
        let written = repair.steps.reduce(into: WrittenCells()) { $0.note($1.change) }
        for change in corrections(in: layout, after: written) {
            guard case .write(let table, _, _, let condition, _) = change else { continue }
            let name = quotedIdentifier(table)
            // An obstacle may keep what is read here from being restored.
            let stale = try? connection.value(
                "SELECT 1 FROM \(name) AS t WHERE \(condition) LIMIT 1"
            )
            guard stale != nil else { continue }
            try take([StoreRepair.Step(change: .rows(change))], &repair, on: connection)
        }
    }

    private func take(
        _ steps: [StoreRepair.Step],
        _ repair: inout StoreRepair,
        on connection: SQLiteConnection
    ) throws(StoreError) {
        for step in steps { try connection.execute(step.change.sql) }
        repair.steps += steps
    }

    /// The findings of verification that no obstacle mentions; notes are not faults.
    private func remaining(
        in store: StoreFile,
        _ obstacles: [StoreRepair.Obstacle],
        checksFiles: Bool
    ) throws(StoreError) -> [Diagnostic] {
        // Without metadata and numbers nothing can be verified, and an obstacle says so.
        guard (try? store.metadata()) != nil, (try? store.primaryKeys()) != nil else { return [] }
        let findings = try verifyContents(of: store, against: model, checksFiles: checksFiles)
        let known = Set(obstacles.flatMap(\.findings))
        return findings.filter { $0.severity != .note && !known.contains(FindingKind($0)) }
    }
}

import ArgumentParser
import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ModelLoading
import ObjectModel
import Reporting
import StoreFormat
import StoreMigration

/// `momtool migrate`: brings a store to another version of its model.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate a store to another version of its model.",
        discussion: """
            The store is read, or changed in one transaction; the result is checked before it counts. From any
            older version to any newer one in one go, as Core Data does; where it refuses that, by the shortest
            chain of steps through other versions.

            EXAMPLE
              momtool migrate Shop.sqlite --model Shop.xcdatamodeld -o Migrated.sqlite
              momtool migrate Shop.sqlite --model Shop.xcdatamodeld --to V3 --in-place --backup Backups
              momtool migrate Shop.sqlite --stages Stages.yml -o Migrated.sqlite
            """
    )

    @Argument(help: "The store.")
    var store: String

    @Option(
        help:
            "The model; repeat it for a model that holds the version of the store. The last one counts."
    )
    var model: [String] = []

    @Option(help: "A stages file: versions, and custom work between them.")
    var stages: String?

    @Option(help: "How stages are walked: apple, or stepwise through every version.")
    var semantics: StageSemantics = .apple

    @Option(help: "The seconds that each script, map or handler of a stage may take.")
    var timeout: Double?

    @Option(help: "A folder that gets the store as it is after each step; with --stages.")
    var keepStages: String?

    @Option(help: "The new version; the current one when left out.")
    var to: String?

    @Option(name: .shortAndLong, help: "The new file, which must not exist.")
    var output: String?

    @Flag(help: "Change the store where it is, in one transaction.")
    var inPlace = false

    @Option(help: "A folder for a copy of the store as it was; with --in-place.")
    var backup: String?

    @Flag(help: "Agree that links and values without a place in the new version are dropped.")
    var allowDataLoss = false

    @Flag(help: "Agree to migrate to an older version.")
    var allowBackward = false

    @Flag(help: "Let SQLite check the whole file after an in-place migration too.")
    var check = false

    @Flag(name: .shortAndLong, help: "Say nothing when all is well.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say each step.")
    var verbose = false

    func validate() throws {
        guard !model.isEmpty || stages != nil else { throw ValidationError("name a --model") }
        guard stages != nil || (timeout == nil && keepStages == nil) else {
            throw ValidationError("--timeout and --keep-stages go with --stages")
        }
        guard timeout.map({ $0 > 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--timeout is a number of seconds above 0")
        }
        guard (output != nil) != inPlace else {
            throw ValidationError("choose one of -o and --in-place")
        }
        guard backup == nil || inPlace else {
            throw ValidationError("--backup goes with --in-place")
        }
    }

    func run() throws {
        try Commands.run {
            let bundles = try model.map { try ModelArgument($0).load() }
            if let stages { return try runStages(stages, bundles: bundles) }
            let file = try StoreFile(path: store)
            let ends = try MigrationEnds(
                of: file,
                bundles: bundles,
                to: to,
                mayGoBack: allowBackward
            )
            let migration: StoreMigration
            do throws(StoreMigrationError) {
                migration = try StoreMigration(
                    of: file,
                    from: ends.source.model,
                    to: ends.destination.model
                )
            } catch .notInferable {
                let route = try MigrationRoute(from: ends.source, to: ends.destination, bundles)
                return try run(route, on: file)
            }
            try perform(migration, on: file)
            guard !quiet else { return }
            var report = MigrationReport(
                from: ends.source.name,
                to: ends.destination.name,
                mapping: migration.mapping
            )
            report.add(
                store: store,
                program: migration.program,
                findings: [],
                showsSQL: false
            )
            report.result = output
            Console.say(report.summary)
        }
    }

    private func perform(_ migration: StoreMigration, on file: StoreFile) throws {
        let isVerbose = verbose
        let options = MigrationRunOptions(
            acceptsLosses: allowDataLoss,
            checksWholeFile: check
        ) { step, place, count in
            if isVerbose { Console.complain("\(place + 1)/\(count) \(step.purpose)") }
        }
        if let output {
            try migration.run(from: file, toNewFile: output, options: options)
        } else {
            try migration.runInPlace(path: store, backup: try backupPath(), options: options)
        }
    }

    func backupPath() throws -> String? {
        guard let backup else { return nil }
        do {
            try FileManager.default.createDirectory(
                atPath: backup,
                withIntermediateDirectories: true
            )
        } catch {
            throw CommandFailure(
                .cannotCreate,
                backup,
                "the folder cannot be made",
                "unwritable-backup"
            )
        }
        return backup + "/" + URL(fileURLWithPath: store).lastPathComponent
    }
}

import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
package import MigrationPlanning
import ModelChecking
import ModelLoading
import Momtool
import MomtoolReporting
import SettingsFiles
import StoreFormat
import StoreMigration

extension StageSemantics: ExpressibleByArgument {}

struct MigrateCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate stores to another version of their model.",
        discussion: """
            Goes from any older version to any newer one in one step, as Core Data does.
            If Core Data refuses that step, goes through the versions between them that
            lose the least data. With -o the store is only read; --in-place changes it
            in one transaction. The result is checked before it is kept. Stages, mapping
            models and policies come from .momtool.yml. Several stores are migrated
            independently of each other: -o then names a folder, where each result has
            the path of its store below their common folder, or, with a list, the
            listed path; the exit status is the highest of all.

            EXAMPLE
              momtool migrate Shop.sqlite --model Shop.xcdatamodeld -o Migrated.sqlite
              momtool migrate Shop.sqlite --model Shop.xcdatamodeld --to V3 \\
                --in-place --backup Backups
              momtool migrate Shop.sqlite --stages Stages.yml -o Migrated.sqlite
              momtool migrate Devices/*/Shop.sqlite --model Shop.xcdatamodeld \\
                -o Migrated --jobs 8
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(
        help:
            "The model; repeat the option when another model has the version of the store. The last one has the new version.",
        completion: .model
    )
    var model: [String] = []

    @Option(
        help:
            "A stages file, or Swift sources with a migration plan; when left out, the one of .momtool.yml that lists the new version.",
        completion: .stages
    )
    var stages: String?

    @Option(help: "How to run stages: apple, as Core Data does, or stepwise, version by version.")
    var semantics: StageSemantics = .apple

    @Option(help: "The time limit for each script, map or handler of a stage, in seconds.")
    var timeout: Double?

    @Flag(help: "Allow stages to run the programs that they name.") var allowPrograms = false

    @Option(help: "For stages: a folder for copies of the store, one after each step.")
    var keepStages: String?

    @Option(help: "The new version; the current one when left out.", completion: .version)
    var to: String?

    @Option(
        name: .shortAndLong,
        help: "The new file, which must not exist; for several stores the folder of the new files."
    )
    var output: String?

    @Flag(help: "Change the store where it is, in one transaction.") var inPlace = false

    @Option(
        help: ArgumentHelp(
            "With --in-place: a folder for a copy of the store before the migration.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var backup: String?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Skip stores whose complete result exists from an earlier run; the default for several stores and in place."
    )
    var skipDone: Bool?

    @OptionGroup var fleet: FleetOptions

    @Option(
        help: ArgumentHelp(
            "Allow the loss of rows, values and links that the new version drops: all of them, or those of an entity or property, such as Notice or Book.notes; may be repeated.",
            valueName: "name"
        )
    )
    var allowDataLoss: [String] = []

    @Flag(help: "Allow migration to an older version.") var allowBackward = false

    @Flag(help: "Let SQLite check the whole result, including its indexes.") var check = false

    @Option(help: joinTableHelp) var joinTable: [String] = []

    @OptionGroup var report: OutputOptions<TextFormats>

    @Flag(name: .shortAndLong, help: "Print each step.") var verbose = false

    @Option(help: NamedMappingModels.help) var mappingModels: [String] = []
    @OptionGroup var swift: SwiftOptions

    var quiet: Bool { report.quiet }

    func validate() throws {
        guard !model.isEmpty || stages != nil else {
            let given = list.stores.first { isModelBundle(trimmedPath($0)) }
            let name = given.map { "; '\($0)' is one: --model \(shellWord($0))" } ?? ""
            throw ValidationError("name a --model\(name)")
        }
        guard timeout.map({ $0 > 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--timeout is a number of seconds above 0")
        }
        guard (output != nil) != inPlace else {
            throw ValidationError("choose either -o or --in-place")
        }
        guard !list.isList || keepStages == nil else {
            throw ValidationError("--keep-stages takes one store")
        }
        guard output != "", backup != "" else {
            throw ValidationError("-o and --backup need the name of a file or folder")
        }
        guard !allowDataLoss.contains("") else {
            throw ValidationError("--allow-data-loss was given an empty name")
        }
        guard backup == nil || inPlace else {
            throw ValidationError("--backup needs --in-place")
        }
    }

    func run() throws {
        let stores = try list.all()
        let targets = try list.targets(among: stores, output: output, backup: backup)
        let files = FleetFiles(
            inputs: stores + model + [stages].compactMap(\.self),
            list: list.fromList,
            results: ResultPlaces.all(of: targets, output: output, backup: backup)
        )
        let journal = try fleet.openJournal(of: "migrate", among: files, besides: report)
        let bundles = try model.map { try ModelPlace($0, swift: swift.settings).load() }
            .namingJoinTables(by: joinTable)
        let agreement = try agreement()
        warnOfUnknownLosses(in: bundles, of: stores)
        let (migrator, models) = try migrator(bundles)
        let named = NamedLosses(in: models)
        let remarks = Remarks()
        try forEach(targets, sparing: files, journal) { target, damage in
            let file = try StoreFile(path: target.store)
            if migrator.taking(file).stages != nil {
                noteMissingChecksum(in: try file.metadata(), of: target.store)
            }
            let migration = try migrator.migration(of: file, mayGoBack: allowBackward)
            try migrator.requireCode(on: migration.route)
            if !quiet { remarks.say(migrator.remarks(on: migration.route)) }
            if let outcome = try outcomeOfEarlierRun(migration, file, target) { return outcome }
            let agreement = try agreement.union(named.agreement(for: migration))
            damage = try self.damage(of: migration, in: file)
            if !quiet { Console.show(try migration.unreadableValues(in: file)) }
            do {
                return try run(migration, on: file, target, agreement)
            } catch var error as MomtoolError {
                if case .rows(let rows)? = error.migration, rows.showsDamage {
                    damage = try self.damage(of: migration, in: file, beyond: damage ?? [])
                }
                let refused = error.findings
                let advice = migrator.stepwiseAdvice(for: file, migration, against: refused)
                error.remarks += advice.map { ["note: \($0)"] } ?? []
                throw error
            }
        }
    }

    /// Finds migrations as the app does; returns their models, too.
    private func migrator(_ bundles: [ModelBundle]) throws -> (Migrator, [ModelBundle]) {
        let road = try road(bundles)
        guard let stages = road.migrator.stages?.value, let path = road.migrator.stagesPath else {
            guard timeout == nil, keepStages == nil else { throw CommandFailure.withoutStages }
            return (road.migrator, bundles)
        }
        guard !road.keepsFromStarting else {
            let message = "nothing is migrated: an app with this plan fails at launch"
            throw CommandFailure(.refused, path, message, .stagesFail)
        }
        return (road.migrator, self.stages == nil ? bundles : stages.models)
    }

    private func road(_ bundles: [ModelBundle]) throws -> NamedRoad {
        try NamedRoad(
            of: bundles,
            at: model.last,
            to: to,
            through: stages,
            by: semantics,
            mappings: NamedMappingModels(paths: mappingModels),
            joinTable: joinTable,
            swift: swift.settings
        )
    }

    private func run(
        _ migration: Migration,
        on file: StoreFile,
        _ target: MigrationTarget,
        _ agreement: LossAgreement
    ) throws -> MigrationOutcome {
        var options = MigrationOptions(
            acceptsLosses: agreement,
            checksWholeFile: check,
            timeout: timeout.map { .seconds($0) },
            stagesFolder: keepStages
        )
        options.allowsPrograms = allowPrograms
        let display = MigrationDisplay(
            of: migration,
            on: list.isList ? target.store : nil,
            verbose ? .changes : .stages
        )
        if !quiet { options.progress = display.progress }
        defer { display.clear() }
        let losses = try Interruptions.cancelling { cancellation in
            options.cancellation = cancellation
            do { return try migration.run(from: file, to: target, options: options) } catch {
                reportKeptStages()
                throw error
            }
        }
        return MigrationOutcome(
            of: migration,
            on: target.store,
            to: target.output,
            losses: losses,
            messages: warn(of: migration, target)
        )
    }

    /// Reports the stores from which a failed stage started.
    private func reportKeptStages() {
        guard let keepStages, hasUnfinishedStages(in: keepStages) else { return }
        Console.complain(
            "note: the stores of the steps before the failure are in \(keepStages); the next run replaces them"
        )
    }

    func forEach(
        _ targets: [MigrationTarget],
        sparing files: FleetFiles,
        _ journal: AppendedFile?,
        _ migrate:
            @escaping @Sendable (MigrationTarget, inout [StoreDamage]?) throws -> MigrationOutcome
    ) throws {
        let isOneOfSeveral = list.isList
        let isTextAsked = report.format.contains { $0.format == .text }
        let isForPeople = !quiet && report.isForPeople && !isTextAsked
        let fleet = Fleet<MigrationOutcome>(
            command: "migrate",
            options: fleet,
            isOneOfSeveral: isOneOfSeveral,
            isQuiet: quiet,
            keepsReports: !report.format.isEmpty,
            isCancellable: true
        )
        let folders = NewFolders()
        let all = FolderListings.sharing {
            fleet.run(targets, journal: journal) { target in
                outcome(of: target.store) { damage in
                    try target.makeFolders(ofSeveral: isOneOfSeveral, folders)
                    warnOfLinks(to: target)
                    return try migrate(target, &damage)
                }
            } handle: { result in
                if result.failure == nil, isForPeople { Console.say(result.outcome.summary) }
            }
        }
        // Another process may be about to write another part of the list into a folder that is still empty.
        if list.fromList == nil { folders.removeEmpty() }
        let count = all.counts["migrated"]
        if count > 0 { UnreportedWork.note("\(count.counted("store")) migrated") }
        if !report.format.isEmpty {
            try report.deliver(sparing: files.spared, MigrationOutcomes(all.reports).rendered)
        }
        if isOneOfSeveral, isForPeople { Console.say(all.counts.words(for: "migrated")) }
        if let worst = all.worst { throw CommandFailure(worst, []) }
    }
}

/// Runs a migration, and records its outcome and earlier faults of the store.
private func outcome(
    of store: String,
    _ body: (inout [StoreDamage]?) throws -> MigrationOutcome
) -> StoreResult<MigrationOutcome> {
    var damage: [StoreDamage]?
    do {
        try Interruptions.requireNone(before: store)
        var outcome = try body(&damage)
        outcome.damage = damage
        return StoreResult(outcome: outcome, report: outcome)
    } catch {
        let failure = CommandFailure(error)
        var outcome = MigrationOutcome(
            store: store,
            isRefused: failure.status == .refused,
            messages: failure.messages,
            losses: (error as? CommandFailure) == nil ? MomtoolError(error).findings : []
        )
        outcome.damage = damage
        return StoreResult(outcome: outcome, report: outcome, failure: failure)
    }
}

/// Warns about links to a file before it is changed in place.
private func warnOfLinks(to target: MigrationTarget) {
    let count = target.nameCount
    guard count > 1 else { return }
    let message =
        "the file has \(count) names (hard links); all of them get the new "
        + "version, but only one name leads to its write-ahead log"
    let place = FileLocation(path: target.store)
    Console.show([Diagnostic("hard-linked-store", message, severity: .warning, at: place)])
}

/// Warns which tables Core Data may look for under another name, and which order it would not have kept.
private func warn(of migration: Migration, _ target: MigrationTarget) -> [String] {
    let path = target.output ?? target.store
    let place = FileLocation(path: path)
    let warnings =
        migration.uncertain.map { table in
            Diagnostic(.guessedJoinTable, saying: table.wording, severity: .warning, at: place)
        } + migration.keptOrders(inStoreAt: path).map { $0.diagnostic.at(path) }
    Console.show(warnings)
    return warnings.map(\.commandWords)
}

/// Notes that Core Data's stages do not take a store whose metadata name no version.
func noteMissingChecksum(in metadata: StoreMetadata, of store: String) {
    guard metadata.checksum == nil else { return }
    Console.complain(text: Diagnostic.storeWithoutChecksum.at(store).commandWords)
}

/// The losses that the configuration of a model, or of a stages file, always allows.
func configuredAgreement(at place: String?) throws -> LossAgreement {
    guard let path = NamedMappingModels.path(ofModel: place) else { return .none }
    return try settings(for: path).allowsDataLoss
}

extension MigrateCommand {
    /// The agreed losses, by the arguments and by the configuration of the model.
    func agreement() throws -> LossAgreement {
        guard !allowDataLoss.contains(Self.allLosses) else { return .all }
        return try configuredAgreement(at: model.last ?? stages).union(.named(Set(allowDataLoss)))
    }

    /// Warns about names that no version has; they allow nothing.
    func warnOfUnknownLosses(in bundles: [ModelBundle], of stores: [String]) {
        let faults = LossLedger(versions: bundles.flatMap(\.versions))
            .misspelt(allowDataLoss.filter { $0 != Self.allLosses }) { name in
                stores.contains { path in
                    (try? StoreFile(path: path)).map { hasObject(named: name, in: $0) } ?? false
                }
            }
        for fault in faults {
            Console.complain("warning: --allow-data-loss: \(fault)")
        }
    }

    /// The value of the option without a name.
    static let allLosses = "*"
}

import ArgumentParser
import Diagnostics
import FileSystem
import MigrationPlanning
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat
import StoreMigration

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what a migration would do: mapping, tables, rows at risk and SQL.",
        discussion: """
            If Core Data refuses the direct step, plan shows the steps through other
            versions that lose the least data. If there are no such steps, it says which
            version to add in between. Ends with status 3 if the rows of a store or the
            app's stages make the migration fail, and with 1 if a loss needs
            --allow-data-loss.

            EXAMPLE
              momtool plan Shop.xcdatamodeld --from V1 --to V3
              momtool plan Shop.xcdatamodeld#V1 Shop.xcdatamodeld#V3
              momtool plan Shop.xcdatamodeld --store Shop.sqlite --sql
              momtool plan --stages Stages.yml
            """
    )

    @Argument(
        help:
            "The model, or the old one and the new one; with --store, more models may contain its version.",
        completion: .model
    )
    var models: [String] = []

    @Option(
        help:
            "A stages file, or Swift sources with a plan; when left out, the one of .momtool.yml that lists the new version. Both --semantics are shown if they differ."
    )
    var stages: String?

    @Option(help: "The old version; the store's version with --store.", completion: .version)
    var from: String?

    @Option(help: "The new version; the current one when left out.", completion: .version)
    var to: String?

    @Option(help: "A store; the plan then considers its tables and rows.", completion: .store)
    var store: String?

    @Flag(
        help: "Show each SQL statement and its purpose; with --store, those that this store needs."
    )
    var sql = false

    @Option(help: NamedMappingModels.help) var mappingModels: [String] = []

    @Flag(help: "With --store: allow stages to run the programs that they name.")
    var allowPrograms = false

    @Option(help: joinTableHelp) var joinTable: [String] = []

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func validate() throws {
        if models.isEmpty, stages == nil {
            let more = store.map { "--store \(shellWord($0))" } ?? "--from VERSION"
            throw ValidationError("name a model, as in plan MODEL \(more)")
        }
        if let advice = versionAdvice(models) { throw ValidationError(advice) }
        if store == nil, stages == nil, from == nil || models.count == 1 {
            let path = models[0]
            if isDatabase(path) {
                throw ValidationError(
                    "'\(path)' is a store; name the model, as in plan MODEL --store \(path)"
                )
            }
            if models.count > 2 {
                throw ValidationError("name the old version with --from, or a store with --store")
            }
        }
    }

    func run() throws {
        let bundles = try models.map {
            // Only rows and statements need all of a version.
            let isPartial = store == nil && stages == nil && !sql
            let bundle = try ModelPlace($0, swift: swift.settings).load(
                allowingGaps: isPartial,
                ofSwiftAlone: true
            ).requiringValues
            guard store == nil else { return bundle }
            return bundle.store(with: [from, to].compactMap(\.self)).mirrored(bundle.mirroredByApp)
        }.namingJoinTables(by: joinTable)
        let road = try NamedRoad(
            of: bundles,
            at: models.last,
            to: to,
            through: stages,
            mappings: NamedMappingModels(paths: mappingModels),
            joinTable: joinTable,
            swift: swift.settings
        )
        if let file = try store.map({ try StoreFile(path: $0) }) {
            let migrator = road.migrator.taking(file)
            guard migrator.stages == nil else {
                let checksum = try file.metadata().hashes.checksum
                return try planStages(road, bundles, from: checksum, of: file)
            }
            let migration = try migrator.migration(of: file, mayGoBack: true)
            return try show(migration, by: migrator, bundles, of: file)
        }
        if stages != nil { return try planStages(road, bundles, from: startOfStages(road)) }
        let source = try source(in: bundles)
        let migrator = road.migrator.taking(source)
        guard migrator.stages == nil else {
            return try planStages(road, bundles, from: source.checksum)
        }
        let migration = try migrator.prediction(from: source)
        try show(migration, by: migrator, bundles)
        guard bundles.contains(where: { $0.swift != nil }) else { return }
        try requireUnderstood(source, migration.destination ?? source)
    }

    /// The version to migrate from: the named one, or the previous one, which is printed.
    private func source(in bundles: [ModelBundle]) throws -> ModelVersion {
        if let from { return try bundles[0].chosenVersion(from) }
        if bundles.count == 2 { return try bundles[0].chosenVersion() }
        let source = try bundles[0].predecessor(of: bundles[0].chosenVersion(to))
        Console.note(each: ["from '\(source.name)', the previous version; --from names another"])
        return source
    }

    /// Shows a migration, with the answers of a store's rows where there is one.
    private func show(
        _ migration: Migration,
        by migrator: Migrator,
        _ bundles: [ModelBundle],
        of file: StoreFile? = nil
    ) throws {
        migrator.remarks(on: migration.route, isOfApp: true).forEach(Console.complain(text:))
        if let source = migration.source, let target = migration.destination,
            let versions = bundles.last?.versions,
            let start = versions.firstIndex(where: { $0.isSame(as: source) }),
            let end = versions.firstIndex(where: { $0.isSame(as: target) }), start > end
        {
            Console.complain("note: this goes back: '\(source.name)' comes after '\(target.name)'")
        }
        let findings = try file.map { try self.findings(of: migration, in: $0, bundles) }
        if let file, let findings,
            let advice = migrator.stepwiseAdvice(for: file, migration, against: findings)
        {
            Console.complain("note: \(advice)")
        }
        var reports = MigrationReport.reports(
            of: migration,
            store: store,
            findings: findings,
            showsSQL: sql
        )
        if !reports.isEmpty { reports[0].meant = try meant(by: migration, bundles) }
        if let file, !reports.isEmpty {
            let showsDamage = findings?.showsDamage == true
            reports[0].damage = try migration.damage(in: file, searchingAll: showsDamage)
            let rejections = try WorkDisplay.during("plan", unit: "entities") { progress in
                try migration.rejections(in: file, progress: progress)
            }
            if migration.route.isDirect || !rejections.isEmpty {
                reports[0].rejections = rejections
            }
            reports[0].room = try room(of: migration, for: file)
        }
        try output.deliver(sparing: inputs, MigrationPlanReport(reports).rendered)
        if file == nil, let source = migration.source, let target = migration.destination {
            Console.show(enumFindings(from: source, to: target).map(\.diagnostic))
        }
        if let findings { try judge(findings, of: migration, bundles) }
        if let fault = migration.source.flatMap(migrator.planFault) {
            throw CommandFailure(fault.isGuess ? .findings : .refused, [])
        }
        // Functions of stages may yet write other values.
        if reports.first?.rejections?.contains(where: \.isUnreadableInSwift) == true,
            migrator.unrunStages(on: migration.route).isEmpty
        {
            throw CommandFailure(.findings, [])
        }
        if file == nil, !migration.route.mappingModels.isEmpty { foretell(migration) }
        guard file == nil, let detour = migration.route.detour, !detour.losses.isEmpty else {
            return
        }
        Console.complain("note: the steps drop: \(detour.losses.joined(separator: ", "))")
    }

    /// Fails if the rows prevent the migration, or have what nobody allowed to be lost.
    private func judge(
        _ findings: [RowFinding],
        of migration: Migration,
        _ bundles: [ModelBundle]
    ) throws {
        guard findings.allSatisfy(\.isLoss) else { throw CommandFailure(.refused, []) }
        let agreement = try agreement(for: migration, bundles)
        guard findings.allSatisfy({ $0.isAccepted(by: agreement) }) else {
            throw CommandFailure(.findings, [])
        }
    }

    /// The losses that the configuration and the lock allow.
    private func agreement(
        for migration: Migration,
        _ bundles: [ModelBundle]
    ) throws -> LossAgreement {
        try configuredAgreement(at: models.last ?? stages)
            .union(NamedLosses(in: bundles).agreement(for: migration))
    }

    private func findings(
        of migration: Migration,
        in file: StoreFile,
        _ bundles: [ModelBundle]
    ) throws -> [RowFinding] {
        let steps = MigrationDisplay(of: migration, .changing)
        defer { steps.clear() }
        return try Interruptions.cancelling { cancellation in
            var options = MigrationOptions(cancellation: cancellation, progress: steps.progress)
            options.allowsPrograms = allowPrograms
            return try WorkDisplay.during("plan", unit: "checks") { progress in
                try migration.findings(in: file, options: options, progress: progress)
            }
        }.allowed(by: agreement(for: migration, bundles))
    }

    /// The space and time for a migration, printed beside the report, which is the same wherever it is made.
    private func room(
        of migration: Migration,
        for file: StoreFile
    ) throws -> MigrationReport.RoomLine {
        let room = try migration.room(for: file)
        let free = FileSystemRoom(at: file.path)?.free
        let line = MigrationReport.RoomLine(room, free: free)
        let words = free.map { "; \(byteWords($0)) are free" } ?? ""
        Console.complain(
            "note: takes about \(byteWords(room.inPlace)) in place and \(line.inPlaceSeconds) s, "
                + "\(byteWords(room.ofCopy)) as a new file and \(line.copySeconds) s, "
                + "with \(byteWords(room.memory)) of memory\(words)"
        )
        return line
    }

    private func meant(by migration: Migration, _ bundles: [ModelBundle]) throws -> [String]? {
        guard let bundle = bundles.last, let mapping = migration.steps.first?.mapping,
            migration.route.isDirect, let source = migration.source,
            let target = migration.destination
        else { return nil }
        let names = try namedLosses(from: source, to: target, mapping, in: bundle)
        return names.isEmpty ? nil : names
    }

    private var inputs: InputFiles { InputFiles(models + [store, stages].compactMap(\.self)) }

    /// Shows the steps through stages, by both semantics, with the answers of a store's rows.
    private func planStages(
        _ road: NamedRoad,
        _ bundles: [ModelBundle],
        from checksum: String?,
        of file: StoreFile? = nil
    ) throws {
        let migrator = road.migrator
        guard let stages = migrator.stages?.value, let path = migrator.stagesPath else { return }
        if let file { noteMissingChecksum(in: try file.metadata(), of: file.path) }
        guard let checksum, var plan = road.stagedPlan(from: checksum) else {
            let message = "no stage lists the version '\(from ?? to ?? "")'"
            throw CommandFailure(.refused, path, message, "unknown-version")
        }
        migrator.stageRemarks.forEach(Console.complain(text:))
        let rows =
            plan.isPossible ? try add(to: &plan, migrator, stages, from: checksum, of: file) : nil
        try output.deliver(sparing: inputs, plan.rendered)
        guard plan.isPossible, !road.keepsFromStarting else { throw CommandFailure(.refused, []) }
        guard let rows else { return }
        let owners = self.stages == nil ? bundles : stages.models
        try judge(rows.findings, of: rows.migration, owners)
        guard let file, stages.closures.isEmpty else { return }
        let values = try rows.migration.unreadableValues(in: file)
        Console.show(values)
        guard values.isEmpty else { throw CommandFailure(.findings, []) }
    }

    /// The checksum that the route through named stages begins with; without a version it begins where the list does.
    private func startOfStages(_ road: NamedRoad) -> String? {
        guard let stages = road.migrator.stages?.value else { return nil }
        guard let from else { return stages.manager.stages.first?.versions.first?.versionChecksum }
        return try? stages.checksum(of: from)
    }

    /// Adds the answers of a store's rows to the stages, which run on a copy, and the statements; without a store, says
    /// what the steps may lose.
    private func add(
        to plan: inout StagedPlanReport,
        _ migrator: Migrator,
        _ stages: Stages,
        from checksum: String,
        of file: StoreFile?
    ) throws -> (migration: Migration, findings: [RowFinding])? {
        let migrator = migrator.walking(plan.apple.steps == nil ? .stepwise : .apple)
        // Functions after the last step change none of the rows that it may fail on.
        let migration = try file.map { try migrator.migration(of: $0, mayGoBack: true) }
        let isDecided =
            stages.closures.isEmpty
            || migration.map { !stages.mayChangeRows(on: $0.route) } ?? false
        guard let file, let migration, isDecided else {
            if file != nil {
                Console.complain("note: the rows can only be checked by running the custom stages")
            }
            guard let source = stages.manager.version(checksum) else { return nil }
            let route = try migrator.route(from: source)
            let faults = route.steps.compactMap(route.fault)
            guard faults.isEmpty else { throw MomtoolError(.refused, saying: faults) }
            let prediction = Result { try migrator.prediction(from: source) }
            if sql { plan.addStatements(of: try prediction.get()) }
            if let migration = try? prediction.get() { foretell(migration) }
            return nil
        }
        let findings = try findings(of: migration, in: file, stages.models)
        let damage = try migration.damage(in: file, searchingAll: findings.showsDamage)
        plan.add(migration, findings: findings, damage: damage)
        if sql { plan.addStatements(of: migration, after: findings) }
        return (migration, findings)
    }

    /// Names what the versions drop, and says what only a store can tell.
    private func foretell(_ migration: Migration) {
        var names: [String] = []
        let left = migration.route.steps.flatMap { migration.route.lossesLeft(by: $0) }.map(\.name)
        let lost = migration.steps.compactMap(\.mapping).flatMap(\.losses).map { $0.names[0] }
        for name in lost + left where !names.contains(name) { names.append(name) }
        if !names.isEmpty {
            Console.complain("note: the steps may lose: \(names.joined(separator: ", "))")
        }
        let target = migration.destination?.model ?? ManagedObjectModel()
        let fatal = migration.steps.compactMap(\.mapping).flatMap(\.risks)
            .filter { $0.isFatal && !$0.isMetByCode(in: target) }.compactMap(\.names.last)
        if !fatal.isEmpty {
            let list = Set(fatal).sorted().joined(separator: ", ")
            Console.complain("note: the steps fail with 134110 if rows forbid it: \(list)")
        }
        if store == nil, migration.route.steps.contains(where: { !$0.kind.changesVersion }) {
            Console.complain("note: what the stages change is known only with --store")
        }
    }
}

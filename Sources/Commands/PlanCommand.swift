import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import Reporting
import StoreFormat
import StoreMigration

/// `momtool plan`: what a migration would do.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what a migration would do: mapping, tables, rows at risk and SQL.",
        discussion: """
            When Core Data refuses the direct step, plan shows the steps through other
            versions that lose the least data. When there are no such steps, it says which
            version would have to be added in between.

            EXAMPLE
              momtool plan Shop.xcdatamodeld --from V1 --to V3
              momtool plan Shop.xcdatamodeld --store Shop.sqlite --sql
              momtool plan --stages Stages.yml
            """
    )

    @Argument(
        help: "The model; more models may contain the version of the store.",
        completion: .model
    )
    var models: [String] = []

    @Option(
        help:
            "A stages file, or Swift sources with a plan; both --semantics are shown where they differ."
    )
    var stages: String?

    @Option(help: "The old version; that of the store when there is one.", completion: .version)
    var from: String?

    @Option(help: "The new version; the current one when left out.", completion: .version)
    var to: String?

    @Option(
        help: "A store; the plan then takes its tables and rows into account.",
        completion: .store
    )
    var store: String?

    @Flag(
        help: "Show each SQL statement and its purpose; with --store, those that this store needs."
    )
    var sql = false

    @OptionGroup var mappings: MappingModelOption

    @OptionGroup var joins: JoinTableOption

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: OutputOptions<TextFormats>

    func validate() throws {
        if models.isEmpty, stages == nil { throw ValidationError("name a model") }
        if store == nil, from == nil, stages == nil {
            throw ValidationError("name --from or --store")
        }
    }

    func run() throws {
        try Commands.run {
            let bundles = try joins.applied(
                to: models.map { try ModelArgument($0, swift.settings).load() }
            )
            if let stages { return try planStages(stages, bundles) }
            guard let store else {
                try planWithoutStore(bundles)
                return
            }
            let file = try StoreFile(path: store)
            let mappings = try mappings.read(for: models.last)
            let way = try Migrator(models: bundles, to: to, mappingModels: mappings)
                .way(of: file, mayGoBack: true)
            if case .staged(let migration) = way {
                return try show(migration, losing: findings(of: way, in: file))
            }
            if case .detour(let detour, _) = way {
                return try show(detour, losing: findings(of: way, in: file))
            }
            guard case .direct(let migration) = way else { return }
            self.mappings.noteUnnamed(
                beside: models.last,
                mappings,
                from: migration.source,
                to: migration.destination
            )
            var report = MigrationReport(
                from: migration.source.name,
                to: migration.destination.name,
                mapping: migration.mapping
            )
            report.meant = try meant(
                from: migration.source,
                to: migration.destination,
                migration.mapping,
                bundles
            )
            report.add(
                store: store,
                program: migration.program,
                findings: try findings(of: way, in: file),
                showsSQL: sql
            )
            let rejections = try WorkDisplay.during("plan", unit: "entities") { progress in
                try migration.rejections(in: file, progress: progress)
            }
            report.add(rejections: rejections)
            try output.deliver(sparing: inputs, report.rendered)
        }
    }

    /// What the rows of a store say to a way; shows how far the questions or the steps have come.
    private func findings(of way: MigrationWay, in file: StoreFile) throws -> [RowFinding] {
        let steps = StageDisplay(listsStages: false)
        defer { steps.clear() }
        var options = StagedRunOptions()
        options.progress = steps.show
        return try WorkDisplay.during("plan", unit: "checks") { progress in
            try way.findings(in: file, options: options, progress: progress)
        }
    }

    private func meant(
        from source: ModelVersion,
        to target: ModelVersion,
        _ mapping: InferredMapping,
        _ bundles: [ModelBundle]
    ) throws -> [String]? {
        guard let bundle = bundles.last else { return nil }
        let names = try namedLosses(from: source, to: target, mapping, in: bundle)
        return names.isEmpty ? nil : names
    }

    private var inputs: InputFiles {
        InputFiles(models + [store, stages].compactMap(\.self))
    }

    private func planStages(_ path: String, _ bundles: [ModelBundle]) throws {
        let stages = try loadStages(
            path,
            models: bundles,
            swift.settings,
            mappings.read(for: models.last)
        )
        // Without a version the way begins where the list does.
        let first = stages.manager.stages.first?.versions.first?.versionChecksum
        var checksum = from == nil ? first : from.flatMap { try? stages.checksum(of: $0) }
        if let store {
            let metadata = try StoreFile(path: store).metadata()
            checksum = metadata.hashes.checksum
            noteMissingChecksum(in: metadata, of: store)
        }
        let target = to.map { try? stages.checksum(of: $0) } ?? stages.lastChecksum
        guard let checksum, let target else {
            let message = "no stage lists the version '\(to ?? from ?? "")'"
            throw CommandFailure(.refused, path, message, "unknown-version")
        }
        let plan = StagedPlanReport(stages.manager, from: checksum, to: target)
        try output.deliver(sparing: inputs, plan.rendered)
        guard plan.isPossible else { throw CommandFailure(.refused, []) }
        if let store { try showRows(of: store, stages, to: target) }
        if sql { try showStatements(of: stages, from: checksum, to: target) }
    }

    /// Says what the rows of a store say to the stages, which are taken on a copy.
    private func showRows(of store: String, _ stages: Stages, to target: String) throws {
        guard stages.closures.isEmpty else {
            Console.complain("note: the rows can only be checked by running the custom stages")
            return
        }
        let file = try StoreFile(path: store)
        let migration = try StagedStoreMigration(
            of: file,
            by: stages.manager.namingJoinTables(by: joins.joinTable),
            works: stages.works,
            to: target
        )
        let findings = try findings(of: .staged(migration), in: file).map(\.description)
        let parts = [
            ("rows", findings), ("indexes and triggers", migration.abandoned.map(\.description)),
            ("join tables", migration.uncertain.map(\.description)),
        ]
        for (title, lines) in parts where !lines.isEmpty {
            Console.say("\n\(title)\n" + lines.map { "  \($0)" }.joined(separator: "\n"))
        }
    }

    private func showStatements(
        of stages: Stages,
        from checksum: String,
        to target: String
    ) throws {
        let plan = try stages.manager.plan(from: checksum, to: target, semantics: .apple)
        for (step, program) in zip(plan.steps, try plan.programs(works: stages.works)) {
            guard let program else { continue }
            Console.say("\n-- \(plan.title(of: step, in: stages.manager))")
            Console.say(MigrationReport.statements(of: program))
        }
    }

    private func planWithoutStore(_ bundles: [ModelBundle]) throws {
        let versions = try StoreVersions(bundles, to: to)
        let destination = versions.destination
        let source = try bundles[0].chosenVersion(from)
        let mappings = try mappings.read(for: models.last)
        if let mapped = try mappings.map(from: source, to: destination) {
            let title = fileURL(mapped.path).lastPathComponent
            let report = MigrationReport(from: source.name, to: destination.name, by: title)
            return try output.deliver(sparing: inputs, report.rendered)
        }
        self.mappings.noteUnnamed(beside: models.last, mappings, from: source, to: destination)
        let mapping = inferMapping(from: source, to: destination)
        guard mapping.isInferable else {
            try show(versions.detour(from: source))
            return
        }
        var report = MigrationReport(from: source.name, to: destination.name, mapping: mapping)
        report.meant = try meant(from: source, to: destination, mapping, bundles)
        if sql {
            report.add(try MigrationProgram(from: source, to: destination), showsSQL: true)
        }
        try output.deliver(sparing: inputs, report.rendered)
    }

    /// Shows the steps of a way by mapping models.
    private func show(
        _ migration: StagedStoreMigration,
        losing findings: [RowFinding]
    ) throws {
        var reports = zip(migration.plan.steps, migration.programs).compactMap {
            step,
            program -> MigrationReport? in
            switch step {
            case .map(let plan, let stage):
                let (from, to) = (plan.source.name, plan.destination.name)
                let title = migration.manager.stages[stage].title
                var report = MigrationReport(from: from, to: to, by: title)
                report.add(program, showsSQL: sql)
                return report
            case .migrate(let plan, _):
                let (from, to) = (plan.source.name, plan.destination.name)
                var report = MigrationReport(from: from, to: to, mapping: plan.mapping)
                report.add(program, showsSQL: sql)
                return report
            case .willMigrate, .didMigrate: return nil
            }
        }
        if !reports.isEmpty {
            reports[0].store = store
            reports[0].add(findings)
        }
        try output.deliver(sparing: inputs) { [reports] format in
            let texts = reports.map { $0.rendered(as: format) }
            guard format == .json else { return texts.joined(separator: "\n\n") }
            return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ",\n"))]"
        }
    }

    /// Shows the steps of a way around a refused step.
    ///
    /// - Parameters:
    ///   - detour: the way.
    ///   - findings: what the rows of a store say to it; `nil` without one.
    /// - Throws: `CommandFailure` for a report that cannot be delivered.
    private func show(
        _ detour: VersionGraph.Detour,
        losing findings: [RowFinding]? = nil
    ) throws {
        Console.complain("note: \(detour.reason)")
        if sql { Console.complain("note: statements are only shown for a single step") }
        var reports = detour.plans.map { plan in
            MigrationReport(
                from: plan.source.name,
                to: plan.destination.name,
                mapping: plan.mapping
            )
        }
        // Which of the steps loses what is told at the first one, where the store is.
        if let findings, !reports.isEmpty { reports[0].add(findings) }
        try output.deliver(sparing: inputs) { [reports] format in
            let texts = reports.map { $0.rendered(as: format) }
            return format == .json
                ? "[\(texts.joined(separator: ",\n"))]" : texts.joined(separator: "\n\n")
        }
        guard !detour.losses.isEmpty, findings == nil else { return }
        let dropped = detour.losses.joined(separator: ", ")
        Console.complain("note: the steps drop: \(dropped)")
    }
}

public import Diagnostics
package import MappingInference
package import MigrationPlanning
import ModelHashing
public import ObjectModel
import SQLiteAccess
package import StoreFormat

/// The planned migration of one store: its steps, worked out for its contents.
///
/// There is one kind, whether it is an inferred step, a detour, a list of stages or mapping models. It can be read and
/// printed before anything is done (``steps``). `Migrator` makes it, asks the rows what it loses, and carries it out.
///
/// ```swift
/// let migration = try Migrator(Model("Shop.xcdatamodeld")).migration(of: Store("Shop.sqlite"))
/// for step in migration.steps { print(step.title, step.statements) }
/// for warning in migration.diagnostics { print(warning.message, warning.advice) }
/// ```
public struct Migration: Sendable {
    /// One step and what is known about it.
    public struct Step: Sendable {
        /// What carries it out.
        enum Work: Sendable {
            case program(StepProgram)
            case stage(StageWork)
        }

        package let step: RouteStep
        /// Describes the step in a line, such as `lightweight V1 → V2`; for a custom stage by its label, such as `Split
        /// names: before the step`.
        public let title: String
        /// The path of the mapping model that the step follows; `nil` for none.
        public let mappingModel: String?
        let work: Work
        let layout: StoreLayout
        /// What the rows gave: those of no entity are removed first.
        var findings: [RowFinding] = []

        var stepProgram: StepProgram? { if case .program(let own) = work { own } else { nil } }

        /// What inference finds between the two versions, with its risks and losses; `nil` for the work of a stage.
        package var mapping: InferredMapping? { stepProgram?.mapping }

        /// What is done to the store; `nil` for the work of a stage, a script or Swift code.
        package var program: MigrationProgram? { stepProgram?.program(after: findings) }

        package var questions: [RowQuestion] { stepProgram?.questions ?? [] }
    }

    package let route: MigrationRoute
    /// The steps, in order; empty when there is nothing to do.
    public let steps: [Step]
    /// Set aside the triggers without a derived attribute while several steps or code run: a script must do what it
    /// says, and nothing else.
    let asides: [SchemaChange]
    /// Restore those that can stay.
    let restorations: [SchemaChange]
    /// Triggers that are not Core Data's and cannot stay, given the steps that run while they are set aside; and tables of
    /// unknown models.
    private(set) var abandoned: [AbandonedObject]
    let additions: [AbandonedObject]
    /// Further findings about the route, such as mapping models that are not used.
    package var remarks: [Diagnostic] = []

    /// Works out the steps of a route for a store.
    ///
    /// Throws when Core Data would refuse a step, when a map cannot be carried out, or when the store does not have the
    /// layout of its model.
    package init(of store: StoreFile, along route: MigrationRoute) throws(StoreMigrationError) {
        let contents = try storeErrors(StoreContents(of: store))
        try self.init(of: contents, along: route)
    }

    init(of contents: StoreContents, along route: MigrationRoute) throws(StoreMigrationError) {
        guard let first = route.steps.first else {
            self.init(doingNothingAlong: route)
            return
        }
        let state = try StoreState(contents, at: first.source.model)
        try self.init(along: route, state)
        try requireRoom(for: programs, in: state, of: contents.path)
    }

    /// Works out what a route does to a fresh store of Core Data's, without one.
    ///
    /// A store that was migrated before bears traces of its past, so that it may need other steps.
    package init(predictedAlong route: MigrationRoute) throws(StoreMigrationError) {
        guard let first = route.steps.first else {
            self.init(doingNothingAlong: route)
            return
        }
        let layout = StoreLayout(model: first.source.model)
        let state = StoreState(schema: StoreSchema(layout), layout: layout, frameworkVersion: nil)
        try self.init(along: route, state)
    }

    private init(doingNothingAlong route: MigrationRoute) {
        self.route = route
        (steps, asides, restorations, abandoned, additions) = ([], [], [], [], [])
    }

    private init(along route: MigrationRoute, _ state: StoreState) throws(StoreMigrationError) {
        self.route = route
        additions = state.schema.foreignObjects(state.layout)
        guard !route.isDirect else {
            // The program of a single step sets aside what is in its own way.
            steps = try route.steps(from: state)
            (asides, restorations) = ([], [])
            abandoned = []
            return
        }
        var state = state
        let triggers = state.schema.removeForeignTriggers(state.layout)
        steps = try route.steps(from: state)
        let programs = steps.compactMap(\.program)
        let settling = ForeignObjects(
            from: state.layout,
            to: programs.last?.layout ?? state.layout,
            without: programs.flatMap(\.abandoned)
        )
        (restorations, abandoned) = settling.settle(triggers)
        asides = triggers.map { .dropTrigger($0.name, of: $0.table) }
    }

    /// Returns the migration with the removed tables of entities that no given model has: they may be another's.
    ///
    /// Rows of such a table are counted anyway; the migration asks about the table if it has none.
    package func guardingTables(of store: StoreFile, besides known: Set<String>) -> Migration {
        var copy = self
        for mapping in steps.first?.mapping?.entityMappings ?? [] where mapping.kind == .remove {
            guard let name = mapping.sourceEntity, !known.contains(name),
                let table = steps.first?.layout.table(of: name), table.rootEntity == name,
                let rows = try? store.connection.rows(
                    "SELECT 1 FROM \(quotedIdentifier(table.name)) LIMIT 1"
                ), rows.isEmpty
            else { continue }
            copy.abandoned.append(
                AbandonedObject(
                    kind: .table,
                    name: table.name,
                    table: table.name,
                    reason:
                        "no version of the model has '\(name)'; if the app merges models, name all of them"
                )
            )
        }
        return copy
    }

    /// The steps for a store whose rows gave these findings: rows of no entity are removed first.
    package func steps(after findings: [RowFinding]) -> [Step] {
        steps.map { step in
            var step = step
            step.findings = findings
            return step
        }
    }

    package var programs: [MigrationProgram] { steps.compactMap(\.program) }

    /// The version that the store was made with; `nil` when no model of it is known.
    public var source: ModelVersion? { route.source }

    /// The version that the store gets; `nil` when no model of it is known.
    public var destination: ModelVersion? { route.destination }

    /// What is uncertain about the migration, remarks about its stages, and the mapping models that it does not use.
    ///
    /// These are warnings and notes, none of which prevents a run. Losses of rows are checked separately.
    public var diagnostics: [Diagnostic] { uncertain.map(\.diagnostic) + remarks }

    /// Join tables of the last version that Core Data may look for under another name.
    package var uncertain: [UncertainJoinTable] {
        let last = programs.last?.layout.joinTables.map(\.name) ?? []
        var known: Set<String> = []
        return programs.reversed().flatMap(\.uncertain).filter { table in
            last.contains(table.table) && known.insert(table.table).inserted
        }
    }

    /// What is lost with the triggers that are set aside and cannot be restored.
    var abandonedFindings: [RowFinding] {
        guard let layout = steps.first?.layout else { return [] }
        return abandoned.map { RowFinding(RowQuestion($0, layout), count: 1, examples: []) }
    }

    /// The only step, where it is one that Core Data infers; `nil` for every other route.
    var directStep: StepProgram? { route.isDirect ? steps[0].stepProgram : nil }
}

extension Migration: CustomStringConvertible {
    /// The versions and the steps between them on one line, such as `V1 → V3: lightweight V1 → V2; lightweight V2 → V3`.
    public var description: String {
        let ends = [source, destination].map { $0?.name ?? "unknown version" }
        let titles = route.steps.map(route.title).joined(separator: "; ")
        return "\(ends.joined(separator: " → ")): \(titles.isEmpty ? "nothing to do" : titles)"
            .onOneLine
    }
}

extension Migration.Step: CustomStringConvertible {
    /// The title.
    public var description: String { title.onOneLine }
}

extension Migration {
    /// Works out the migration of a store in one step, as Core Data infers it; `source` has the hashes of the store.
    package init(
        of store: StoreFile,
        from source: ModelVersion,
        to destination: ModelVersion
    ) throws(StoreMigrationError) {
        let route = MigrationRoute(from: source, to: destination)
        try self.init(of: store, along: route)
    }

    /// Works out the migration of a store by a list of stages.
    ///
    /// `works`, by the index of the stage, decides which parts a custom stage has. `target` is a checksum; `nil` means
    /// the last version listed.
    package init(
        of store: StoreFile,
        by manager: StagedMigrationManager,
        works: [Int: CustomStageWork] = [:],
        policies: MigrationPolicies = MigrationPolicies(),
        to target: String? = nil,
        semantics: StageSemantics = .apple
    ) throws(StoreMigrationError) {
        let contents = try storeErrors(StoreContents(of: store))
        let route = try MigrationRoute(
            by: manager,
            works: works,
            policies: policies,
            from: contents.metadata.hashes.checksum,
            to: target,
            semantics: semantics
        )
        try self.init(of: contents, along: route)
    }
}

extension StoreSchema {
    fileprivate mutating func removeForeignTriggers(_ layout: StoreLayout) -> [SchemaObject] {
        let spatial = layout.spatialIndexes.flatMap(\.triggers)
        let own = Set((layout.triggers + spatial).map(\.sql))
        let changing = ChangingTables(layout)
        let foreign = triggers.filter { changing.contains($0.table) && !own.contains($0.sql) }
        triggers.removeAll { foreign.contains($0) }
        return foreign
    }
}

/// The migrations to one version, each worked out once for all stores with the same layout.
///
/// Working out a migration takes longer than carrying it out on a small store. Safe to use from several threads.
package final class MigrationMemo: Sendable {
    private let destination: ModelVersion
    private let known = Locked<[Basis: Migration]>([:])

    package init(to destination: ModelVersion) { self.destination = destination }

    /// Returns the migration of a store, which may be that of an earlier one; `source` has the hashes of the store.
    package func migration(
        of store: StoreFile,
        from source: ModelVersion
    ) throws(StoreMigrationError) -> Migration {
        let basis = try storeErrors(Basis(store, source))
        if let migration = known.withLock({ $0[basis] }) { return migration }
        let contents = try storeErrors(StoreContents(of: store))
        let route = MigrationRoute(from: source, to: destination)
        let migration = try Migration(of: contents, along: route)
        known.withLock { $0[basis] = migration }
        return migration
    }
}

/// All that a migration depends on besides the models.
private struct Basis: Hashable {
    private let source: String
    private let sourcePath: String
    /// Versions may share a name; a remembered migration retains its version, and so this identity.
    private let sourceModel: ObjectIdentifier
    private let hashes: ModelHashes
    private let frameworkVersion: Int?
    private let schema: RowBytes

    init(_ store: StoreFile, _ source: ModelVersion) throws(StoreError) {
        (self.source, sourcePath) = (source.name, source.path)
        sourceModel = ObjectIdentifier(source.memo)
        let metadata = try store.metadata()
        hashes = metadata.hashes
        frameworkVersion = metadata.frameworkVersion
        schema = try StoreSchema.bytes(of: store.connection)
    }
}

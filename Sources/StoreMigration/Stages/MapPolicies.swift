import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat

/// One entity mapping that a policy carries out.
struct PolicyRun {
    /// The statements that make one object: find its key, insert it, and count the keys up.
    struct InstanceStatements {
        var key: String
        var insertion: String
        var counting: String
    }

    let place: Int
    let map: StageMap.EntityMap
    let policy: any EntityMigrationPolicy
    /// What the mapping says of values and links; `nil` when it leads from or to no entity.
    let target: MapTarget?
    /// The condition on the objects of the source's view; `nil` when there is no source.
    let sourceCondition: String?
    let instanceStatements: InstanceStatements?

    init(
        _ map: StageMap.EntityMap,
        _ policy: any EntityMigrationPolicy,
        place: Int,
        _ target: MapTarget?,
        _ migration: MapMigration
    ) throws(MapFault) {
        self.map = map
        self.policy = policy
        self.place = place
        self.target = target
        let source = migration.source
        sourceCondition = try map.source.map { name throws(MapFault) in
            guard let entity = source.graph.entity(name) else {
                throw MapFault(reason: "the old version has no entity '\(name)'")
            }
            let condition = try source.condition(of: map, on: entity)
            return "objectID IN (SELECT s.Z_PK FROM \(try source.table(of: entity)) AS s "
                + "WHERE \(condition))"
        }
        instanceStatements = target.map { target in
            let root = migration.layout.number(of: target.table.rootEntity) ?? 0
            let cells =
                [("Z_PK", "?1"), ("Z_ENT", String(target.number)), ("Z_OPT", "1")] + target.cells
            return InstanceStatements(
                key: "SELECT Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(root)",
                insertion: "INSERT INTO \(quotedIdentifier(target.table.name)) "
                    + "(\(columnList(cells.map(\.0)))) "
                    + "SELECT \(cells.map(\.1).joined(separator: ", ")) "
                    + "FROM \(source.table(target.sourceTable.name)) AS s "
                    + "WHERE s.Z_PK = ?2 AND \(target.condition) RETURNING Z_PK",
                counting: "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = \(root)"
            )
        }
    }
}

/// Carries out the entity mappings that have a policy, beside the others.
struct MapPolicies {
    private let runs: [PolicyRun]
    private let connection: SQLiteConnection
    private let migration: MapMigration
    private let source: StageSession
    private let destination: StageSession
    private let manager: MigrationManager

    /// Makes the views of both versions and the tables that keep what came of what.
    init(
        _ migration: MapMigration,
        on connection: SQLiteConnection,
        _ deadline: ScriptDeadline
    ) throws(StoreError) {
        self.migration = migration
        self.connection = connection
        runs = migration.policyRuns
        destination = StageSession(
            connection,
            ModelViews(model: migration.plan.destination.model, layout: migration.layout)
        )
        source = StageSession(
            connection,
            ModelViews(
                model: migration.plan.source.model,
                layout: migration.source.layout,
                prefix: "old_",
                tableNames: migration.source.names
            ),
            destination.scriptGuard
        )
        for statement in source.views.statements + destination.views.statements {
            try connection.execute(statement)
        }
        var places: [String: Int] = [:]
        for target in migration.targets.reversed() { places[target.map.name] = target.place }
        for run in runs.reversed() {
            places[run.map.name] = run.place
            try Self.makeTables(of: run, on: connection)
        }
        manager = MigrationManager(
            runs: runs,
            places: places,
            sourceContext: StoreContext(source, deadline),
            destinationContext: StoreContext(destination, deadline),
            session: destination
        )
    }

    /// Makes the tables of what became of what, and of what a policy leaves to the mapping.
    private static func makeTables(
        of run: PolicyRun,
        on connection: SQLiteConnection
    ) throws(StoreError) {
        for table in [MapTarget.objects(run.place), MapTarget.related(run.place)] {
            let name = table.replacing("temp.", with: "")
            try connection.execute(
                "CREATE TABLE \(table) (source INTEGER NOT NULL, destination INTEGER NOT NULL)"
            )
            for column in ["source", "destination"] {
                try connection.execute(
                    "CREATE INDEX temp.\(name)_\(column) ON \(name) (\(column))"
                )
            }
        }
    }

    /// Calls the hooks up to the end of the making of objects.
    func createInstances() throws(StoreMigrationError) {
        try guarded { run in
            try run.policy.begin(run.map, with: manager)
            if let entity = run.map.source {
                try manager.sourceContext.fetch(entity, where: run.sourceCondition) { object in
                    try run.policy.createDestinationInstances(
                        forSource: object,
                        in: run.map,
                        manager: manager
                    )
                }
            }
            try run.policy.endInstanceCreation(forMapping: run.map, manager: manager)
        }
    }

    /// Calls the hooks from the making of links to the end.
    func createRelationships() throws(StoreMigrationError) {
        try guarded { run in
            try createRelationships(run)
            try run.policy.endRelationshipCreation(forMapping: run.map, manager: manager)
        }
        try guarded { run in
            try run.policy.performCustomValidation(forMapping: run.map, manager: manager)
        }
        try guarded { run in try run.policy.end(run.map, manager: manager) }
    }

    /// Removes the views again.
    func end() throws(StoreError) {
        manager.close()
        for statement in source.views.removal + destination.views.removal {
            try connection.execute(statement)
        }
    }

    private func createRelationships(_ run: PolicyRun) throws {
        if let entity = run.map.destination {
            let sql =
                "SELECT DISTINCT destination FROM \(MapTarget.objects(run.place)) ORDER BY 1"
            for row in try connection.rows(sql) {
                guard let id = row.first?.integer,
                    let object = try manager.destinationContext.object(entity, id)
                else { continue }
                try run.policy.createRelationships(
                    forDestination: object,
                    in: run.map,
                    manager: manager
                )
            }
        }
        guard let target = run.target else { return }
        try destination.scriptGuard.trusting { () throws(StoreError) in
            try MapLinks(migration: migration, connection: connection)
                .run(target, owners: MapTarget.related(run.place))
        }
    }

    /// Runs code of policies, which may do to the store what scripts may.
    private func guarded(_ body: (PolicyRun) throws -> Void) throws(StoreMigrationError) {
        connection.setGuard(destination.scriptGuard)
        defer { connection.setGuard(nil) }
        for run in runs {
            do {
                try body(run)
            } catch let error as StoreError {
                throw .store(error)
            } catch {
                throw .handler(
                    stage: migration.stage,
                    reason: "the policy '\(run.map.policyName ?? "")': \(error)"
                )
            }
        }
    }
}

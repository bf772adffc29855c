import Diagnostics
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat

struct PolicyRun {
    let program: PolicyProgram
    let map: StageMap.EntityMap
    let policy: any EntityMigrationPolicy

    var place: Int { program.place }
}

/// Carries out the entity mappings that have a policy, beside the others.
struct MapPolicies {
    private let runs: [PolicyRun]
    private let connection: SQLiteConnection
    private let stage: String
    private let source: StageSession
    private let destination: StageSession
    private let manager: MigrationManager
    private let inspection: StageInspection
    let reads = ReadRecord()

    /// Makes the views of both versions; the old objects of the store are in tables that were set aside.
    init(_ program: StepProgram, in execution: MigrationExecution) throws(StoreError) {
        (connection, stage) = (execution.connection, execution.stage)
        runs = program.policyRuns
        let layout = program.program.layout
        inspection = StageInspection(connection, layout, ofLinksAlone: true)
        destination = StageSession(
            connection,
            ModelViews(layout),
            execution.deadline,
            inspection: inspection,
            isRehearsal: execution.options.isRehearsal
        )
        source = StageSession(
            connection,
            ModelViews(program.sourceLayout, prefix: "old_", tableNames: program.oldNames),
            execution.deadline,
            destination.scriptGuard,
            isRehearsal: execution.options.isRehearsal
        )
        for statement in source.views.statements + destination.views.statements {
            try connection.execute(statement)
        }
        manager = MigrationManager(
            runs: runs,
            places: program.places,
            sourceContext: StoreContext(source, reads: reads),
            destinationContext: StoreContext(destination),
            session: destination
        )
    }

    func createInstances() throws(StoreMigrationError) {
        try guarded { run in
            try run.policy.begin(run.map, with: manager)
            if let entity = run.map.source {
                try manager.sourceContext.handOver(entity, where: run.program.sourceCondition) {
                    object in
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

    /// Finds the old objects that code received and associated nothing with, by entity; none where code may take any.
    func leftOut(of step: StepProgram) throws(StoreMigrationError) -> [CodeOutcome.LeftOut] {
        guard runs.allSatisfy({ $0.map.source != nil }) else { return [] }
        let others = step.entityMappings.filter {
            $0.policyName == nil && $0.destinationEntity != nil
        }
        let taken = Set(others.compactMap(\.sourceEntity))
        let layout = step.sourceLayout
        var found: [CodeOutcome.LeftOut] = []
        for entity in layout.entities.map(\.name) where !taken.contains(entity) {
            let places = runs.filter { $0.map.source == entity }.map(\.place)
            guard !places.isEmpty, let table = layout.table(of: entity) else { continue }
            let made = places.map { "SELECT source FROM \(PolicyProgram.objects($0))" }
                .joined(separator: " UNION ALL ")
            let rows = RowQuestion.CountedRows(
                table: step.oldNames[table.name] ?? table.name,
                entity: layout.number(of: entity),
                condition: "s.Z_PK NOT IN (\(made))"
            )
            let question = RowQuestion(RowRisk(.objectsLeftOut(by: .code), of: entity), rows)
            for finding in try rowFindings(of: [question], on: connection) {
                let made = try storeErrors(connection.value("SELECT EXISTS (\(made))")?.integer)
                found.append(CodeOutcome.LeftOut(finding: finding, isWhole: made == 0))
            }
        }
        return found
    }

    /// The links that code took from other objects, besides those of the map, which are counted when all is written.
    func movedLinks(of step: StepProgram) throws(StoreMigrationError) -> [RowFinding] {
        let meant = Set(step.program.writtenQuestions.flatMap(\.otherNames))
        return try inspection.lost().filter { meant.isDisjoint(with: $0.names) }
    }

    func end() throws(StoreError) {
        manager.close()
        for statement in source.views.removal + destination.views.removal {
            try connection.execute(statement)
        }
    }

    private func createRelationships(_ run: PolicyRun) throws {
        if let entity = run.map.destination {
            let sql =
                "SELECT DISTINCT destination FROM \(PolicyProgram.objects(run.place)) ORDER BY 1"
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
        try destination.scriptGuard.trusting { () throws(StoreError) in
            for step in run.program.linkSteps { try connection.execute(step.sql) }
        }
    }

    /// Runs the code of policies under the same restrictions as scripts.
    private func guarded(_ body: (PolicyRun) throws -> Void) throws(StoreMigrationError) {
        connection.setGuard(destination.scriptGuard)
        defer { connection.setGuard(nil) }
        for run in runs {
            do { try body(run) } catch let error as StoreError { throw .store(error) } catch {
                throw .handler(
                    stage: stage,
                    reason: "the policy '\(run.map.policyName ?? "")': \(error)",
                    thrown: ThrownError(error)
                )
            }
        }
    }
}

/// Which old properties the code of policies has read: values that it has not read are not carried over.
final class ReadRecord: Sendable {
    private struct Property: Hashable {
        var entity: String
        var name: String
    }

    /// What was read; `nil` where that may be anything.
    private let properties = Locked<Set<Property>?>([])

    /// Notes that a property was read, by the entity that the object was requested as.
    func note(_ name: String, of entity: String) {
        properties.withLock { _ = $0?.insert(Property(entity: entity, name: name)) }
    }

    /// Notes that the code ran SQL of its own, which may read anything.
    func noteStatement() { properties.withLock { $0 = nil } }

    /// Whether a property may have been read for objects of an entity, or for a parent or sub-entity.
    func mayHold(_ name: String, of entity: String, _ graph: ModelGraph) -> Bool {
        properties.withLock { known in
            known?.contains { $0.name == name && graph.areKin($0.entity, entity) } ?? true
        }
    }
}

extension ModelGraph {
    fileprivate func areKin(_ first: String, _ second: String) -> Bool {
        guard let one = entity(first), let other = entity(second) else { return false }
        return isEntity(one, kindOf: other) || isEntity(other, kindOf: one)
    }
}

import Diagnostics
import MappingInference
import MigrationPlanning
import ModelCompiling
import ObjectModel
import PropertyLists
import RowExchange
import SQLiteAccess
import StoreFormat

/// A step by value expressions: the objects of the new version are made anew of those of the old one.
///
/// The old tables stand aside under other names, the new ones are filled from them, and the old ones go, all in the
/// transaction of the migration. Objects keep their keys where each comes of one object.
struct MapMigration {
    let plan: MigrationPlan
    let stage: String
    let source: MapSource
    let graph: ModelGraph
    let correspondence: EntityCorrespondence
    /// The mappings that are carried out by SQL.
    private(set) var targets: [MapTarget] = []
    /// The mappings that a policy carries out, in their order.
    private(set) var policyRuns: [PolicyRun] = []

    /// The layout of the new version.
    var layout: StoreLayout { correspondence.destination }

    init(
        of store: StoreFile,
        _ plan: MigrationPlan,
        _ map: StageMap,
        policies: MigrationPolicies = MigrationPolicies(),
        stage: String
    ) throws(StoreMigrationError) {
        self.plan = plan
        self.stage = stage
        let (version, sourceLayout, missing) = try storeErrors { () throws(StoreError) in
            let metadata = try store.metadata()
            let layout = storedLayout(of: plan.source.model, metadata, try store.schema())
            let missing = try StoreSchema(store.connection).missing(from: layout)
            return (metadata.frameworkVersion, layout, missing)
        }
        guard missing.isEmpty else {
            throw .unexpectedLayout(path: store.path, missing: missing)
        }
        source = MapSource(model: plan.source.model, layout: sourceLayout)
        graph = ModelGraph(plan.destination.model)
        correspondence = EntityCorrespondence(
            mapping: plan.mapping,
            sourceModel: plan.source.model,
            destinationModel: plan.destination.model,
            source: sourceLayout,
            frameworkVersion: version
        )
        var faults: [Diagnostic] = []
        for (place, entity) in completed(map).enumerated() {
            do throws(MapFault) {
                try add(entity, place: place, policies)
            } catch {
                let message = "the mapping '\(entity.name)' cannot be carried out: \(error.reason)"
                faults.append(Diagnostic("unsupported-map", message, element: entity.destination))
            }
        }
        guard faults.isEmpty else { throw .map(stage: stage, faults) }
        chooseKeys()
    }

    private mutating func add(
        _ entity: StageMap.EntityMap,
        place: Int,
        _ policies: MigrationPolicies
    ) throws(MapFault) {
        let inferred = plan.mapping.entityMappings.first {
            $0.sourceEntity == entity.source && $0.destinationEntity == entity.destination
        }
        let target = try MapTarget(
            entity,
            place: place,
            from: source,
            to: layout,
            graph,
            inferred: inferred
        )
        guard let name = entity.policyName else {
            if let target { targets.append(target) }
            return
        }
        guard let policy = policies[name] else {
            throw MapFault(reason: "no Swift policy is registered under the name '\(name)'")
        }
        policyRuns.append(try PolicyRun(entity, policy, place: place, target, self))
    }

    /// Adds the entities that a map does not speak of, as inference matches them.
    private func completed(_ map: StageMap) -> [StageMap.EntityMap] {
        guard map.copiesRest else { return map.entities }
        let reached = Set(map.entities.compactMap(\.destination))
        let deleted = Set(map.entities.filter { $0.destination == nil }.compactMap(\.source))
        let rest = plan.mapping.entityMappings.compactMap { mapping -> StageMap.EntityMap? in
            guard let source = mapping.sourceEntity, let destination = mapping.destinationEntity,
                !reached.contains(destination), !deleted.contains(source)
            else { return nil }
            let isAbstract = graph.entity(destination)?.isAbstract == true
            return isAbstract
                ? nil
                : StageMap.EntityMap(source: source, destination: destination)
        }
        return rest + map.entities
    }

    /// Lets the objects of one old table keep their keys in each new one, those that come first.
    private mutating func chooseKeys() {
        var owners: [String: String] = [:]
        var used: [String: Set<String>] = [:]
        for place in targets.indices where targets[place].map.findOrCreateKeys.isEmpty {
            let target = targets[place]
            let owner = owners[target.table.name, default: target.sourceTable.name]
            owners[target.table.name] = owner
            let isFirst = used[target.table.name, default: []].insert(target.source.name).inserted
            targets[place].keepsKeys = owner == target.sourceTable.name && isFirst
        }
        // Keys that are kept are taken first; objects that are looked for come last.
        let sorted =
            targets.filter(\.keepsKeys)
            + targets.filter { !$0.keepsKeys && $0.map.findOrCreateKeys.isEmpty }
            + targets.filter { !$0.map.findOrCreateKeys.isEmpty }
        targets = sorted
    }

    /// Carries the step out on an open database inside a transaction.
    func run(
        on connection: SQLiteConnection,
        _ deadline: ScriptDeadline
    ) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            try registerFoldings(on: connection)
            let schema = try StoreSchema(connection)
            try setAside(schema, on: connection)
            try createObjects(of: layout, on: connection)
            for step in systemSteps(correspondence, schema: schema) {
                try connection.execute(step.sql)
            }
            try MapObjects(migration: self, connection: connection).run()
            try countKeys(on: connection)
        }
        try makeLinks(on: connection, deadline)
        try storeErrors { () throws(StoreError) in
            for name in source.names.values.sorted() {
                try connection.execute("DROP TABLE IF EXISTS \(name)")
            }
            try countKeys(on: connection)
        }
        try finish(
            connection,
            version: plan.destination,
            archive: compileModel(plan.destination.model).value.binaryData,
            layout: layout
        )
    }

    private func makeLinks(
        on connection: SQLiteConnection,
        _ deadline: ScriptDeadline
    ) throws(StoreMigrationError) {
        func links() throws(StoreMigrationError) {
            try storeErrors { () throws(StoreError) in
                try MapLinks(migration: self, connection: connection).run()
            }
        }
        guard !policyRuns.isEmpty else { return try links() }
        let policies = try storeErrors { () throws(StoreError) in
            try MapPolicies(self, on: connection, deadline)
        }
        try policies.createInstances()
        try links()
        try policies.createRelationships()
        try storeErrors { () throws(StoreError) in try policies.end() }
    }

    /// Lets `Z_PRIMARYKEY` know the greatest key of every table.
    private func countKeys(on connection: SQLiteConnection) throws(StoreError) {
        for table in layout.tables {
            let number = layout.number(of: table.rootEntity) ?? 0
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, (SELECT COALESCE(max(Z_PK), 0) FROM "
                    + "\(quotedIdentifier(table.name)))) WHERE Z_ENT = \(number)"
            )
        }
    }

    /// Gives the old tables other names, and removes what would get in the way of the new ones.
    private func setAside(
        _ schema: StoreSchema,
        on connection: SQLiteConnection
    ) throws(StoreError) {
        for trigger in schema.triggers {
            try connection.execute("DROP TRIGGER IF EXISTS \(quotedIdentifier(trigger.name))")
        }
        for index in schema.indexes where source.names[index.table] != nil {
            try connection.execute("DROP INDEX IF EXISTS \(quotedIdentifier(index.name))")
        }
        for name in source.names.keys.sorted() where schema.hasTable(name) {
            try connection.execute(
                "ALTER TABLE \(quotedIdentifier(name)) RENAME TO \(source.table(name))"
            )
        }
    }
}

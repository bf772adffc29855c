import MappingInference
import ObjectModel
import StoreFormat

/// Indexes and triggers that are not Core Data's, which stay if the tables and columns that they name do.
///
/// They are set aside while a program runs, so that its changes do not set them off.
struct ForeignObjects {
    /// The old tables whose names disappear, and what disappears in the others; in lower case.
    private(set) var goneTables: Set<String> = []
    private(set) var goneColumns: [String: Set<String>] = [:]
    private let numbersChange: Bool
    private let own: OwnObjects

    private static let systemTables: Set = ["z_metadata", "z_modelcache", "z_primarykey"]

    /// Compares two layouts; the columns of `abandoned` objects can no longer be named.
    init(
        from source: StoreLayout,
        to destination: StoreLayout,
        without abandoned: [AbandonedObject]
    ) {
        let present = Dictionary(firstOf: Self.columns(of: destination))
        for (table, columns) in Self.columns(of: source) {
            guard let left = present[table] else {
                goneTables.insert(table)
                continue
            }
            goneColumns[table] = columns.subtracting(left)
        }
        for column in abandoned where column.kind == .column {
            goneColumns[column.table.lowercased(), default: []].insert(column.name.lowercased())
        }
        own = OwnObjects(of: source, destination)
        numbersChange = source.entities.contains { destination.number(of: $0.name) != $0.number }
    }

    private static func columns(of layout: StoreLayout) -> [(String, Set<String>)] {
        layout.columnsOfTables.map { ($0.lowercased(), Set($1.map { $0.lowercased() })) }
    }

    /// Whether no layout explains an index or trigger: it is the app's, or of unknown form, and may not be dropped.
    func isForeign(_ object: SchemaObject) -> Bool { !own.contains(object) }

    /// Whether an index or a trigger is Core Data's, of any version.
    func isRest(_ object: SchemaObject) -> Bool { own.isRest(object) }

    /// The changes that restore the foreign ones of some objects, and those that cannot stay.
    func settle(
        _ objects: [SchemaObject]
    ) -> (restorations: [SchemaChange], abandoned: [AbandonedObject]) {
        var restorations: [SchemaChange] = []
        var abandoned: [AbandonedObject] = []
        for object in objects where isForeign(object) {
            guard let reason = obstacle(to: object) else {
                restorations.append(.restore(object))
                continue
            }
            // Nobody misses what Core Data left.
            guard !isRest(object) else { continue }
            abandoned.append(AbandonedObject(object, reason: reason))
        }
        return (restorations, abandoned)
    }

    func keeps(_ index: SchemaObject) -> Bool { obstacle(to: index) == nil }

    private func obstacle(to object: SchemaObject) -> String? {
        let isTrigger = object.kind == .trigger
        let isExpected = isTrigger ? object.sql.isTriggerStatement : object.sql.isIndexStatement
        guard isExpected else { return "momtool does not understand its statement" }
        // The end of a migration writes these tables, and so does Core Data at every save.
        guard !isTrigger || !Self.systemTables.contains(object.table.lowercased()) else {
            return "it would run whenever Core Data's own records are written"
        }
        let parts = object.sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
        let words = Set(parts.map { $0.lowercased() }).union([object.table.lowercased()])
        let columns = words.compactMap { goneColumns[$0] }.reduce(into: Set()) { $0.formUnion($1) }
        if let name = words.sorted().first(where: {
            goneTables.contains($0) || columns.contains($0)
        }) {
            return "it uses \(name.uppercased()), which is removed or renamed"
        }
        if numbersChange, words.contains("z_ent") { return "it uses entity numbers, which change" }
        return nil
    }
}

extension AbandonedObject {
    /// Takes an index or a trigger.
    init(_ object: SchemaObject, reason: String = "") {
        self.init(
            kind: object.kind == .trigger ? .trigger : .index,
            name: object.name,
            table: object.table,
            reason: reason
        )
    }
}

extension String {
    var isTriggerStatement: Bool { begins(with: ["CREATE TRIGGER", "CREATE TEMP TRIGGER"]) }

    var isIndexStatement: Bool { begins(with: ["CREATE INDEX", "CREATE UNIQUE INDEX"]) }

    private func begins(with texts: [String]) -> Bool {
        let start = prefix(64).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .uppercased()
        return texts.contains { start.hasPrefix($0) }
    }
}

/// The tables whose rows a map may make worse, before and after its step.
///
/// What the map does not name is inferred as in any other migration, and not checked.
struct InspectedTables: Sendable {
    struct Side: Sendable {
        var tables: Set<String> = []
        /// Those that lose rows, or whose rows get other keys: links into them are checked too.
        var emptied: Set<String> = []
    }

    private(set) var before = Side()
    private(set) var after = Side()
    /// The old tables read by value expressions, conditions or code.
    let mapped: Set<String>

    init(_ correspondence: EntityCorrespondence, _ links: LinkPlan, isMapped: Bool) {
        let (old, new) = (correspondence.source, correspondence.destination)
        let targets = correspondence.targets
        let stated = targets.filter { target in
            target.isMoving || target.mapping.attributeMappings.contains { $0.expression != nil }
                || target.mapping.relationshipMappings.contains(where: \.isStated)
        }
        mapped = Set(stated.compactMap { old.table(of: $0.source.name)?.name })
        guard isMapped else { return }
        guard correspondence.policyMappings.isEmpty else {
            // Code may make anything.
            (before.tables, after.tables) = (old.tableNames, new.tableNames)
            return
        }
        after.tables = Set(stated.compactMap { new.table(of: $0.destination.name)?.name })
        let shrinking = correspondence.shrinkingRoots
        let written =
            links.storingRelationships.filter(links.isMapped)
            + targets.flatMap { target in
                target.mapping.relationshipMappings.filter { mapping in
                    mapping.source.flatMap(correspondence.destinationRoot).map(shrinking.contains)
                        ?? false
                }.map(\.destination)
            }
        after.tables.formUnion(written.compactMap { new.links(of: $0)?.table })
        for target in targets {
            guard let table = new.table(of: target.destination.name)?.name,
                let origin = old.table(of: target.source.name)?.name
            else { continue }
            if target.isMoving || shrinking.contains(target.source.rootName) {
                after.emptied.insert(table)
                before.emptied.insert(origin)
            }
            // The other rows of the table are checked with those of the map, and so are their sources.
            if after.tables.contains(table) { before.tables.insert(origin) }
            for mapping in target.mapping.relationshipMappings {
                guard let table = new.links(of: mapping.destination)?.table,
                    after.tables.contains(table)
                else { continue }
                let origins = correspondence.relationships(along: mapping, of: target)
                before.tables.formUnion(origins.compactMap { old.links(of: $0)?.table })
            }
        }
    }
}

extension EntityCorrespondence {
    fileprivate var shrinkingRoots: Set<String> {
        let gone = source.entities.filter { !$0.isAbstract && newNumber(for: $0.number) == nil }
        return Set(gone.map(\.rootName))
    }

    fileprivate func destinationRoot(of property: PropertyReference) -> String? {
        sourceGraph.relationship(property)?.destinationEntity
            .flatMap { source.table(of: $0)?.rootEntity }
    }
}

extension MappingTarget { fileprivate var isMoving: Bool { !keepsKeys || taken != nil } }

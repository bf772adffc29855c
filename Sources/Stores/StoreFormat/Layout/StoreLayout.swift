package import ObjectModel

/// The layout of a store: Core Data's tables for a model in SQLite.
///
/// A pure value, computed only from the model; the page SQLiteStores has its rules. Broken models have a layout too:
/// unresolvable parts have no column.
package struct StoreLayout: Sendable, Hashable {
    /// The entities, in the order of their numbers.
    package var entities: [NumberedEntity]
    /// The tables, one for each root entity, in the order of its number.
    package var tables: [EntityTable]
    /// The tables of many-to-many relationships, in order of creation.
    package var joinTables: [JoinTable]
    package var indexes: [SchemaObject]
    /// The spatial indexes, in order of creation.
    package var spatialIndexes: [SpatialIndex]
    /// The triggers that keep derived attributes, in order of creation.
    package var triggers: [SchemaObject]
    /// Fetch indexes whose form in SQLite is not known, and which are therefore left out.
    package var unknownIndexes: [PropertyReference]
    /// Derived attributes whose triggers are not known, and which are therefore not kept.
    package var unknownDerivations: [PropertyReference]

    package private(set) var synthesizesIndexes: Bool

    private var positions: [String: Int]
    private var declarations: DeclarationIndex
    private var tablesByRoot: [String: Int]
    private var columns: [ColumnRole: StoreColumn]
    private var links: [PropertyReference: StoredLinks]
    private let origin: Origin

    /// What a layout was computed from; two are compared by what they lay out.
    private struct Origin: Sendable, Hashable {
        let numbered: NumberedModel

        static func == (left: Origin, right: Origin) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// The model that is laid out.
    package var graph: ModelGraph { numbered.graph }
    var numbered: NumberedModel { origin.numbered }

    package init(model: ManagedObjectModel, options: LayoutOptions = LayoutOptions()) {
        self.init(model: model, options: options, matching: [:])
    }

    /// Computes the layout of a model, with the names of join tables and their columns found in a store.
    ///
    /// `present` are the columns of the store's possible join tables.
    init(model: ManagedObjectModel, options: LayoutOptions, matching present: [String: [String]]) {
        let numbered = NumberedModel(ModelGraph(model))
        origin = Origin(numbered: numbered)
        var names = UniqueNames(reserved: Self.systemTables)
        synthesizesIndexes = options.synthesizesIndexes
        entities = numbered.entities
        positions = numbered.positions
        declarations = numbered.storedDeclarations
        tables = tableLayout(of: numbered, names: &names)
        tablesByRoot = Dictionary(firstOf: tables.enumerated().map { ($1.rootEntity, $0) })
        joinTables = joinLayout(of: numbered, options: options, names: &names)
        if !present.isEmpty { joinTables = matched(joinTables, in: numbered, among: present) }
        (indexes, spatialIndexes, triggers) = ([], [], [])
        (unknownIndexes, unknownDerivations) = ([], [])
        columns = Dictionary(firstOf: tables.flatMap(\.columns).map { ($0.role, $0) })
        links = [:]
        links = storedLinks(of: numbered, in: self)
        if options.frameworkVersion < FrameworkVersion.uniqueIndexes {
            for index in tables.indices {
                tables[index].uniqueColumns = uniqueColumns(
                    of: tables[index],
                    of: numbered,
                    in: self
                )
            }
        }
        let special = IndexLayout(of: numbered, in: self, options: options)
        (indexes, spatialIndexes) = (special.indexes, special.spatialIndexes)
        unknownIndexes = special.unknown
        (triggers, unknownDerivations) = triggerLayout(of: numbered, in: self)
    }

    package static let systemTables: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

    package var tableNames: Set<String> { Set(tables.map(\.name) + joinTables.map(\.name)) }

    /// The columns of each table, those of entities first.
    package var columnsOfTables: [(table: String, columns: [String])] {
        tables.map { ($0.name, $0.columns.map(\.name)) }
            + joinTables.map { ($0.name, $0.columnNames) }
    }

    /// Returns what the layout has and a store lacks: tables, or columns as `TABLE.COLUMN`; see ``layoutFault(_:)``.
    ///
    /// Only the rows and links of `entities` count, or all of them.
    package func missing(
        from columns: [String: Set<String>],
        of entities: [String]? = nil
    ) -> [String] {
        let chosen = entities.map { Set($0.compactMap { table(of: $0)?.name }) }
        let counts = { (table: String?) in chosen?.contains(table ?? "") ?? true }
        let rows = tables.filter { counts($0.name) }.map { ($0.name, $0.columns.map(\.name)) }
        let links = joinTables.filter { join in
            [join.first, join.second].contains { counts(self.table(of: $0.entity)?.name) }
        }.map { ($0.name, $0.columnNames) }
        return (rows + links).flatMap { table, names in
            guard let present = columns[table] else { return [table] }
            return names.filter { !present.contains($0) }.map { "\(table).\($0)" }
        }
    }

    package func number(of entityName: String) -> Int? {
        positions[entityName].map { entities[$0].number }
    }

    package func hasTriggers(on table: String) -> Bool { triggers.contains { $0.table == table } }

    package func table(of entityName: String) -> EntityTable? {
        positions[entityName].flatMap { tablesByRoot[entities[$0].rootName] }.map { tables[$0] }
    }

    /// Returns the column of an attribute, or of the element of a composite at `path` below it.
    ///
    /// `entity` declares the attribute, or is a sub-entity of the one that does.
    package func column(
        of attribute: String,
        path: [String] = [],
        declaredBy entity: String
    ) -> StoreColumn? {
        declarer(of: attribute, for: entity).flatMap {
            column(as: .attribute(PropertyReference(entity: $0, name: attribute), path))
        }
    }

    package func column(of attribute: PropertyReference, _ path: [String] = []) -> StoreColumn? {
        column(of: attribute.name, path: path, declaredBy: attribute.entity)
    }

    /// Returns where the links of a relationship are; `nil` if it is not stored, or in another form than `form`.
    ///
    /// `entity` declares the relationship, or is a sub-entity of the one that does.
    package func links(
        _ relationship: String,
        of entity: String,
        as form: StoredLinks.Form? = nil
    ) -> StoredLinks? {
        declarer(of: relationship, for: entity)
            .flatMap { links[PropertyReference(entity: $0, name: relationship)] }
            .flatMap { form == nil || $0.form == form ? $0 : nil }
    }

    package func links(
        of relationship: PropertyReference,
        as form: StoredLinks.Form? = nil
    ) -> StoredLinks? {
        links(relationship.name, of: relationship.entity, as: form)
    }

    /// Returns the numbers of an entity and its sub-entities, in ascending order.
    package func numbers(ofHierarchy entityName: String) -> [Int] {
        guard let position = positions[entityName] else { return [] }
        return declarations.hierarchy(of: position).map { entities[$0].number }
    }

    package func isEntity(_ entityName: String, kindOf other: String) -> Bool {
        guard let position = positions[entityName], let top = positions[other] else { return false }
        return declarations.hierarchy(of: top).contains(position)
    }

    /// The condition that a row is of an entity, or of one below it, in SQL.
    package func isKind(of entity: String, row: String = "t") -> String {
        // The numbers of a hierarchy have no gaps.
        let numbers = numbers(ofHierarchy: entity)
        return "\(row).Z_ENT BETWEEN \(numbers.first ?? 0) AND \(numbers.last ?? 0)"
    }

    /// Finds the side of each self-referential many-to-many relationship that names its table in an existing store, for
    /// ``LayoutOptions/overrides``.
    package func namingRelationships(amongTables names: [String]) -> Set<PropertyReference> {
        let present = Set(names)
        var result: Set<PropertyReference> = []
        for table in joinTables where table.first.entity == table.second.entity {
            guard let number = number(of: table.first.entity) else { continue }
            let sides = [table.second.leadsThrough, table.first.leadsThrough]
            let side = sides.first { present.contains("Z_\(number)\($0.name.uppercased())") }
            if let side { result.insert(side) }
        }
        return result
    }

    func column(as role: ColumnRole) -> StoreColumn? { columns[role] }

    private func declarer(of property: String, for entity: String) -> String? {
        positions[entity].flatMap { declarations.declarer(of: property, for: $0) }
            .map { entities[$0].name }
    }
}

package func layoutFault(_ missing: [String]) -> String {
    "the tables do not fit its model; missing: \(missing.joined(separator: ", "))"
}

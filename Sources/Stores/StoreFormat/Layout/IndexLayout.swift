import ObjectModel
import SQLiteAccess

struct IndexLayout {
    var indexes: [SchemaObject]
    /// The spatial indexes, in order of creation.
    var spatialIndexes: [SpatialIndex]
    /// Fetch indexes whose form in SQLite is not known.
    var unknown: [PropertyReference]

    /// Lays out the indexes of a store (SQLiteStores, "Indexes").
    init(of model: NumberedModel, in layout: StoreLayout, options: LayoutOptions) {
        var builder = IndexBuilder(model: model, layout: layout, options: options)
        for table in layout.tables { builder.addIndexes(of: table) }
        (indexes, spatialIndexes, unknown) = (
            builder.indexes, builder.spatialIndexes, builder.unknown
        )
    }
}

/// Returns the column sets that a table itself keeps unique, in frameworks up to 851.
func uniqueColumns(
    of table: EntityTable,
    of model: NumberedModel,
    in layout: StoreLayout
) -> [[String]] {
    table.entities.compactMap { model.positions[$0] }.flatMap { position in
        let entity = model.definitions[position].entity
        return entity.uniquenessConstraints.compactMap { constraint in
            layout.columns(of: constraint.properties, in: entity.name)
        }
    }
}

extension StoreLayout {
    /// Returns the columns of attributes and to-one relationships; `nil` if one of them has none.
    package func columns(of properties: [String], in entity: String) -> [String]? {
        guard !properties.isEmpty else { return nil }
        let columns = properties.compactMap { columnName(of: $0, in: entity) }
        return columns.count == properties.count ? columns : nil
    }

    /// Returns the column of an attribute, of an element of a composite by key path, or of a to-one relationship.
    func columnName(of property: String, in entity: String) -> String? {
        if let column = column(of: property, declaredBy: entity) { return column.name }
        if let links = links(property, of: entity, as: .key) { return links.key }
        let path = property.split(separator: ".").map(String.init)
        guard path.count > 1 else { return nil }
        return column(of: path[0], path: Array(path[1...]), declaredBy: entity)?.name
    }
}

private struct IndexBuilder {
    let model: NumberedModel
    let layout: StoreLayout
    let options: LayoutOptions
    var indexes: [SchemaObject] = []
    var spatialIndexes: [SpatialIndex] = []
    var unknown: [PropertyReference] = []
    private var names = UniqueNames()
    private var joins: [String: [JoinTable]]

    init(model: NumberedModel, layout: StoreLayout, options: LayoutOptions) {
        (self.model, self.layout, self.options) = (model, layout, options)
        joins = Dictionary(grouping: layout.joinTables) { $0.namingRelationship.entity }
    }

    mutating func addIndexes(of table: EntityTable) {
        for column in table.columns {
            switch column.role {
            case .toOne, .toManyOwner: addPlain(column.name, on: table)
            default: break
            }
        }
        addJoinIndexes(of: table.rootEntity)
        if table.entities.count > 1 { addPlain("Z_ENT", on: table) }
        for name in table.entities {
            guard let position = model.positions[name] else { continue }
            let entity = model.definitions[position].entity
            if options.frameworkVersion >= FrameworkVersion.fetchIndexes {
                addFetchIndexes(of: entity, on: table)
            } else {
                addLegacyIndexes(of: entity, on: table)
            }
            if options.frameworkVersion >= FrameworkVersion.uniqueIndexes {
                addUniqueIndexes(of: entity, on: table)
            }
            if name != table.rootEntity { addJoinIndexes(of: name) }
        }
    }

    private mutating func addPlain(_ column: String, on table: EntityTable) {
        add("\(table.name)_\(column)_INDEX", on: table.name, quotedIdentifier(column))
    }

    private mutating func addJoinIndexes(of entity: String) {
        guard options.frameworkVersion >= FrameworkVersion.joinIndexes else { return }
        for join in joins[entity] ?? [] {
            let columns = [join.second.name, join.first.name].map(quotedIdentifier)
            add(
                "\(join.name)_\(join.second.name)_INDEX",
                on: join.name,
                columns.joined(separator: ", ")
            )
        }
    }

    private mutating func addFetchIndexes(of entity: Entity, on table: EntityTable) {
        let declared = entity.fetchIndexes.flatMap { $0.isPlain ? [$0] : [] }
        for flagged in flaggedAttributes(of: entity, declared) {
            addFetchIndex(
                FetchIndex(name: flagged, elements: [.init(.property(flagged))]),
                entity,
                table
            )
        }
        for properties in entity.compoundIndexes {
            let elements = properties.map { FetchIndex.Element(.property($0)) }
            let index = FetchIndex(name: properties.joined(separator: "_"), elements: elements)
            addFetchIndex(index, entity, table)
        }
        var declaredNames: Set<String> = []
        for index in entity.fetchIndexes where declaredNames.insert(index.name).inserted {
            if index.isPlain {
                addFetchIndex(index, entity, table)
            } else if !addSpecialIndex(index, entity, table) {
                unknown.append(PropertyReference(entity: entity.name, name: index.name))
            }
        }
    }

    /// Adds an index that is partial, spatial or on more than properties; `false` when its form is not known.
    private mutating func addSpecialIndex(
        _ index: FetchIndex,
        _ entity: Entity,
        _ table: EntityTable
    ) -> Bool {
        let isPartial = index.partialIndexPredicate?.isEmpty == false
        if index.elements.contains(where: { $0.collation == .rTree }) {
            guard !isPartial, let spatial = spatialIndex(index, entity, table) else { return false }
            spatialIndexes.append(spatial)
            return true
        }
        let parts = index.elements.compactMap { part($0, of: entity) }
        guard !parts.isEmpty, parts.count == index.elements.count else { return false }
        var condition: String?
        if isPartial {
            condition = partialCondition(index.partialIndexPredicate ?? "", of: entity, in: layout)
            guard condition != nil else { return false }
        }
        let name = "Z_\(entity.name)_\(index.name)"
        add(name, on: table.name, parts.joined(separator: ", "), where: condition)
        return true
    }

    /// A column of an index with its order: that of a property, of the key or of the entity's number.
    private func part(_ element: FetchIndex.Element, of entity: Entity) -> String? {
        let column: String?
        switch element.subject {
        case .property(let name): column = layout.columnName(of: name, in: entity.name)
        case .expression("SELF", _): column = "Z_PK"
        case .expression("entity", _): column = "Z_ENT"
        case .expression: column = nil
        }
        let order = element.isAscending ? "ASC" : "DESC"
        return column.map { "\(quotedIdentifier($0)) COLLATE BINARY \(order)" }
    }

    private func spatialIndex(
        _ index: FetchIndex,
        _ entity: Entity,
        _ table: EntityTable
    ) -> SpatialIndex? {
        let columns = index.elements.compactMap { element -> StoreColumn? in
            guard element.collation == .rTree, case .property(let name) = element.subject else {
                return nil
            }
            let column = layout.column(of: name, declaredBy: entity.name)
            return column.flatMap { ["FLOAT", "INTEGER"].contains($0.declaredType) ? $0 : nil }
        }
        // SQLite allows one to five dimensions.
        guard (1...5).contains(columns.count), columns.count == index.elements.count else {
            return nil
        }
        let name = "Z_RT_\(entity.name)_\(index.name)"
        return SpatialIndex(name: name, table: table.name, columns: columns)
    }

    /// Returns the attributes that get an index of their own, unless a declared index has its name.
    private func flaggedAttributes(of entity: Entity, _ declared: [FetchIndex]) -> [String] {
        var flagged = Set(entity.attributes.filter(\.isIndexed).map(\.name))
        let single = declared.filter { !$0.isOfSwiftData }.compactMap(\.onlyAscendingProperty)
        if options.synthesizesIndexes {
            flagged.formUnion(single)
        } else {
            flagged.subtract(single)
        }
        flagged.subtract(declared.map(\.name))
        flagged.subtract(entity.compoundIndexes.filter { $0.count == 1 }.map { $0[0] })
        return flagged.sorted { isOrdered($0, before: $1) }
    }

    private mutating func addFetchIndex(
        _ index: FetchIndex,
        _ entity: Entity,
        _ table: EntityTable
    ) {
        let parts = index.elements.compactMap { part($0, of: entity) }
        guard !parts.isEmpty, parts.count == index.elements.count else { return }
        if parts.count == 1, case .property(let name) = index.elements[0].subject,
            layout.links(name, of: entity.name) != nil
        {
            return
        }
        add("Z_\(entity.name)_\(index.name)", on: table.name, parts.joined(separator: ", "))
    }

    private mutating func addUniqueIndexes(of entity: Entity, on table: EntityTable) {
        for constraint in entity.uniquenessConstraints {
            guard let columns = layout.columns(of: constraint.properties, in: entity.name) else {
                continue
            }
            add(
                "Z_\(entity.name)_UNIQUE_\(constraint.properties.joined(separator: "_"))",
                on: table.name,
                columns.map { "\(quotedIdentifier($0)) COLLATE BINARY ASC" }.joined(
                    separator: ", "
                ),
                isUnique: true
            )
        }
    }

    /// Frameworks up to 754 name indexes by columns and have no fetch indexes; these take effect only by the flag that
    /// the model compiler sets.
    private mutating func addLegacyIndexes(of entity: Entity, on table: EntityTable) {
        let declared = entity.fetchIndexes.filter(\.isPlain)
        var flagged = Set(entity.attributes.filter(\.isIndexed).map(\.name))
        flagged.formUnion(declared.compactMap(\.onlyAscendingProperty))
        for name in flagged.sorted(by: { isOrdered($0, before: $1) }) {
            guard let column = layout.column(of: name, declaredBy: entity.name) else { continue }
            addPlain(column.name, on: table)
        }
        for properties in entity.compoundIndexes {
            guard let columns = layout.columns(of: properties, in: entity.name) else { continue }
            let list = columns.map(quotedIdentifier).joined(separator: ", ")
            add("\(table.name)_\(columns.joined(separator: "_"))", on: table.name, list)
        }
    }

    private mutating func add(
        _ base: String,
        on table: String,
        _ columns: String,
        isUnique: Bool = false,
        where condition: String? = nil
    ) {
        let name = names.claim(base)
        let create = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
        let rows = condition.map { " WHERE \($0)" } ?? ""
        let sql =
            "\(create) \(quotedIdentifier(name)) ON \(quotedIdentifier(table)) (\(columns))\(rows)"
        indexes.append(SchemaObject(kind: .index, name: name, table: table, sql: sql))
    }
}

extension FetchIndex {
    /// Whether the index is an ordinary one: properties only, no spatial element, no predicate.
    fileprivate var isPlain: Bool {
        let isBinary = elements.allSatisfy { element in
            guard case .property = element.subject else { return false }
            return element.collation == .binary
        }
        return isBinary && partialIndexPredicate?.isEmpty != false
    }

    /// Whether the index is one of SwiftData's `#Index`: no compiler of models adds one of the attribute's name.
    fileprivate var isOfSwiftData: Bool { name.hasPrefix("SwiftDataIndexOnBinary") }
}

/// A spatial index: a virtual table of SQLite's R-tree module, and the triggers that keep it (SQLiteStores, "Partial,
/// spatial and expression indexes").
package struct SpatialIndex: Sendable, Hashable {
    package var name: String
    package var table: String
    /// The columns that it indexes, each a dimension.
    package var columns: [StoreColumn]

    /// The statement that creates the virtual table, as Core Data writes it.
    package var createSQL: String {
        let bounds = columns.flatMap { column in
            ["_MIN", "_MAX"].map { quotedIdentifier(column.name + $0) + " " + column.declaredType }
        }
        let list = ["Z_PK INTEGER PRIMARY KEY"] + bounds
        return "CREATE VIRTUAL TABLE \(quotedIdentifier(name)) USING RTREE "
            + "(\(list.joined(separator: ", ")))"
    }

    package var fillSQL: String {
        let values = columns.flatMap { [$0.name, $0.name] }.map(quotedIdentifier)
        let list = (["Z_PK"] + values).joined(separator: ", ")
        return
            "INSERT INTO \(quotedIdentifier(name)) SELECT \(list) FROM \(quotedIdentifier(table))"
    }

    /// The triggers that keep it, in order of creation.
    package var triggers: [SchemaObject] {
        let index = quotedIdentifier(name)
        let bounds = columns.flatMap { [$0.name + "_MIN", $0.name + "_MAX"] }.map(quotedIdentifier)
        let list = (["Z_PK"] + bounds).joined(separator: ", ")
        // The first comma is placed as Core Data places it.
        var values = ""
        for (place, column) in columns.enumerated() {
            let value = "NEW.\(quotedIdentifier(column.name))"
            values += place == 0 ? ", \(value) ,\(value)" : ", \(value), \(value)"
        }
        let insert = "INTO \(index) (\(list)) VALUES (NEW.Z_PK\(values)) ; END"
        return [
            trigger("INSERT", "INSERT OR REPLACE \(insert)"),
            trigger("UPDATE", "DELETE FROM \(index) WHERE Z_PK = NEW.Z_PK ; INSERT \(insert)"),
            trigger("DELETE", "DELETE FROM \(index) WHERE Z_PK = OLD.Z_PK ; END"),
        ]
    }

    /// The names of the tables that the R-tree module itself makes.
    var shadowTables: [String] { ["_node", "_parent", "_rowid"].map { name + $0 } }

    private func trigger(_ event: String, _ body: String) -> SchemaObject {
        let name = "\(name)_\(event)"
        let sql =
            "CREATE TRIGGER \(quotedIdentifier(name)) AFTER \(event) ON \(quotedIdentifier(table)) "
            + "FOR EACH ROW BEGIN \(body)"
        return SchemaObject(kind: .trigger, name: name, table: table, sql: sql)
    }
}

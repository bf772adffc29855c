package import Essentials
import ModelDiffing
package import ObjectModel
package import SQLiteAccess
import StoreFormat

/// Makes a store of a model with objects of every concrete entity: all attribute types, NULLs, links of every kind.
///
/// Without a seed values are plain; with one some are the limits of their types. They suit a target model, too. With
/// `files` the store is small, and has at most so many beside it for an attribute; `omitted` rows are missing.
package func makeSampleStore(
    at path: String,
    model: ManagedObjectModel,
    rows: Int = 7,
    seed: UInt64? = nil,
    target: ManagedObjectModel? = nil,
    keepsHistory: Bool = false,
    uuid: UUID = UUID(),
    smallWithFiles files: Int? = nil,
    without omitted: RowsLeftOut = RowsLeftOut()
) throws(StoreError) {
    var options = StoreCreationOptions(keepsHistory: keepsHistory, uuid: uuid)
    if files != nil { options.pageSize = 512 }
    try createStore(at: path, model: model, options: options) {
        connection,
        layout throws(StoreError) in
        var values = SampleValues(
            seed: seed,
            uniqueNames: constrainedNames(of: model).union(target.map(constrainedNames) ?? []),
            externalFolder: externalDataFolder(of: path),
            attributeCount: model.entities.reduce(0) { $0 + $1.attributes.count }
        )
        if let files {
            (values.attributeCount, values.externalFiles, values.isForApps) = (2_000, files, true)
        }
        let sample = SampleRows(
            layout: layout,
            graph: ModelGraph(model),
            rows: rows,
            values: values,
            cases: target.map { sharedCases(of: model, and: $0) } ?? [:],
            omitted: omitted,
            unique: lonelyNames(of: model).union(target.map(lonelyNames) ?? []),
            objectsByEntity: layout.sampleObjects(rows, without: omitted)
        )
        for table in layout.tables {
            let name = quotedIdentifier(table.name)
            for row in sample.rows(of: table) {
                let names = row.keys.sorted()
                let list = names.map(quotedIdentifier).joined(separator: ", ")
                let marks = names.map { _ in "?" }.joined(separator: ", ")
                try connection.execute(
                    "INSERT INTO \(name) (\(list)) VALUES (\(marks))",
                    names.map { row[$0] ?? .null }
                )
            }
            let root = layout.number(of: table.rootEntity) ?? 0
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM \(name)) WHERE Z_ENT = \(root)"
            )
        }
        for join in layout.joinTables { try connection.add(sample.links(of: join), to: join) }
        if keepsHistory { try connection.addHistory(of: layout.entities) }
    }
}

extension SQLiteConnection {
    fileprivate func add(_ links: [[SQLiteValue]], to join: JoinTable) throws(StoreError) {
        for row in links {
            let marks = row.map { _ in "?" }.joined(separator: ", ")
            try execute("INSERT INTO \(quotedIdentifier(join.name)) VALUES (\(marks))", row)
        }
    }

    /// Notes the insertion of an object of each entity.
    fileprivate func addHistory(of entities: [NumberedEntity]) throws(StoreError) {
        for entity in entities {
            try execute(
                "INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                    + "VALUES (16001, 0, \(entity.number), 1, 1)"
            )
        }
    }
}

func constrainedNames(of model: ManagedObjectModel) -> Set<String> {
    Set(model.entities.flatMap { $0.uniquenessConstraints.flatMap(\.properties) })
}

/// The names of properties that only uniqueness constraints force to different values, and one of each constraint with
/// only relationships.
private func lonelyNames(of model: ManagedObjectModel) -> Set<String> {
    let graph = ModelGraph(model)
    let names = model.entities.flatMap { entity in
        entity.uniquenessConstraints.compactMap { constraint -> String? in
            let ofLinks = constraint.properties.allSatisfy {
                graph.relationship($0, ofEntity: entity.name) != nil
            }
            return constraint.properties.count == 1 || ofLinks ? constraint.properties.first : nil
        }
    }
    return Set(names)
}

extension StoreLayout {
    fileprivate func concreteEntities(in table: EntityTable) -> [NumberedEntity] {
        entities.filter { $0.rootName == table.rootEntity && !$0.isAbstract }
    }

    /// The keys and entity numbers of the objects to make, by each entity that they belong to.
    fileprivate func sampleObjects(
        _ rows: Int,
        without omitted: RowsLeftOut
    ) -> [String: [(key: Int, number: Int)]] {
        var objects: [String: [(key: Int, number: Int)]] = [:]
        for entity in entities {
            guard let table = table(of: entity.name) else { continue }
            let wanted = Set(numbers(ofHierarchy: entity.name))
            objects[entity.name] = concreteEntities(in: table).enumerated().flatMap {
                offset,
                item in
                wanted.contains(item.number) && !omitted.entities.contains(item.name)
                    ? (1...rows).map { (offset * rows + $0, item.number) } : []
            }
        }
        return objects
    }
}

private struct SampleRows {
    let layout: StoreLayout
    let graph: ModelGraph
    let rows: Int
    let values: SampleValues
    /// The values of enums in the model that objects are migrated to.
    let cases: [String: [AttributeValue]]
    let omitted: RowsLeftOut
    let unique: Set<String>
    let objectsByEntity: [String: [(key: Int, number: Int)]]

    private func objects(of entity: String) -> [(key: Int, number: Int)] {
        objectsByEntity[entity] ?? []
    }

    func rows(of table: EntityTable) -> [[String: SQLiteValue]] {
        layout.concreteEntities(in: table).enumerated().flatMap {
            offset,
            entity -> [[String: SQLiteValue]] in
            guard !omitted.entities.contains(entity.name),
                let definition = graph.entity(entity.name)
            else { return [] }
            let columns = table.columns.map { ($0, leaf(in: $0, of: definition)) }
            return (1...rows).map { index in
                let key = offset * rows + index
                var row: [String: SQLiteValue] = [
                    "Z_PK": .integer(Int64(key)), "Z_ENT": .integer(Int64(entity.number)),
                    "Z_OPT": .integer(Int64(index)),
                ]
                for (column, leaf) in columns {
                    for (name, value) in cells(column, leaf, of: definition, key: key) {
                        row[name] = value
                    }
                }
                return row
            }
        }
    }

    /// The attribute whose values a column has in the rows of an entity.
    private func leaf(in column: StoreColumn, of entity: Entity) -> Attribute? {
        guard case .attribute(let attribute, let path) = column.role,
            isKind(entity, of: attribute.entity)
        else { return nil }
        return graph.leaf(attribute.name, at: path, of: entity)
    }

    private func cells(
        _ column: StoreColumn,
        _ leaf: Attribute?,
        of definition: Entity,
        key: Int
    ) -> [String: SQLiteValue] {
        switch column.role {
        case .attribute(let own, let path):
            guard var leaf else { return [:] }
            let name = own.name
            if omitted.filled.contains("\(own)")
                || values.isForApps
                    && attribute(name, of: definition)?.enumCases.required.contains(path) == true
            {
                leaf.isOptional = false
            }
            let cases = cases(of: name, at: path, own.entity, definition)
            return [column.name: values.value(of: leaf, key: key, among: cases)]
        case .toOne(let own):
            guard isKind(definition, of: own.entity),
                let links = layout.links(of: own, as: .key),
                let target = graph.relationship(own)?.destinationEntity,
                let chosen = destination(of: own.name, own.entity, target, key: key)
            else { return [:] }
            var cells: [String: SQLiteValue] = [links.key: .integer(Int64(chosen.key))]
            if let number = links.entityColumn { cells[number] = .integer(Int64(chosen.number)) }
            if let order = links.orderKey { cells[order] = .integer(Int64(1024 * (100 - key))) }
            return cells
        case .toManyOwner(let own):
            guard let links = layout.links(of: own, as: .owner),
                let target = graph.relationship(own)?.destinationEntity,
                isKind(definition, of: target), key % 3 != 0
            else { return [:] }
            let owners = objects(of: own.entity)
            guard !owners.isEmpty else { return [:] }
            var cells: [String: SQLiteValue] = [
                links.key: .integer(Int64(owners[key % owners.count].key))
            ]
            if let order = links.orderKey { cells[order] = .integer(Int64(1024 * (100 - key))) }
            return cells
        case .primaryKey, .entityNumber, .optimisticLock, .toOneEntity, .orderKey,
            .toManyOwnerOrderKey:
            return [:]
        }
    }

    /// The values of an attribute's enum, where known on one side; none for any other.
    private func cases(
        of name: String,
        at path: [String],
        _ owner: String,
        _ entity: Entity
    ) -> [AttributeValue] {
        guard !path.isEmpty else { return [] }
        if let shared = cases[([owner, name] + path).joined(separator: ".")] { return shared }
        return attribute(name, of: entity)?.enumCases[path]?.map(\.value) ?? []
    }

    private func attribute(_ name: String, of entity: Entity) -> Attribute? {
        graph.property(name, of: entity)?.0 as? Attribute
    }

    /// The object that a to-one relationship of an object leads to; where both are to-one, each leads to the other.
    private func destination(
        of name: String,
        _ owner: String,
        _ target: String,
        key: Int
    ) -> (key: Int, number: Int)? {
        let objects = objects(of: target)
        guard !objects.isEmpty, let relationship = graph.relationship(name, ofEntity: owner) else {
            return nil
        }
        func place() -> Int { self.objects(of: owner).firstIndex { $0.key == key } ?? 0 }
        func atOwnPlace() -> (key: Int, number: Int)? {
            let place = place()
            return place < objects.count ? objects[place] : nil
        }
        guard let (inverse, inverseOwner) = graph.inverse(of: relationship), !inverse.isToMany
        else {
            guard !unique.contains(name) else { return atOwnPlace() }
            let isEmpty = relationship.isOptional && key % 5 == 0
            // With a seed some objects share one, so that a migration has links of a to-many relationship to keep.
            let place = values.seed == nil ? key : key / 2
            return isEmpty ? nil : objects[(place * 3) % objects.count]
        }
        guard inverseOwner.name == owner || target == owner else { return atOwnPlace() }
        let place = place()
        // Within one entity each even object leads to the odd one after it, and the inverse back.
        let isLeading = (owner, name) < (inverseOwner.name, inverse.name)
        let other = isLeading ? place + 1 : place - 1
        guard place.isMultiple(of: 2) == isLeading, objects.indices.contains(other) else {
            return nil
        }
        return objects[other]
    }

    private func isKind(_ entity: Entity, of other: String) -> Bool {
        graph.entity(other).map { graph.isEntity(entity, kindOf: $0) } ?? false
    }

    /// Links each object to about three, some to none; where an entity leads to itself, in both directions alike.
    func links(of join: JoinTable) -> [[SQLiteValue]] {
        let (first, second) = (objects(of: join.first.entity), objects(of: join.second.entity))
        var rowsOfLinks: [[SQLiteValue]] = []
        let step = max(3, second.count / 3)
        for (place, left) in first.enumerated() where place % 4 != 3 {
            for other in stride(from: (step - place % step) % step, to: second.count, by: step)
            where other % 4 != 3 {
                let right = second[other]
                var row = [left.key, right.key]
                if join.first.orderKey != nil { row.append(1024 * (rows + 50 - left.key)) }
                if join.second.orderKey != nil { row.append(1024 * (rows + 50 - right.key)) }
                rowsOfLinks.append(row.map { .integer(Int64($0)) })
            }
        }
        return rowsOfLinks
    }
}

import MappingInference
import ObjectModel
import StoreFormat

extension ProgramBuilder {
    mutating func planJoinTables() {
        var kept: Set<String> = []
        var filled: [JoinTable] = []
        let destination = correspondence.destination
        for table in destination.joinTables {
            guard case .keep(let old, let columns) = JoinTransfer(table, links: links),
                !keepsOldTables || old.name == table.name && columns.isEmpty
            else {
                filled.append(table)
                continue
            }
            kept.insert(old.name)
            planKept(table, old, columns)
        }
        for old in correspondence.source.joinTables where !kept.contains(old.name) {
            drop(old.name)
        }
        for table in filled { planFilled(table) }
    }

    private mutating func planFilled(_ table: JoinTable) {
        let create = ProgramStep.schema(.createJoinTable(table))
        let isOrdered = table.first.orderKey != nil || table.second.orderKey != nil
        let reference = table.namingRelationship
        if !keepsOldTables, !isOrdered, schema.columns[table.name] == nil,
            let query = links.uniqueLinks(of: reference)
        {
            steps.captures += [create, .rows(.fillJoinTable(table, query: query.sql(names)))]
            program.changes.append(TableChange(table: table.name, treatment: .rebuild))
            return
        }
        // Code links objects as it makes them: the table exists from the start, and keeps early links.
        if keepsOldTables { steps.tables.append(create) } else { steps.joins.append(create) }
        guard let name = capture(links.queries(of: reference)) else {
            program.changes.append(TableChange(table: table.name, treatment: .create))
            return
        }
        steps.joins.append(.rows(.writeJoinTable(table, links: name, ignoresKnown: keepsOldTables)))
        if links.isMapped(reference) { steps.joins += table.renumbering }
        program.changes.append(TableChange(table: table.name, treatment: .rebuild))
    }

    private mutating func planKept(
        _ table: JoinTable,
        _ old: JoinTable,
        _ columns: [(from: String, to: String)]
    ) {
        if old.name == table.name, columns.isEmpty {
            keptTables[table.name] = []
            program.changes.append(TableChange(table: table.name, treatment: .keep))
            return
        }
        program.changes.append(TableChange(table: table.name, treatment: .alter))
        if old.name != table.name {
            let aside = temporaryName()
            setAside(old.name, as: aside)
            steps.joins.append(.schema(.renameTable(aside, to: table.name)))
        }
        // All columns get an interim name first: the new name of one may be the old name of another.
        let moves = columns.enumerated().map { offset, pair in
            (pair.from, "momtool_column_\(offset)", pair.to)
        }
        steps.joins += moves.map { .schema(.renameColumn($0.0, to: $0.1, of: table.name)) }
        steps.joins += moves.map { .schema(.renameColumn($0.1, to: $0.2, of: table.name)) }
    }

    mutating func planForeignKeys() {
        for reference in links.storingRelationships {
            guard let key = foreignKey(of: reference) else { continue }
            let captured = captureForKey(reference)
            if let captured {
                let side: RowChange.LinkSide = captured.isReversed ? .destination : .source
                steps.linking.append(.rows(.writeForeignKey(key, links: captured.name, side: side)))
            }
            // Links that code made early have positions of their own, which carried ones may repeat.
            let isShared = keepsOldTables && captured != nil
            if let order = key.orderKey, isShared || links.lacksOrder(reference, \.destinationOrder)
            {
                steps.linking.append(
                    .rows(.assignOrder(table: key.table, key: key.column, orderKey: order))
                )
            }
        }
    }

    func foreignKey(of reference: PropertyReference) -> RowChange.ForeignKey? {
        let layout = correspondence.destination
        guard let links = layout.links(of: reference, as: .key) else { return nil }
        let relationship = correspondence.destinationGraph.relationship(reference)
        let destination = relationship?.destinationEntity.flatMap { layout.table(of: $0) }
        return RowChange.ForeignKey(
            table: links.table,
            column: links.key,
            entityColumn: links.entityColumn,
            orderKey: links.orderKey,
            destinationTable: destination?.name ?? ""
        )
    }

    mutating func planOwnerColumns() {
        for reference in links.storingRelationships {
            guard let stored = correspondence.destination.links(of: reference, as: .owner) else {
                continue
            }
            if !links.carriesOwners(of: reference, in: stored.table),
                let name = capture(links.queries(of: reference))
            {
                steps.linking += ownerSteps(stored, name)
            }
            if let step = stored.orderStep, links.lacksOrder(reference, \.sourceOrder) {
                steps.linking.append(step)
            }
        }
    }

    /// The steps that write captured links into the column of their owners.
    func ownerSteps(_ stored: StoredLinks, _ links: String) -> [ProgramStep] {
        [
            .rows(.keepFirst(links: links, of: .destination)),
            .rows(
                .writeOwner(
                    table: stored.table,
                    column: stored.key,
                    orderKey: stored.orderKey,
                    links: links
                )
            ),
        ]
    }

    /// Captures the links of a to-one relationship that cannot be carried over, at most one for each object.
    ///
    /// A relationship that is to-one on both sides is captured once, so that both sides agree.
    private mutating func captureForKey(
        _ reference: PropertyReference
    ) -> (name: String, isReversed: Bool)? {
        let queries = links.indirectQueries(of: reference)
        guard links.shape(of: reference, isSource: false) == .oneToOne,
            let inverse = correspondence.destinationGraph.inverse(of: reference)
        else {
            guard let name = capture(queries, links.found(of: reference)) else { return nil }
            steps.linking.append(.rows(.keepFirst(links: name, of: .source)))
            return (name, false)
        }
        let leading = min(reference, inverse)
        if let name = mutualCaptures[leading] { return (name, reference != leading) }
        let found = links.found(of: leading)
        guard !queries.isEmpty || !found.isEmpty,
            let name = capture(links.queries(of: leading), found)
        else { return nil }
        mutualCaptures[leading] = name
        steps.linking += [
            .rows(.keepFirst(links: name, of: .source)),
            .rows(.keepFirst(links: name, of: .destination)),
        ]
        return (name, reference != leading)
    }

    /// Captures links into a temporary table; gives its name, or `nil` when there are none.
    ///
    /// Links to objects that are found by their keys are added when the new rows exist.
    mutating func capture(_ queries: [LinkQuery], _ found: [LinkPlan.Found] = []) -> String? {
        guard !queries.isEmpty || !found.isEmpty else { return nil }
        let name = temporaryLinks()
        steps.captures.append(captureStep(queries, into: name))
        for item in found {
            let search = searchSteps(of: item, for: name)
            steps.captures.append(search.capture)
            steps.linking += search.find
        }
        return name
    }

    mutating func temporaryLinks() -> String {
        defer { captureCount += 1 }
        return "momtool_links_\(captureCount)"
    }

    func captureStep(_ queries: [LinkQuery], into name: String) -> ProgramStep {
        guard !queries.isEmpty else {
            let columns = ["source", "destination", "sourceOrder", "destinationOrder"]
            return .schema(.createTemporary(name, columns: columns, unique: []))
        }
        let query = queries.map { $0.sql(names) }.joined(separator: " UNION ALL ")
        return .rows(.capture(name, query: query, what: "links"))
    }
}

extension JoinTable {
    /// The steps that renumber lists with repeated order keys: lists of several objects may become one.
    var renumbering: [ProgramStep] {
        [(first, second), (second, first)].compactMap { column, owner in
            column.orderKey.map { key in
                let keys = RowChange.OrderKeys(
                    table: name,
                    key: key,
                    owner: owner.name,
                    rowKey: "rowid"
                )
                return .rows(.renumberLists(keys, what: "the order of \(column.leadsThrough)"))
            }
        }
    }
}

extension StoredLinks {
    /// The step that gives links without a position one after the others.
    var orderStep: ProgramStep? {
        orderKey.map { .rows(.assignOrder(table: table, key: key, orderKey: $0)) }
    }
}

struct IndexSteps {
    var triggerDrops: [ProgramStep] = []
    var drops: [ProgramStep] = []
    var creations: [ProgramStep] = []
    /// What is restored at the end, so that meanwhile it neither fires nor slows anything down.
    var restorations: [ProgramStep] = []
    var abandoned: [AbandonedObject] = []
}

extension ProgramBuilder {
    func indexSteps() -> IndexSteps {
        let (source, destination) = (correspondence.source, correspondence.destination)
        let ours = source.tableNames
        let settling = ForeignObjects(from: source, to: destination, without: lostColumns)
        let kept = keptIndexes(settling)
        // Any other effect would happen at each change of the program.
        let changing = ChangingTables(source)
        let triggers = schema.triggers.filter { changing.contains($0.table) }
        let indexes = schema.indexes.filter { ours.contains($0.table) && !kept.contains($0.name) }
        let spatial = spatialSteps()
        let settled = settling.settle(indexes + triggers)
        var steps = IndexSteps(abandoned: lostColumns + settled.abandoned)
        steps.restorations = settled.restorations.map { .schema($0) }
        steps.triggerDrops = triggers.map { .schema(.dropTrigger($0.name, of: $0.table)) }
        steps.drops = indexes.map { .schema(.dropIndex($0.name, of: $0.table)) } + spatial.drops
        steps.creations =
            destination.indexes.filter { !kept.contains($0.name) }.map { .schema(.createIndex($0)) }
            + spatial.creations + destination.triggers.map { .schema(.createTrigger($0)) }
        return steps
    }

    /// The columns that are not Core Data's, in tables that are rebuilt or go.
    private var lostColumns: [AbandonedObject] {
        goneTables.sorted().flatMap { table in
            schema.foreignColumns(of: table, in: correspondence.source).map {
                AbandonedObject(
                    kind: .column,
                    name: $0,
                    table: table,
                    reason: "the table is rebuilt without it, or removed"
                )
            }
        }
    }

    private func keptIndexes(_ settling: ForeignObjects) -> Set<String> {
        let wanted = Dictionary(
            firstOf: correspondence.destination.indexes.map { ($0.name, $0.sql) }
        )
        let kept = schema.indexes.filter { index in
            // Where all values of an index change, sorting them again is faster than moving each.
            guard let rewritten = keptTables[index.table], rewritten.isDisjoint(with: index.columns)
            else { return false }
            return settling.isForeign(index)
                ? settling.keeps(index) : wanted[index.name] == index.sql
        }
        return Set(kept.map(\.name))
    }

    /// The steps that rebuild spatial indexes: their rows may have changed, and their triggers name columns.
    private func spatialSteps() -> (drops: [ProgramStep], creations: [ProgramStep]) {
        let drops = correspondence.source.spatialIndexes.filter { schema.hasTable($0.name) }
        let creations = correspondence.destination.spatialIndexes.flatMap { index in
            [.schema(.createSpatial(index)), .schema(.fillSpatial(index))]
                + index.triggers.map { ProgramStep.schema(.createTrigger($0)) }
        }
        return (drops.map { .schema(.dropSpatial($0)) }, creations)
    }
}

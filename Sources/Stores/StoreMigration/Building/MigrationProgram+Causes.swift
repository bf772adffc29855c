import ModelDiffing
import StoreFormat

extension MigrationProgram {
    func stating(
        _ changes: [ModelChange],
        _ correspondence: EntityCorrespondence
    ) -> MigrationProgram {
        let causes = StepCauses(changes, correspondence)
        var program = self
        for index in steps.indices { program.steps[index].causes = causes.causes(of: steps[index]) }
        return program
    }
}

/// Finds the differences between two versions that are the reason for a step, by the tables and columns that it touches.
private struct StepCauses {
    private let changes: [ModelChange]
    /// The indexes of changes.
    private let byTable: [String: [Int]]
    private let byColumn: [String: [Int]]

    init(_ changes: [ModelChange], _ correspondence: EntityCorrespondence) {
        var byTable: [String: [Int]] = [:]
        var byColumn: [String: [Int]] = [:]
        for (index, change) in changes.enumerated() where change.movesVersionHash {
            let subject = change.subject
            guard let entity = subject.entity else { continue }
            for layout in [correspondence.source, correspondence.destination] {
                guard let table = layout.table(of: entity)?.name else { continue }
                if byTable[table]?.last != index { byTable[table, default: []].append(index) }
                guard let property = subject.property else { continue }
                for name in Self.columns(of: property, entity, table, layout)
                where byColumn[name]?.last != index { byColumn[name, default: []].append(index) }
            }
        }
        (self.changes, self.byTable, self.byColumn) = (changes, byTable, byColumn)
    }

    /// The tables and columns that hold a property, columns as `TABLE.COLUMN`.
    private static func columns(
        of property: String,
        _ entity: String,
        _ table: String,
        _ layout: StoreLayout
    ) -> [String] {
        guard let links = layout.links(property, of: entity) else {
            return layout.tables.first { $0.name == table }?.columns.compactMap { column in
                guard case .attribute(entity, property, _) = column.role else { return nil }
                return "\(table).\(column.name)"
            } ?? []
        }
        guard links.form != .join else { return [links.table] }
        return [links.key, links.entityColumn, links.orderKey].compactMap {
            $0.map { "\(links.table).\($0)" }
        }
    }

    func causes(of step: MigrationStep) -> [ModelChange] {
        let indexes =
            switch step.action {
            case .schema(let change): causes(of: change)
            case .rows(let change): causes(of: change)
            case .policies: [Int]()
            }
        return indexes.map { changes[$0] }
    }

    private func table(_ name: String) -> [Int] { byTable[name] ?? byColumn[name] ?? [] }

    private func column(_ name: String, of table: String) -> [Int] {
        byColumn["\(table).\(name)"] ?? self.table(table)
    }

    private func causes(of change: SchemaChange) -> [Int] {
        switch change {
        case .createTable(let table): table.entities.isEmpty ? [] : self.table(table.name)
        case .createJoinTable(let join): table(join.name)
        case .dropTable(let name), .renameTable(let name, _), .dropIndex(_, of: let name),
            .dropTrigger(_, of: let name), .restore(_, of: let name, _):
            table(name)
        case .addColumn(let added, let table): column(added.name, of: table)
        case .renameColumn(let name, let new, let table):
            byColumn["\(table).\(new)"] ?? column(name, of: table)
        case .dropColumn(let name, let table): column(name, of: table)
        case .createIndex(let index): table(index.table)
        case .createTrigger(let trigger): table(trigger.table)
        case .createSpatial(let index), .dropSpatial(let index), .fillSpatial(let index):
            table(index.table)
        case .addTombstone, .createTemporary, .indexTemporary, .rebuildIndex: []
        }
    }

    private func causes(of change: RowChange) -> [Int] {
        switch change {
        case .update(let table, let values, _):
            var known: Set<Int> = []
            return values.flatMap { column($0.column, of: table) }
                .filter { known.insert($0).inserted }
        case .delete(let name, _), .removeStrays(let name, _), .insert(_, let name, _),
            .countKeys(let name, _):
            return table(name)
        case .copy(_, let new, _, _): return table(new.name)
        case .fillJoinTable(let join, _), .writeJoinTable(let join, _, _): return table(join.name)
        case .writeForeignKey(let key, _, _): return column(key.column, of: key.table)
        case .writeOwner(let table, let name, _, _): return column(name, of: table)
        case .assignOrder(let table, _, let name): return column(name, of: table)
        case .derive(_, let table, let name, _, _): return column(name, of: table)
        case .capture, .add, .markFirst, .keepFirst, .writePrimaryKeys, .forget,
            .renumberEntities, .write, .remove, .renumberLists,
            .raiseKey, .replaceRecord:
            return []
        }
    }
}

package import MappingInference
package import ModelDiffing
import ObjectModel
package import StoreFormat

package struct ProgramStep: Sendable, Hashable {
    /// What the time of a step grows with.
    package enum Effort: String, Sendable, Hashable {
        /// Only the schema changes: the time does not grow with the rows.
        case schema
        case rows
    }

    package enum Action: Sendable, Hashable {
        case schema(SchemaChange)
        /// Changes rows, or computes what rows will get.
        case rows(RowChange)
        /// Runs the migration policies of these names.
        case policies([String], PolicyPhase)
    }

    package enum PolicyPhase: String, Sendable, Hashable {
        case instances
        /// Links are made, and the result is checked.
        case relationships
    }

    package var action: Action
    /// The differences between the two versions that are its reason; empty for what every migration does.
    package internal(set) var causes: [ModelChange] = []

    init(_ action: Action) { self.action = action }

    static func schema(_ change: SchemaChange) -> ProgramStep { ProgramStep(.schema(change)) }

    static func rows(_ change: RowChange) -> ProgramStep { ProgramStep(.rows(change)) }

    static func add(
        to table: String,
        _ columns: [String],
        _ query: String,
        what: String
    ) -> ProgramStep { .rows(.add(to: table, columns: columns, query: query, what: what)) }
}

/// Two queries that must give equal rows: one before all steps, one after them.
package struct MigrationCheck: Sendable, Hashable {
    /// What is compared, such as `the number of links of Book.author`.
    package var subject: String
    package var before: String
    package var after: String
    /// For a check that counts a table's rows by entity, what an index may answer instead of the queries.
    var entities: EntityRows?
    /// The table all of whose rows a step writes with one entity number: as many must be written as exist.
    var written: String?

    struct EntityRows: Sendable, Hashable {
        var before: String
        var after: String
        var numbers: [Int: Int]
        /// Whether rows of other numbers stay instead of going.
        var keepsOthers: Bool
    }
}

package enum TableTreatment: String, Sendable, Hashable, CaseIterable {
    case create
    case keep
    /// The schema changes; rows stay where they are.
    case alter
    /// Rows are changed in place, in one pass.
    case update
    /// Rows are copied into a new table, in one pass.
    case rebuild
    case drop
}

package struct TableChange: Sendable, Hashable {
    /// The new name of a continued table, the old one of a removed table.
    package var table: String
    package var treatment: TableTreatment
}

/// Everything that a migration does to a store, in order; it can be read, printed and tested without one.
package struct MigrationProgram: Sendable, Hashable {
    package internal(set) var changes: [TableChange] = []
    /// The steps, in order; they run in one transaction.
    package internal(set) var steps: [ProgramStep] = []
    /// What must be the same before and after.
    package internal(set) var checks: [MigrationCheck] = []
    /// Questions to the rows after all steps: what was intended but is missing.
    var writtenQuestions: [RowQuestion] = []
    package internal(set) var uncomputed: [UncomputedValue] = []
    package internal(set) var abandoned: [AbandonedObject] = []
    /// Join tables that Core Data may look for under another name.
    package internal(set) var uncertain: [UncertainJoinTable] = []

    package func newUniqueIndexes(of table: String) -> [String] {
        steps.compactMap { step in
            guard case .schema(.createIndex(let index)) = step.action, index.isUnique,
                index.table == table
            else { return nil }
            return index.name
        }
    }
    package internal(set) var layout: StoreLayout
}

/// A column, an index or a trigger that is not Core Data's and cannot stay.
package struct AbandonedObject: Sendable, Hashable {
    package var kind: RowRisk.ForeignKind
    package var name: String
    package var table: String
    /// Why it is removed; lower case, no final period.
    package var reason: String
}

extension AbandonedObject: CustomStringConvertible {
    package var description: String {
        "the \(kind.rawValue) \(name) on \(table) is removed: \(reason)"
    }
}

/// A derived attribute that cannot be computed for existing rows.
package struct UncomputedValue: Sendable, Hashable {
    package var entity: String
    package var attribute: String
    /// Why; lower case, no final period.
    package var reason: String
}

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
                let own = PropertyReference(entity: entity, name: property)
                guard case .attribute(own, _) = column.role else { return nil }
                return "\(table).\(column.name)"
            } ?? []
        }
        guard links.form != .join else { return [links.table] }
        return [links.key, links.entityColumn, links.orderKey].compactMap {
            $0.map { "\(links.table).\($0)" }
        }
    }

    func causes(of step: ProgramStep) -> [ModelChange] {
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
            .dropTrigger(_, of: let name):
            table(name)
        case .restore(let object): table(object.table)
        case .addColumn(let added, let table): column(added.name, of: table)
        case .renameColumn(let name, let new, let table):
            byColumn["\(table).\(new)"] ?? column(name, of: table)
        case .dropColumn(let name, let table): column(name, of: table)
        case .createIndex(let index): table(index.table)
        case .createTrigger(let trigger): table(trigger.table)
        case .createSpatial(let index), .dropSpatial(let index), .fillSpatial(let index):
            table(index.table)
        case .addHistoryColumn, .createTemporary, .indexTemporary, .rebuildIndex: []
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
            .setKey, .replaceRecord:
            return []
        }
    }
}

package import MappingInference
package import ModelDiffing
package import StoreFormat

package struct MigrationStep: Sendable, Hashable {
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

    static func schema(_ change: SchemaChange) -> MigrationStep { MigrationStep(.schema(change)) }

    static func rows(_ change: RowChange) -> MigrationStep { MigrationStep(.rows(change)) }

    /// The step that adds the result of a query to a temporary table.
    static func add(
        to table: String,
        _ columns: [String],
        _ query: String,
        what: String
    ) -> MigrationStep { .rows(.add(to: table, columns: columns, query: query, what: what)) }
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
    package internal(set) var steps: [MigrationStep] = []
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

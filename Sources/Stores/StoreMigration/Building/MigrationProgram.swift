package import MappingInference
package import ModelDiffing
import SQLiteAccess
package import StoreFormat

/// One step of a migration, and why it is taken.
package struct MigrationStep: Sendable, Hashable {
    /// What the time of a step grows with.
    package enum Effort: String, Sendable, Hashable {
        /// The schema alone is changed: the time does not grow with the rows.
        case schema
        /// Rows are read or written.
        case rows
    }

    /// What a step does.
    package enum Action: Sendable, Hashable {
        /// Changes the schema.
        case schema(SchemaChange)
        /// Changes rows, or computes what rows will get.
        case rows(RowChange)
        /// Runs Swift code: the migration policies of these names.
        case policies([String], PolicyPhase)
    }

    /// When the code of migration policies runs.
    package enum PolicyPhase: String, Sendable, Hashable {
        /// Objects are made.
        case instances
        /// Their links are made, and what came out is checked.
        case relationships
    }

    /// What the step does.
    package var action: Action
    /// The differences between the two versions that it is taken for; empty for what every migration does.
    package internal(set) var causes: [ModelChange] = []

    init(_ action: Action) {
        self.action = action
    }

    static func schema(_ change: SchemaChange) -> MigrationStep { MigrationStep(.schema(change)) }

    static func rows(_ change: RowChange) -> MigrationStep { MigrationStep(.rows(change)) }
}

/// Two queries whose rows must be equal: one before all steps, one after them.
package struct MigrationCheck: Sendable, Hashable {
    /// What is compared, such as `the number of links of Book.author`.
    package var subject: String
    /// The query that runs before the first step.
    package var before: String
    /// The query that runs after the last step.
    package var after: String
    /// For a check that counts the rows of each entity of a table, what an index may tell in place of the queries.
    var entities: EntityRows?
    /// The table all of whose rows a step writes with one entity number, so that as many must be written as are there.
    var written: String?

    /// The rows of each entity of a table, before and after.
    struct EntityRows: Sendable, Hashable {
        /// The tables.
        var before: String
        var after: String
        /// The new numbers of the entities whose rows go on, by the old ones.
        var numbers: [Int: Int]
        /// Whether rows of other numbers stay as they are, not go.
        var keepsOthers: Bool
    }
}

/// How the rows of a table come to the new version.
package enum TableTreatment: String, Sendable, Hashable, CaseIterable {
    /// The table is new, and empty.
    case create
    /// The table stays as it is.
    case keep
    /// The schema of the table changes; its rows stay where they are.
    case alter
    /// Rows are changed where they are, in one pass.
    case update
    /// Rows are copied into a new table, in one pass.
    case rebuild
    /// The table goes, and its rows with it.
    case drop
}

/// What happens to one table.
package struct TableChange: Sendable, Hashable {
    /// The name: the new one of a table that goes on, the old one of a table that goes.
    package var table: String
    /// What happens to it.
    package var treatment: TableTreatment
}

/// Everything that a migration does to a store, in order; it can be read, printed and tested without one.
package struct MigrationProgram: Sendable, Hashable {
    /// What happens to each table: new ones, dropped ones, those that go on, join tables.
    package internal(set) var changes: [TableChange] = []
    /// The steps, in order; they run in one transaction.
    package internal(set) var steps: [MigrationStep] = []
    /// What must be the same before and after.
    package internal(set) var checks: [MigrationCheck] = []
    /// What is asked of the rows when all steps have run: what was meant to be there and is not.
    var writtenQuestions: [RowQuestion] = []
    /// Derived attributes whose values cannot be computed here, with the reason.
    package internal(set) var uncomputed: [UncomputedValue] = []
    /// Columns, indexes and triggers that are not Core Data's and cannot stay.
    package internal(set) var abandoned: [AbandonedObject] = []
    /// Join tables that Core Data may look for under another name.
    package internal(set) var uncertain: [UncertainJoinTable] = []

    /// The names of the unique indexes that a table gets.
    package func newUniqueIndexes(of table: String) -> [String] {
        steps.compactMap { step in
            guard case .schema(.createIndex(let index)) = step.action, index.isUnique,
                index.table == table
            else { return nil }
            return index.name
        }
    }
    /// The layout that comes out.
    package internal(set) var layout: StoreLayout

    init(layout: StoreLayout) {
        self.layout = layout
    }
}

/// A column, an index or a trigger that is not Core Data's and cannot stay.
package struct AbandonedObject: Sendable, Hashable {
    /// What it is.
    package var kind: RowRisk.ForeignKind
    /// Its name.
    package var name: String
    /// The table that it is on.
    package var table: String
    /// Why it goes: lower case, no final period.
    package var reason: String
}

extension AbandonedObject: CustomStringConvertible {
    /// The object and why it goes, as a sentence.
    package var description: String {
        "the \(kind.rawValue) \(name) on \(table) is removed: \(reason)"
    }
}

/// A derived attribute whose values cannot be computed for rows that are there.
package struct UncomputedValue: Sendable, Hashable {
    /// The entity of the new version.
    package var entity: String
    /// The attribute.
    package var attribute: String
    /// Why: lower case, no final period.
    package var reason: String
}

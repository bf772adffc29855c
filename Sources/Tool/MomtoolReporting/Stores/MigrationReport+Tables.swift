import MappingInference
import StoreMigration

extension MigrationReport {
    package struct TableLine: Sendable, Encodable {
        package var table: String
        package var treatment: String
        /// The new unique indexes, which make the migration fail on rows with equal values; absent without any.
        package var uniqueIndexes: [String]?

        init(_ change: TableChange, _ program: MigrationProgram) {
            (table, treatment) = (change.table, change.treatment.rawValue)
            let indexes = program.newUniqueIndexes(of: change.table)
            uniqueIndexes = indexes.isEmpty || change.treatment == .create ? nil : indexes
        }
    }

    /// Absent without a program.
    var tables: [TableLine]? {
        program.map { program in program.changes.map { TableLine($0, program) } }
    }

    private static let noRow = "no row of this store prevents it"

    /// Notes on changes that depend on rows that no row of the store forbids them, where that is so.
    mutating func answer(_ findings: [RowFinding]) {
        let entities = Set(findings.flatMap(\.names).compactMap { $0.split(separator: ".").first })
        for index in changes.indices
        where changes[index].verdict == .dependsOnRows
            && !entities.contains(changes[index].change.element.split(separator: ".").first ?? "")
        { changes[index].ruling.effect = Self.noRow }
        hasNoRowAtStake = findings.isEmpty
    }

    /// The verdict for people, with the answer of the rows where they decide.
    var answeredVerdict: String {
        let isAnswered = hasNoRowAtStake && verdict == .dependsOnRows
        return verdictWords + (isAnswered ? ", and \(Self.noRow)" : "")
    }

    /// What happens to a table, for people; that rows may forbid it, unless they were asked.
    func words(of line: TableLine) -> String {
        guard let indexes = line.uniqueIndexes else { return line.treatment }
        let words =
            line.treatment + ", and \(indexes.count == 1 ? "a unique index" : "unique indexes")"
        return hasNoRowAtStake
            ? words : words + ": with equal values the migration fails (134110)"
    }
}

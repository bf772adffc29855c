import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// What a step does to what a store keeps about its entities: `Z_PRIMARYKEY`, persistent history and CloudKit mirroring.
struct SystemTransfer {
    let correspondence: EntityCorrespondence
    let schema: StoreSchema
    let expressions: MapExpressions

    init(_ builder: ProgramBuilder) {
        (correspondence, schema) = (builder.correspondence, builder.schema)
        expressions = builder.expressions
    }

    /// The steps that update entity numbers everywhere but in the tables of entities.
    var steps: [ProgramStep] {
        primaryKeySteps + historySteps
            + cloudTables.flatMap { renumberingSteps(of: "ZENTITYID", in: $0) }
    }

    /// Rewrites `Z_PRIMARYKEY`, where the greatest keys stay those of the root entities (SQLiteStores, "Entity numbers").
    private var primaryKeySteps: [ProgramStep] {
        let (old, new) = (correspondence.source, correspondence.destination)
        let isSame = zip(old.entities, new.entities).allSatisfy {
            ($0.number, $0.name, $0.superNumber) == ($1.number, $1.name, $1.superNumber)
                && correspondence.oldRoots[$1.name, default: $1.name] == $1.name
        }
        if isSame, old.entities.count == new.entities.count { return countingSteps }
        let rows = new.entities.map { entity in
            let key = entity.superNumber == 0 ? greatestKey(of: entity) : "0"
            return "(\(entity.number), \(quotedText(entity.name)), \(entity.superNumber), \(key))"
        }
        let query = "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY"
        // A row that no entity has may use a number of the new version.
        let isOld = "Z_ENT < \(HistoryLayout.firstNumber)"
        let what = "remove the old entity numbers"
        return [
            .rows(.capture(RowChange.keys, query: query, what: "the greatest keys")),
            .rows(.forget(table: "Z_PRIMARYKEY", where: isOld, what: what)),
        ] + (rows.isEmpty ? [] : [.rows(.writePrimaryKeys(rows))])
    }

    /// Writes the greatest key of tables that get objects with new keys to `Z_PRIMARYKEY`.
    private var countingSteps: [ProgramStep] {
        let made = correspondence.insertions + correspondence.policies
        let (roots, layout) = (Set(made.map(\.destination.rootName)), correspondence.destination)
        return layout.tables.filter { roots.contains($0.rootEntity) }.map { table in
            let number = layout.number(of: table.rootEntity) ?? 0
            return .rows(.countKeys(table: table.name, number: number))
        }
    }

    private func greatestKey(of root: NumberedEntity) -> String {
        guard let table = correspondence.destination.table(of: root.name) else { return "0" }
        let present = "COALESCE((\(greatestKeyQuery(in: quotedIdentifier(table.name)))), 0)"
        guard let oldRoot = correspondence.oldRoots[root.name],
            let number = correspondence.source.number(of: oldRoot)
        else {
            let isFilled = correspondence.insertions.contains {
                $0.destination.rootName == root.name
            }
            return isFilled ? present : "0"
        }
        return "max(COALESCE((SELECT Z_MAX FROM temp.momtool_keys WHERE Z_ENT = \(number)), 0), "
            + "\(present))"
    }

    /// Renumbers the entities in persistent history; changes of removed entities go.
    private var historySteps: [ProgramStep] {
        guard let columns = schema.columns["ACHANGE"], columns.contains("ZENTITY") else {
            return []
        }
        let missing = HistoryLayout.tombstones(of: correspondence.destinationGraph.model)
            .filter { !columns.contains($0.name) }
        return missing.map { .schema(.addHistoryColumn($0)) }
            + renumberingSteps(of: "ZENTITY", in: "ACHANGE")
    }

    /// Counts the records of history and CloudKit mirroring about removed entities, and about objects that leave theirs.
    var recordQuestions: [RowQuestion] {
        let removed = correspondence.source.entities.filter {
            correspondence.newNumber(for: $0.number) == nil && !$0.isAbstract
        }
        let left = leftRecords
        return recordTables.flatMap { table, column in
            func question(_ entity: String, _ condition: String, isWhole: Bool) -> RowQuestion {
                let risk = RowRisk(
                    .recordsOfRemovedObjects(table: table, isWholeEntity: isWhole),
                    of: entity
                )
                return RowQuestion(risk, from: "\(quotedIdentifier(table)) WHERE \(condition)")
            }
            return removed.map { question($0.name, "\(column) = \($0.number)", isWhole: true) }
                + left.filter { $0.table == table }
                .map { question($0.entity, $0.condition, isWhole: false) }
        }
    }

    /// The steps that remove records of history and mirroring about objects that leave their entity; they run first.
    var recordRemovals: [ProgramStep] {
        leftRecords.map { _, table, condition in
            let what = "delete the records of objects that leave their entity from \(table)"
            return .rows(.forget(table: table, where: condition, what: what))
        }
    }

    /// The records of history and CloudKit mirroring about existing objects that leave their entity.
    ///
    /// Nobody has their names any more. Records of objects that were deleted before stay.
    private var leftRecords: [(entity: String, table: String, condition: String)] {
        let partial = correspondence.pairs.filter { pair in
            pair.taken != nil
                && correspondence.newNumber(for: pair.source.number) == pair.destination.number
        }
        guard !partial.isEmpty else { return [] }
        return recordTables.flatMap { table, column in
            partial.compactMap { pair in
                guard schema.columns[table]?.contains("ZENTITYPK") == true,
                    let rows = correspondence.source.table(of: pair.source.name)
                else { return nil }
                let number = pair.source.number
                let staying = correspondence.targets.filter {
                    $0.source.number == number && $0.destination.number == pair.destination.number
                        && ($0.keepsKeys || $0.isContinuing)
                        && $0.mapping.findOrCreateKeys.isEmpty && $0.mapping.policyName == nil
                }
                let conditions = staying.compactMap { try? expressions.condition(of: $0) }
                let left =
                    "SELECT s.Z_PK FROM \(expressions.table(rows.name)) AS s WHERE s.Z_ENT = \(number)"
                    + conditions.map { " AND (\($0)) IS NOT 1" }.joined()
                return (pair.source.name, table, "\(column) = \(number) AND ZENTITYPK IN (\(left))")
            }
        }
    }

    /// The tables of history and CloudKit mirroring that hold entity numbers, with the column of these.
    private var recordTables: [(table: String, column: String)] {
        (schema.columns["ACHANGE"]?.contains("ZENTITY") == true ? [("ACHANGE", "ZENTITY")] : [])
            + cloudTables.map { ($0, "ZENTITYID") }
    }

    /// The tables of CloudKit mirroring that hold entity numbers, in `ZENTITYID`.
    private var cloudTables: [String] {
        schema.columns.keys.sorted()
            .filter { $0.hasPrefix("ANSCK") && schema.columns[$0]?.contains("ZENTITYID") == true }
    }

    private func renumberingSteps(of column: String, in table: String) -> [ProgramStep] {
        let numbers = correspondence.source.entities.map(\.number)
        let removed = numbers.filter { correspondence.newNumber(for: $0) == nil }
        let moved = numbers.filter { old in
            correspondence.newNumber(for: old).map { $0 != old } ?? false
        }
        var steps: [ProgramStep] = []
        if !removed.isEmpty {
            let (isGone, what) = (
                "\(column) IN (\(numberList(removed)))", "delete removed entities from \(table)"
            )
            steps.append(.rows(.forget(table: table, where: isGone, what: what)))
        }
        if let value = correspondence.renumbering(column, of: moved) {
            steps.append(.rows(.renumberEntities(table: table, column: column, value, of: moved)))
        }
        return steps
    }
}

import Diagnostics
import Essentials
import SQLiteAccess
import StoreFormat

extension RepairScan {
    /// Asks about objects whose required link dangles: only a person knows its destination, or whether they should exist.
    mutating func askAboutRequired(_ link: StoredLink, _ scope: String) throws(StoreError) {
        let isGone = "\(scope) AND \(isMissing(link))"
        let isNull = "\(scope) AND \(link.key) IS NULL"
        let gone = try count("\(link.name) AS t WHERE \(isGone)")
        let null = try count("\(link.name) AS t WHERE \(isNull)")
        guard gone + null > 0 else { return }
        let (remedy, advice) = try remedy(ofRequired: link, "(\(isGone) OR \(isNull))")
        if gone > 0 {
            let list = try examples(link.table, isGone)
            let kind = try wordsOfKind(link.column, in: link.table, where: isGone)
            let problem = "to no object\(kind), and it is required\(list)"
            refuseLinks(gone, of: link.reference, problem, remedy, advice)
        }
        guard null > 0 else { return }
        let list = try examples(link.table, isNull)
        refuse(
            "'\(link.reference)' is required, and \(null.counted("row"))\(list)"
                + " \(null == 1 ? "has" : "have") no destination",
            remedy,
            advice: advice,
            [FindingKind(.missingDestination, link.reference.entity, link.reference.name)]
        )
    }

    /// Advice for such objects: they are removed if their owner would have deleted them, or get a link.
    private func remedy(
        ofRequired link: StoredLink,
        _ condition: String
    ) throws(StoreError) -> (Wording, [Advice]) {
        let entity = link.reference.entity
        let (table, column) = (quotedIdentifier(link.table), quotedIdentifier(link.column))
        let numbers = layout.numbers(ofHierarchy: entity)
        let isAlone = layout.table(of: entity)?.rootEntity == entity
        let range = "\(numbers.first ?? 0) AND \(numbers.last ?? 0)"
        let keys = "SELECT Z_PK FROM \(quotedIdentifier(link.target))"
        // The store may lack the table that a repair makes anew: all links into it are lost.
        let hasTargets = try count(quotedIdentifier(link.target)) > 0
        let isLost = hasTargets ? "\(column) IS NULL OR \(column) NOT IN (\(keys))" : "1"
        let rows = isAlone ? isLost : "(\(isLost)) AND Z_ENT BETWEEN \(range)"
        func statement(_ sql: String) -> Hint { .statement(sql, store: connection.path) }
        // Triggers of Core Data call functions that SQLite's shell lacks.
        guard !layout.hasTriggers(on: link.table) else {
            let others: Wording =
                try isOwnerless(entity, condition, in: link.table)
                ? ", or delete these objects with \(.advice(.dropOwnerless(entity)))" : ""
            let remedy: Wording = "restore the store from a backup\(others)"
            return (remedy, remedy.advice)
        }
        let set: Wording = """
            after a backup, give them the Z_PK of their \(link.destination) in place of \(Placeholder.key): \
            \(statement("UPDATE \(table) SET \(column) = \(Placeholder.key) WHERE \(rows)"))
            """
        guard try !isOwnerless(entity, condition, in: link.table) else {
            let remedy: Wording = """
                restore the store from a backup, or delete these objects with \(.advice(.dropOwnerless(entity)))\
                \(hasTargets ? "; or, \(set), and then repair again" : "" as Wording)
                """
            return (remedy, remedy.advice)
        }
        let others: Wording = hasTargets ? "\(set), or" : "after a backup,"
        let remedy: Wording = """
            restore the store from a backup; or, \(others) delete them: \
            \(statement("DELETE FROM \(table) WHERE \(rows)")), and then repair again; for links to \
            them: \(.advice(.clearLinks))
            """
        return (remedy, [])
    }

    /// Whether all objects of a condition lack an owner, so that they go as ownerless.
    private func isOwnerless(
        _ entity: String,
        _ condition: String,
        in table: String
    ) throws(StoreError) -> Bool {
        let ownership = Ownership(graph, layout, columns)
        guard !ownership.owners(of: entity).isEmpty else { return false }
        let conditions = layout.entities.filter { layout.isEntity($0.name, kindOf: entity) }
            .flatMap { below in
                [true, false].compactMap { ownership.isOwnerless(below.name, leftBehind: $0) }
            }
        guard !conditions.isEmpty else { return false }
        let all = conditions.map { "(\($0))" }.joined(separator: " OR ")
        return try count("\(quotedIdentifier(table)) AS t WHERE \(condition) AND NOT (\(all))") == 0
    }

    /// Describes how many broken links have something other than a key, such as a text; empty if all have keys.
    func wordsOfKind(
        _ column: String,
        in table: String,
        where condition: String
    ) throws(StoreError) -> String {
        let key = "t." + quotedIdentifier(column)
        let rows = "\(quotedIdentifier(table)) AS t WHERE \(condition) AND \(key) NOT NULL"
        let kinds = try connection.rows(
            "SELECT DISTINCT typeof(\(key)) FROM \(rows) AND typeof(\(key)) <> 'integer'"
        ).compactMap { $0.first?.text }.sorted()
        guard !kinds.isEmpty else { return "" }
        return ", as \(kinds.joined(separator: " or ")) is stored instead of a key"
    }
}

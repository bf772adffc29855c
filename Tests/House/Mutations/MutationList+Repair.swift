/// Mutations of repair, and of what it looks at: keys, history, entities and values.
extension Mutation {
    static let repairs = repairedLinks + repairedEntities + repairedValues + repairedRecords + keys

    private static let look = "Stores/StoreMigration/Repair/RepairLook"
    private static let restored = "repair-restores-links"
    private static let asked = "repair-asks-for-what-it-cannot-know"
    private static let found = "repair-finds-the-entities-of-rows"
    private static let given = "repair-takes-the-values-it-is-given"
    private static let raised = "repair-raises-the-greatest-keys"
    private static let pruned = "repair-prunes-old-history"

    private static let repairedLinks = [
        Mutation(
            "a link that leads nowhere is not restored from its other side",
            in: look + "+Links.swift",
            #"OR \(isMissing(link))"#,
            becomes: "",
            as: .text,
            caughtBy: restored
        ),
        Mutation(
            "the entity beside a link stays wrong",
            in: look + "+Links.swift",
            #"d.Z_ENT IS NOT \(number)"#,
            becomes: "0",
            as: .text,
            caughtBy: restored
        ),
        Mutation(
            "a list that is numbered again is turned round",
            in: rowSQL,
            #"ORDER BY \(key), \(rowKey)"#,
            becomes: #"ORDER BY \(key) DESC, \(rowKey) DESC"#,
            as: .text,
            caughtBy: restored
        ),
        Mutation(
            "a required link that leads nowhere is removed",
            in: look + "+Links.swift",
            "link.relationship.isOptional",
            becomes: "true",
            caughtBy: asked
        ),
    ]

    private static let repairedEntities = [
        Mutation(
            "repair does not look at the rows of sub-entities",
            in: look + ".swift",
            "numbers.last",
            becomes: "numbers.first",
            caughtBy: asked
        ),
        Mutation(
            "history does not tell of which entity a row is",
            in: look + "+Entities.swift",
            #"look.has("ACHANGE", ["ZENTITY", "ZENTITYPK"])"#,
            becomes: "false",
            caughtBy: found
        ),
        Mutation(
            "values do not tell of which entity a row is",
            in: look + "+Entities.swift",
            #"\(name) IS NULL"#,
            becomes: "1",
            as: .text,
            caughtBy: found
        ),
        Mutation(
            "the parent of an entity stays wrong",
            in: look + "+Entities.swift",
            "row.superNumber != entity.superNumber",
            becomes: "false",
            caughtBy: found
        ),
        Mutation(
            "an entity whose number another one has is let be",
            in: look + "+Entities.swift",
            "!names.contains(row.name)",
            becomes: "true",
            caughtBy: found
        ),
    ]

    private static let repairedValues = [
        Mutation(
            "a value that changes by it is converted",
            in: look + "+Values.swift",
            #"CAST(\(integer) AS TEXT) = \(value)"#,
            becomes: "1",
            as: .text,
            caughtBy: given
        ),
        Mutation(
            "a value that is given replaces all others",
            in: look + "+Values.swift",
            "condition",
            becomes: "values.scope",
            within: "add(values.write(given.sqlLiteral, where: condition, what))",
            caughtBy: given
        ),
        Mutation(
            "a lost table with objects is created empty without asking",
            in: look + "+Schema.swift",
            "options.allowsDataLoss",
            becomes: "true",
            within: "guard options.allowsDataLoss else",
            caughtBy: asked
        ),
        Mutation(
            "a unique index is put on rows with equal values",
            in: look + "+Schema.swift",
            "index.isUnique",
            becomes: "false",
            caughtBy: "repair-leaves-equal-values-alone"
        ),
        Mutation(
            "a trigger of the app's own is gone after a repair",
            in: "Stores/StoreMigration/Repair/RepairPlanner.swift",
            "foreign",
            becomes: "foreign.filter { _ in false }",
            within: "foreign.map { object in",
            caughtBy: "repair-keeps-the-triggers-of-others"
        ),
    ]

    private static let repairedRecords = [
        Mutation(
            "metadata are written by a model that does not fit",
            in: look + "+Records.swift",
            "misfits.isEmpty",
            becomes: "true",
            within:
                "misfits.isEmpty else {\n            return refuse(\n                \"the store",
            caughtBy: "repair-writes-metadata-that-fit"
        ),
        Mutation(
            "pruning removes new history and keeps the old",
            in: look + "+Records.swift",
            #"ZTIMESTAMP < \(start)"#,
            becomes: #"ZTIMESTAMP > \(start)"#,
            as: .text,
            caughtBy: pruned
        ),
        Mutation(
            "changes of history stay when their transactions go",
            in: look + "+Records.swift",
            "changeCount > 0",
            becomes: "false",
            caughtBy: pruned
        ),
        Mutation(
            "a column of history that is lost stays lost",
            in: look + "+Schema.swift",
            "HistoryLayout.tombstoneColumns(of: model)",
            becomes: "[]",
            caughtBy: keptInHistory
        ),
    ]

    private static let keys = [
        Mutation(
            "keys that history speaks of are not counted",
            in: handedOutKeys,
            #""ACHANGE""#,
            becomes: #""NONE""#,
            within: #"search.lookAtRecords(in: "ACHANGE", "ZENTITY", "ZENTITYPK")"#,
            caughtBy: raised
        ),
        Mutation(
            "keys of the tables of history are not counted",
            in: handedOutKeys,
            "row.number >= HistoryLayout.firstNumber",
            becomes: "false",
            caughtBy: raised
        ),
        Mutation(
            "keys that CloudKit's tables speak of are not counted",
            in: handedOutKeys,
            #"table.hasPrefix("ANSCK")"#,
            becomes: "false",
            caughtBy: raised
        ),
        Mutation(
            "keys that links speak of are not counted",
            in: handedOutKeys,
            "relationship?.destinationEntity.flatMap(rootNumber)",
            becomes: "nil",
            caughtBy: raised
        ),
    ]

    private static let handedOutKeys = "Stores/StoreFormat/Verifying/HandedOutKeys.swift"
    static let keptInHistory = "history-has-columns-for-what-it-keeps"
}

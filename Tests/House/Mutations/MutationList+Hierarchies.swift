/// Mutations that show in hierarchies, in raw columns and in files only, which others put in and nothing noticed.
extension Mutation {
    static let blindSpots = [
        Mutation(
            "places in a new order begin at 1024",
            in: linkSQL,
            "SELECT Z_PK AS id, ",
            becomes: "SELECT Z_PK AS id, -1024 + ",
            as: .text,
            caughtBy: "unordered-becomes-ordered"
        ),
        Mutation(
            "places in the order of links begin at 1024",
            in: linkSQL,
            #"row_number() OVER (PARTITION BY \(owner) ORDER BY \(known), \(object))"#,
            becomes:
                #"-1 + row_number() OVER (PARTITION BY \(owner) ORDER BY \(known), \(object))"#,
            as: .text,
            caughtBy: "many-to-many-becomes-ordered"
        ),
        Mutation(
            "history and mirroring keep the old numbers of sub-entities",
            in: system,
            #"correspondence.source.entities.map(\.number)"#,
            becomes:
                #"correspondence.source.entities.filter { $0.superNumber == 0 }.map(\.number)"#,
            caughtBy: "history-and-mirroring-follow-the-numbers-of-sub-entities"
        ),
        Mutation(
            "duplicates are looked for in each entity by itself",
            in: "Stores/StoreMigration/Asking/RowQuestions+Uniqueness.swift",
            "correspondence.pairs(ofKind: entity)",
            becomes:
                "correspondence.pairs(ofKind: entity).filter { $0.destination.name == entity }",
            within: "for pair in correspondence.pairs(ofKind: entity) {",
            caughtBy: "uniqueness-added-over-duplicates-of-a-parent-and-its-sub-entity"
        ),
        Mutation(
            "rules look at the attributes of root entities only",
            in: checked,
            "entities",
            becomes: "entities.filter { $0.parentEntity == nil }",
            within:
                "entities.flatMap { entity in entity.attributes.compactMap { check($0, entity) } }",
            caughtBy: "lint-inside-a-hierarchy"
        ),
        Mutation(
            "rules look at the relationships of root entities only",
            in: checked,
            "entities",
            becomes: "entities.filter { $0.parentEntity == nil }",
            within:
                "entities.flatMap { entity in entity.relationships.compactMap { check($0, entity) } }",
            caughtBy: "lint-inside-a-hierarchy"
        ),
        Mutation(
            "version identifiers do not tell equal versions apart",
            in: "Judgement/ModelDiffing/WriterChoice.swift",
            "named.count == 1",
            becomes: "false && named.count == 1",
            caughtBy: "writer-among-equal-versions"
        ),
        Mutation(
            "the model of a store does not tell equal versions apart",
            in: "Judgement/ModelDiffing/WriterChoice.swift",
            "$1 == least",
            becomes: "$1 >= least",
            caughtBy: "writer-among-equal-versions"
        ),
        Mutation(
            "values of 16 bits may come out as great as 65535",
            in: "Stores/StoreMigration/Steps/ConversionSQL.swift",
            "to.integers.upperBound",
            becomes: "to.integers.upperBound * 2 + 1",
            caughtBy: "integer-64-becomes-16-in-a-sub-entity-agreed"
        ),
        Mutation(
            "values of 16 bits are verified up to 65535",
            in: "Stores/StoreFormat/Verifying/RowChecks.swift",
            "integers.upperBound",
            becomes: "integers.upperBound * 2 + 1",
            caughtBy: "values-of-sixteen-bits"
        ),
        Mutation(
            "a new file has no write-ahead log though the store had one",
            in: "Stores/StoreMigration/Running/MigrationFiles.swift",
            "store.usesWriteAheadLog",
            becomes: "false",
            within: "guard store.usesWriteAheadLog else { return inlined }",
            caughtBy: "write-ahead-log-stays"
        ),
    ]

    private static let checked = "Judgement/ModelChecking/CheckedBundle.swift"
}

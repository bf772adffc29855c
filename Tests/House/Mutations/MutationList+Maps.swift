/// Mutations of what maps and stages add to the one engine.
extension Mutation {
    static let objects = "Stores/StoreMigration/Building/ProgramBuilder+Maps.swift"
    static let mapExpressions = "Stores/StoreMigration/Building/MapExpressions.swift"
    static let mappedLinks = "Stores/StoreMigration/Building/MappedLinks.swift"

    static let maps = [
        Mutation(
            "the condition of a mapping is not asked",
            in: mapExpressions,
            #" AND (\(condition.sql))"#,
            becomes: "",
            as: .text,
            caughtBy: "stages-a-map-makes-homes-of-city-names"
        ),
        Mutation(
            "a value of a map is copied by its name instead",
            in: cells,
            "mapping.expression",
            becomes: "[mapping.expression].last { _ in false } ?? nil",
            within: "if let expression = mapping.expression",
            caughtBy: "stages-split-a-name-by-a-map"
        ),
        Mutation(
            "values that look at other rows are read after these have changed",
            in: objects,
            "value.readsOtherRows",
            becomes: "false",
            within: "guard value.readsOtherRows,",
            caughtBy: "stages-a-map-makes-homes-of-city-names"
        ),
        Mutation(
            "new objects get keys that others have",
            in: objects,
            #""max(0, \(keys.map { "COALESCE((\($0)), 0)" }.joined(separator: ", ")))""#,
            becomes: #""0""#,
            caughtBy: "stages-a-map-makes-two-objects-of-one"
        ),
        Mutation(
            "an object that is found by its key is made again",
            in: objects,
            " WHERE o.isFirst = 1",
            becomes: "",
            as: .text,
            caughtBy: "stages-a-map-makes-homes-of-city-names"
        ),
        Mutation(
            "a link leads to an object with any key",
            in: objects,
            #"AND d.\(quotedIdentifier(column)) = v.value"#,
            becomes: "",
            as: .text,
            caughtBy: "stages-a-map-makes-homes-of-city-names"
        ),
        Mutation(
            "links to objects that a map leaves out stay",
            in: mappedLinks,
            "!isFirst || !target.keepsKeys || target.taken != nil",
            becomes: "!isFirst || !target.keepsKeys",
            caughtBy: "stages-a-map-leaves-out-friends"
        ),
        Mutation(
            "objects that a map leaves out are not counted",
            in: "Stores/StoreMigration/Asking/RowQuestions+Maps.swift",
            #"(\(any)) IS NOT 1"#,
            becomes: "0",
            as: .text,
            caughtBy: "stages-a-map-leaves-objects-out"
        ),
        Mutation(
            "a step of stages starts from the tables of the one before it",
            in: "Stores/StoreMigration/Running/MigrationPart.swift",
            "schema.applying(program.program)",
            becomes: "schema",
            caughtBy: "stages-index-what-the-next-rebuilds"
        ),
    ]
}

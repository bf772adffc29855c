extension Mutation {
    /// The mutations, by what they break.
    static let all =
        values + links + joinTables + rows + numbers + refusals + surroundings
        + maps
        + blindSpots + repairs + models + diagnoses
        + edits

    static let cells = "Stores/StoreMigration/Steps/CellSource.swift"
    static let joins = "Stores/StoreMigration/Building/JoinTransfer.swift"
    static let linkSQL = "Stores/StoreMigration/Steps/RowChange+Links.swift"
    static let rowSQL = "Stores/StoreMigration/Steps/RowChange+SQL.swift"
    static let plan = "Stores/StoreMigration/Building/LinkPlan.swift"
    static let correspondence = "Stores/StoreMigration/Building/EntityCorrespondence.swift"
    static let system = "Stores/StoreMigration/Building/SystemTransfer.swift"
    static let questions = "Stores/StoreMigration/Asking/RowQuestions.swift"
    static let attributes = "Judgement/MappingInference/AttributeInference.swift"

    private static let values = [
        Mutation(
            "a default is not written into existing rows",
            in: cells,
            "fill.map { .constant($0) } ?? .null",
            becomes: "RowExpression.null",
            caughtBy: "attribute-added-optional-with-default"
        ),
        Mutation(
            "a default is not inferred",
            in: attributes,
            "attribute.property.defaultValue",
            becomes: "nil",
            within: "fill: attribute.property.defaultValue",
            caughtBy: "attribute-added-mandatory-with-default-string"
        ),
        Mutation(
            "NULLs of what becomes mandatory stay",
            in: attributes,
            "becomesMandatory ? value.to.defaultValue : nil",
            becomes: "nil",
            caughtBy: "optional-becomes-mandatory-with-default"
        ),
        Mutation(
            "a default replaces values that are there",
            in: cells,
            ".coalesced(converted, stored($0, by: mapping))",
            becomes: "RowExpression.constant($0)",
            caughtBy: "optional-becomes-mandatory-with-default"
        ),
        Mutation(
            "a value is not converted to its new type",
            in: cells,
            "RowExpression.converting(own, mapping.conversion)",
            becomes: "own",
            caughtBy: "double-becomes-integer-of-fractions-agreed"
        ),
        Mutation(
            "a renamed column is not carried over",
            in: cells,
            "mapping.source",
            becomes: "mapping.source.flatMap { $0.name == mapping.destination.name ? $0 : nil }",
            within: "guard let origin = mapping.source,",
            caughtBy: "attribute-renamed"
        ),
        Mutation(
            "an element of a composite is read from another one",
            in: cells,
            "mapping.sourceElementPath",
            becomes: "mapping.elementPath.reversed()",
            within: "path: mapping.sourceElementPath,",
            caughtBy: "composite-element-renamed"
        ),
        Mutation(
            "a derived value is not computed",
            in: "Stores/StoreMigration/Steps/DerivedValues.swift",
            "correspondence.mustCompute(attribute, computed, links)",
            becomes: "false",
            caughtBy: "derived-value-added"
        ),
        Mutation(
            "a derived count counts nothing",
            in: "Stores/RowExchange/Queries/ExpressionTranslation.swift",
            #"COUNT(*) FROM \(members.source))"#,
            becomes: #"0 * COUNT(*) FROM \(members.source))"#,
            as: .text,
            caughtBy: "derived-count-added"
        ),
    ]

    private static let links = [
        Mutation(
            "the entity number of a link is not renumbered",
            in: cells,
            "renumbering(entity, of: numbers) ?? .column(entity)",
            becomes: "RowExpression.column(entity)",
            caughtBy: "link-to-a-hierarchy-while-entities-are-renumbered"
        ),
        Mutation(
            "a link gets no entity number when its destination gains sub-entities",
            in: cells,
            "CellSource(value: .numberIfPresent(column: key, number), base: nil)",
            becomes: "CellSource.null",
            caughtBy: "destination-gains-a-sub-entity"
        ),
        Mutation(
            "a link to an object that is gone stays",
            in: cells,
            "!removed.isEmpty",
            becomes: "false",
            caughtBy: "link-to-a-removed-sub-entity"
        ),
        Mutation(
            "the order key of a link is lost",
            in: cells,
            "order.map { CellSource.column($0) } ?? .null",
            becomes: "CellSource.null",
            caughtBy: "ordered-to-many-kept"
        ),
        Mutation(
            "the order key of a to-many relationship without inverse is lost",
            in: cells,
            "order.map { .column($0) } ?? .null",
            becomes: "CellSource.null",
            caughtBy: "ordered-to-many-without-inverse-kept"
        ),
        Mutation(
            "a captured link to an object that is gone stays",
            in: plan,
            "!removed.isEmpty",
            becomes: "false",
            caughtBy: "many-to-many-loses-links-to-a-removed-sub-entity"
        ),
        Mutation(
            "of several links the last one survives",
            in: linkSQL,
            #""sourceOrder, destination""#,
            becomes: #""sourceOrder DESC, destination DESC""#,
            caughtBy: "to-many-becomes-to-one-agreed"
        ),
        Mutation(
            "of several owners the last one survives",
            in: linkSQL,
            #""destinationOrder, source""#,
            becomes: #""destinationOrder DESC, source DESC""#,
            caughtBy: "one-to-one-inverse-added-over-shared-links"
        ),
        Mutation(
            "a written link has no entity number",
            in: linkSQL,
            #"\(quotedIdentifier(column)) = (\(rows) WHERE Z_PK = l.\(other))"#,
            becomes: #"\(quotedIdentifier(column)) = NULL"#,
            as: .text,
            caughtBy: "to-many-becomes-to-one-of-a-hierarchy"
        ),
        Mutation(
            "a written link has no place in the order",
            in: linkSQL,
            #"l.\(other)Order"#,
            becomes: "NULL",
            as: .text,
            caughtBy: "ordered-many-to-many-becomes-one-to-many"
        ),
        Mutation(
            "links are given to other objects",
            in: linkSQL,
            #"\(quotedIdentifier(key.column)) = l.\(other)"#,
            becomes: #"\(quotedIdentifier(key.column)) = l.\(side.rawValue)"#,
            as: .text,
            caughtBy: "to-many-becomes-to-one-of-a-hierarchy"
        ),
        Mutation(
            "a new order gives all objects the same place",
            in: linkSQL,
            "1024 * (1 + row_number() OVER",
            becomes: "1024 + 0 * (1 + row_number() OVER",
            as: .text,
            caughtBy: "unordered-becomes-ordered"
        ),
    ]

    private static let joinTables = [
        Mutation(
            "the sides of a new join table are swapped",
            in: linkSQL,
            #"["source", "destination"]"#,
            becomes: #"["destination", "source"]"#,
            caughtBy: "five-changes-at-once"
        ),
        Mutation(
            "the sides of a join table that is filled straight from a column are swapped",
            in: linkSQL,
            #"SELECT source, destination FROM (\(query)) ORDER BY 1, 2"#,
            becomes: #"SELECT destination, source FROM (\(query)) ORDER BY 1, 2"#,
            as: .text,
            caughtBy: "to-one-becomes-to-many"
        ),
        Mutation(
            "a join table keeps its columns though its sides have swapped",
            in: joins,
            "sourceIsFirst != origins[0].isReversed",
            becomes: "true",
            caughtBy: "many-to-many-named-by-its-other-side"
        ),
        Mutation(
            "the columns of a join table are not renamed",
            in: joins,
            "columns.map { (from: $0, to: $1) }",
            becomes: "[]",
            caughtBy: "many-to-many-kept-while-entities-are-renumbered"
        ),
        Mutation(
            "a join table is kept without the order that it gains",
            in: joins,
            "(old.first.orderKey == nil) == (table.first.orderKey == nil)",
            becomes: "true",
            caughtBy: "many-to-many-becomes-ordered-on-its-other-side"
        ),
        Mutation(
            "a join table is kept without the order that its other side gains",
            in: joins,
            "(old.second.orderKey == nil) == (table.second.orderKey == nil)",
            becomes: "true",
            caughtBy: "many-to-many-becomes-ordered"
        ),
        Mutation(
            "the order of a join table is written anew",
            in: linkSQL,
            #""COALESCE(\(known), 1024 * (1 + \(place)))""#,
            becomes: #""1024""#,
            caughtBy: "ordered-to-many-becomes-many-to-many-and-keeps-its-order"
        ),
        Mutation(
            "the order on the other side of captured links is lost",
            in: "Stores/StoreMigration/Asking/LinkQuery.swift",
            "destinationOrder",
            becomes: "nil",
            within: "sourceOrder: destinationOrder,",
            caughtBy: "ordered-inverse-becomes-many-to-many"
        ),
        Mutation(
            "a join table of an entity with itself forgets which side named it",
            in: correspondence,
            "naming.contains($0.reference)",
            becomes: "false",
            caughtBy: "self-many-to-many-keeps-the-side-that-names-its-table"
        ),
    ]
}

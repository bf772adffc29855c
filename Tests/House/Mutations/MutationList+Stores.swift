/// Mutations of what is done to a store as a whole, and of what is asked before.
extension Mutation {
    static let rows = [
        Mutation(
            "the rows of sub-entities are forgotten",
            in: correspondence,
            #"Dictionary(grouping: pairs, by: \.destination.rootName)"#,
            becomes: #"Dictionary(grouping: pairs, by: \.destination.name)"#,
            caughtBy: "sub-entity-attribute-added"
        ),
        Mutation(
            "the rows of a removed sub-entity stay",
            in: rowSQL,
            #"DELETE FROM \(quotedIdentifier(table))\(rows.sql)"#,
            becomes: #"DELETE FROM \(quotedIdentifier(table)) WHERE 0"#,
            as: .text,
            caughtBy: "sub-entity-removed-with-its-rows"
        ),
        Mutation(
            "rows are left behind when a table is copied",
            in: rowSQL,
            #"FROM \(quotedIdentifier(old))\(alias(values))\(rows.sql)"#,
            becomes: #"FROM \(quotedIdentifier(old))\(alias(values))\(rows.sql) LIMIT 1"#,
            as: .text,
            caughtBy: "table-rebuilt-keeps-all-rows"
        ),
        Mutation(
            "a column that a new attribute takes over keeps the old values",
            in: "Stores/StoreMigration/Building/TableTransfer.swift",
            "cell.isUnchanged",
            becomes: "cell.isUnchanged || cell.value == .null",
            within: "return cell.isUnchanged\n",
            caughtBy: "attribute-replaced-by-another-of-its-type"
        ),
        Mutation(
            "the optimistic lock of objects is lost",
            in: cells,
            ".column(column.name)",
            becomes: #"column.name == "Z_OPT" ? .null : .column(column.name)"#,
            within: "return .column(column.name)",
            caughtBy: "locks-and-greatest-keys-are-kept"
        ),
    ]

    static let numbers = [
        Mutation(
            "an entity number is not renumbered",
            in: cells,
            #"CellSource(value: .number(pair.destination.number), base: "Z_ENT")"#,
            becomes: #".column("Z_ENT")"#,
            caughtBy: "entity-added"
        ),
        Mutation(
            "Z_MAX starts again",
            in: system,
            "greatestKey(of: entity, correspondence)",
            becomes: #""0""#,
            caughtBy: "entity-added"
        ),
        Mutation(
            "Z_MAX forgets keys that were handed out",
            in: system,
            #"(SELECT Z_MAX FROM temp.momtool_keys WHERE Z_ENT = \(number))"#,
            becomes: "0",
            as: .text,
            caughtBy: "locks-and-greatest-keys-are-kept"
        ),
        Mutation(
            "old entity numbers stay",
            in: rowSQL,
            #"DELETE FROM Z_PRIMARYKEY WHERE Z_ENT IN (\(numberList(numbers)))"#,
            becomes: "DELETE FROM Z_PRIMARYKEY WHERE 0",
            as: .text,
            caughtBy: "entity-removed"
        ),
        Mutation(
            "a sub-entity forgets its parent",
            in: system,
            #"\(name), \(entity.superNumber), "#,
            becomes: #"\(name), 0, "#,
            as: .text,
            caughtBy: "sub-entity-added"
        ),
        Mutation(
            "persistent history keeps the old entity numbers",
            in: system,
            #"renumberingSteps(of: "ZENTITY", in: "ACHANGE", correspondence)"#,
            becomes: "[]",
            caughtBy: "history-and-mirroring-follow-the-entity-numbers"
        ),
        Mutation(
            "the tables of mirroring keep the old entity numbers",
            in: system,
            #"$0.hasPrefix("ANSCK")"#,
            becomes: "false",
            caughtBy: "history-and-mirroring-follow-the-entity-numbers"
        ),
        Mutation(
            "persistent history keeps changes of removed entities",
            in: system,
            "!removed.isEmpty",
            becomes: "false",
            caughtBy: "history-and-mirroring-follow-the-entity-numbers"
        ),
    ]

    static let refusals = [
        Mutation(
            "uniqueness is not asked for",
            in: "Stores/StoreMigration/Asking/RowQuestions+Uniqueness.swift",
            #""SELECT count(*) FROM (\(ranked)) WHERE place > 1""#,
            becomes: #""SELECT 0""#,
            caughtBy: "uniqueness-added-over-duplicates"
        ),
        Mutation(
            "duplicates that an index finds are not told",
            in: "Stores/StoreMigration/Running/MigrationRun.swift",
            "findings.isEmpty",
            becomes: "true",
            within: "guard findings.isEmpty else { return .rows(findings) }",
            caughtBy: "uniqueness-added-over-duplicates"
        ),
        Mutation(
            "NULLs in what becomes mandatory are not asked for",
            in: questions,
            #"\($0) IS NULL"#,
            becomes: "0",
            as: .text,
            caughtBy: "optional-becomes-mandatory-with-nil"
        ),
        Mutation(
            "links that would be lost are not asked for",
            in: "Stores/StoreMigration/Asking/LinkLosses.swift",
            "links.mayCrowd(reference)",
            becomes: "false",
            caughtBy: "to-many-becomes-to-one-with-links-to-lose"
        ),
        Mutation(
            "values that do not fit are not asked for",
            in: questions,
            "mapping.conversion.misfit(of: column)",
            becomes: "nil",
            caughtBy: "double-becomes-integer-of-fractions"
        ),
        Mutation(
            "a mandatory attribute without default is let through",
            in: attributes,
            "!attribute.isOptional && attribute.defaultValue == nil && attribute.derivation == nil",
            becomes: "false",
            caughtBy: "attribute-added-mandatory-without-default"
        ),
        Mutation(
            "a new mandatory to-one relationship is let through",
            in: "Judgement/MappingInference/RelationshipInference.swift",
            "!relationship.property.isToMany",
            becomes: "false",
            caughtBy: "to-one-added-mandatory"
        ),
        Mutation(
            "another destination is let through",
            in: "Judgement/MappingInference/RelationshipInference.swift",
            "DestinationReach(from: from, to: to, matching)",
            becomes: "DestinationReach.all",
            caughtBy: "destination-changed"
        ),
    ]

    static let surroundings = [
        Mutation(
            "the metadata keep the old version hashes",
            in: "Stores/StoreMigration/Running/StepRecord.swift",
            "destination.hashes",
            becomes: "metadata.hashes",
            caughtBy: "attribute-renamed"
        ),
        Mutation(
            "the metadata keep the old version identifiers",
            in: "Stores/StoreMigration/Running/StepRecord.swift",
            "destination.model.versionIdentifiers",
            becomes: "metadata.versionIdentifiers",
            caughtBy: "version-identifiers-and-model-cache-are-those-of-the-new-version"
        ),
        Mutation(
            "the model cache stays that of the old version",
            in: "Stores/StoreMigration/Running/StepRecord.swift",
            "step.record.modelCache",
            becomes: "ModelCache(of: step.source.model)",
            caughtBy: "version-identifiers-and-model-cache-are-those-of-the-new-version"
        ),
        Mutation(
            "files with large values are not copied",
            in: "Stores/StoreFormat/Files/WorkFile.swift",
            "exists(source)",
            becomes: "false",
            within: "guard exists(source) else { return }",
            caughtBy: "large-binary-kept-in-its-file"
        ),
    ]
}

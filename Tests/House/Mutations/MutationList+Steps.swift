/// Mutations of what a case does with its migrated store.
extension Mutation {
    private static let saving = "Stores/RowExchange/Editing/RowEditor+Saving.swift"
    private static let linking = "Stores/RowExchange/Editing/RowEditor+Links.swift"
    private static let setting = "Stores/RowExchange/Editing/RowEditor+Values.swift"
    private static let deletions = "then-deletions-follow-the-delete-rules"
    private static let sides = "then-links-have-two-sides"
    private static let refusedSave = "then-a-save-that-is-refused-undoes-all"

    static let steps = deleting + linkingAndSaving

    private static let deleting = [
        Mutation(
            "a deletion does not cascade",
            in: saving,
            "destinations",
            becomes: "[]",
            within: "case .cascade: waiting += destinations",
            caughtBy: deletions
        ),
        Mutation(
            "a deletion leaves links to what is gone",
            in: saving,
            "destinations",
            becomes: "[]",
            within: "for destination in destinations {",
            caughtBy: deletions
        ),
        Mutation(
            "a delete rule denies nothing",
            in: saving,
            "!destinations.isEmpty",
            becomes: "false",
            within: "case .deny where !destinations.isEmpty:",
            caughtBy: deletions
        ),
    ]

    private static let linkingAndSaving = [
        Mutation(
            "the object before keeps its link to what is one object's alone",
            in: linking,
            "object",
            becomes: "RowEditor.Object(entity: 0, key: -1)",
            within: "try release(back, from: object)",
            caughtBy: sides
        ),
        Mutation(
            "what led to an object goes on leading there beside another",
            in: linking,
            "target",
            becomes: "RowEditor.Object(entity: 0, key: -1)",
            within: "try release(own, from: target)",
            caughtBy: sides
        ),
        Mutation(
            "what is added to an order comes first",
            in: linking,
            "1024 + IFNULL",
            becomes: "0 * IFNULL",
            within: #"\(order) = (SELECT 1024 + IFNULL(MAX(\(order)), 1024) FROM \(place.table) "#,
            as: .text,
            caughtBy: sides
        ),
        Mutation(
            "a relationship that is its own inverse is filled on one side",
            in: linking,
            "isOwnInverse(name)",
            becomes: "false",
            within: "if isOwnInverse(name) {",
            caughtBy: sides
        ),
        Mutation(
            "a relationship that is its own inverse is emptied on one side",
            in: linking,
            "isOwnInverse(name)",
            becomes: "false",
            within: "guard isOwnInverse(name) else { return }",
            caughtBy: sides
        ),
        Mutation(
            "an object is inserted without default values",
            in: setting,
            "field.attribute.defaultValue",
            becomes: "nil",
            within:
                "guard let value = field.attribute.defaultValue, field.attribute.derivation == nil",
            caughtBy: sides
        ),
        Mutation(
            "what is saved is not validated",
            in: saving,
            "keys",
            becomes: "[:]",
            within: "try verification.faults(ofRows: keys, on: connection)",
            caughtBy: refusedSave
        ),
        Mutation(
            "what a refused save should undo stays",
            in: "Stores/RowExchange/Editing/RowEditor.swift",
            #"saving ? "COMMIT" : "ROLLBACK""#,
            becomes: #""COMMIT""#,
            caughtBy: refusedSave
        ),
        Mutation(
            "names of objects that were not saved stay",
            in: "Stores/RowExchange/Editing/RowEditor.swift",
            "savedNames",
            becomes: "names",
            within: "names = savedNames\n        (touched, inserted, deleted)",
            caughtBy: refusedSave
        ),
    ]
}

/// Mutations of how a source is edited, and of the edits that lead from one source to another.
extension Mutation {
    static let edits = renames + settings

    private static let editing = "Models/ModelEditing/"
    private static let renaming = editing + "SourceEditor+Renaming.swift"
    private static let renamed = "renames-reach-what-names-a-thing"
    private static let set = "settings-bring-what-belongs-to-them"

    private static let renames = [
        Mutation(
            "a property that is renamed twice forgets its first name",
            in: renaming,
            #"node["elementID"] ?? path.key"#,
            becomes: "path.key",
            caughtBy: renamed
        ),
        Mutation(
            "back at its first name a property keeps a renaming identifier",
            in: renaming,
            "identifier == name ? nil : identifier",
            becomes: "identifier",
            caughtBy: renamed
        ),
        Mutation(
            "the class of a renamed entity loses its module",
            in: renaming,
            "parts.dropLast().map(String.init) + [new]",
            becomes: "[new]",
            caughtBy: renamed
        ),
        Mutation(
            "indexes and predicates keep the old name of a property",
            in: renaming,
            "renamed != value",
            becomes: "false",
            caughtBy: renamed
        ),
        Mutation(
            "a property of that name is renamed in other entities too",
            in: renaming,
            "Self.belongs(here, to: owner, graph)",
            becomes: "true",
            caughtBy: renamed
        ),
        Mutation(
            "an inverse keeps the old name of a relationship",
            in: renaming,
            #"$0["inverseName"] == name && $0["inverseEntity"] == entity"#,
            becomes: "false",
            caughtBy: renamed
        ),
        Mutation(
            "what was renamed is removed and added again",
            in: editing + "EditDifference.swift",
            #"(node?["elementID"] ?? candidate.key) == identifier"#,
            becomes: "false",
            caughtBy: renamed
        ),
    ]

    private static let settings = [
        Mutation(
            "a truth value is written as people say it",
            in: editing + "SourceEditor+Setting.swift",
            "words[$0.lowercased()] ?? $0",
            becomes: "$0",
            caughtBy: set
        ),
        Mutation(
            "a relationship to several objects leads to one at most",
            in: editing + "SourceEditor+Setting.swift",
            #"node["maxCount"] == "1""#,
            becomes: "false",
            caughtBy: set
        ),
        Mutation(
            "a derived attribute gets a default",
            in: editing + "FreshElements.swift",
            #"given["derivationExpression"] != nil"#,
            becomes: "false",
            caughtBy: set
        ),
        Mutation(
            "a new relationship does not say whose its inverse is",
            in: editing + "FreshElements.swift",
            #"given["inverseName"] != nil"#,
            becomes: "false",
            caughtBy: set
        ),
        Mutation(
            "a new element comes last",
            in: editing + "SourcePlacement.swift",
            #"SourceNameOrder(parent.children[index][key] ?? "") > mine"#,
            becomes: "false",
            caughtBy: set
        ),
        Mutation(
            "the diagram keeps an entity that is gone",
            in: editing + "SourceEditor.swift",
            "find(diagram) != nil",
            becomes: "false",
            caughtBy: set
        ),
        Mutation(
            "a configuration keeps an entity that is gone",
            in: editing + "SourceEditor.swift",
            "find(member) != nil",
            becomes: "false",
            caughtBy: set
        ),
    ]
}

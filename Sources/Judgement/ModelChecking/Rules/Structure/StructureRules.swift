import Diagnostics

extension Rule {
    /// What a model needs to be read at all, by ID; a rule with a check of its own has its file.
    static let structure = ofModels + ofSwiftSources + ofUnknownParts

    private static let ofModels: [Rule] = [
        Rule(
            .named("broken-inverse", .structure, .error),
            summary: "Inverses that exist and point back",
            rationale: """
                Core Data keeps both sides of a relationship consistent, which it cannot do if the other side is \
                missing, does not belong to the entity that the relationship leads to, or itself leads elsewhere. An \
                inverse that points back to another relationship is a warning.
                """,
            passing: """
                <entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='s' inverseEntity='A'/>
                <relationship name='s' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
                """,
            failing: """
                <entity name='A'><relationship name='r' destinationEntity='A' inverseEntity='A'
                  ◀inverseName='s'/></entity>
                """,
            """
            <entity name='A'><relationship name='r' maxCount='1' destinationEntity='A' inverseEntity='B'
              ◀inverseName='s'/></entity>
            <entity name='B'><relationship name='s' maxCount='1' destinationEntity='A' inverseEntity='A'
              ◀inverseName='r'/></entity>
            """,
            fix: .movingHash(
                "names the one relationship that leads back, or makes the inverse lead back"
            )
        ),
        Rule(
            .named("composite-cycle", .structure, .error),
            summary: "Composite types that do not contain themselves",
            rationale: """
                A composite type is flattened into columns; one that contains itself, or grows without limit, would \
                need infinitely many.
                """,
            passing:
                "<composite name='C'><attribute name='x' attributeType='String' optional='YES'/></composite>",
            failing: """
                <composite ◀name='C'>
                <attribute name='c' attributeType='Composite' composite='C'/></composite>
                """
        ),
        Rule(
            .named("duplicate-name", .structure, .error),
            summary: "Names that are used once",
            rationale: """
                Core Data finds entities, properties, indexes and configurations by name; of two with the same name, \
                the later replaces the earlier, or the model is refused.
                """,
            passing: "<entity name='A'/><entity name='B'/>",
            failing: "<entity name='A'/><entity ◀name='A'/>",
            fix: .keepingHash("removes exact duplicates")
        ),
        Rule(
            .named("empty-bundle", .structure, .note),
            summary: "A bundle with at least one version",
            rationale: """
                An `.xcdatamodeld` without any `.xcdatamodel` contains no model. Moving a model in a project leaves \
                such folders behind, often with only the `.xccurrentversion`. Remove it, or restore what was in it; \
                commands that need a model end with an error.
                """
        ),
        Rule(
            .named("entities-not-judged", .structure, .note),
            summary: "All entities of Swift sources are compared",
            rationale: """
                Entities that momtool does not understand have no hash, so it knows nothing about their versions, \
                steps and losses: a passing check does not cover them. Each is named by `swift-not-understood`; this \
                finding counts them.
                """
        ),
        Rule(
            .named("hierarchy-too-deep", .structure, .error),
            summary: "Hierarchies of no more than 64 levels",
            rationale: """
                Each entity inherits from all levels above it, so a long chain of parents costs the square of its \
                length. No real model comes near; a deeper hierarchy is refused, once, at its first entity beyond the \
                limit.
                """
        ),
        Rule(
            .named("invalid-archived-value", .structure, .error),
            summary: "Archived values of the expected kind",
            rationale: """
                A compiled model holds a value of an unexpected kind; the file is damaged or of another format.
                """
        ),
        invalidPredicate,
        Rule(
            .named("invalid-value", .structure, .error),
            summary: "A valid value of an XML attribute",
            rationale: "A flag is `YES` or `NO`, a count is a number, a default fits its type.",
            passing: "<entity name='A' isAbstract='NO'/>",
            failing: "<entity name='A' ◀isAbstract='maybe'/>"
        ),
        Rule(
            .named("legacy-model-format", .structure, .note),
            summary: "A model in the format of Xcode 4 or later",
            rationale: """
                Until Xcode 3 a model was a folder with the files `elements` and `layout`. Xcode still compiles it, \
                and momtool reads it like any other. `momtool decompile MODEL -o FOLDER` writes `contents` instead, as \
                opening and saving the model in a later Xcode does: text that shows in reviews what changed, and that \
                git can merge.
                """
        ),
        Rule(
            .named("malformed-xml", .structure, .error),
            summary: "A file that is well-formed XML",
            rationale: """
                The usual cause is a Git LFS pointer or a manual edit. The message is the XML parser's.
                """,
            passing: "<entity name='A'/>",
            failing: "<entity name='A'>"
        ),
        Rule(
            .named("merge-conflict", .structure, .error),
            summary: "A file without conflict markers",
            rationale: """
                Git leaves `<<<<<<<`, `=======` and `>>>>>>>` in a file that it could not merge. Such a model is \
                neither read nor compared. `momtool model merge` merges models by content, and can be git's merge \
                driver; what it leaves for you to decide is in comments between the same markers, and counts as a \
                conflict too.
                """,
            passing: "<entity name='A'/>",
            failing: """
                <entity name='A'>
                ◀<<<<<<< HEAD
                <attribute name='a' optional='YES' attributeType='String'/>
                =======
                <attribute name='b' optional='YES' attributeType='String'/>
                >>>>>>> other
                </entity>
                """
        ),
        Rule(
            .named("missing-attribute", .structure, .error),
            summary: "A required XML attribute",
            rationale: """
                Entities, properties, indexes and configurations cannot be used without their names.
                """,
            passing: "<entity name='A'/>",
            failing: "◀<entity/>"
        ),
        Rule(
            .named("missing-current-version", .structure, .error),
            summary: "A current version that is in the bundle",
            rationale: """
                `.xccurrentversion` names the version of new stores. Xcode does not compile a bundle whose current \
                version is missing. With several versions and a file that names none, this is a warning, because each \
                version can still be read. The only version of a bundle needs no such file.
                """,
            appleText: """
                Could not fetch generated file paths: No current version for model at path \
                …: [0]
                """,
            fix: .keepingHash(
                "names the project's current version, if the model names none that exists"
            )
        ),
        Rule(
            .named("not-a-model", .structure, .error),
            summary: "A path to a Core Data model",
            rationale: """
                The file or folder is not an `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom` or store, or its content \
                does not match its name.
                """
        ),
        Rule(
            .named("not-checked", .structure, .error, by: .project),
            summary: "Every model and setting can be checked",
            rationale: """
                A model, configuration, lock or stages file could not be read at all, so nothing is known about it. \
                The message says why. `momtool check --against` warns about a repository or submodule that lacks the \
                commit to compare with. A model without a lock is compared with the releases: a clone that may \
                lack them is a note.
                """
        ),
        Rule(
            .named("optimized-model", .structure, .note),
            summary: "A compiled model that can be read",
            rationale: """
                Xcode compiles the current version twice: as `.mom`, and as `.omo`, whose form only Core Data can \
                read. If there is only an `.omo`, the model is not checked; commands that need it end with an error.
                """
        ),
        Rule(
            .named("parent-cycle", .structure, .error),
            summary: "Hierarchies without cycles",
            rationale: "An entity that is its own ancestor has no root entity, and so no table.",
            passing: "<entity name='B'/><entity name='A' parentEntity='B'/>",
            failing: "<entity name='A' ◀parentEntity='B'/><entity name='B' parentEntity='A'/>"
        ),
        Rule(
            .named("redeclared-property", .structure, .warning),
            summary: "Properties that no parent entity already declares",
            rationale: """
                An inherited property that is declared again has two declarations for one column; they must always \
                stay equal.
                """,
            passing: """
                <entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>
                <entity name='B' parentEntity='A'/>
                """,
            failing: """
                <entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>
                <entity name='B' parentEntity='A'><attribute ◀name='x' attributeType='String' optional='YES'/></entity>
                """
        ),
    ]
}

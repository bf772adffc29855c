import Diagnostics

extension Rule {
    static let ofSwiftSources: [Rule] = [
        Rule(
            .named("swift-class-stored", .structure, .error),
            summary: "Stored values are not objects of classes",
            rationale: """
                SwiftData makes a schema from the members of each value, and stops the app at launch if one is an \
                object of a class. Make it a struct, or exclude the property with `@Transient`. Refer to an object of \
                a `@Model` class by a relationship.
                """,
            appleText: "Class property within Persisted Struct/Enum is not supported: Handle"
        ),
        Rule(
            .named("swift-condition", .structure, .warning),
            summary: "The model does not depend on conditions of `#if`",
            rationale: """
                Builds with and without the condition have models with different hashes: stores of one do not open in \
                the other. `swift: define:` and `platform:` in `.momtool.yml` select the build. Plans are compared, too.
                """
        ),
        Rule(
            .named("swift-duplicate-class", .structure, .error),
            summary: "A version has one class of each name",
            rationale: """
                The entity has the name of the class without its enclosing types, so two classes with the same name \
                cannot be in one schema: neither listed, nor reached from a class of another version that is listed.
                """
        ),
        Rule(
            .named("swift-no-model", .structure, .error),
            summary: "Swift sources given as a model contain a `@Model` class",
            rationale: """
                The files were read, but no class in them has `@Model`. Name the folder that contains the classes.
                """
        ),
        Rule(
            .named("swift-not-readable", .structure, .warning),
            summary: "Versions and plans are written as plain lists",
            rationale: """
                momtool does not run code: a list of models that a function returns, or a version whose classes are \
                elsewhere, cannot be read. Write the list as a literal, add the other sources, or list the classes \
                under `swift: models:` in `.momtool.yml`.
                """
        ),
        Rule(
            .named("swift-not-understood", .structure, .note),
            summary: "Every stored property has a form known from real stores",
            rationale: """
                No known store shows what SwiftData makes of this property or index, so its hash would be a guess. The \
                entity has none; the others keep theirs. This is a note, or a warning if the lock has the entity, \
                which can then no longer be compared. Describe a type of another module under `types:`, and name the \
                inverse under `inverses:`, in `.momtool.yml`; `momtool hash SOURCES --fit STORE` finds the lines.
                """
        ),
        Rule(
            .named("swift-syntax", .structure, .error),
            summary: "The sources are valid Swift",
            rationale: """
                The unreadable part may contain a class or a property. Correct the file, or exclude it.
                """
        ),
        Rule(
            .named("swift-unproven", .structure, .note),
            summary: "Hashes are confirmed by real stores",
            rationale: """
                This is the natural reading, but no known store confirms it. Compare the hash with one that the app \
                prints before you rely on it.
                """
        ),
    ]

    static let ofUnknownParts: [Rule] = [
        Rule(
            .named("unknown-archived-class", .structure, .warning),
            summary: "Archived classes that are known",
            rationale: "A compiled model contains an object of an unknown class; it is left out."
        ),
        Rule(
            .named("unknown-archived-key", .structure, .warning),
            summary: "Archived keys that are known",
            rationale: "A compiled model contains an unknown key; it is kept."
        ),
        Rule(
            .named("unknown-attribute", .structure, .warning),
            summary: "An XML attribute that is known",
            rationale: """
                The attribute is kept but not understood. It may come from a newer Xcode, or be a typing error.
                """,
            passing: "<entity name='A' isAbstract='YES'/>",
            failing: "<entity name='A' ◀colour='red'/>"
        ),
        Rule(
            .named("unknown-attribute-type", .structure, .warning),
            summary: "An attribute type that is known",
            rationale: """
                It may come from a newer Xcode than this momtool knows. The rest of the model is read and checked; the \
                entity has no hash, the version is not compared with others, and commands that need the whole model \
                end with an error. A typing error looks the same.
                """,
            passing: .attribute,
            failing:
                "<entity name='A'><attribute name='a' optional='YES' ◀attributeType='Vector'/></entity>"
        ),
        Rule(
            .named("unknown-composite", .structure, .error),
            summary: "Composite types that exist",
            rationale: """
                An attribute of type Composite is made of the elements of its type; without the type it has no \
                columns.
                """,
            passing: """
                <composite name='C'><attribute name='x' attributeType='String' optional='YES'/></composite>
                <entity name='A'><attribute name='a' optional='YES' attributeType='Composite' composite='C'/></entity>
                """,
            failing:
                "<entity name='A'><attribute name='a' attributeType='Composite' ◀composite='C'/></entity>"
        ),
        Rule(
            .named("unknown-destination", .structure, .error),
            summary: "Relationships whose destination exists",
            rationale: "A relationship without a destination cannot be compiled.",
            appleText: "destination entry can't be nil in relationships",
            passing:
                "<entity name='A'><relationship name='r' optional='YES' maxCount='1' destinationEntity='A'/></entity>",
            failing: "<entity name='A'><relationship name='r' ◀destinationEntity='B'/></entity>",
            "<entity name='A'><relationship ◀name='r'/></entity>",
            fix: .keepingHash("uses the new name of the destination, if it was renamed")
        ),
        Rule(
            .named("unknown-element", .structure, .warning),
            summary: "An XML element that is known",
            rationale: """
                The element is kept but not understood. It may come from a newer Xcode, or be a typing error.
                """,
            passing: "<entity name='A'/>",
            failing: "<entity name='A'>◀<method name='run'/></entity>"
        ),
        Rule(
            .named("unknown-keyword", .structure, .warning),
            summary: "A delete rule and a type of index that are known",
            rationale: """
                It may come from a newer Xcode than this momtool knows. The rest of the model is read and checked, and \
                the hashes are right, because neither affects them; commands that need the delete rule or the index, \
                such as `compile` and `create`, end with an error that names it. A typing error looks the same.
                """,
            passing:
                "<entity name='A'><relationship name='r' optional='YES' maxCount='1' deletionRule='Deny' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
            failing: """
                <entity name='A'>
                <relationship name='r' optional='YES' maxCount='1' ◀deletionRule='Archive' destinationEntity='A' inverseName='r' inverseEntity='A'/>
                </entity>
                """,
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <fetchIndex name='i'><fetchIndexElement property='a' ◀type='Vector' order='ascending'/></fetchIndex>
            </entity>
            """
        ),
        Rule(
            .named("unknown-legacy-part", .structure, .warning),
            summary: "Parts of Xcode 3 models with a known format",
            rationale: """
                The format of Xcode 3 is known from public files, and none of them has this part: a configuration, a \
                compound index, an unknown key. It is left out, and the rest of the model is read and checked. The \
                version is not compared with others, and commands that need the whole model end with an error. Open \
                and save the model in a later Xcode to write `contents`, which momtool reads completely.
                """
        ),
        Rule(
            .named("unknown-parent-entity", .structure, .error),
            summary: "Parent entities that exist",
            rationale: "An entity whose parent is missing has no hierarchy and no table.",
            passing: "<entity name='B'/><entity name='A' parentEntity='B'/>",
            failing: "<entity name='A' ◀parentEntity='B'/>",
            fix: .keepingHash("uses the new name of the parent, if it was renamed")
        ),
        Rule(
            .named("unknown-reference", .structure, .warning),
            summary: "Indexes, constraints, configurations and requests that name what exists",
            rationale: """
                What a fetch index, a uniqueness constraint, a configuration or a fetch request names was removed or \
                misspelled; it has no effect, or fails when the model is used.
                """,
            passing:
                "<entity name='A'/><configuration name='C'><memberEntity name='A'/></configuration>",
            failing:
                "<entity name='A'/>◀<configuration name='C'><memberEntity name='B'/></configuration>",
            fix: .keepingHash(
                "writes the new name of what was renamed; in a constraint this changes the hash"
            )
        ),
        Rule(
            .named("unreadable-file", .structure, .error),
            summary: "A path that can be read",
            rationale: """
                The path does not exist, or the file cannot be read. Check the spelling and the permissions.
                """
        ),
        Rule(
            .named("xml-entity-declaration", .structure, .error),
            summary: "A file that declares no XML entities",
            rationale: """
                No model needs entity declarations; they can make small files huge or read other files, so such a file \
                is refused.
                """
        ),
    ]
}

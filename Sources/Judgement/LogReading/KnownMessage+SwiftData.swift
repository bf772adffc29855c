extension KnownMessage {
    /// Messages of SwiftData itself, most of them the last line of a crash.
    static let swiftData = swiftDataModels + swiftDataObjects

    /// About the model, when a container is opened or a request is built.
    private static let swiftDataModels: [KnownMessage] = [
        KnownMessage(
            name: "container-not-loaded",
            phrases: [
                "loadIssueModelContainer", "SwiftData.SwiftDataError error 1.",
                "SwiftDataError, code: 1",
            ],
            title: "SwiftData could not load the container",
            meaning:
                "the lines of Core Data above it name the cause: 134504, the plan lacks the version of the store; 134110,"
                + " the rows do not fit; or a requirement of CloudKit",
            advice:
                "read the Core Data lines before it, and check the store against every version of the plan",
            command: .call(.doctor, "STORE", .model("MODEL"))
        ),
        KnownMessage(
            name: "reserved-attribute-name",
            phrases: ["Unable to have an Attribute named"],
            title: "a property has a name that SwiftData reserves",
            meaning:
                "every model object already has a property of this name, such as description; no container is made,"
                + " and no store is touched",
            advice:
                "rename the property; if a version with the old name has shipped, give the new one @Attribute(originalName:)"
        ),
        KnownMessage(
            name: "composite-not-keyed",
            phrases: ["Composite Coder only supports Keyed Container"],
            title: "a struct or enum is not encoded by keys",
            meaning:
                "this type, or one inside it, encodes as one value or a list, without keys: a Set, an enum with associated values, or a custom"
                + " encode(to:)",
            advice:
                "let the compiler write the conformance to Codable, or keep the value as Data or String and convert it"
        ),
        KnownMessage(
            name: "class-in-struct",
            phrases: ["Class property within Persisted Struct/Enum is not supported"],
            title: "a stored struct or enum holds an object of a class",
            meaning: "an object has no column; the container is not made, and no store is touched",
            advice:
                "make the class a struct, or keep its Codable form as Data; refer to a @Model class by a relationship"
        ),
        KnownMessage(
            name: "member-in-struct",
            phrases: [
                "Unexpected property within Persisted Struct/Enum", "Unexpected type for Expansion",
            ],
            title: "a stored struct or enum has a member of a type that has no column",
            meaning:
                "SwiftData finds no column for it: a generic type, a dictionary, or an enum with associated values; no container is made",
            advice:
                "keep the Codable form of the member as Data, or make its type one of SwiftData's own"
        ),
        KnownMessage(
            name: "inverse-taken",
            phrases: ["Inverse already exists"],
            title: "two relationships have one inverse",
            meaning:
                "a relationship names an inverse that another one already has; the container is not made",
            advice: "give each relationship an inverse of its own, and write it on one side only",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "relationship-not-array",
            phrases: ["Expected only Arrays for Relationships"],
            title: "a to-many relationship is not an array",
            meaning:
                "a to-many property has another type, such as Set; SwiftData supports only arrays",
            advice: "declare it as an array of the model class, and sort or compare it in code"
        ),
        KnownMessage(
            name: "unknown-key-path",
            phrases: ["points to a field … is unknown to", "with fields [SwiftData."],
            title: "a key path does not name a stored property",
            meaning:
                "a predicate, sort order or list of fetched properties names a computed or transient property, or"
                + " a member of a struct that is not stored in columns",
            advice: "name a stored property, or filter and sort the objects after the fetch"
        ),
        KnownMessage(
            name: "array-not-materialized",
            phrases: ["Could not materialize Objective-C class named"],
            title: "an array is stored as one value",
            meaning:
                "only a warning: SwiftData encodes the array; no data is lost, but no predicate can search it",
            advice: "use a related model, or store Data, if the elements must be searched"
        ),
        KnownMessage(
            name: "declared-type-not-valid",
            phrases: ["Declared Objective-C type \""],
            title: "a transformable attribute declares a Swift type as its class",
            meaning:
                "the custom class of the attribute has a Swift name, but the runtime looks for a class of"
                + " Objective-C; the values are kept",
            advice:
                "name NSArray, NSDictionary or another class as the custom class, with a transformer that allows it"
        ),
    ]

    private static let swiftDataObjects: [KnownMessage] = [
        KnownMessage(
            name: "unknown-backing-data",
            phrases: ["What kind of backing data", "Failed to locate relationship for"],
            title: "an object is used with another version or container",
            meaning:
                "often in a custom stage: the open schema lacks the class or relationship, such as one of"
                + " the old version in didMigrate, or the object belongs to another container",
            advice:
                "use only classes of the old version in willMigrate and of the new one in didMigrate, and carry values"
                + " over in plain structs",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "no-active-container",
            phrases: ["failed to find a currently active container"],
            title: "an object is created before its container",
            meaning:
                "no open container has this class: it is not made yet, was released, or lists other classes;"
                + " often in a preview or a test",
            advice:
                "create the container first, keep it while objects are used, and list the class in it"
        ),
        KnownMessage(
            name: "object-invalidated",
            phrases: [
                "instance was invalidated because its backing data",
                "detached from a context without resolving attribute faults",
                "instance was destroyed by calling ModelContext.reset",
                "Mutating a managed object … after it has been removed from its context",
            ],
            title: "an object is used after its row is gone",
            meaning:
                "the row was deleted, by this context or another, or its store was replaced, while a view or a task"
                + " still held the object",
            advice:
                "fetch the object again by its identifier before use, and release objects before you delete them; check the"
                + " store for links to missing rows",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        KnownMessage(
            name: "future-backing-data",
            phrases: ["Never access a full future backing data"],
            title: "the values of an object were never loaded",
            meaning:
                "the object was deleted or never saved, or its context is gone, before its values were read",
            advice:
                "save before another context uses the object, pass its persistentModelID, and keep the"
                + " context while the object is used"
        ),
        KnownMessage(
            name: "two-contexts",
            phrases: ["Illegal attempt to establish a relationship"],
            title: "a relationship connects objects of two contexts",
            meaning:
                "the two objects belong to different contexts, or one of them has no context yet; nothing was saved",
            advice:
                "insert both into one context before you connect them; fetch the other one there by its identifier"
        ),
        KnownMessage(
            name: "cast-failed",
            phrases: ["Could not cast value of type"],
            title: "a value does not have the type of its property",
            meaning:
                "in SwiftData often a row whose value does not fit the class: NULL where the property is not optional,"
                + " or an enum or struct that was changed without a new version",
            advice:
                "check the rows against the model, and compare the class with the version that wrote the store",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
    ]
}

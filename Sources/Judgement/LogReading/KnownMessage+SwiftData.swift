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
                "the cause is in the lines of Core Data above it: 134504 for a plan that lacks the version, 134110 for"
                + " rows that do not fit, or a rule of CloudKit",
            advice:
                "find the line of CoreData before it, and check the store against every version of the plan",
            command: .call(.doctor, "STORE", .model("MODEL"))
        ),
        KnownMessage(
            name: "reserved-attribute-name",
            phrases: ["Unable to have an Attribute named"],
            title: "a property has a name that SwiftData does not take",
            meaning:
                "every stored object has a property of this name already, as description; the container is not made,"
                + " and no store is touched",
            advice:
                "rename the property; where a version with the name shipped, give the new one"
                + " @Attribute(originalName:)"
        ),
        KnownMessage(
            name: "composite-not-keyed",
            phrases: ["Composite Coder only supports Keyed Container"],
            title: "a struct or enum does not encode itself by keys",
            meaning:
                "SwiftData keeps each member of a Codable type in a column of its own, and the type, or one in it,"
                + " encodes itself as one value or as a list: a Set, an enum with associated values, or an own"
                + " encode(to:)",
            advice:
                "let the compiler write the conformance to Codable, or keep the value as Data or String and convert it"
        ),
        KnownMessage(
            name: "class-in-struct",
            phrases: ["Class property within Persisted Struct/Enum is not supported"],
            title: "a stored struct or enum holds an object of a class",
            meaning:
                "SwiftData keeps each member of a Codable type in a column, and has none for an object; the container is"
                + " not made, and no store is touched",
            advice:
                "make the class a struct, or keep its Codable form as Data; a @Model class is related to, not contained"
        ),
        KnownMessage(
            name: "relationship-not-array",
            phrases: ["Expected only Arrays for Relationships"],
            title: "a to-many relationship is no array",
            meaning:
                "a property that leads to several objects has another type, such as Set; SwiftData takes arrays alone",
            advice: "declare it as an array of the model class, and sort or compare it in code"
        ),
        KnownMessage(
            name: "unknown-key-path",
            phrases: ["points to a field that is unknown to"],
            title: "a key path names no stored property",
            meaning:
                "a predicate, a sort order or a list of properties to fetch names a computed or transient property, or"
                + " one of a struct that is not kept in columns",
            advice: "name a stored property, or filter and sort the objects after the fetch"
        ),
        KnownMessage(
            name: "array-not-materialized",
            phrases: ["Could not materialize Objective-C class named"],
            title: "an array is stored as one value",
            meaning:
                "a warning: SwiftData encodes the array; no data is lost, and no predicate can search in it",
            advice: "use a related model, or store Data, if the elements must be searched"
        ),
        KnownMessage(
            name: "declared-type-not-valid",
            phrases: ["Declared Objective-C type \""],
            title: "a transformable attribute declares a Swift type as its class",
            meaning:
                "the custom class of the attribute is written as Swift writes it, where the runtime looks for a class of"
                + " Objective-C; values are kept all the same",
            advice:
                "name NSArray, NSDictionary or another class as the custom class, with a transformer that allows it"
        ),
    ]

    private static let swiftDataObjects: [KnownMessage] = [
        KnownMessage(
            name: "unknown-backing-data",
            phrases: ["What kind of backing data"],
            title: "an object is used where another version or container is open",
            meaning:
                "often in a custom stage: the object is of a class that the schema of then does not have, as one of"
                + " the old version in didMigrate, or it belongs to another container",
            advice:
                "use only classes of the old version in willMigrate and of the new one in didMigrate, and carry values"
                + " over in plain structs",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "no-active-container",
            phrases: ["failed to find a currently active container"],
            title: "an object is made before there is a container",
            meaning:
                "no container that has the class is open: it is not made yet, was released, or lists other classes;"
                + " often in a preview or a test",
            advice:
                "make the container first, keep it in a property for as long as objects are used, and list the class"
        ),
        KnownMessage(
            name: "object-invalidated",
            phrases: [
                "instance was invalidated because its backing data",
                "detached from a context without resolving attribute faults",
                "instance was destroyed by calling ModelContext.reset",
            ],
            title: "an object is used after its row is gone",
            meaning:
                "the row was deleted, by this context or another, or its store was replaced, while a view or a task"
                + " still held the object",
            advice:
                "fetch again by the identifier before use, and let go of objects before they are deleted; check the"
                + " store for links to missing rows",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        KnownMessage(
            name: "future-backing-data",
            phrases: ["Never access a full future backing data"],
            title: "an object is read whose values were never loaded",
            meaning:
                "the object was deleted or never saved, or its context is gone, before its values were read",
            advice:
                "save before an object is handed to another context, hand over its persistentModelID, and keep the"
                + " context while the object is used"
        ),
        KnownMessage(
            name: "two-contexts",
            phrases: ["Illegal attempt to establish a relationship"],
            title: "a relationship between objects of two contexts",
            meaning:
                "the two objects belong to different contexts, or one of them to none yet; nothing was saved",
            advice:
                "insert both into one context before they are connected; fetch the other one there by its identifier"
        ),
        KnownMessage(
            name: "cast-failed",
            phrases: ["Could not cast value of type"],
            title: "a value has another type than its property",
            meaning:
                "in SwiftData often a row whose value does not fit the class: NULL where the property is not optional,"
                + " or an enum or struct that was changed without a new version",
            advice:
                "check the rows against the model, and compare the class with the version that wrote the store",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
    ]
}

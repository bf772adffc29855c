extension KnownMessage {
    /// Messages of SwiftData itself, most of them the last line of a crash.
    static let swiftData = swiftDataModels + swiftDataObjects

    /// About the model, when a container is opened or a request is built.
    private static let swiftDataModels = read(
        """
        container-not-loaded: SwiftData could not load the container
          says: «loadIssueModelContainer» «SwiftData.SwiftDataError error 1.» «SwiftDataError, code: 1»
          means: the lines of Core Data above it name the cause: 134504, the plan lacks the version of the store;
          134110, the rows do not fit; or a requirement of CloudKit
          try: read the Core Data lines before it, and check the store against every version of the plan
          run: doctor --model
        reserved-attribute-name: a property has a name that SwiftData reserves
          says: «Unable to have an Attribute named»
          means: every model object already has a property of this name, such as description; no container is made,
          and no store is touched
          try: rename the property; if a version with the old name has shipped, give the new one
          @Attribute(originalName:)
        composite-not-keyed: a struct or enum is not encoded by keys
          says: «Composite Coder only supports Keyed Container»
          means: SwiftData keeps each member of a Codable type in its own column, but this type, or one inside it,
          encodes as one value or as a list: a Set, an enum with associated values, or a custom encode(to:)
          try: let the compiler write the conformance to Codable, or keep the value as Data or String and convert it
        class-in-struct: a stored struct or enum holds an object of a class
          says: «Class property within Persisted Struct/Enum is not supported»
          means: SwiftData keeps each member of a Codable type in a column, and an object has none; the container is
          not made, and no store is touched
          try: make the class a struct, or keep its Codable form as Data; refer to a @Model class by a relationship
        member-in-struct: a stored struct or enum has a member of a type that has no column
          says: «Unexpected property within Persisted Struct/Enum»
          means: SwiftData keeps each member of a Codable type in a column, but finds none for this one: a generic
          type, a dictionary, or an enum with associated values; the container is not made
          try: keep the Codable form of the member as Data, or make its type one of SwiftData's own
        inverse-taken: two relationships have one inverse
          says: «Inverse already exists»
          means: a relationship names an inverse that another one already has; the container is not made
          try: give each relationship an inverse of its own, and write it on one side only
          run: lint
        relationship-not-array: a to-many relationship is not an array
          says: «Expected only Arrays for Relationships»
          means: a to-many property has another type, such as Set; SwiftData supports only arrays
          try: declare it as an array of the model class, and sort or compare it in code
        unknown-key-path: a key path does not name a stored property
          says: «points to a field that is unknown to» «with fields [SwiftData.»
          means: a predicate, sort order or list of fetched properties names a computed or transient property, or a
          member of a struct that is not stored in columns
          try: name a stored property, or filter and sort the objects after the fetch
        array-not-materialized: an array is stored as one value
          says: «Could not materialize Objective-C class named»
          means: only a warning: SwiftData encodes the array; no data is lost, but no predicate can search it
          try: use a related model, or store Data, if the elements must be searched
        declared-type-not-valid: a transformable attribute declares a Swift type as its class
          says: «Declared Objective-C type "»
          means: the custom class of the attribute has a Swift name, but the runtime looks for a class of Objective-C;
          the values are kept
          try: name NSArray, NSDictionary or another class as the custom class, with a transformer that allows it
        """
    )

    private static let swiftDataObjects = read(
        """
        unknown-backing-data: an object is used with another version or container
          says: «What kind of backing data»
          means: often in a custom stage: the schema that is open does not have the class of the object, such as one
          of the old version in didMigrate, or it belongs to another container
          try: use only classes of the old version in willMigrate and of the new one in didMigrate, and carry values
          over in plain structs
          run: lint
        no-active-container: an object is created before its container
          says: «failed to find a currently active container»
          means: no open container has this class: it is not made yet, was released, or lists other classes; often in
          a preview or a test
          try: create the container first, keep it while objects are used, and list the class in it
        object-invalidated: an object is used after its row is gone
          says: «instance was invalidated because its backing data»
            «detached from a context without resolving attribute faults»
            «instance was destroyed by calling ModelContext.reset»
          means: the row was deleted, by this context or another, or its store was replaced, while a view or a task
          still held the object
          try: fetch the object again by its identifier before use, and release objects before you delete them; check
          the store for links to missing rows
          run: verify
        future-backing-data: the values of an object were never loaded
          says: «Never access a full future backing data»
          means: the object was deleted or never saved, or its context is gone, before its values were read
          try: save before another context uses the object, pass its persistentModelID, and keep the context while the
          object is used
        two-contexts: a relationship connects objects of two contexts
          says: «Illegal attempt to establish a relationship»
          means: the two objects belong to different contexts, or one of them has no context yet; nothing was saved
          try: insert both into one context before you connect them; fetch the other one there by its identifier
        cast-failed: a value does not have the type of its property
          says: «Could not cast value of type»
          means: in SwiftData often a row whose value does not fit the class: NULL where the property is not optional,
          or an enum or struct that was changed without a new version
          try: check the rows against the model, and compare the class with the version that wrote the store
          run: verify
        """
    )
}

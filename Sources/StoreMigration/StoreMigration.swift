import Diagnostics
public import MappingInference
import MigrationPlanning
public import ObjectModel
import SQLiteAccess
public import StoreFormat

/// A migration of one store, worked out against what is really in it, and not yet done.
public struct StoreMigration: Sendable {
    let step: StepProgram

    /// The version that the store was made with.
    public var source: ModelVersion { step.source }
    /// The version that it shall have.
    public var destination: ModelVersion { step.destination }
    /// What becomes of each entity and property.
    public var mapping: InferredMapping { step.mapping }
    /// What is done to the store.
    public var program: MigrationProgram { step.program }
    /// What the rows are asked before.
    public var questions: [RowQuestion] { step.questions }

    /// Works out the migration of a store.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - source: the version whose entity hashes are those of the store.
    ///   - destination: the version that the store shall have.
    ///   - options: what inference may do beyond Apple's record.
    /// - Throws: `StoreMigrationError` when Core Data would refuse the change, or when the store is not laid out
    ///   as its model says.
    public init(
        of store: StoreFile,
        from source: ModelVersion,
        to destination: ModelVersion,
        options: InferenceOptions = InferenceOptions()
    ) throws(StoreMigrationError) {
        let contents = try storeErrors { () throws(StoreError) in try StoreContents(of: store) }
        try self.init(of: contents, from: source, to: destination, options: options)
    }

    init(
        of contents: StoreContents,
        from source: ModelVersion,
        to destination: ModelVersion,
        options: InferenceOptions
    ) throws(StoreMigrationError) {
        let mapping = inferMapping(from: source, to: destination, options: options)
        guard mapping.isInferable else { throw .notInferable(mapping.refusals) }
        let state = try StoreState(contents, at: source.model)
        step = try StepProgram(
            (source, destination, mapping),
            from: state.layout,
            state.schema,
            frameworkVersion: state.frameworkVersion
        )
        try requireRoom(for: [step.program], in: state, of: contents.path)
    }

    /// Asks the rows of the store what stands against the migration, or would be lost.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - progress: is called now and then with the questions that are answered, and all that there are.
    /// - Returns: what was found, fatal or not; empty when all is well.
    /// - Throws: `StoreMigrationError` when the store cannot be read.
    public func findings(
        in store: StoreFile,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) -> [RowFinding] {
        try storeErrors { () throws(StoreError) in
            let folder = externalDataFolder(of: store.path)
            try ExternalForm.register(on: store.connection, folder: folder)
        }
        return try rowFindings(of: questions, on: store.connection, progress)
    }
}

/// What a store says of itself before a migration, read once.
struct StoreContents: Sendable {
    let path: String
    let metadata: StoreMetadata
    let schema: StoreSchema

    init(of store: StoreFile) throws(StoreError) {
        path = store.path
        metadata = try store.metadata()
        schema = try StoreSchema(store.connection)
    }
}

/// How a store is laid out, before a step or after it.
struct StoreState {
    var schema: StoreSchema
    let layout: StoreLayout
    let frameworkVersion: Int?

    init(schema: StoreSchema, layout: StoreLayout, frameworkVersion: Int?) {
        (self.schema, self.layout, self.frameworkVersion) = (schema, layout, frameworkVersion)
    }

    /// Finds what a model lays out in a store.
    ///
    /// - Throws: `StoreMigrationError` when something is missing.
    init(
        _ contents: StoreContents,
        at model: ManagedObjectModel
    ) throws(StoreMigrationError) {
        schema = contents.schema
        frameworkVersion = contents.metadata.frameworkVersion
        layout = storedLayout(of: model, contents.metadata, schema.objects)
        let missing = schema.missing(from: layout)
        guard missing.isEmpty else {
            throw .unexpectedLayout(path: contents.path, missing: missing)
        }
    }
}

import ObjectModel
import SQLiteAccess
import StoreFormat

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

/// The layout of a store, before a step or after it.
struct StoreState {
    var schema: StoreSchema
    let layout: StoreLayout
    let frameworkVersion: Int?

    init(schema: StoreSchema, layout: StoreLayout, frameworkVersion: Int?) {
        (self.schema, self.layout, self.frameworkVersion) = (schema, layout, frameworkVersion)
    }

    /// Finds what a model lays out in a store; throws when something is missing.
    init(_ contents: StoreContents, at model: ManagedObjectModel) throws(StoreMigrationError) {
        schema = contents.schema
        frameworkVersion = contents.metadata.frameworkVersion
        layout = storedLayout(of: model, contents.metadata, schema.objects)
        let missing = layout.missing(from: schema.columnSets)
        guard missing.isEmpty else {
            throw .unexpectedLayout(path: contents.path, missing: missing)
        }
    }
}

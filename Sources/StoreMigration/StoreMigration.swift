import Diagnostics
import Foundation
public import MappingInference
import ModelCompiling
import ModelHashing
public import ObjectModel
import PropertyLists
import SQLiteAccess
public import StoreFormat

/// A migration of one store, worked out against what is really in it, and not yet done.
public struct StoreMigration: Sendable, Hashable {
    /// The model that the store was made with.
    public let sourceModel: ManagedObjectModel
    /// The model that it shall have.
    public let destinationModel: ManagedObjectModel
    /// What becomes of each entity and property.
    public let mapping: InferredMapping
    /// What is done to the store.
    public let program: MigrationProgram
    /// What the rows are asked before.
    public let questions: [RowQuestion]
    let sourceHashes: ModelHashes
    let destinationHashes: ModelHashes
    /// The keyed archive of the new model.
    let archive: Data

    /// Works out the migration of a store.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - sourceModel: the model whose entity hashes are those of the store.
    ///   - destinationModel: the model that the store shall have.
    ///   - options: what inference may do beyond Apple's record.
    /// - Throws: `StoreMigrationError` when Core Data would refuse the change, or when the store is not laid out
    ///   as its model says.
    public init(
        of store: StoreFile,
        from sourceModel: ManagedObjectModel,
        to destinationModel: ManagedObjectModel,
        options: InferenceOptions = InferenceOptions()
    ) throws(StoreMigrationError) {
        let mapping = inferMapping(from: sourceModel, to: destinationModel, options: options)
        guard mapping.isInferable else { throw .notInferable(mapping.refusals) }
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        self.mapping = mapping
        sourceHashes = versionHashes(of: sourceModel)
        destinationHashes = versionHashes(of: destinationModel)
        archive = compileModel(destinationModel).value.binaryData
        let (schema, source, version) = try storeErrors { () throws(StoreError) in
            let metadata = try store.metadata()
            let layout = storedLayout(of: sourceModel, metadata, try store.schema())
            return (try StoreSchema(store.connection), layout, metadata.frameworkVersion)
        }
        let missing = schema.missing(from: source)
        guard missing.isEmpty else {
            throw .unexpectedLayout(path: store.path, missing: missing)
        }
        let correspondence = EntityCorrespondence(
            mapping: mapping,
            sourceModel: sourceModel,
            destinationModel: destinationModel,
            source: source,
            frameworkVersion: version
        )
        program = ProgramBuilder(correspondence: correspondence, schema: schema).build()
        questions = rowQuestions(of: mapping, source: source, sourceModel: sourceModel)
    }

    /// Asks the rows of the store what stands against the migration, or would be lost.
    ///
    /// - Returns: what was found, fatal or not; empty when all is well.
    public func findings(in store: StoreFile) throws(StoreMigrationError) -> [RowFinding] {
        try findings(store.connection, questions)
    }

    func findings(
        _ connection: SQLiteConnection,
        _ questions: [RowQuestion]
    ) throws(StoreMigrationError) -> [RowFinding] {
        try storeErrors { () throws(StoreError) in
            var findings: [RowFinding] = []
            for question in questions {
                let count = try connection.value(question.sql)?.integer ?? 0
                guard count > 0 else { continue }
                let keys = try connection.rows(question.examplesSQL).compactMap(\.first?.integer)
                findings.append(
                    RowFinding(
                        risk: question.risk,
                        count: Int(clamping: count),
                        examples: keys
                    )
                )
            }
            return findings
        }
    }
}

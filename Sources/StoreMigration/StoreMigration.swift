import Diagnostics
import Foundation
public import MappingInference
import ModelCompiling
public import ObjectModel
import PropertyLists
import SQLiteAccess
public import StoreFormat

/// A migration of one store, worked out against what is really in it, and not yet done.
public struct StoreMigration: Sendable, Hashable {
    /// The version that the store was made with.
    public let source: ModelVersion
    /// The version that it shall have.
    public let destination: ModelVersion
    /// What becomes of each entity and property.
    public let mapping: InferredMapping
    /// What is done to the store.
    public let program: MigrationProgram
    /// What the rows are asked before.
    public let questions: [RowQuestion]
    /// The keyed archive of the new model.
    let archive: Data

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
        let mapping = inferMapping(from: source, to: destination, options: options)
        guard mapping.isInferable else { throw .notInferable(mapping.refusals) }
        self.source = source
        self.destination = destination
        self.mapping = mapping
        archive = compileModel(destination.model).value.binaryData
        let (schema, layout, framework) = try storeErrors { () throws(StoreError) in
            let metadata = try store.metadata()
            let layout = storedLayout(of: source.model, metadata, try store.schema())
            return (try StoreSchema(store.connection), layout, metadata.frameworkVersion)
        }
        let missing = schema.missing(from: layout)
        guard missing.isEmpty else {
            throw .unexpectedLayout(path: store.path, missing: missing)
        }
        let correspondence = EntityCorrespondence(
            mapping: mapping,
            sourceModel: source.model,
            destinationModel: destination.model,
            source: layout,
            frameworkVersion: framework
        )
        program = ProgramBuilder(correspondence: correspondence, schema: schema).build()
        questions = rowQuestions(of: mapping, source: layout, sourceModel: source.model)
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

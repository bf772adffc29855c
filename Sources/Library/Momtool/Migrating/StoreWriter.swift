package import ModelDiffing
import ModelHashing
import ModelLoading
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// The version that wrote a store, and those that have the same hashes.
package struct StoreWriter: Sendable, Hashable {
    /// Where the versions stand that have the store's hashes, the writer among them.
    package var equals: [Int]
    /// Where the writer stands.
    package var place: Int
    /// What tells the writer from the others.
    package var proof: WriterChoice.Proof

    /// Finds the writer of a store: by its entity hashes, then by its version identifiers, then by the model that it
    /// carries.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - versions: the versions, the oldest first.
    /// - Throws: `StoreError` when the store cannot be read; `nil` comes when no version has its hashes.
    package init?(of store: StoreFile, among versions: [ModelVersion]) throws(StoreError) {
        let metadata = try store.metadata()
        self.init(
            of: store,
            metadata,
            among: versions,
            versions.places(withHashes: metadata.hashes)
        )
    }

    init?(
        of store: StoreFile,
        _ metadata: StoreMetadata,
        among versions: [ModelVersion],
        _ equals: [Int]
    ) {
        let choice = WriterChoice(
            among: equals.map { versions[$0] },
            identifiers: metadata.versionIdentifiers,
            // A model that cannot be read tells nothing.
            embedded: { try? embeddedVersion(of: store)?.value.model }
        )
        guard let choice else { return nil }
        self.equals = equals
        (place, proof) = (equals[choice.place], choice.proof)
    }
}

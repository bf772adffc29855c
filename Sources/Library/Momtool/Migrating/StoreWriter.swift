package import ModelDiffing
import ModelHashing
package import ObjectModel
package import StoreFormat

/// The version that wrote a store, and those with the same hashes.
package struct StoreWriter: Sendable, Hashable {
    /// The indexes of the versions with the store's hashes, the writer among them.
    package var equals: [Int]
    package var place: Int
    package var proof: WriterChoice.Proof

    /// Finds the writer of a store by its entity hashes, its version identifiers, then its model; versions are sorted.
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
            embedded: { try? embeddedVersion(of: store)?.value.model }
        )
        guard let choice else { return nil }
        self.equals = equals
        (place, proof) = (equals[choice.place], choice.proof)
    }
}

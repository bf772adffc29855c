import Diagnostics

/// The hashes of a version, shared by all copies of its value once computed.
///
/// A class, because copies share it. All memos are equal: their content follows from the model beside them.
package final class HashMemo: Sendable, Hashable {
    package struct Content: Sendable {
        package var hashes: ModelHashes
        /// Apple's `versionChecksum`, in base64.
        package var checksum: String

        package init(hashes: ModelHashes, checksum: String) {
            (self.hashes, self.checksum) = (hashes, checksum)
        }
    }

    private let state = Locked<Content?>(nil)

    package var known: Content? { state.withLock { $0 } }

    /// Returns the value, computing it on first use; concurrent callers wait.
    package func content(_ make: () -> Content) -> Content {
        state.withLock { content in
            if let content { return content }
            let new = make()
            content = new
            return new
        }
    }

    package static func == (left: HashMemo, right: HashMemo) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

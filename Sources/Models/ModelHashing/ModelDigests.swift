import Essentials
package import ObjectModel

extension ModelHashes {
    /// Apple's `versionChecksum`, in base64: one value for the whole model version.
    package var checksum: String {
        var digest = SHA256()
        for name in entityNames { digest.update(entities[name]?.bytes ?? []) }
        return Data(digest.finalize()).base64EncodedString()
    }

    /// Apple's `NSStoreModelVersionHashesDigest`, in base64.
    package var digest: String {
        var digest = SHA512()
        for name in entityNames {
            digest.update(Array(name.utf8))
            digest.update(entities[name]?.bytes ?? [])
        }
        return Data(digest.finalize()).base64EncodedString()
    }
}

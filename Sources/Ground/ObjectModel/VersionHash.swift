import Diagnostics

/// A SHA-256 digest: the version hash of an entity, or that of one of its parts.
public struct VersionHash: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Creates a hash from its 32 bytes; `nil` for any other number.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Creates a hash from a digest, which has 32 bytes.
    package init(digest: [UInt8]) { bytes = digest }

    package init?(hex: some StringProtocol) {
        let digits = hex.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count == 64, hex.utf8.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The hash as 64 lower-case hexadecimal digits.
    package var hex: String { bytes.hex }
}

extension VersionHash: CustomStringConvertible {
    /// The hash as 64 lower-case hexadecimal digits.
    public var description: String { hex }
}

extension Sequence where Element == UInt8 {
    /// The bytes as lower-case hexadecimal digits.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The version hashes of a model's entities, and what Core Data derives from them.
package struct ModelHashes: Sendable, Hashable {
    /// The hash of each entity, by name: `NSStoreModelVersionHashes`.
    package var entities: [String: VersionHash]

    /// Creates hashes that were computed, or read from a store or a `VersionInfo.plist`.
    package init(entities: [String: VersionHash]) { self.entities = entities }

    /// The names of the entities in the order of digests: by their UTF-16 code units.
    package var entityNames: [String] { entities.keys.sorted { $0.precedesByCodeUnits($1) } }
}

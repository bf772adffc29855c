import ObjectModel
import Testing

@testable import StoreFormat

struct IdentityTests {
    static let versions = [
        version("1", ["A": 1, "B": 2]), version("2", ["A": 1, "B": 3]),
        version("2 again", ["A": 1, "B": 3]), version("3", ["A": 1, "B": 3, "C": 4]),
    ]

    @Test(
        arguments: [
            (["A": 1, "B": 2], StoreIdentity.exact(["1"])),
            (["A": 1, "B": 3], .exact(["2", "2 again"])),
            (
                ["A": 1, "B": 3, "C": 9],
                .nearest("3", [EntityDifference(entity: "C", kind: .differentHash)])
            ),
            (
                ["A": 1, "B": 2, "D": 5],
                .nearest("1", [EntityDifference(entity: "D", kind: .missingInModel)])
            ),
            (["B": 2], .nearest("1", [EntityDifference(entity: "A", kind: .missingInStore)])),
        ] as [([String: UInt8], StoreIdentity)]
    )
    func `a store is the version whose hashes it has, all of them and no others`(
        store: [String: UInt8],
        identity: StoreIdentity
    ) {
        #expect(identify(storeHashes: Self.hashes(store), among: Self.versions) == identity)
    }

    @Test func `without versions a store is unknown`() {
        #expect(identify(storeHashes: Self.hashes(["A": 1]), among: []) == .unknown)
    }

    private static func version(_ name: String, _ numbers: [String: UInt8]) -> ModelVersion {
        let version = ModelVersion(name: name, model: ManagedObjectModel())
        _ = version.memo.content { HashMemo.Content(hashes: hashes(numbers), checksum: name) }
        return version
    }

    private static func hashes(_ numbers: [String: UInt8]) -> ModelHashes {
        ModelHashes(
            entities: numbers.compactMapValues { VersionHash(repeatElement($0, count: 32)) }
        )
    }
}

import ModelHashing
import ObjectModel
import TestSupport
import Testing

struct VersionHashesTests {
    private static func version(
        _ name: String,
        entities: Int = 10,
        attributes: Int,
        identifier: String = "",
        isCurrent: Bool = false
    ) -> ModelVersion {
        let model = ManagedObjectModel(
            entities: (0..<entities).map { number in
                let count = number == entities - 1 ? attributes : 1
                return Entity(
                    "E\(number)",
                    (0..<count).map { Attribute(name: "a\($0)", type: .string) }
                )
            },
            versionIdentifiers: [identifier]
        )
        return ModelVersion(name: name, isCurrent: isCurrent, model: model)
    }

    @Test func `a version is found by its hashes among all others`() {
        let versions = (1...9).map { Self.version("V\($0)", attributes: $0) }
        for (place, version) in versions.enumerated() {
            let hashes = versionHashes(of: version.model)
            let copies = versions.map { ModelVersion(name: $0.name, model: $0.model) }
            #expect(copies.index(withHashes: hashes) == place)
        }
        #expect(versions.version(withHashes: ModelHashes(entities: [:])) == nil)
        let stranger = versionHashes(of: Self.version("", attributes: 10).model)
        #expect(versions.version(withHashes: stranger) == nil)
    }

    @Test func `of versions with equal hashes the likeliest one is found`() {
        let old = Self.version("old", attributes: 1, identifier: "1.0")
        let middle = Self.version("middle", attributes: 1, isCurrent: true)
        let new = Self.version("new", attributes: 1)
        let hashes = old.hashes
        #expect([old, middle, new].version(withHashes: hashes)?.name == "middle")
        #expect([old, new].version(withHashes: hashes, identifiers: [""])?.name == "new")
        let identified = [old, middle, new].version(withHashes: hashes, identifiers: ["1.0"])
        #expect(identified?.name == "old")
    }

    @Test func `versions compared are equal whether they are hashed or not`() {
        let (hashed, other) = (Self.version("1", attributes: 1), Self.version("1", attributes: 1))
        _ = hashed.hashes
        #expect(hashed == other)
        #expect(Set([hashed, other]).count == 1)
    }

    @Test func `a version is hashed once for all its copies`() async {
        await #expect(processExitsWith: .success) {
            let version = VersionHashesTests.version("1", attributes: 1)
            var copy = version
            copy.name = "2"
            for version in [version, copy, version] {
                precondition(version.checksum == version.hashes.checksum)
            }
            hashTogether([version, copy])
            precondition(HashingCounts.models == 1)
            precondition(HashingCounts.entities == 10)
        }
    }

    @Test func `versions that are not the one looked for are hardly hashed`() async {
        await #expect(processExitsWith: .success) {
            let versions = (1...100).map {
                VersionHashesTests.version("V\($0)", entities: $0 < 50 ? 9 : 10, attributes: $0)
            }
            let hashes = versions[0].hashes
            let before = HashingCounts.entities
            let others = versions.map { ModelVersion(name: $0.name, model: $0.model) }
            precondition(others.index(withHashes: hashes) == 0)
            // Half of them have another entity; of the rest one entity each, except the first.
            precondition(HashingCounts.entities - before <= 48 + 9 + 9)
            precondition(HashingCounts.models == 2)
        }
    }
}

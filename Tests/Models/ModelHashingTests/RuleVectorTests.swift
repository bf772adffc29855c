import Diagnostics
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// Compares hashes with those that another implementation of the same rules gives (`Fixtures/Vectors`).
struct RuleVectorTests {
    @Test(arguments: Vectors.names)
    func `hashes, checksum and digest are those of the vector`(name: String) throws {
        let read = readModel(contents: try Vectors.source(name), path: name)
        #expect(read.diagnostics.filter { $0.severity == .error } == [])
        let hashes = versionHashes(of: read.value)
        let expected = try Vectors.expected(name)
        #expect(hashes.entities.mapValues(\.hex) == expected.entities)
        #expect(hashes.checksum == expected.checksum)
        #expect(hashes.digest == expected.digest)
    }

    /// A vector that nobody wrote proves nothing: every part of a hash must be in one of the models.
    @Test func `the vectors have everything that takes part in a hash`() throws {
        let models = try Vectors.names.map {
            readModel(contents: try Vectors.source($0), path: $0).value
        }
        let entities = models.flatMap(\.entities)
        let attributes = entities.flatMap(\.attributes)
        let relationships = entities.flatMap(\.relationships)
        #expect(
            Set(AttributeType.allCases).subtracting(attributes.map(\.type)) == [.objectID],
            "sources have no word for object IDs"
        )
        #expect(Set(attributes.map(\.isOptional)).count == 2)
        #expect(attributes.contains { $0.isTransient } && relationships.contains { $0.isTransient })
        #expect(attributes.contains { $0.flags[.externalStorage] })
        #expect(attributes.contains { $0.flags[.preservationAfterDeletion] })
        #expect(attributes.contains { $0.versionHashModifier != nil })
        #expect(attributes.filter { $0.derivation != nil }.count >= 4)
        #expect(Set(relationships.map(\.isToMany)).count == 2)
        #expect(Set(relationships.map(\.isOrdered)).count == 2)
        #expect(Set(relationships.map(\.deleteRule)).count == 4)
        #expect(relationships.contains { $0.inverseName == nil })
        #expect(relationships.contains { $0.inverseName == $0.name })
        #expect(relationships.contains { $0.maxCount == 4 && $0.minCount == 1 })
        #expect(entities.contains { $0.isAbstract } && entities.contains { $0.parentEntity != nil })
        #expect(entities.contains { $0.versionHashModifier != nil })
        #expect(entities.contains { $0.uniquenessConstraints.count == 2 })
        #expect(
            entities.contains { $0.uniquenessConstraints.contains { $0.properties.count == 2 } }
        )
    }
}

import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct HashVectorTests {
    /// The vectors of VersionHashes, "Composite attributes".
    @Test func `composite attributes hash as in the stores that hold them`() throws {
        let unit = CompositeType("Unit", [Attribute("unit", .string)])
        let prep = CompositeType(
            "Prep",
            [
                Attribute("prepRecipe", .binary), Attribute("id", .uuid),
                Attribute("prepIngredientName", .string),
            ]
        )
        var model = ManagedObjectModel(composites: [unit, prep])
        let hashes = [unit, prep].map { type in
            let attribute = Attribute("a", .composite, compositeName: type.name)
            return versionHash(of: attribute, declaredBy: "A", in: model)?.hex
        }
        #expect(
            hashes == [
                "12ba0c6c7d7c619aab124222ee19a1bb720e8f397003465a8c930120169c574f",
                "b77b6a7042772abd6f5c25dc0c3a73215f9c324c8716f41c4ccfb79ce4ee0fb0",
            ]
        )

        model.entities = [
            Entity(
                "Ingredient",
                [
                    Attribute("id", .uuid, isOptional: false),
                    Attribute("unit", .composite, isOptional: false, compositeName: "Unit"),
                    Attribute("value", .double, isOptional: false),
                ],
                relationships: [
                    Relationship(
                        name: "ingredientBase",
                        isOptional: false,
                        minCount: 0,
                        maxCount: 1,
                        destinationEntity: "IngredientBase"
                    )
                ]
            )
        ]
        #expect(
            versionHashes(of: model).entities["Ingredient"]?.hex
                == "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a"
        )
    }

    @Test func `an explained hash is the hash of its components`() throws {
        let model = ManagedObjectModel([Entity("Person", [Attribute("name", .string)])])
        let explained = try #require(explainVersionHash(of: "Person", in: model))
        #expect(explained.hash == versionHashes(of: model).entities["Person"])
        #expect(explained.components.map(\.label) == ["name", "isAbstract", "attribute 'name'"])
        #expect(explained.components[0].bytes == Array("Person".utf8))
        #expect(explained.components[2].bytes.count == 32)
        let labels = explained.components[2].parts.map(\.label)
        #expect(labels.count == 2 && labels[1] == "attributeType", "\(labels)")
    }

    @Test func `parents in a circle and composites in a circle end`() {
        let model = ManagedObjectModel(
            [
                Entity("A", parentEntity: "B"),
                Entity("B", parentEntity: "A", [Attribute("c", .composite, compositeName: "C")]),
            ],
            composites: [CompositeType("C", [Attribute("c", .composite, compositeName: "C")])]
        )
        #expect(versionHashes(of: model).entities.count == 2)
    }

    @Test(arguments: [
        "", "12", String(repeating: "g", count: 64), String(repeating: "é", count: 64),
    ])
    func `only 64 hexadecimal digits make a hash`(text: String) {
        #expect(VersionHash(hex: text) == nil)
    }
}

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

struct DeepHierarchyTests {
    @Test(arguments: [false, true])
    func `a chain of thousands of parents neither exhausts the stack nor stays unhashed`(
        isCircle: Bool
    ) {
        let count = Sweep.count(20_000, every: 4)
        let entities = (0..<count).map { number in
            // Children first: the hash of the first entity needs those of all the others.
            let parent = isCircle ? (number + 1) % count : number + 1
            return Entity("E\(number)", parentEntity: "E\(parent)")
        }
        #expect(versionHashes(of: ManagedObjectModel(entities)).entities.count == count)
    }

    @Test func `an entity is hashed anew when an ancestor changed, however far up`() {
        func model(_ name: String) -> ManagedObjectModel {
            let root = Entity("E0", [Attribute(name, .string)])
            let others = (1..<ModelGraph.depthLimit).map { number in
                Entity("E\(number)", parentEntity: "E\(number - 1)")
            }
            return ManagedObjectModel([root] + others)
        }
        let (old, new) = (model("old"), model("new"))
        let versions = [old, old, new].map { ModelVersion(model: $0) }
        hashTogether(versions)
        let together = versions.map(\.hashes)
        #expect(together == versions.map { versionHashes(of: $0.model) })
        for (name, hash) in together[0].entities { #expect(together[2].entities[name] != hash) }
    }
}

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusHashTests {
    struct Vector: Decodable {
        var model: String
        var entity: String
        var hash: String
    }

    struct Checksum: Decodable {
        var model: String?
        var hashes: [String: String]
        var checksum: String?
        var digest: String?
        var written_by: String
    }

    @Test func `every recorded entity hash is computed from the model's source`() throws {
        let vectors = try Corpus.lines("vectors.jsonl", as: Vector.self)
        var hashes: [String: ModelHashes] = [:]
        for vector in vectors {
            if hashes[vector.model] == nil {
                let bundle = readModelBundle(at: Corpus.path(vector.model))
                let model = try #require(bundle.value.currentVersion?.model)
                hashes[vector.model] = versionHashes(of: model)
            }
            let hash = hashes[vector.model]?.entities[vector.entity]?.hex
            #expect(hash == vector.hash, "\(vector.entity) of \(vector.model)")
        }
        #expect(vectors.count >= 444)
    }

    @Test func `every recorded checksum and digest is computed from the recorded hashes`() throws {
        let lines = try Corpus.lines("checksums.jsonl", as: Checksum.self)
        var strangers: [String] = []
        for line in lines {
            let hashes = ModelHashes(
                entities: line.hashes.compactMapValues { VersionHash(hex: $0) }
            )
            if let checksum = line.checksum { #expect(hashes.checksum == checksum) }
            if let digest = line.digest { #expect(hashes.digest == digest) }
            guard let path = line.model else { continue }
            let bundle = readModelBundle(at: Corpus.path(path))
            let model = try #require(bundle.value.currentVersion?.model)
            if versionHashes(of: model) != hashes { strangers.append(line.written_by) }
        }
        #expect(lines.count >= 38)
        // Written by a version of the model that the corpus does not hold: the model was edited in place.
        #expect(strangers.filter { !$0.contains("cb4e6cd0da") } == [])
    }

    static let known: [(model: String, message: String, reason: String)] = [
        (
            "ArtsyPartner.xcdatamodeld", "the inverse 'thumbnail' points back to 'thumbnail'",
            "up to 1.5 'Image.artist' names the inverse of 'Image.thumbnail'"
        )
    ]

    @Test func `no model of the corpus is reported as broken`() {
        let contents = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        var told = 0
        for path in contents {
            let model = readModelBundle(at: Corpus.path(path))
            let unknown = model.diagnostics.filter { diagnostic in
                !Self.known.contains { path.contains($0.model) && diagnostic.message == $0.message }
            }
            #expect(unknown.map(\.description) == [], "\(path)")
            told += model.diagnostics.count
        }
        #expect(told == 7)
        #expect(contents.count >= 180)
    }
}

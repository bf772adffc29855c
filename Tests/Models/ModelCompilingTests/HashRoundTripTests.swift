import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct HashRoundTripTests {
    /// A model in all its forms on disk, the source first.
    private func forms(of model: ManagedObjectModel) throws -> [ManagedObjectModel] {
        func source(_ model: ManagedObjectModel) -> ManagedObjectModel {
            readModel(contents: Data(modelContents(of: model).value.utf8), path: "contents").value
        }
        let read = source(model)
        let archive = compileModel(read).value
        let compiled = readCompiledModel(archive.binaryData, path: "A.mom").value
        let decompiled = source(compiled)
        let again = readCompiledModel(compileModel(decompiled).value.binaryData, path: "B.mom")
            .value
        return [read, compiled, decompiled, again]
    }

    @Test(arguments: 0..<Sweep.count(300, every: 5))
    func `a source, its archive and what is made of that have one hash`(seed: Int) throws {
        var random = RandomSources(seed: seed)
        let model = random.model()
        let expected = versionHashes(of: model)
        for form in try forms(of: model) {
            #expect(versionHashes(of: form) == expected)
            #expect(propertyHashes(of: form).count == propertyHashes(of: model).count)
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `sources of the corpus have one hash in every form`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        for path in Sweep.part(of: paths, every: 3) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let model = readModel(contents: bytes, path: path).value
            let expected = versionHashes(of: model)
            for form in try forms(of: model) {
                #expect(versionHashes(of: form) == expected, "\(path)")
            }
        }
        #expect(paths.count >= 180)
    }

    @Test func `a relationship without counts hashes as the compiler writes it`() {
        func hashes(_ relationship: Relationship) -> VersionHash? {
            let model = ManagedObjectModel([Entity("A", relationships: [relationship])])
            return versionHashes(of: model).entities["A"]
        }
        let toOne = Relationship(name: "r", destinationEntity: "A")
        var written = toOne
        (written.minCount, written.maxCount) = (0, 1)
        #expect(hashes(toOne) == hashes(written))
        var toMany = toOne
        toMany.isToMany = true
        #expect(hashes(toMany) != hashes(toOne))
        written.maxCount = 0
        #expect(hashes(toMany) == hashes(written))
    }
}

/// Makes random models of all that hashes hold, with counts written and left out.
private struct RandomSources {
    private var random: SeededGenerator
    private var counter = 0

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    mutating func model() -> ManagedObjectModel {
        var model = ManagedObjectModel()
        model.composites = [CompositeType("Pair", [attribute(.string), attribute(.integer64)])]
        for _ in 0..<Int.random(in: 1...5, using: &random) { addEntity(to: &model) }
        for _ in 0..<Int.random(in: 1...8, using: &random) { addRelationship(to: &model) }
        return model
    }

    private mutating func chance(_ number: Int = 2) -> Bool {
        Int.random(in: 0..<number, using: &random) == 0
    }

    private mutating func name(_ prefix: String) -> String {
        counter += 1
        return prefix + String("qZamKxb_ä".randomElement(using: &random) ?? "q") + String(counter)
    }

    private mutating func attribute(_ type: AttributeType? = nil) -> Attribute {
        let types = AttributeType.allCases.filter { $0 != .composite && $0 != .objectID }
        var attribute = Attribute(name("a"), type ?? types.randomElement(using: &random) ?? .string)
        attribute.isOptional = chance()
        attribute.isTransient = chance(6)
        attribute.versionHashModifier = chance(6) ? "2" : nil
        attribute.allowsExternalBinaryDataStorage = attribute.type == .binary && chance()
        attribute.preservesValueInHistoryOnDeletion = chance(8)
        return attribute
    }

    private mutating func addEntity(to model: inout ManagedObjectModel) {
        var entity = Entity(name("E"), isAbstract: chance(5))
        entity.versionHashModifier = chance(6) ? "x" : nil
        entity.parentEntity = chance() ? model.entities.randomElement(using: &random)?.name : nil
        for _ in 0..<Int.random(in: 0...4, using: &random) { entity.attributes.append(attribute()) }
        if chance(4) {
            let composite = Attribute(name("c"), .composite, compositeName: "Pair")
            entity.attributes.append(composite)
        }
        if chance(4), let other = entity.attributes.first {
            let expressions = ["now()", "canonical:(\(other.name))", "\(other.name)"]
            let expression = expressions.randomElement(using: &random) ?? "now()"
            entity.attributes.append(
                Attribute(name("d"), .string, derivation: .init(expression: expression))
            )
        }
        if chance(3), let first = entity.attributes.first, !first.isTransient {
            entity.uniquenessConstraints = [UniquenessConstraint(properties: [first.name])]
        }
        model.entities.append(entity)
    }

    private mutating func relationship(to entity: String) -> Relationship {
        var relationship = Relationship(name: name("r"), destinationEntity: entity)
        relationship.isOptional = chance()
        relationship.isTransient = chance(8)
        relationship.isToMany = chance()
        relationship.isOrdered = relationship.isToMany && chance(3)
        relationship.minCount = [nil, 0, 1].randomElement(using: &random) ?? nil
        let most: [Int?] = relationship.isToMany ? [nil, 0, 2, 7] : [nil, 1]
        relationship.maxCount = most.randomElement(using: &random) ?? nil
        relationship.versionHashModifier = chance(8) ? "m" : nil
        return relationship
    }

    private mutating func addRelationship(to model: inout ManagedObjectModel) {
        guard let source = model.entities.indices.randomElement(using: &random),
            let target = model.entities.indices.randomElement(using: &random)
        else { return }
        var one = relationship(to: model.entities[target].name)
        if source == target, chance() {
            (one.inverseName, one.inverseEntity) = (one.name, one.destinationEntity)
        } else if chance() {
            var other = relationship(to: model.entities[source].name)
            (one.inverseName, one.inverseEntity) = (other.name, one.destinationEntity)
            (other.inverseName, other.inverseEntity) = (one.name, other.destinationEntity)
            model.entities[target].relationships.append(other)
        }
        model.entities[source].relationships.append(one)
    }
}

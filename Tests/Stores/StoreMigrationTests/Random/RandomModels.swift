import Diagnostics
import Foundation
import MappingInference
import MigrationTesting
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

func expectWhole(
    _ result: String,
    from store: StoreFile,
    _ migration: Migration,
    _ title: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
    let migrated = try StoreFile(path: result)
    let (source, target) = (
        try #require(migration.source).model, try #require(migration.destination).model
    )
    let hashes = versionHashes(of: target)
    #expect(try migrated.metadata().hashes == hashes, "\(title)", sourceLocation: sourceLocation)
    let faults = try accountingFaults(
        before: try StoreDump(store, model: source),
        after: try StoreDump(migrated, model: target),
        mapping: migration.mapping,
        from: source,
        to: target
    )
    #expect(faults == [], "\(title)", sourceLocation: sourceLocation)
    let known = try verify(store, against: source).map(\.rule)
    let findings = try verify(migrated, against: target).filter { !known.contains($0.rule) }
    #expect(findings.map(\.description) == [], "\(title)", sourceLocation: sourceLocation)
    let cached = try migrated.modelArchive().map { readCompiledModel($0, path: result) }
    if let cached {
        #expect(
            versionHashes(of: cached.value) == hashes,
            "\(title)",
            sourceLocation: sourceLocation
        )
    }
}

func libraryVersions() -> [ModelVersion] {
    let path = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    return readModelBundle(at: path).value.versions
}

/// Makes random models, and edits them at random in the ways that versions of real models differ.
struct RandomModels {
    private var random: SeededGenerator
    private var counter = 0

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    private static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binary, .uuid, .uri, .transformable,
    ]

    mutating func model() -> ManagedObjectModel {
        var model = ManagedObjectModel()
        model.composites = [CompositeType("Pair", [attribute(.integer32), attribute(.string)])]
        for _ in 0..<Int.random(in: 2...5, using: &random) { addEntity(to: &model) }
        for _ in 0..<Int.random(in: 1...6, using: &random) { addRelationship(to: &model) }
        return model
    }

    mutating func edited(_ original: ManagedObjectModel) -> ManagedObjectModel {
        var model = original
        for _ in 0..<Int.random(in: 1...5, using: &random) { edit(&model) }
        return model
    }

    private mutating func name(_ prefix: String) -> String {
        counter += 1
        // The names differ in alphabetical order, so that entity numbers move.
        return prefix + String("qzamkxbt".randomElement(using: &random) ?? "q") + String(counter)
    }

    private mutating func attribute(_ type: AttributeType? = nil) -> Attribute {
        let type = type ?? Self.types.randomElement(using: &random) ?? .string
        return Attribute(name("a"), type, defaultValue: defaultValue(of: type))
    }

    private mutating func defaultValue(of type: AttributeType) -> AttributeValue? {
        guard Bool.random(using: &random) else { return nil }
        switch type {
        case .integer16, .integer32, .integer64: return .integer(42)
        case .double: return .double(2.5)
        case .float: return .float(0.5)
        case .string: return .string("it's")
        case .boolean: return .boolean(true)
        case .date: return .date(1000.5)
        case .decimal: return DecimalValue("12.50").map { .decimal($0) }
        default: return nil
        }
    }

    private mutating func addEntity(to model: inout ManagedObjectModel) {
        var entity = Entity(name("E"))
        for _ in 0..<Int.random(in: 1...4, using: &random) { entity.attributes.append(attribute()) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            entity.attributes.append(Attribute(name("c"), .composite, compositeName: "Pair"))
        }
        if Int.random(in: 0..<2, using: &random) == 0 {
            entity.parentEntity = model.entities.randomElement(using: &random)?.name
        }
        model.entities.append(entity)
    }

    private mutating func addRelationship(to model: inout ManagedObjectModel) {
        guard let source = model.entities.indices.randomElement(using: &random),
            let target = model.entities.indices.randomElement(using: &random)
        else { return }
        var one = Relationship(name: name("r"), destinationEntity: model.entities[target].name)
        shape(&one)
        if Int.random(in: 0..<5, using: &random) > 0 {
            let owner = model.entities[source].name
            var other = Relationship(name: name("i"), destinationEntity: owner)
            shape(&other)
            (one.inverseName, one.inverseEntity) = (other.name, one.destinationEntity)
            (other.inverseName, other.inverseEntity) = (one.name, other.destinationEntity)
            model.entities[target].relationships.append(other)
        }
        model.entities[source].relationships.append(one)
    }

    private mutating func shape(_ relationship: inout Relationship) {
        relationship.isToMany = Bool.random(using: &random)
        relationship.maxCount = relationship.isToMany ? nil : 1
        relationship.isOrdered =
            relationship.isToMany && relationship.inverseName != relationship.name
            && Int.random(in: 0..<3, using: &random) == 0
    }

    private mutating func edit(_ model: inout ManagedObjectModel) {
        guard let place = model.entities.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: addEntity(to: &model)
        case 1: addRelationship(to: &model)
        case 2: remove(place, from: &model)
        case 3: renameEntity(place, in: &model)
        case 4: model.entities[place].attributes.append(attribute())
        case 5: _ = model.entities[place].attributes.popLast()
        case 6:
            guard !model.entities[place].attributes.isEmpty else { return }
            let old = model.entities[place].attributes[0]
            model.entities[place].attributes[0].renamingIdentifier = old.matchingIdentifier
            model.entities[place].attributes[0].name = name("n")
        case 7: removeRelationship(of: place, in: &model)
        case 8, 9:
            let links = model.entities[place].relationships.indices
            guard let index = links.randomElement(using: &random) else { return }
            shape(&model.entities[place].relationships[index])
        case 10:
            let name = model.entities[place].parentEntity
            guard let parent = model.entities.firstIndex(where: { $0.name == name }),
                let moved = model.entities[place].attributes.popLast()
            else { return }
            model.entities[parent].attributes.append(moved)
        default: widen(place, in: &model)
        }
    }

    private mutating func widen(_ place: Int, in model: inout ManagedObjectModel) {
        let wider: [AttributeType: AttributeType] = [
            .integer16: .integer64, .integer32: .double, .boolean: .integer32, .float: .double,
            .uri: .string,
        ]
        for index in model.entities[place].attributes.indices {
            let type = model.entities[place].attributes[index].type
            guard let new = wider[type] else { continue }
            model.entities[place].attributes[index].type = new
            model.entities[place].attributes[index].defaultValue = nil
        }
    }

    private func remove(_ place: Int, from model: inout ManagedObjectModel) {
        let name = model.entities[place].name
        guard model.entities.count > 1, !model.entities.contains(where: { $0.parentEntity == name })
        else { return }
        model.entities.remove(at: place)
        for index in model.entities.indices {
            model.entities[index].relationships.removeAll { $0.destinationEntity == name }
        }
    }

    private mutating func renameEntity(_ place: Int, in model: inout ManagedObjectModel) {
        let old = model.entities[place]
        let new = name("E")
        model.entities[place].name = new
        model.entities[place].renamingIdentifier = old.matchingIdentifier
        for index in model.entities.indices {
            if model.entities[index].parentEntity == old.name {
                model.entities[index].parentEntity = new
            }
            for link in model.entities[index].relationships.indices {
                let ends = model.entities[index].relationships[link]
                if ends.destinationEntity == old.name {
                    model.entities[index].relationships[link].destinationEntity = new
                }
                if ends.inverseEntity == old.name {
                    model.entities[index].relationships[link].inverseEntity = new
                }
            }
        }
    }

    private func removeRelationship(of place: Int, in model: inout ManagedObjectModel) {
        guard let gone = model.entities[place].relationships.popLast() else { return }
        for index in model.entities.indices {
            model.entities[index].relationships.removeAll {
                $0.name == gone.inverseName && $0.inverseName == gone.name
            }
        }
    }
}

import Diagnostics
import Foundation
import ModelEditing
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct RandomEditTests {
    private static let empty = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier=""/>
        """

    @Test(arguments: 0..<Sweep.count(250, every: 25))
    func `forty edits read back, have the hashes of the value, and are undone to the first byte`(
        seed: Int
    ) throws {
        var random = RandomModel(seed: seed)
        var text = Array(Self.empty.utf8)
        for number in 0..<40 {
            let edit = random.edit()
            let title = "seed \(seed), edit \(number): \(edit)"
            #expect(try ModelEdit.read(ModelEdit.text(of: [edit])) == [edit], "\(title)")
            let result = try edited(text, [edit], path: "contents")
            let read = readModel(contents: Data(result), path: "contents")
            let faults = read.diagnostics.filter { $0.severity == .error }
            #expect(
                faults.isEmpty,
                "\(title): \(faults)\n\(String(decoding: result, as: UTF8.self))"
            )
            let hashes = ModelVersion(name: "V", model: read.value).hashes
            let expected = ModelVersion(name: "V", model: random.model).hashes
            #expect(hashes == expected, "\(title)\n\(String(decoding: result, as: UTF8.self))")
            let back = try edits(from: result, to: text, path: "contents")
            let undone = try edited(result, back, path: "contents")
            #expect(
                undone == text,
                "\(title)\n\(String(decoding: text, as: UTF8.self))\n\(ModelEdit.text(of: back))"
            )
            let there = try edits(from: text, to: result, path: "contents")
            #expect(try edited(text, there, path: "contents") == result, "\(title)")
            text = result
        }
    }
}

private struct RandomModel {
    private(set) var model = ManagedObjectModel()
    private var random: SeededGenerator
    private var count = 0

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    private mutating func name(_ capital: Bool = false) -> String {
        count += 1
        let letters = "aAbBmM_zZ"
        let first = capital ? "E" : String(letters.randomElement(using: &random) ?? "a")
        return "\(first)\(Int.random(in: 0..<30, using: &random))_\(count)"
    }

    mutating func edit() -> ModelEdit {
        let entity = model.entities.indices.randomElement(using: &random)
        guard let entity, Int.random(in: 0..<10, using: &random) > 0 else { return addEntity() }
        switch Int.random(in: 0..<15, using: &random) {
        case 0...3: return addAttribute(to: entity)
        case 4, 5: return addRelationship(to: entity)
        case 6: return rename(entity)
        case 7: return removeEntity(entity)
        case 8: return addList(to: entity)
        case 9: return changeEntity(entity)
        default: break
        }
        let free = model.entities[entity].attributes.indices.filter { isFree($0, in: entity) }
        guard let attribute = free.randomElement(using: &random) else {
            return changeRelationship(of: entity)
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return remove(attribute, of: entity)
        case 1: return move(attribute, of: entity)
        case 2: return rename(attribute, of: entity)
        case 3: return changeRelationship(of: entity)
        default: return change(attribute, of: entity)
        }
    }

    private mutating func addEntity() -> ModelEdit {
        let name = name(true)
        let parent = model.entities.randomElement(using: &random)?.name
        var entity = Entity(name, className: name)
        var settings: [ElementSetting] = []
        if let parent, Bool.random(using: &random) {
            entity.parentEntity = parent
            settings.append(ElementSetting("parentEntity", parent))
        }
        model.entities.append(entity)
        return .add(.entity(name), settings)
    }

    private mutating func addAttribute(to entity: Int) -> ModelEdit {
        let types: [AttributeType] = [
            .integer16, .integer64, .double, .string, .boolean, .date, .binary, .uuid,
        ]
        let type = types.randomElement(using: &random) ?? .string
        let isOptional = Bool.random(using: &random)
        let name = name()
        var attribute = Attribute(name, type)
        attribute.isOptional = isOptional
        model.entities[entity].attributes.append(attribute)
        return .add(
            .attribute(name, of: model.entities[entity].name),
            [.type(type), .optional(isOptional)]
        )
    }

    private mutating func addRelationship(to entity: Int) -> ModelEdit {
        let other = model.entities.indices.randomElement(using: &random) ?? entity
        let (name, inverse) = (name(), name())
        let (owner, end) = (model.entities[entity].name, model.entities[other].name)
        let isMany = Bool.random(using: &random)
        model.entities[entity].relationships.append(
            Relationship(
                name: name,
                isToMany: isMany,
                maxCount: isMany ? nil : 1,
                destinationEntity: end,
                inverseName: inverse,
                inverseEntity: end
            )
        )
        model.entities[other].relationships.append(Relationship.one(inverse, owner, name))
        return .add(
            .relationship(name, of: owner),
            [.destination(end), .toMany(isMany), .inverse(inverse)]
        )
    }

    private mutating func rename(_ entity: Int) -> ModelEdit {
        let (old, new) = (model.entities[entity].name, name(true))
        model.entities[entity].name = new
        for index in model.entities.indices {
            if model.entities[index].parentEntity == old {
                model.entities[index].parentEntity = new
            }
            for number in model.entities[index].relationships.indices
            where model.entities[index].relationships[number].destinationEntity == old {
                model.entities[index].relationships[number].destinationEntity = new
                model.entities[index].relationships[number].inverseEntity = new
            }
        }
        return .rename(.entity(old), to: new)
    }

    private mutating func removeEntity(_ entity: Int) -> ModelEdit {
        let name = model.entities[entity].name
        guard !model.entities.contains(where: { $0.parentEntity == name }) else {
            return changeEntity(entity)
        }
        model.entities.remove(at: entity)
        for index in model.entities.indices {
            model.entities[index].relationships.removeAll { $0.destinationEntity == name }
        }
        return .removeWithReferences(.entity(name))
    }

    private mutating func addList(to entity: Int) -> ModelEdit {
        let names = model.entities[entity].attributes.shuffled(using: &random).prefix(2).map(\.name)
        let known = model.entities[entity].uniquenessConstraints.map(\.properties)
        let owner = model.entities[entity].name
        guard !names.isEmpty, !known.contains(names) else { return addAttribute(to: entity) }
        guard Bool.random(using: &random) else {
            model.entities[entity].uniquenessConstraints.append(
                UniquenessConstraint(properties: names)
            )
            return .add(.constraint(names, of: owner), [])
        }
        let name = name()
        let elements = names.map { FetchIndex.Element(.property($0)) }
        model.entities[entity].fetchIndexes.append(FetchIndex(name: name, elements: elements))
        return .add(.index(name, of: owner), [.indexed(names)])
    }

    private mutating func changeEntity(_ entity: Int) -> ModelEdit {
        let text = Bool.random(using: &random) ? "\(Int.random(in: 0..<9, using: &random))<&" : nil
        model.entities[entity].versionHashModifier = text
        return .set(.entity(model.entities[entity].name), [.hashModifier(text)])
    }

    private mutating func changeRelationship(of entity: Int) -> ModelEdit {
        guard
            let index = model.entities[entity].relationships.indices.randomElement(using: &random)
        else { return addAttribute(to: entity) }
        let path = ElementPath.relationship(
            model.entities[entity].relationships[index].name,
            of: model.entities[entity].name
        )
        guard Bool.random(using: &random) else {
            let relationship = model.entities[entity].relationships.remove(at: index)
            for other in model.entities.indices {
                model.entities[other].relationships.removeAll {
                    $0.name == relationship.inverseName
                }
            }
            return .removeWithReferences(path)
        }
        model.entities[entity].relationships[index].isOptional.toggle()
        return .set(path, [.optional(model.entities[entity].relationships[index].isOptional)])
    }

    private func isFree(_ attribute: Int, in entity: Int) -> Bool {
        let name = model.entities[entity].attributes[attribute].name
        return !model.entities.contains { entity in
            entity.uniquenessConstraints.contains { $0.properties.contains(name) }
                || entity.fetchIndexes.contains { index in
                    index.elements.contains { $0.subject == .property(name) }
                }
        }
    }

    private mutating func remove(_ attribute: Int, of entity: Int) -> ModelEdit {
        let name = model.entities[entity].attributes.remove(at: attribute).name
        return .remove(.attribute(name, of: model.entities[entity].name))
    }

    private mutating func move(_ attribute: Int, of entity: Int) -> ModelEdit {
        let other = model.entities.indices.filter { $0 != entity }.randomElement(using: &random)
        guard let other else { return change(attribute, of: entity) }
        let moved = model.entities[entity].attributes.remove(at: attribute)
        model.entities[other].attributes.append(moved)
        return .move(
            .attribute(moved.name, of: model.entities[entity].name),
            to: .entity(model.entities[other].name)
        )
    }

    private mutating func rename(_ attribute: Int, of entity: Int) -> ModelEdit {
        let (old, new) = (model.entities[entity].attributes[attribute].name, name())
        model.entities[entity].attributes[attribute].name = new
        return .rename(.attribute(old, of: model.entities[entity].name), to: new)
    }

    private mutating func change(_ attribute: Int, of entity: Int) -> ModelEdit {
        let path = ElementPath.attribute(
            model.entities[entity].attributes[attribute].name,
            of: model.entities[entity].name
        )
        guard Bool.random(using: &random) else {
            model.entities[entity].attributes[attribute].type = .string
            return .set(
                path,
                [.type(.string), .defaultValue("\(Int.random(in: 0..<9, using: &random)) \"'>")]
            )
        }
        model.entities[entity].attributes[attribute].isOptional.toggle()
        return .set(path, [.optional(model.entities[entity].attributes[attribute].isOptional)])
    }
}

package import Diagnostics
import struct Essentials.Data
import ModelHashing
import ModelLanguage
package import ObjectModel
package import PropertyLists

/// Compiles a mapping model into the keyed archive of a `.cdm` file (CompiledModels, "Mapping models").
///
/// Returns an error for each entity that is missing from its model.
package func compileMappingModel(
    _ source: MappingModelSource,
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
) -> Diagnosed<KeyedArchive> {
    var compiler = MappingCompiler(source, from: old, to: new)
    compiler.addModel()
    return Diagnosed(
        compiler.archiver.archive,
        compiler.diagnostics + compiler.archiver.diagnostics
    )
}

private struct MappingCompiler {
    let source: MappingModelSource
    let old: ModelGraph
    let new: ModelGraph
    let oldHashes: ModelHashes
    let newHashes: ModelHashes
    /// The mappings of the old entities, with those of their sub-entities, by the entities' names.
    var mappingNames: [String: [String]] = [:]
    var archiver = ModelArchiver(ManagedObjectModel(), options: CompilerOptions())
    var diagnostics: [Diagnostic] = []

    init(_ source: MappingModelSource, from old: ManagedObjectModel, to new: ManagedObjectModel) {
        self.source = source
        self.old = ModelGraph(old)
        self.new = ModelGraph(new)
        oldHashes = versionHashes(of: old)
        newHashes = versionHashes(of: new)
        for mapping in source.entityMappings {
            guard let entity = mapping.sourceName.flatMap({ self.old.entity($0) }) else { continue }
            for ancestor in self.old.lineage(of: entity) {
                mappingNames[ancestor.name, default: []].append(mapping.effectiveName)
            }
        }
    }

    mutating func addModel() {
        let root = archiver.reserve()
        let mappings = source.entityMappings.map { ($0.effectiveName, entityMapping($0)) }
        archiver.fill(
            root,
            .init("NSMappingModel"),
            [
                "NSEntityMappings": .reference(archiver.collection(mappings.map(\.1), .array)),
                "NSEntityMappingsByName": .reference(
                    archiver.dictionary(mappings, .mutableDictionary)
                ),
            ]
        )
        archiver.archive.top = ["root": .reference(root)]
    }

    private mutating func entityMapping(
        _ mapping: MappingModelSource.EntityMapping
    ) -> KeyedArchive.Reference {
        let sourceEntity = mapping.sourceName.flatMap { old.entity($0) }
        check(mapping.sourceName, sourceEntity, "old", mapping)
        let destination = mapping.destinationName.flatMap { new.entity($0) }
        check(mapping.destinationName, destination, "new", mapping)
        let attributes = mapping.attributes.map { attribute in
            propertyMapping(attribute, attributeValue(attribute, of: sourceEntity))
        }
        let relationships = mapping.relationships.map { relationship in
            propertyMapping(relationship, relationshipValue(relationship, of: sourceEntity))
        }
        let sourceHash = hash(mapping.sourceName, oldHashes)
        let destinationHash = hash(mapping.destinationName, newHashes)
        let type = mappingType(of: mapping, sourceEntity, destination)
        let condition =
            mapping.unreadSource?.condition
            ?? (mapping.sourcePredicate ?? .constant(true)).description
        let copied = mapping.unreadSource.flatMap { $0.condition == nil ? copy($0) : nil }
        let expression =
            copied ?? mapping.sourceName.map { sourceExpression($0, condition) } ?? .null
        // Apple's compiler writes none as nil; the form of others follows that of entities, as no real file shows one.
        let userInfo = mapping.userInfo.isEmpty ? .null : archiver.userInfo(mapping.userInfo)
        return archiver.add(
            .init("NSEntityMapping"),
            [
                "NSMappingName": archiver.string(mapping.effectiveName),
                "NSMappingType": .integer(type),
                "NSSourceEntityName": archiver.string(mapping.sourceName),
                "NSSourceEntityVersionHash": .reference(sourceHash),
                "NSDestinationEntityName": archiver.string(mapping.destinationName),
                "NSDestinationEntityVersionHash": .reference(destinationHash),
                "NSEntityMigrationPolicyClassName": archiver.string(mapping.policyClassName),
                "NSSourceExpression": .reference(expression),
                "NSAttributeMappings": .reference(archiver.collection(attributes, .array)),
                "NSRelationshipMappings": .reference(archiver.collection(relationships, .array)),
                "NSUserInfo": .reference(userInfo),
            ]
        )
    }

    private mutating func check(
        _ name: String?,
        _ entity: Entity?,
        _ side: String,
        _ mapping: MappingModelSource.EntityMapping
    ) {
        guard let name, entity == nil else { return }
        let message =
            "the mapping '\(mapping.effectiveName)' names the entity '\(name)', "
            + "which the \(side) model does not have"
        diagnostics.append(Diagnostic("unknown-mapped-entity", message, element: name))
    }

    private mutating func hash(_ name: String?, _ hashes: ModelHashes) -> KeyedArchive.Reference {
        guard let hash = name.flatMap({ hashes.entities[$0] }) else { return .null }
        return archiver.plain(.data(Data(hash.bytes)))
    }

    /// Returns the type: custom 1, add 2, remove 3, copy 4, transform 5.
    private func mappingType(
        of mapping: MappingModelSource.EntityMapping,
        _ sourceEntity: Entity?,
        _ destination: Entity?
    ) -> Int64 {
        if mapping.policyClassName != nil { return 1 }
        guard let sourceName = mapping.sourceName else { return 2 }
        guard let destinationName = mapping.destinationName else { return 3 }
        if oldHashes.entities[sourceName] == newHashes.entities[destinationName] { return 4 }
        guard let sourceEntity, let destination else { return 5 }
        let isKept = old.properties(of: sourceEntity).allSatisfy { property in
            guard let (known, owner) = old.property(property.name, of: sourceEntity),
                let (other, newOwner) = new.property(property.name, of: destination)
            else { return false }
            return versionHash(of: known, declaredBy: owner.name, in: old.model)
                == versionHash(of: other, declaredBy: newOwner.name, in: new.model)
        }
        return isKept ? 4 : 5
    }

    /// Copies an expression that is not understood, as Apple's compiler does.
    private mutating func copy(
        _ unread: MappingModelSource.UnreadExpression
    ) -> KeyedArchive.Reference {
        guard let archive = unread.archive.flatMap({ try? KeyedArchive($0) }),
            let root = archive.root
        else {
            diagnostics.append(Diagnostic(.unreadableMappingValue, unread.reason))
            return .null
        }
        return archiver.archive.add(root, of: archive)
    }

    private mutating func propertyMapping(
        _ mapping: MappingModelSource.PropertyMapping,
        _ value: PredicateExpression?
    ) -> KeyedArchive.Reference {
        let name = mapping.name
        let expression =
            mapping.unreadValue.map { copy($0) }
            ?? value.map { archiver.expression($0, .init(name)) } ?? .null
        return archiver.add(
            .init("NSPropertyMapping"),
            [
                "NSDestinationPropertyName": archiver.string(name),
                "NSValueExpression": .reference(expression),
                "NSPropertyTransforms": .null, "NSUserInfo": .null,
            ]
        )
    }

    private func attributeValue(
        _ mapping: MappingModelSource.PropertyMapping,
        of entity: Entity?
    ) -> PredicateExpression? {
        if let expression = mapping.valueExpression { return expression }
        guard let entity, old.property(mapping.name, of: entity) != nil else { return nil }
        return .keyPath(.variable("source"), mapping.name)
    }

    private mutating func relationshipValue(
        _ mapping: MappingModelSource.PropertyMapping,
        of entity: Entity?
    ) -> PredicateExpression? {
        if let expression = mapping.valueExpression { return expression }
        var objects = PredicateExpression.keyPath(.variable("source"), mapping.name)
        if let path = mapping.sourceKeyPath {
            guard let expression = try? PredicateExpression(parsing: path) else {
                let message = "the source path '\(path)' of '\(mapping.name)' is not understood"
                diagnostics.append(Diagnostic(.unreadableMappingValue, message))
                return nil
            }
            objects = expression
        }
        if let name = mapping.sourceMappingName { return destinations(ofMapping: name, objects) }
        guard let entity, let relationship = old.relationship(mapping.name, of: entity)?.0,
            let names = relationship.destinationEntity.flatMap({ mappingNames[$0] })
        else { return nil }
        if names.count == 1 { return destinations(ofMapping: names[0], objects) }
        return manager(
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            [.constant(.string(mapping.name)), objects]
        )
    }

    private func destinations(
        ofMapping name: String,
        _ objects: PredicateExpression
    ) -> PredicateExpression {
        manager(
            "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [.constant(.string(name)), objects]
        )
    }

    private func manager(
        _ selector: String,
        _ arguments: [PredicateExpression]
    ) -> PredicateExpression {
        .function(operand: .variable("manager"), selector: selector, arguments: arguments)
    }

    /// Adds the expression that fetches the objects of the old entity.
    ///
    /// Its arguments are an `NSArray`, unlike those of parsed functions.
    private mutating func sourceExpression(
        _ entity: String,
        _ condition: String
    ) -> KeyedArchive.Reference {
        let owner = ModelArchiver.Owner(entity)
        let context = archiver.expression(.keyPath(.variable("manager"), "sourceContext"), owner)
        let arguments = [entity, condition].map {
            archiver.expression(.constant(.string($0)), owner)
        }
        let request = archiver.function(
            "fetchRequestForSourceEntityNamed:predicateString:",
            of: archiver.expression(.variable("manager"), owner),
            arguments,
            .array
        )
        return archiver.node(
            .init("NSFetchRequestExpression", "NSExpression"),
            50,
            [
                "NSCountOnlyFlag": .boolean(false), "NSMOCExpression": .reference(context),
                "NSFRExpression": .reference(request),
            ]
        )
    }
}

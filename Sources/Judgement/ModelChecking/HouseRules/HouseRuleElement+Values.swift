import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension HouseRuleElement {
    func value(of key: String) -> HouseRuleValue? {
        switch place {
        case .version: versionValue(key)
        case .entity(let index): value(key, of: scope.entities[index], index)
        case .attribute(let entity, let index):
            value(key, of: scope.entities[entity].attributes[index]) ?? common(key, entity)
        case .relationship(let entity, let index):
            value(key, of: scope.entities[entity].relationships[index]) ?? common(key, entity)
        case .index(let entity, let index):
            value(key, of: scope.entities[entity].fetchIndexes[index]) ?? common(key, entity)
        case .change(let index): value(key, of: scope.judgements[index])
        }
    }

    /// The values that all elements inside of an entity have.
    private func common(_ key: String, _ entity: Int) -> HouseRuleValue? {
        switch key {
        case "entity": with(.entity(entity))
        case "new": .flag(scope.isNew(self))
        case "version": with(.version)
        default: nil
        }
    }

    private func versionValue(_ key: String) -> HouseRuleValue? {
        switch key {
        case "name": return .text(scope.version.name)
        case "current": return .flag(scope.version.isCurrent)
        case "shipped": return .flag(scope.isShipped)
        case "entities": return .list(scope.entities.indices.map { with(.entity($0)) })
        case "changes": return .list(scope.judgements.indices.map { with(.change($0)) })
        case "previous":
            guard let previous = scope.previous else { return .null }
            return .element(HouseRuleElement(scope: previous, place: .version))
        default: return nil
        }
    }

    private func value(_ key: String, of entity: Entity, _ index: Int) -> HouseRuleValue? {
        switch key {
        case "name": return .text(entity.name)
        case "className": return HouseRuleValue(entity.className)
        case "abstract": return .flag(entity.isAbstract)
        case "parent": return scope.entity(entity.parentEntity)
        case "children": return .list(scope.children(of: entity.name).map { with(.entity($0)) })
        case "attributes":
            return .list(entity.attributes.indices.map { with(.attribute(index, $0)) })
        case "relationships":
            return .list(entity.relationships.indices.map { with(.relationship(index, $0)) })
        case "indexes": return .list(entity.fetchIndexes.indices.map { with(.index(index, $0)) })
        case "constraints":
            return .list(
                entity.uniquenessConstraints.map { .text($0.properties.joined(separator: ",")) }
            )
        case "renamingIdentifier": return HouseRuleValue(entity.renamingIdentifier)
        case "versionHashModifier": return HouseRuleValue(entity.versionHashModifier)
        case "userInfo": return .userInfo(entity.userInfo)
        case "new": return .flag(scope.isNew(self))
        case "version": return with(.version)
        default: return nil
        }
    }

    private func value(_ key: String, of attribute: Attribute) -> HouseRuleValue? {
        switch key {
        case "name": .text(attribute.name)
        case "type": .text(attribute.type.sourceName ?? "Undefined")
        case "optional": .flag(attribute.isOptional)
        case "transient": .flag(attribute.isTransient)
        case "derivation": HouseRuleValue(attribute.derivation?.expression)
        case "defaultValue": HouseRuleValue(attribute.defaultValue)
        case "minimum": HouseRuleValue(attribute.validation.minimum)
        case "maximum": HouseRuleValue(attribute.validation.maximum)
        case "regularExpression": HouseRuleValue(attribute.validation.regularExpression)
        case "externalStorage": .flag(attribute.flags[.externalStorage])
        case "encrypted": .flag(attribute.flags[.cloudEncryption])
        case "preserved": .flag(attribute.flags[.preservationAfterDeletion])
        case "spotlight": .flag(attribute.flags[.spotlightIndexing])
        case "scalar": .flag(attribute.sourceSettings["usesScalarValueType"] == "YES")
        case "transformer": HouseRuleValue(attribute.valueTransformerName)
        case "className": HouseRuleValue(attribute.customClassName)
        case "composite": HouseRuleValue(attribute.compositeName)
        case "renamingIdentifier": HouseRuleValue(attribute.renamingIdentifier)
        case "versionHashModifier": HouseRuleValue(attribute.versionHashModifier)
        case "userInfo": .userInfo(attribute.userInfo)
        default: nil
        }
    }

    private func value(_ key: String, of relationship: Relationship) -> HouseRuleValue? {
        switch key {
        case "name": .text(relationship.name)
        case "optional": .flag(relationship.isOptional)
        case "transient": .flag(relationship.isTransient)
        case "toMany": .flag(relationship.isToMany)
        case "ordered": .flag(relationship.isOrdered)
        case "deleteRule": .text(relationship.deleteRule.sourceName)
        case "minimumCount": HouseRuleValue(relationship.compiledMinCount)
        case "maximumCount": HouseRuleValue(relationship.compiledMaxCount)
        case "destination": scope.entity(relationship.destinationEntity)
        case "inverse":
            scope.relationship(
                relationship.inverseEntity ?? relationship.destinationEntity,
                relationship.inverseName
            )
        case "renamingIdentifier": HouseRuleValue(relationship.renamingIdentifier)
        case "versionHashModifier": HouseRuleValue(relationship.versionHashModifier)
        case "userInfo": .userInfo(relationship.userInfo)
        default: nil
        }
    }

    private func value(_ key: String, of index: FetchIndex) -> HouseRuleValue? {
        switch key {
        case "name": .text(index.name)
        case "elements":
            .list(
                index.elements.map { element in
                    switch element.subject {
                    case .property(let name): .text(name)
                    case .expression(let text, _): .text(text)
                    }
                }
            )
        case "predicate": HouseRuleValue(index.partialIndexPredicate)
        case "spatial": .flag(index.elements.contains { $0.collation == .rTree })
        default: nil
        }
    }

    private func value(_ key: String, of judgement: Judgement) -> HouseRuleValue? {
        let words = judgement.change.houseRuleWords
        switch key {
        case "kind": return .text(words.kind)
        case "subject": return .text(words.subject)
        case "element": return HouseRuleValue(judgement.change.subject.path)
        case "verdict": return .text(judgement.verdict.identifier)
        case "rule": return .text(judgement.rule.rawValue)
        case "cloudKit": return HouseRuleValue(judgement.cloudKit?.verdict.rawValue)
        case "effect": return .text(judgement.effect)
        case "movesHash": return .flag(judgement.change.movesVersionHash)
        case "from": return scope.previous?.item(words.from) ?? .null
        case "to": return scope.item(words.to)
        case "version": return with(.version)
        default: return nil
        }
    }
}

extension HouseRuleValue {
    static func userInfo(_ entries: [UserInfoEntry]) -> HouseRuleValue {
        .texts(Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { one, _ in one }))
    }
}

extension ModelChange {
    fileprivate var houseRuleWords: (kind: String, subject: String, from: String?, to: String?) {
        let path = subject.path
        return switch self {
        case .entityAdded: ("added", "entity", nil, path)
        case .entityRemoved: ("removed", "entity", path, nil)
        case .entityChanged(let pair, _): ("changed", "entity", pair.from.name, pair.to.name)
        case .attributeAdded: ("added", "attribute", nil, path)
        case .attributeRemoved: ("removed", "attribute", path, nil)
        case .attributeChanged(let pair, _):
            ("changed", "attribute", pair.from.houseRulePath, pair.to.houseRulePath)
        case .relationshipAdded: ("added", "relationship", nil, path)
        case .relationshipRemoved: ("removed", "relationship", path, nil)
        case .relationshipChanged(let pair, _):
            ("changed", "relationship", pair.from.houseRulePath, pair.to.houseRulePath)
        case .part(let part): (part.action.rawValue, "model", nil, nil)
        case .setting: ("changed", "model", nil, nil)
        }
    }
}

extension DeclaredProperty {
    fileprivate var houseRulePath: String { "\(declaredBy).\(property.name)" }
}

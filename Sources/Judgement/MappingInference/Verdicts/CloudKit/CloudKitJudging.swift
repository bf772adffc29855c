import ModelDiffing
package import ObjectModel

extension ManagedObjectModel {
    /// The entities of configurations used with CloudKit; all of them when the default one is.
    package var cloudKitEntities: [Entity] {
        let flag = documentSettings["usedWithCloudKit"]?.lowercased()
        guard flag != "yes" && flag != "true" && flag != "1" else { return entities }
        let names = Set(configurations.filter(\.isUsedWithCloudKit).flatMap(\.memberEntities))
        return names.isEmpty ? [] : entities.filter { names.contains($0.name) }
    }
}

struct CloudKitJudging {
    private let matching: ModelMatching
    private let old: Set<String>
    private let new: Set<String>

    init?(_ matching: ModelMatching) {
        old = Set(matching.from.model.cloudKitEntities.map(\.name))
        new = Set(matching.to.model.cloudKitEntities.map(\.name))
        guard !old.isEmpty || !new.isEmpty else { return nil }
        self.matching = matching
    }

    func ruling(on change: ModelChange) -> CloudKitRuling? {
        switch change {
        case .entityAdded(let entity):
            guard new.contains(entity.name) else { return nil }
            let isRoot = matching.to.parent(of: entity) == nil
            return (isRoot ? CloudKitRuling.entityAdded : .subentityAdded)
                .with(["type": newType(entity.name)])
        case .entityRemoved(let entity):
            guard old.contains(entity.name) else { return nil }
            return CloudKitRuling.entityRemoved.with(["type": oldType(entity.name)])
        case .entityChanged(let pair, let change):
            return isMirrored(pair) ? ruling(on: change, pair) : nil
        case .attributeAdded(let attribute, let pair):
            return isMirrored(pair) ? ruling(onAdding: attribute, to: pair.to.name) : nil
        case .attributeRemoved(let attribute, let pair):
            return isMirrored(pair) ? ruling(onRemoving: attribute, of: pair.from.name) : nil
        case .attributeChanged(let pair, let change):
            return isMirrored(pair) ? ruling(on: change, pair) : nil
        case .relationshipAdded(let relationship, let pair):
            guard isMirrored(pair) else { return nil }
            return unsupported(relationship) ?? added(relationship, to: pair.to.name)
        case .relationshipRemoved(let relationship, let pair):
            return isMirrored(pair) ? removed(relationship, of: pair.from.name) : nil
        case .relationshipChanged(let pair, let change):
            return isMirrored(pair) ? ruling(on: change, pair) : nil
        case .part(let part): return part.kind == .configuration ? membershipRuling : nil
        case .setting(.source("usedWithCloudKit"), _, _): return membershipRuling
        case .setting: return nil
        }
    }

    private func isMirrored(_ pair: EntityPair) -> Bool {
        old.contains(pair.from.name) || new.contains(pair.to.name)
    }

    private func isMirrored<Value>(_ pair: PropertyPair<Value>) -> Bool {
        old.contains(pair.from.declaredBy) || new.contains(pair.to.declaredBy)
    }

    private func oldType(_ entity: String) -> String { type(entity, matching.from) }

    private func newType(_ entity: String) -> String { type(entity, matching.to) }

    private func type(_ entity: String, _ graph: ModelGraph) -> String {
        "CD_" + (graph.entity(entity).map { graph.root(of: $0).name } ?? entity)
    }

    private var membershipRuling: CloudKitRuling? {
        let pairs = matching.entityPairs
        let joined = pairs.first { !old.contains($0.from.name) && new.contains($0.to.name) }
        let left = pairs.first { old.contains($0.from.name) && !new.contains($0.to.name) }
        if let left { return CloudKitRuling.mirroringEnds.with(["old": oldType(left.from.name)]) }
        return joined.map { CloudKitRuling.mirroringBegins.with(["type": newType($0.to.name)]) }
    }

    private func ruling(on change: EntityChange, _ pair: EntityPair) -> CloudKitRuling {
        let (from, to) = (oldType(pair.from.name), newType(pair.to.name))
        switch change {
        case .name where from != to:
            return CloudKitRuling.entityRenamed.with(["type": to, "old": from])
        case .parent(_, _, isRename: false) where from != to:
            return CloudKitRuling.entityMoved.with(["type": to, "old": from])
        case .uniquenessConstraintAdded: return .constraintAdded
        case .name, .parent, .abstractness, .uniquenessConstraintRemoved, .fetchIndexAdded,
            .fetchIndexRemoved, .fetchIndex, .compoundIndexes, .setting:
            return .noSchemaChange
        }
    }

    private func ruling(onAdding attribute: Attribute, to entity: String) -> CloudKitRuling {
        guard !attribute.isTransient else { return .noSchemaChange }
        guard attribute.derivation == nil else { return .derivedAttribute }
        if let refusal = unsupported(attribute) { return refusal }
        let isEncrypted = attribute.flags[.cloudEncryption]
        return (isEncrypted ? CloudKitRuling.encryptedAttributeAdded : .attributeAdded).with([
            "field": "CD_" + attribute.name, "type": newType(entity),
            "to": attribute.type.row.field ?? "",
        ])
    }

    private func ruling(onRemoving attribute: Attribute, of entity: String) -> CloudKitRuling {
        guard !attribute.isTransient else { return .noSchemaChange }
        guard attribute.derivation == nil else { return .derivedAttribute }
        return .attributeRemoved.with(["field": "CD_" + attribute.name, "type": oldType(entity)])
    }

    private func ruling(
        on change: AttributeChange,
        _ pair: PropertyPair<Attribute>
    ) -> CloudKitRuling {
        let (from, to) = (pair.from.property, pair.to.property)
        if case .transience = change {
            return to.isTransient
                ? ruling(onRemoving: from, of: pair.from.declaredBy)
                : ruling(onAdding: to, to: pair.to.declaredBy)
        }
        guard !to.isTransient else { return .noSchemaChange }
        let type = newType(pair.to.declaredBy)
        switch change {
        case .derivation: return .derivedAttribute
        case .name:
            return .attributeRenamed.with([
                "type": type, "from": "CD_" + from.name, "to": "CD_" + to.name,
            ])
        case .type: return ruling(onType: from.type, to.type, "CD_" + to.name, type)
        case .optionality, .defaultValue: return unsupported(to) ?? .noSchemaChange
        case .flag(.cloudEncryption, _, _):
            return .encryptionChanged.with(["field": "CD_" + to.name, "type": type])
        case .declaringEntity where oldType(pair.from.declaredBy) != type:
            return .attributeRemoved.with([
                "field": "CD_" + from.name, "type": oldType(pair.from.declaredBy),
            ])
        case .transience, .flag, .declaringEntity, .element, .setting: return .noSchemaChange
        }
    }

    private func ruling(
        onType from: AttributeType,
        _ to: AttributeType,
        _ field: String,
        _ type: String
    ) -> CloudKitRuling {
        guard let new = to.row.field else {
            return .unsupportedAttribute.with(["to": to.sourceName ?? "undefined type"])
        }
        guard from.row.field == new else {
            let old = from.row.field ?? "as it is"
            return .attributeRetyped.with(["field": field, "type": type, "from": old, "to": new])
        }
        let grows = to.row.isVariableLength && !from.row.isVariableLength
        return (grows ? CloudKitRuling.attributeGrows : .attributeKept)
            .with(["field": field, "type": type, "to": new])
    }

    private func unsupported(_ attribute: Attribute) -> CloudKitRuling? {
        if attribute.type.row.field == nil {
            return .unsupportedAttribute.with(["to": attribute.type.sourceName ?? "undefined type"])
        }
        let hasDefault = attribute.defaultValue != nil || attribute.derivation != nil
        return attribute.isOptional || hasDefault ? nil : .mandatoryAttribute
    }

    private enum Form {
        /// As a field with the name of a record.
        case field
        /// As records of links.
        case links
        case none
    }

    private func form(
        of relationship: Relationship,
        _ entity: String,
        _ graph: ModelGraph
    ) -> Form {
        guard !relationship.isTransient else { return .none }
        guard relationship.isToMany else { return .field }
        let owner = relationship.inverseEntity ?? relationship.destinationEntity
        let inverse = owner.flatMap(graph.entity)?.relationships
            .first { $0.name == relationship.inverseName }
        return inverse?.isToMany == true ? .links : .none
    }

    private func added(_ relationship: Relationship, to entity: String) -> CloudKitRuling {
        switch form(of: relationship, entity, matching.to) {
        case .field:
            .toOneAdded.with(["field": "CD_" + relationship.name, "type": newType(entity)])
        case .links: .manyToManyAdded
        case .none: .noSchemaChange
        }
    }

    private func removed(_ relationship: Relationship, of entity: String) -> CloudKitRuling {
        switch form(of: relationship, entity, matching.from) {
        case .field:
            .toOneRemoved.with(["field": "CD_" + relationship.name, "type": oldType(entity)])
        case .links: .manyToManyRemoved
        case .none: .noSchemaChange
        }
    }

    private func ruling(
        on change: RelationshipChange,
        _ pair: PropertyPair<Relationship>
    ) -> CloudKitRuling {
        let (from, to) = (pair.from.property, pair.to.property)
        let before = form(of: from, pair.from.declaredBy, matching.from)
        let after = form(of: to, pair.to.declaredBy, matching.to)
        switch change {
        case .cardinality, .transience, .inverse(_, _, isRename: false):
            if let refusal = unsupported(to) { return refusal }
            guard before != after else { return .noSchemaChange }
            return before == .none
                ? added(to, to: pair.to.declaredBy) : removed(from, of: pair.from.declaredBy)
        case .name where after == .field:
            return .attributeRenamed.with([
                "type": newType(pair.to.declaredBy), "from": "CD_" + from.name,
                "to": "CD_" + to.name,
            ])
        case .name where after == .links: return .manyToManyRenamed
        case .order(_, to: true): return to.isTransient ? .noSchemaChange : .orderedRelationship
        case .optionality(_, to: false):
            return to.isTransient ? .noSchemaChange : .mandatoryRelationship
        case .deleteRule(_, to: .deny): return to.isTransient ? .noSchemaChange : .denyRule
        case .declaringEntity
        where after == .field && oldType(pair.from.declaredBy) != newType(pair.to.declaredBy):
            return removed(from, of: pair.from.declaredBy)
        case .name, .declaringEntity, .destination, .inverse, .inverseEntity, .order,
            .minimumCount, .maximumCount, .optionality, .deleteRule, .flag, .setting:
            return .noSchemaChange
        }
    }

    private func unsupported(_ relationship: Relationship) -> CloudKitRuling? {
        guard !relationship.isTransient else { return nil }
        if relationship.inverseName == nil { return .missingInverse }
        if relationship.isOrdered { return .orderedRelationship }
        if !relationship.isOptional { return .mandatoryRelationship }
        return relationship.deleteRule == .deny ? .denyRule : nil
    }
}

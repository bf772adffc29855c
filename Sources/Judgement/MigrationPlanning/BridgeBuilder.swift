import Diagnostics
import MappingInference
package import ModelDiffing
import ModelHashing
package import ObjectModel

/// Edits a copy of the new version until nothing between the old version and the copy is refused.
struct BridgeBuilder {
    private(set) var model: ManagedObjectModel
    private(set) var next: ManagedObjectModel
    private(set) var renamings: [BridgingVersion.Renaming] = []
    /// The version between, as it was at the start of a round, or is at the end.
    private(set) var middle: ModelVersion
    private let source: ModelVersion
    /// The names in the new version of entities that have other names in the version between.
    private var nextNames: [String: String] = [:]

    /// One edit may cause the next refusal, as of links to an entity that is kept apart; such chains are short.
    private static let roundLimit = 4

    init(_ plan: MigrationPlan) {
        source = plan.source
        (model, next) = (plan.destination.model, plan.destination.model)
        middle = ModelVersion(name: "between", model: model)
    }

    private var matching: ModelMatching { InferredStep.between(source, middle).matching }

    mutating func build() {
        for _ in 0..<Self.roundLimit {
            let plan = MigrationPlan(from: source, to: middle)
            guard !plan.isLegal else { return }
            for refusal in plan.mapping.refusals { mend(refusal) }
            middle = ModelVersion(name: "between", model: model)
            holdLinksToHeldEntities()
        }
    }

    /// Keeps links to entities that stay beside their new forms, which have no objects before the stage runs.
    private mutating func holdLinksToHeldEntities() {
        guard !nextNames.isEmpty else { return }
        for judgement in MigrationPlan(from: source, to: middle).mapping.judgements {
            guard judgement.rule == "relationship-destination-changed",
                case .relationshipChanged(let pair, _) = judgement.change,
                let destination = pair.to.property.destinationEntity, nextNames[destination] != nil
            else { continue }
            holdRelationship(pair.to.property.name, of: pair.to.declaredBy)
        }
        middle = ModelVersion(name: "between", model: model)
    }

    private mutating func mend(_ refusal: Refusal) {
        guard let entity = refusal.entity else { return }
        switch (refusal.rule, refusal.property) {
        case ("incompatible-attribute-types", let name?): holdAttribute(name, of: entity)
        case ("mandatory-relationship-added", let name?):
            model.editRelationship(name, of: entity) {
                $0.isOptional = true
                $0.minCount = nil
            }
        case ("ambiguous-renaming-identifier", let name):
            model.setRenamingIdentifier(nil, of: entity, name)
            takeOver(nil, entity, name)
        case ("merged-hierarchies", _): keepApart(below: entity)
        default: return
        }
    }

    private mutating func holdAttribute(_ name: String, of entity: String) {
        guard let owner = model.entities.firstIndex(where: { $0.name == entity }),
            let place = model.entities[owner].attributes.firstIndex(where: { $0.name == name }),
            case let new = model.entities[owner].attributes[place],
            var old = oldProperty(of: new, entity) as? Attribute
        else { return }
        let heldName = heldName(for: name, of: entity)
        var held = new
        (held.name, held.renamingIdentifier) = (heldName, nil)
        // Nothing fills it before the stage does.
        if held.defaultValue == nil { held.isOptional = true }
        (old.name, old.renamingIdentifier) = (name, new.renamingIdentifier)
        model.entities[owner].attributes[place] = old
        model.entities[owner].attributes.append(held)
        takeOver(heldName, entity, name)
    }

    private mutating func holdRelationship(_ name: String, of entity: String) {
        guard let new = model.entity(entity)?.property(name) as? Relationship,
            var old = oldProperty(of: new, entity) as? Relationship,
            let oldDestination = old.destinationEntity
        else { return }
        let destination = matching.destinationName(ofSource: oldDestination) ?? oldDestination
        let heldName = heldName(for: name, of: entity)
        var held = new
        (held.name, held.renamingIdentifier, held.isOptional) = (heldName, nil, true)
        if let destination = new.destinationEntity, let inverse = new.inverseName {
            model.editRelationship(inverse, of: destination) { $0.inverseName = heldName }
        }
        keepEntity(oldDestination, as: destination)
        (old.name, old.renamingIdentifier) = (name, new.renamingIdentifier)
        (old.destinationEntity, old.isOptional, old.minCount) = (destination, true, nil)
        let inverse = keepInverse(of: old, from: oldDestination, in: destination, to: entity)
        (old.inverseName, old.inverseEntity) = (inverse, inverse.map { _ in destination })
        model.edit(entity) { owner in
            owner.relationships = owner.relationships.map { $0.name == name ? old : $0 } + [held]
        }
        takeOver(heldName, entity, name)
    }

    /// Keeps an entity that the new version dropped, without its links.
    private mutating func keepEntity(_ oldName: String, as name: String) {
        guard model.entity(name) == nil, var entity = matching.from.entity(oldName) else { return }
        entity.name = name
        entity.relationships = []
        entity.fetchedProperties = []
        entity.parentEntity = entity.parentEntity.flatMap { matching.destinationName(ofSource: $0) }
        model.entities.append(entity)
    }

    /// Keeps the inverse of a kept relationship; returns its name, or `nil` if that exists already.
    private mutating func keepInverse(
        of relationship: Relationship,
        from oldDestination: String,
        in destination: String,
        to entity: String
    ) -> String? {
        guard let name = relationship.inverseName, let old = matching.from.entity(oldDestination),
            var inverse = old.property(name) as? Relationship,
            let owner = model.entity(destination), owner.property(name) == nil
        else { return nil }
        inverse.destinationEntity = entity
        (inverse.inverseName, inverse.inverseEntity) = (relationship.name, entity)
        (inverse.isOptional, inverse.minCount) = (true, nil)
        model.edit(destination) { $0.relationships.append(inverse) }
        return name
    }

    /// Keeps old entities that come under one root beside their new forms.
    private mutating func keepApart(below root: String) {
        let sources = mergedHierarchies(matching).first { $0.root.name == root }?.sources ?? []
        let own = matching.entityPairs.first { $0.to.name == root }.map {
            matching.oldProperties.lists(of: $0.from).root
        }
        // One hierarchy continues in the new one; the objects of the others are moved by hand.
        let kept = own ?? sources.first?.name
        let moved = Set(sources.map(\.name)).subtracting([kept].compactMap(\.self))
        for pair in matching.entityPairs
        where moved.contains(matching.oldProperties.lists(of: pair.from).root) {
            let name = pair.to.name
            let heldName = heldName(for: name, of: nil)
            model.renameEntity(name, to: heldName)
            nextNames[heldName] = name
            var old = pair.from
            (old.name, old.renamingIdentifier) = (name, pair.to.renamingIdentifier)
            (old.relationships, old.fetchedProperties) = ([], [])
            old.parentEntity = old.parentEntity.flatMap { matching.destinationName(ofSource: $0) }
            model.entities.append(old)
            takeOver(heldName, heldName, nil)
        }
    }

    private func oldProperty(of new: any Property, _ entity: String) -> (any Property)? {
        guard let pair = matching.entityPairs.first(where: { $0.to.name == entity }) else {
            return nil
        }
        return matching.from.properties(of: pair.from).first {
            $0.matchingIdentifier == new.matchingIdentifier
        }
    }

    /// An unused name for the new form of something.
    private func heldName(for name: String, of entity: String?) -> String {
        let word = entity == nil ? "New" : "new"
        let base = word + name.prefix(1).uppercased() + name.dropFirst()
        let graph = ModelGraph(model)
        let owner = entity.flatMap(graph.entity)
        // Called for each property: a set of all names each time would take the square of their number.
        func isTaken(_ name: String) -> Bool {
            owner.map { graph.property(name, of: $0) != nil } ?? graph.hasEntity(name)
        }
        var (held, number) = (base, 1)
        while isTaken(held) {
            number += 1
            held = "\(base)\(number)"
        }
        return held
    }

    /// Lets the new version continue something by a renaming identifier, or removes one.
    private mutating func takeOver(_ identifier: String?, _ entity: String, _ property: String?) {
        let entity = nextNames[entity] ?? entity
        next.setRenamingIdentifier(identifier, of: entity, property)
        renamings.append(
            BridgingVersion.Renaming(
                element: [entity, property].compactMap(\.self).joined(separator: "."),
                identifier: identifier
            )
        )
    }
}

extension ManagedObjectModel {
    fileprivate func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

    fileprivate mutating func edit(_ name: String, _ body: (inout Entity) -> Void) {
        guard let place = entities.firstIndex(where: { $0.name == name }) else { return }
        body(&entities[place])
    }

    fileprivate mutating func editRelationship(
        _ name: String,
        of entity: String,
        _ body: (inout Relationship) -> Void
    ) {
        edit(entity) { owner in
            for index in owner.relationships.indices where owner.relationships[index].name == name {
                body(&owner.relationships[index])
            }
        }
    }

    fileprivate mutating func setRenamingIdentifier(
        _ identifier: String?,
        of entity: String,
        _ property: String?
    ) {
        edit(entity) { owner in
            guard let property else {
                owner.renamingIdentifier = identifier
                return
            }
            for index in owner.attributes.indices where owner.attributes[index].name == property {
                owner.attributes[index].renamingIdentifier = identifier
            }
            for index in owner.relationships.indices
            where owner.relationships[index].name == property {
                owner.relationships[index].renamingIdentifier = identifier
            }
        }
    }

    fileprivate mutating func renameEntity(_ name: String, to newName: String) {
        edit(name) { entity in
            entity.name = newName
            entity.renamingIdentifier = nil
        }
        for index in entities.indices {
            if entities[index].parentEntity == name { entities[index].parentEntity = newName }
            for link in entities[index].relationships.indices {
                if entities[index].relationships[link].destinationEntity == name {
                    entities[index].relationships[link].destinationEntity = newName
                }
                if entities[index].relationships[link].inverseEntity == name {
                    entities[index].relationships[link].inverseEntity = newName
                }
            }
        }
    }
}

/// A version between two others that turns a refused direct step into two legal ones.
///
/// What is refused is kept in its old form under its name, and added in its new form under another name; the new
/// version continues the latter by a renaming identifier, which is not part of any hash. A custom stage between the
/// versions moves the values (the recipe of WWDC22, MigrationBehaviour, "Staged migration"). Both steps are legal.
package struct BridgingVersion: Sendable, Hashable {
    package var model: ManagedObjectModel
    /// The new version, with renaming identifiers that continue what the version between holds for it.
    package var next: ManagedObjectModel
    /// The difference between the new version and the version between.
    package var diff: ModelDiff { differences.value }
    private let differences: Later<ModelDiff>
    /// The renamings in the new version, which keep its hashes.
    package var renamings: [Renaming]

    package struct Renaming: Sendable, Hashable {
        /// Such as `Person.name`.
        package var element: String
        /// `nil` when the present one has to go.
        package var identifier: String?
    }

    /// Works out a version between the ends of a refused step; `nil` for a legal step, or where no attempt makes it
    /// legal.
    package init?(for plan: MigrationPlan) {
        guard !plan.isLegal else { return nil }
        var bridge = BridgeBuilder(plan)
        bridge.build()
        let middle = bridge.middle
        let end = ModelVersion(name: plan.destination.name, model: bridge.next)
        guard end.checksum == plan.destination.checksum,
            MigrationPlan(from: plan.source, to: middle).isLegal,
            MigrationPlan(from: middle, to: end).isLegal
        else { return nil }
        model = bridge.model
        next = bridge.next
        renamings = bridge.renamings
        differences = Later { ModelDiffing.diff(ModelMatching(from: plan.destination, to: middle)) }
    }
}

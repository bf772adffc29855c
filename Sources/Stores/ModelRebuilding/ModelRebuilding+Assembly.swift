import Diagnostics
import ModelHashing
import ObjectModel
import StoreFormat

extension ModelRebuilding {
    /// Puts the likeliest of all guesses together, and asks the hashes what is proven.
    func assembled() -> RebuiltModel {
        var chosen = self
        chosen.chooseInverses()
        var model = chosen.likeliestModel()
        mendInverses(in: &model)
        let hashes = versionHashes(of: model)
        let proven = evidence.hashes.entityNames.filter {
            hashes.entities[$0] != nil && hashes.entities[$0] == evidence.hashes.entities[$0]
        }
        return RebuiltModel(
            model: model,
            provenEntities: proven,
            diagnostics: chosen.diagnostics(of: model, proven: Set(proven))
        )
    }

    /// Lets the two directions of relationships that are guessed agree.
    private mutating func chooseInverses() {
        for place in drafts.indices where !drafts[place].isProven {
            guard let first = drafts[place].guesses.first else { continue }
            drafts[place].guesses = [first]
            if let relationship = first.relationship {
                settleInverse(of: relationship, from: drafts[place].owner, along: place)
            }
        }
    }

    /// Lets no relationship that is guessed lead back along one that is not there or leads elsewhere, because a proof
    /// decided otherwise; no model with such a relationship can be compiled.
    private func mendInverses(in model: inout ManagedObjectModel) {
        // Each round leaves fewer inverses than there were.
        while true {
            let graph = ModelGraph(model)
            var isMended = true
            for place in model.entities.indices where proven[model.entities[place].name] == nil {
                let owner = model.entities[place].name
                var kept: [Relationship] = []
                for var relationship in model.entities[place].relationships {
                    guard !isMutual(relationship, of: owner, graph) else {
                        kept.append(relationship)
                        continue
                    }
                    isMended = false
                    // The column of a to-one relationship stays; that of a to-many one is its inverse's.
                    guard !relationship.isToMany else { continue }
                    relationship.inverseName = nil
                    relationship.inverseEntity = nil
                    kept.append(relationship)
                }
                model.entities[place].relationships = kept
            }
            if isMended { return }
        }
    }

    private func isMutual(
        _ relationship: Relationship,
        of owner: String,
        _ graph: ModelGraph
    ) -> Bool {
        guard let name = relationship.inverseName else { return true }
        guard let destination = graph.destination(of: relationship) else { return false }
        return graph.relationships(of: destination).contains {
            $0.name == name && $0.inverseName == relationship.name
                && $0.destinationEntity == owner
        }
    }

    private func likeliestModel() -> ManagedObjectModel {
        var model = ManagedObjectModel()
        var composites: Set<String> = []
        var names = provenNames()
        for facts in evidence.entities {
            guard let (entity, source) = taken[facts.name] else {
                model.entities.append(entity(facts, &names))
                continue
            }
            model.entities.append(entity)
            for composite in source.composites where composites.insert(composite.name).inserted {
                model.composites.append(composite)
            }
        }
        return model
    }

    /// The names that entities have for sure, in lower case, since two that differ in case alone share a column.
    private func provenNames() -> [String: Set<String>] {
        var names: [String: Set<String>] = [:]
        for (name, entity) in taken {
            names[name] = Set(entity.entity.properties.map { $0.name.lowercased() })
        }
        for draft in drafts where draft.isProven {
            if let name = draft.guesses.first?.name {
                names[draft.owner, default: []].insert(name.lowercased())
            }
        }
        return names
    }

    private func entity(
        _ facts: StoreEvidence.EntityFacts,
        _ names: inout [String: Set<String>]
    ) -> Entity {
        var entity = Entity(
            name: facts.name,
            className: facts.name,
            parentEntity: facts.parent,
            isAbstract: proven[facts.name] ?? false,
            uniquenessConstraints: (constraints[facts.name] ?? evidence.constraints[facts.name]
                ?? [])
                .map { UniquenessConstraint(properties: $0) }
        )
        let family = evidence.entities.map(\.name).filter {
            evidence.lineage(of: $0).contains(facts.name)
        }
        let related = Set(evidence.lineage(of: facts.name) + family)
        // What has a column of its own comes before what is only thought to lead back.
        let own = drafts.filter { $0.owner == facts.name }
        for draft in own.filter({ !$0.isBack }) + own.filter(\.isBack) {
            var form = draft.guesses.first?.form
            if !draft.isProven {
                let others = related.reduce(into: Set<String>()) { $0.formUnion(names[$1] ?? []) }
                form =
                    draft.guesses.first { !others.contains($0.name?.lowercased() ?? "") }?.form
                    ?? (draft.isBack ? nil : draft.guesses.first?.renamed(sparing: others))
            }
            switch form {
            case .attribute(let attribute):
                entity.attributes.append(attribute)
                names[facts.name, default: []].insert(attribute.name.lowercased())
            case .relationship(let relationship):
                entity.relationships.append(relationship)
                names[facts.name, default: []].insert(relationship.name.lowercased())
            case .absent, nil: break
            }
        }
        if entity.uniquenessConstraints.isEmpty { addTableConstraints(to: &entity) }
        entity.attributes.sort { $0.name.precedesByCodeUnits($1.name) }
        entity.relationships.sort { $0.name.precedesByCodeUnits($1.name) }
        return entity
    }

    /// Adds the constraints that the table has, in the spelling that is guessed of their properties.
    private func addTableConstraints(to entity: inout Entity) {
        guard proven[entity.name] == nil else { return }
        for columns in evidence.tableConstraints[entity.name] ?? [] {
            let names = columns.compactMap { column in
                entity.properties.first { $0.name.uppercased() == column }?.name
            }
            guard names.count == columns.count else { continue }
            entity.uniquenessConstraints.append(UniquenessConstraint(properties: names))
        }
    }

    private func diagnostics(
        of model: ManagedObjectModel,
        proven: Set<String>
    ) -> [Diagnostic] {
        let location = FileLocation(path: evidence.store.path)
        var diagnostics = model.entities.map { entity in
            if proven.contains(entity.name) {
                let message = "'\(entity.name)' is proven: it has the hash that the store says"
                return Diagnostic(
                    .provenEntity,
                    message,
                    severity: .note,
                    at: location,
                    element: entity.name
                )
            }
            let list = guesses(of: entity)
            let message =
                "'\(entity.name)' is guessed: "
                + (list.isEmpty ? "no property of it is known" : list.joined(separator: "; "))
            return Diagnostic(
                .guessedEntity,
                message,
                severity: .warning,
                at: location,
                element: entity.name
            )
        }
        let guessed = model.entities.filter { taken[$0.name] == nil }
        if !guessed.isEmpty {
            diagnostics.append(
                Diagnostic(
                    .untoldSettings,
                    "no store tells default values, delete rules, classes, limits, transformers and "
                        + "renaming identifiers: set them where they matter",
                    severity: .note,
                    at: location
                )
            )
        }
        return diagnostics
    }

    /// What is guessed of an entity, property by property.
    private func guesses(of entity: Entity) -> [String] {
        drafts.filter { $0.owner == entity.name && !$0.isProven }.compactMap { draft in
            switch draft.guesses.first?.form {
            case .attribute(let attribute):
                let type = attribute.type.sourceName ?? "no type"
                return "\(attribute.name) (\(type), \(optionality(attribute)), \(draft.source))"
            case .relationship(let relationship):
                let destination = relationship.destinationEntity ?? ""
                let inverse = relationship.inverseName.map { "inverse \($0)" } ?? "no inverse"
                let arrow = relationship.isToMany ? "to many" : "to one"
                return "\(relationship.name) (\(arrow) \(destination), \(inverse), "
                    + "\(optionality(relationship)), \(draft.source))"
            case .absent: return "nothing (\(draft.source))"
            case nil: return nil
            }
        }
    }

    private func optionality(_ property: some Property) -> String {
        property.isOptional ? "optional" : "required"
    }
}

extension PropertyDraft.Guess {
    /// The same under a name that is free, so that no column is left out; `nil` for what is only thought to lead back.
    fileprivate func renamed(sparing names: Set<String>) -> PropertyDraft.Form? {
        guard let name = self.name, relationship?.isToMany != true else { return nil }
        let number = (1...).first { !names.contains((name + String($0)).lowercased()) } ?? 1
        switch form {
        case .attribute(var attribute):
            attribute.name = name + String(number)
            return .attribute(attribute)
        case .relationship(var relationship):
            relationship.name = name + String(number)
            return .relationship(relationship)
        case .absent: return nil
        }
    }
}

import Diagnostics
import ModelHashing
import ObjectModel
import StoreFormat

extension ModelRebuilding {
    /// Puts the likeliest of all guesses together, and asks the hashes what is proven.
    func assembled() -> RebuiltModel {
        var chosen = self
        chosen.chooseInverses()
        chosen.mendInverses(in: ModelGraph(chosen.likeliestModel()))
        let model = chosen.likeliestModel()
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

    /// Lets no relationship that is guessed lead back along one that is not there, because a proof decided otherwise.
    private mutating func mendInverses(in graph: ModelGraph) {
        for place in drafts.indices where !drafts[place].isProven {
            guard var relationship = drafts[place].guesses.first?.relationship,
                relationship.inverseName != nil, graph.inversePlace(of: relationship) == nil
            else { continue }
            let owner = drafts[place].owner
            let destination = graph.destination(of: relationship)
            let back = destination.map(graph.relationships)?.last {
                $0.inverseName == relationship.name && $0.destinationEntity == owner
            }
            relationship.inverseName = back?.name
            relationship.inverseEntity = back == nil ? nil : relationship.destinationEntity
            drafts[place].guesses[0] = PropertyDraft.Guess(.relationship(relationship), cost: 0)
        }
    }

    private func likeliestModel() -> ManagedObjectModel {
        var model = ManagedObjectModel()
        var composites: Set<String> = []
        for facts in evidence.entities {
            guard let (entity, source) = taken[facts.name] else {
                model.entities.append(entity(facts))
                continue
            }
            model.entities.append(entity)
            for composite in source.composites where composites.insert(composite.name).inserted {
                model.composites.append(composite)
            }
        }
        return model
    }

    private func entity(_ facts: StoreEvidence.EntityFacts) -> Entity {
        var entity = Entity(
            name: facts.name,
            className: facts.name,
            parentEntity: facts.parent,
            isAbstract: proven[facts.name] ?? false,
            uniquenessConstraints: (evidence.constraints[facts.name] ?? []).map {
                UniquenessConstraint(properties: $0)
            }
        )
        var names: Set<String> = []
        for draft in drafts where draft.owner == facts.name {
            guard let guess = draft.guesses.first, let name = guess.name,
                names.insert(name).inserted
            else { continue }
            switch guess.form {
            case .attribute(let attribute): entity.attributes.append(attribute)
            case .relationship(let relationship): entity.relationships.append(relationship)
            case .absent: break
            }
        }
        entity.attributes.sort { $0.name.precedesByCodeUnits($1.name) }
        entity.relationships.sort { $0.name.precedesByCodeUnits($1.name) }
        return entity
    }

    private func diagnostics(
        of model: ManagedObjectModel,
        proven: Set<String>
    ) -> [Diagnostic] {
        let location = SourceLocation(path: evidence.store.path)
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

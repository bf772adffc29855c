import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A model while it is rebuilt: the drafts of all properties, and what is decided of them.
struct ModelRebuilding {
    let evidence: StoreEvidence
    private var names: NameGuesses
    /// The types of attributes that are proven, by the types of their columns.
    private var habits: [String: [AttributeType: Int]] = [:]
    var drafts: [PropertyDraft] = []
    /// The places of the drafts of columns, by those of the columns.
    var places: [Int: Int] = [:]
    /// The entities that are proven, and whether they are abstract.
    var proven: [String: Bool] = [:]
    /// How many proven entities follow each habit.
    var followed: [NamingHabit: Int] = [:]
    /// The uniqueness constraints of proven entities.
    var constraints: [String: [[String]]] = [:]
    /// The entities that a model like that of the store has as the store does.
    var taken: [String: (entity: Entity, model: ManagedObjectModel)] = [:]
    /// The entities of the models that the store's is said to be like, by name, the first that has one.
    private var likenesses: [String: [(entity: Entity, model: ManagedObjectModel)]] = [:]

    init(_ evidence: StoreEvidence, _ models: [ManagedObjectModel]) throws(StoreError) {
        self.evidence = evidence
        var names = NameGuesses()
        for entity in evidence.entities { names.learnWords(of: entity.name) }
        for name in evidence.spellings { names.learn(name) }
        for model in models {
            let hashes = versionHashes(of: model)
            for entity in model.entities {
                for property in entity.properties { names.learn(property.name) }
                likenesses[entity.name, default: []].append((entity, model))
                let hash = evidence.hashes.entities[entity.name]
                if hash != nil, hash == hashes.entities[entity.name], taken[entity.name] == nil {
                    taken[entity.name] = (entity, model)
                }
            }
        }
        self.names = names
        try makeDrafts()
        for place in drafts.indices { drafts[place] = preferringLikenesses(drafts[place]) }
        for name in taken.keys.sorted() { take(name) }
    }

    private mutating func makeDrafts() throws(StoreError) {
        for (place, column) in evidence.columns.enumerated() {
            places[place] = drafts.count
            add(try drafts(of: column))
        }
        let relationships = RelationshipGuesses(evidence: evidence, names: names)
        for join in evidence.joins { add(relationships.drafts(ofJoin: join)) }
    }

    /// The draft of what has made a column, and that of what leads back.
    func drafts(of column: StoreEvidence.Column) throws(StoreError) -> [PropertyDraft] {
        let relationships = RelationshipGuesses(evidence: evidence, names: names)
        switch column.role {
        case .attribute:
            let guesses = AttributeGuesses(evidence: evidence, names: names, habits: habits)
            return [guesses.draft(of: column)]
        case .owner: return [relationships.draft(ofOwner: column)].compactMap(\.self)
        case .toOne: return try relationships.drafts(of: column)
        }
    }

    private mutating func add(_ group: [PropertyDraft]) {
        let places = Array(drafts.count..<(drafts.count + group.count))
        drafts += group
        for place in places { drafts[place].counterparts = places.filter { $0 != place } }
    }

    /// Puts what a model like that of the store has in place of a guess before all others.
    func preferringLikenesses(_ draft: PropertyDraft) -> PropertyDraft {
        guard !likenesses.isEmpty else { return draft }
        var draft = draft
        let names = Set(draft.guesses.compactMap { $0.name?.uppercased() })
        let kinds = Set(draft.guesses.compactMap(\.storedType))
        let isBack = draft.isBack
        var further: [PropertyDraft.Guess] = []
        for owner in owners(of: draft.owner) {
            for (entity, model) in likenesses[owner] ?? [] {
                for property in entity.properties where !property.isTransient {
                    guard let form = PropertyDraft.Form(property),
                        let hash = versionHash(of: property, declaredBy: owner, in: model)
                    else { continue }
                    let guess = PropertyDraft.Guess(form, cost: -30, hash: hash.bytes)
                    guard let type = guess.storedType, kinds.contains(type),
                        names.contains(property.name.uppercased())
                            || (isBack && leadsBack(guess, along: draft))
                    else { continue }
                    further += [guess] + variants(of: guess)
                }
            }
        }
        draft.guesses += further
        draft.settle(limit: 160)
        return draft
    }

    /// The entities by whose names a property may be known in a model like that of the store.
    private func owners(of owner: String) -> [String] {
        evidence.entities.map(\.name).filter { evidence.lineage(of: $0).contains(owner) }
            + evidence.lineage(of: owner).dropFirst()
    }

    private func leadsBack(_ guess: PropertyDraft.Guess, along draft: PropertyDraft) -> Bool {
        guard let relationship = guess.relationship, relationship.isToMany else { return false }
        return draft.guesses.contains { other in
            other.relationship?.inverseName?.uppercased() == relationship.inverseName?.uppercased()
                && other.relationship?.destinationEntity == relationship.destinationEntity
        }
    }

    /// The same property, but optional where it is not, and the other way round.
    private func variants(of guess: PropertyDraft.Guess) -> [PropertyDraft.Guess] {
        switch guess.form {
        case .attribute(var attribute):
            guard attribute.derivation == nil, attribute.type != .composite else { return [] }
            attribute.isOptional.toggle()
            return [PropertyDraft.Guess(.attribute(attribute), cost: -20)]
        case .relationship(var relationship):
            relationship.isOptional.toggle()
            return [PropertyDraft.Guess(.relationship(relationship), cost: -20)]
        case .absent: return []
        }
    }

    /// Takes an entity over from a model that has it with the store's hash.
    private mutating func take(_ name: String) {
        guard let (entity, _) = taken[name] else { return }
        proven[name] = entity.isAbstract
        for place in drafts.indices where drafts[place].owner == name {
            let names = Set(drafts[place].guesses.compactMap { $0.name?.uppercased() })
            drafts[place].isProven = true
            let own = entity.properties.first { names.contains($0.name.uppercased()) }
            guard let own, let form = PropertyDraft.Form(own) else { continue }
            drafts[place].guesses = [PropertyDraft.Guess(form, cost: 0)]
        }
        for relationship in entity.relationships { settleInverse(of: relationship, from: name) }
    }

    /// Proves what can be proven; each entity that is decides something of others.
    ///
    /// Little is tried of each entity first, and more in each round, so that what is easily proven does not wait for
    /// what is not, and helps it: names and types that are proven are likelier elsewhere.
    mutating func proveAll(_ budget: RebuildingBudget) {
        for share in [64, 16, 4, 1, 1] {
            let count = proven.count
            let round = budget.trying(Swift.max(budget.effort / share, 1))
            for root in evidence.entities where root.parent == nil && root.hasSubentities {
                proveHierarchy(of: root, round)
            }
            for entity in evidence.entities where proven[entity.name] == nil {
                guard !budget.isSpent else { return }
                guard let target = evidence.hashes.entities[entity.name] else { continue }
                budget.progress?(proven.count, evidence.entities.count)
                prove(entity, target, round)
            }
            if proven.count == evidence.entities.count || share == 1 && proven.count == count {
                return
            }
            if proven.count > count { learn() }
        }
    }

    /// Takes what is proven as the habits of the model's author.
    private mutating func learn() {
        var undecided: [Int] = []
        habits = [:]
        for (column, place) in places {
            guard drafts[place].isProven else {
                let isAttribute = evidence.columns[column].role == .attribute
                if isAttribute, drafts[place].counterparts.isEmpty { undecided.append(column) }
                continue
            }
            guard let guess = drafts[place].guesses.first, let name = guess.name else { continue }
            names.learn(name)
            guard case .attribute(let attribute) = guess.form else { continue }
            habits[evidence.columns[column].declaredType, default: [:]][
                attribute.type,
                default: 0
            ] += 1
        }
        for column in undecided {
            guard let place = places[column] else { continue }
            var source = evidence.columns[column]
            source.owner = drafts[place].owner
            guard let draft = try? drafts(of: source).first else { continue }
            drafts[place] = preferringLikenesses(draft)
        }
    }

    private mutating func prove(
        _ entity: StoreEvidence.EntityFacts,
        _ target: VersionHash,
        _ budget: RebuildingBudget
    ) {
        let lineage = evidence.lineage(of: entity.name)
        let places = drafts.indices.filter { lineage.contains(drafts[$0].owner) }
        let search = search(entity, target, places.map { RankedDraft(drafts[$0]) })
        guard let found = search.run(budget, followed) else { return }
        take(found, of: entity.name)
        decide(places, found.choices)
    }

    /// Takes what a search has found of an entity itself.
    mutating func take(_ found: EntitySearch.Result, of name: String) {
        proven[name] = found.isAbstract
        followed[found.habit, default: 0] += 1
        constraints[name] = found.constraints
    }

    /// The search for the drafts of an entity, inherited ones included, that give its hash.
    func search(
        _ entity: StoreEvidence.EntityFacts,
        _ target: VersionHash,
        _ drafts: [RankedDraft]
    ) -> EntitySearch {
        EntitySearch(
            entity: entity,
            parent: entity.parent.flatMap { evidence.hashes.entities[$0] },
            constraints: spelledConstraints(of: entity.name),
            target: target,
            drafts: drafts
        )
    }

    /// The uniqueness constraints of an entity as they may be spelled, the likeliest first.
    ///
    /// An index has them in their own spelling; a table of older systems has the names of their columns.
    func spelledConstraints(of entity: String) -> [[[String]]] {
        let known = evidence.constraints[entity] ?? []
        let columns = evidence.tableConstraints[entity] ?? []
        guard known.isEmpty, !columns.isEmpty else { return [known] }
        var spelled: [[[String]]] = [[]]
        for texts in columns {
            var each: [[String]] = [[]]
            for text in texts {
                let spellings = names.spellings(of: text).prefix(3).map(\.name)
                each = each.flatMap { start in spellings.map { start + [$0] } }
            }
            spelled = Array(spelled.flatMap { start in each.map { start + [$0] } }.prefix(12))
        }
        return spelled + [[]]
    }

    /// Makes drafts what the hash of their entity has proven.
    ///
    /// All are fixed before the inverses of any, since the two ends of a relationship may belong to one entity and each
    /// end narrows the guesses of the other.
    mutating func decide(_ places: [Int], _ choices: [Int]) {
        let undecided = zip(places, choices).filter { !drafts[$0.0].isProven }
        for (place, choice) in undecided {
            drafts[place].guesses = [drafts[place].guesses[choice]]
            drafts[place].isProven = true
        }
        for (place, _) in undecided {
            guard let relationship = drafts[place].guesses[0].relationship else { continue }
            settleInverse(of: relationship, from: drafts[place].owner, along: place)
        }
    }

    /// Lets what leads back along a relationship be what the relationship says.
    ///
    /// - Parameters:
    ///   - relationship: a relationship that is known.
    ///   - owner: its entity.
    ///   - place: the place of its draft; `nil` when it has none.
    mutating func settleInverse(
        of relationship: Relationship,
        from owner: String,
        along place: Int? = nil
    ) {
        for other in place.map({ drafts[$0].counterparts }) ?? Array(drafts.indices)
        where !drafts[other].isProven {
            let fitting = drafts[other].guesses.filter { guess in
                guard let name = relationship.inverseName,
                    relationship.destinationEntity == drafts[other].owner
                else { return place != nil && guess.name == nil }
                return guess.name == name && guess.relationship?.inverseName == relationship.name
                    && guess.relationship?.destinationEntity == owner
            }
            let told =
                fitting.isEmpty ? inverses(of: relationship, from: owner, as: other) : fitting
            if !told.isEmpty { drafts[other].guesses = told }
        }
    }

    /// What a draft of the same name must be, given what leads back along it, though that was not among its guesses.
    private func inverses(
        of relationship: Relationship,
        from owner: String,
        as place: Int
    ) -> [PropertyDraft.Guess] {
        guard relationship.destinationEntity == drafts[place].owner else { return [] }
        var known: Set<[UInt8]> = []
        return drafts[place].guesses.compactMap { guess in
            guard var inverse = guess.relationship, inverse.name == relationship.inverseName else {
                return nil
            }
            inverse.inverseName = relationship.name
            inverse.inverseEntity = owner
            inverse.destinationEntity = owner
            let told = PropertyDraft.Guess(.relationship(inverse), cost: guess.cost)
            return known.insert(told.hash).inserted ? told : nil
        }
    }
}

extension PropertyDraft.Form {
    /// A property that is stored; `nil` for fetched ones.
    init?(_ property: any Property) {
        if let attribute = property as? Attribute {
            self = .attribute(attribute)
        } else if let relationship = property as? Relationship {
            self = .relationship(relationship)
        } else {
            return nil
        }
    }
}

extension PropertyDraft.Guess {
    /// What decides how it is stored.
    var storedType: String? {
        switch form {
        case .attribute(let attribute): attribute.type.row.column?.declaredType
        case .relationship(let relationship): relationship.isToMany ? "to-many" : "to-one"
        case .absent: nil
        }
    }
}

import ObjectModel
import SQLiteAccess
import StoreFormat

/// Guesses what relationships have made a column or a table.
struct RelationshipGuesses {
    let evidence: StoreEvidence
    let names: NameGuesses

    /// The drafts of a to-one relationship, and of what leads back.
    func drafts(of column: StoreEvidence.Column) throws(StoreError) -> [PropertyDraft] {
        guard case .toOne(let number, let isOrdered) = column.role else { return [] }
        let destinations = try self.destinations(of: column, number)
        // An INTEGER that leads nowhere is kept as a number.
        guard !destinations.isEmpty else {
            return [AttributeGuesses(evidence: evidence, names: names).draft(of: column)]
        }
        var own: [PropertyDraft.Guess] = []
        var backs = destinations.map { (owner: $0.name, guesses: [PropertyDraft.Guess]()) }
        let isPartial = evidence.isPartial(column, of: column.owner)
        for (place, text) in column.texts.enumerated() {
            for name in names.spellings(of: text).prefix(4) {
                for destination in destinations {
                    let cost = name.cost + destination.cost + 15 * place
                    own += toOnes(name.name, cost, destination.name, column, isPartial, isOrdered)
                }
                for (index, destination) in destinations.enumerated() {
                    let further = index == 0 ? 0 : 9 + destination.cost - destinations[0].cost
                    backs[index].guesses += inverses(name, further, of: column, isOrdered)
                }
            }
        }
        let source = "column \(column.name) of \(column.table)"
        var drafts = [PropertyDraft(owner: column.owner, source: source, guesses: own)]
        for (index, back) in backs.enumerated() {
            // In one of several destinations at most there is something that leads back.
            let isNeeded = isOrdered && backs.count == 1
            let absent = PropertyDraft.Guess(.absent, cost: index == 0 ? 9 : 0)
            drafts.append(
                PropertyDraft(
                    owner: back.owner,
                    source: "what leads back along \(source)",
                    guesses: back.guesses + (isNeeded ? [] : [absent])
                )
            )
        }
        for place in drafts.indices { drafts[place].settle() }
        return drafts
    }

    private func toOnes(
        _ name: String,
        _ cost: Int,
        _ destination: String,
        _ column: StoreEvidence.Column,
        _ isPartial: Bool,
        _ isOrdered: Bool
    ) -> [PropertyDraft.Guess] {
        var inverses = names.inverseNames(to: column.owner, of: name, isToMany: true)
            .map { ($0.name as String?, $0.cost) }
        if !isOrdered {
            inverses.append((nil, 9))
            inverses += names.inverseNames(to: column.owner, of: name, isToMany: false).prefix(2)
                .map { ($0.name, 14 + $0.cost) }
        }
        return inverses.flatMap { inverse, further in
            [true, false].filter { $0 || !isPartial }.flatMap { isOptional in
                [nil, 1].map { least in
                    let relationship = Relationship(
                        name: name,
                        isOptional: isOptional,
                        minCount: least,
                        maxCount: 1,
                        destinationEntity: destination,
                        inverseName: inverse,
                        inverseEntity: inverse == nil ? nil : destination
                    )
                    return PropertyDraft.Guess(
                        .relationship(relationship),
                        cost: cost + further + (least == nil ? 0 : isOptional ? 10 : 4)
                    )
                }
            }
        }
    }

    private func inverses(
        _ name: NameGuesses.Guess,
        _ further: Int,
        of column: StoreEvidence.Column,
        _ isOrdered: Bool
    ) -> [PropertyDraft.Guess] {
        names.inverseNames(to: column.owner, of: name.name, isToMany: true).flatMap { inverse in
            [true, false].flatMap { isOptional in
                [nil, 1].map { least in
                    let relationship = Relationship(
                        name: inverse.name,
                        isOptional: isOptional,
                        isToMany: true,
                        isOrdered: isOrdered,
                        minCount: least,
                        destinationEntity: column.owner,
                        inverseName: name.name,
                        inverseEntity: column.owner
                    )
                    return PropertyDraft.Guess(
                        .relationship(relationship),
                        cost: name.cost + inverse.cost + further + (least == nil ? 0 : 14)
                    )
                }
            }
        }
    }

    /// The entities that a column may lead to, the likeliest first.
    private func destinations(
        of column: StoreEvidence.Column,
        _ number: Int?
    ) throws(StoreError) -> [(name: String, cost: Int)] {
        if let number, let entity = evidence.entity(number: number) { return [(entity.name, 0)] }
        // An entity that has others below it would have a column for the number of the destination's entity.
        var found: [(name: String, cost: Int)] = []
        for entity in evidence.entities where !entity.hasSubentities {
            guard try holdsAll(column.values.samples, entity) else { continue }
            let cost = column.texts.map { likeness(of: entity.name, to: $0, in: column) }.min()
            found.append((entity.name, cost ?? 12))
        }
        found.sort { $0.cost < $1.cost }
        return Array(found.prefix(4))
    }

    /// How unlikely it is, by their names, that a relationship leads to an entity.
    private func likeness(
        of entity: String,
        to text: String,
        in column: StoreEvidence.Column
    ) -> Int {
        let name = entity.uppercased()
        if name == text { return 0 }
        if entity == column.owner { return Self.ownNames.contains(text) ? 0 : 8 }
        if name.hasSuffix(text) || text.hasSuffix(name) { return 2 }
        return names.speaks(text, of: entity) ? 4 : 12
    }

    /// What relationships to the same entity are called.
    private static let ownNames: Set<String> = [
        "PARENT", "CHILD", "SUPERIOR", "CONTAINER", "NEXT", "PREVIOUS", "ROOT", "ORIGINAL",
        "FOLDER",
    ]

    private func holdsAll(
        _ keys: [Int64],
        _ entity: StoreEvidence.EntityFacts
    ) throws(StoreError) -> Bool {
        guard !keys.isEmpty else { return true }
        let list = keys.map(String.init).joined(separator: ", ")
        let sql =
            "SELECT COUNT(*) FROM \(quotedIdentifier(entity.table)) "
            + "WHERE Z_ENT = \(entity.number) AND Z_PK IN (\(list))"
        do throws(StoreError) {
            return try evidence.store.connection.value(sql)?.integer == Int64(keys.count)
        } catch {
            // The table may be missing.
            return false
        }
    }

    /// The draft of a to-many relationship without inverse, which its destination's table keeps.
    func draft(ofOwner column: StoreEvidence.Column) -> PropertyDraft? {
        guard case .owner(let owner, let isOrdered) = column.role else { return nil }
        let guesses = column.texts.flatMap { text in
            names.spellings(of: text).flatMap { name in
                [true, false].map { isOptional in
                    let relationship = Relationship(
                        name: name.name,
                        isOptional: isOptional,
                        isToMany: true,
                        isOrdered: isOrdered,
                        destinationEntity: column.owner
                    )
                    return PropertyDraft.Guess(.relationship(relationship), cost: name.cost)
                }
            }
        }
        let source = "column \(column.name) of \(column.table)"
        var draft = PropertyDraft(owner: owner, source: source, guesses: guesses)
        draft.settle()
        return draft
    }

    /// The drafts of both directions of a many-to-many relationship.
    func drafts(ofJoin join: (StoreEvidence.JoinSide, StoreEvidence.JoinSide?)) -> [PropertyDraft] {
        [join.0, join.1].compactMap(\.self).map { side in
            var guesses: [PropertyDraft.Guess] = []
            for name in names.spellings(of: side.text).prefix(4) {
                let inverses =
                    side.inverseText.map {
                        names.spellings(of: $0).prefix(4).map { ($0.name, $0.cost) }
                    }
                    ?? [(name.name, 0)]
                for (inverse, cost) in inverses {
                    for isOptional in [true, false] {
                        let relationship = Relationship(
                            name: name.name,
                            isOptional: isOptional,
                            isToMany: true,
                            isOrdered: side.isOrdered,
                            destinationEntity: side.destination,
                            inverseName: inverse,
                            inverseEntity: side.destination
                        )
                        let total = name.cost + cost
                        guesses.append(
                            PropertyDraft.Guess(.relationship(relationship), cost: total)
                        )
                    }
                }
            }
            var draft = PropertyDraft(
                owner: side.owner,
                source: "the table of \(side.text)",
                guesses: guesses
            )
            draft.settle()
            return draft
        }
    }
}

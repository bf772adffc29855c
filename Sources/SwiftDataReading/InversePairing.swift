import ObjectModel

/// Finds the inverses of the relationships of one version.
struct InversePairing {
    /// A relationship, by the places of its entity and of itself.
    struct Side: Hashable {
        var entity: Int
        var relationship: Int
    }

    private let drafts: [EntityDraft]
    private let numbers: [String: Int]
    /// The inverses that were found.
    private(set) var inverses: [Side: String] = [:]
    /// What cannot be told, by the entity that it spoils.
    private(set) var refusals: [(entity: Int, remark: EntityDraft.Remark)] = []
    /// What is read as nobody has seen it, by its entity.
    private(set) var doubts: [(entity: Int, remark: EntityDraft.Remark)] = []
    private var refused: Set<Side> = []
    /// What rests on how relationships are spelled, as neither names the other.
    private(set) var unwritten: [EntityDraft.Remark] = []

    /// Pairs the relationships of some entities, no two of one name.
    init(_ drafts: [EntityDraft]) {
        self.drafts = drafts
        numbers = Dictionary(
            drafts.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for entity in drafts.indices {
            for number in drafts[entity].relationships.indices {
                pairWritten(Side(entity: entity, relationship: number))
            }
        }
        pairOthers()
    }

    private func draft(_ side: Side) -> EntityDraft.RelationshipDraft {
        drafts[side.entity].relationships[side.relationship]
    }

    private func destination(_ side: Side) -> Int? {
        draft(side).relationship.destinationEntity.flatMap { numbers[$0] }
    }

    /// Pairs what `inverse:` says.
    private mutating func pairWritten(_ side: Side) {
        guard let inverse = draft(side).inverse else { return }
        guard let target = destination(side) else { return }
        let found = drafts[target].relationships.firstIndex { $0.relationship.name == inverse }
        guard let found else {
            // What is not understood has a name all the same, and the name alone counts.
            if drafts[target].refused.contains(inverse) { return inverses[side] = inverse }
            return refuse(
                side,
                "the inverse '\(inverse)' is not a relationship of \(drafts[target].name)"
            )
        }
        let other = Side(entity: target, relationship: found)
        guard destination(other) == side.entity else {
            return refuse(side, "the inverse '\(inverse)' leads to another entity")
        }
        let name = draft(side).relationship.name
        guard inverses[other] == nil || inverses[other] == name, !refused.contains(other),
            inverses[side] == nil || inverses[side] == inverse
        else {
            refuse(side, "the inverse '\(inverse)' is also that of another relationship")
            return
        }
        inverses[side] = inverse
        inverses[other] = name
    }

    /// Pairs what SwiftData pairs by itself, as far as that was seen.
    private mutating func pairOthers() {
        let open = drafts.indices.flatMap { entity in
            drafts[entity].relationships.indices.map { Side(entity: entity, relationship: $0) }
        }.filter { inverses[$0] == nil && !refused.contains($0) }
        // Candidates are those of the other entity that lead back, whichever side one comes from.
        let groups = Dictionary(grouping: open) { Ends(from: $0.entity, to: destination($0)) }
        var done: Set<Side> = []
        for side in open where !done.contains(side) {
            guard let target = destination(side),
                let candidates = groups[Ends(from: target, to: side.entity)]
            else { continue }
            let rivals = groups[Ends(from: side.entity, to: target)] ?? []
            if candidates == [side] {
                // A relationship that only leads to its own entity hashes alike with itself and with none.
                doubt(side, "a relationship to its own entity without an inverse")
            } else if candidates.count == 1, rivals.count == 1 {
                done.formUnion([side, candidates[0]])
                pair(side, candidates[0])
            } else {
                refuse(side, "SwiftData could infer more than one inverse")
            }
        }
    }

    private struct Ends: Hashable {
        var from: Int
        var to: Int?
    }

    /// Decides on two relationships that have only each other.
    private mutating func pair(_ side: Side, _ other: Side) {
        let (one, two) = (draft(side), draft(other))
        let sides = [one, two]
        let isRequired = sides.contains { !$0.relationship.isToMany && !$0.relationship.isOptional }
        if isRequired {
            let message = "SwiftData may infer no inverse of a to-one that is not optional"
            refuseBoth(side, other, message)
        } else if sides.allSatisfy(\.relationship.isToMany) {
            refuseBoth(side, other, "the inverse of a many-to-many relationship must be written")
        } else if one.isWritten, two.isWritten {
            // To-many and to-one with @Relationship on both stay apart; of two to-ones nothing is known.
            if one.relationship.isToMany || two.relationship.isToMany {
                let names = "\(drafts[other.entity].name).\(draft(other).relationship.name)"
                unwritten.append(
                    remark(
                        side,
                        "SwiftData does not pair it with \(names): both have @Relationship "
                            + "and neither has an inverse",
                        [
                            "write inverse: on one side, in a new version, if they are the two sides of one"
                        ]
                    )
                )
            } else {
                refuseBoth(
                    side,
                    other,
                    "what @Relationship on both sides of one to one means is not known"
                )
            }
        } else if !one.isWritten, !two.isWritten {
            join(side, other)
        } else {
            let plain = one.isWritten ? two : one
            if plain.relationship.isToMany {
                let message = "@Relationship only on the to-one side was never seen"
                refuseBoth(side, other, message)
            } else {
                join(side, other)
            }
        }
    }

    private mutating func join(_ side: Side, _ other: Side) {
        inverses[side] = draft(other).relationship.name
        inverses[other] = draft(side).relationship.name
        let root = drafts[other.entity].name
        let name = draft(other).relationship.name
        unwritten.append(
            remark(
                side,
                "the inverse \(root).\(name) is not written: SwiftData finds it by how both are spelled",
                ["write inverse: \\\(root).\(name); the hash stays"]
            )
        )
    }

    private mutating func refuseBoth(_ side: Side, _ other: Side, _ message: String) {
        refuse(side, message)
        refuse(other, message)
    }

    private mutating func refuse(_ side: Side, _ message: String) {
        refused.insert(side)
        refusals.append((side.entity, remark(side, message, ["write inverse: on one side"])))
    }

    private mutating func doubt(_ side: Side, _ message: String) {
        doubts.append((side.entity, remark(side, message, [])))
    }

    private func remark(_ side: Side, _ message: String, _ notes: [String]) -> EntityDraft.Remark {
        EntityDraft.Remark(
            element: "\(drafts[side.entity].name).\(draft(side).relationship.name)",
            message: message,
            notes: notes,
            place: draft(side).place
        )
    }
}

import Diagnostics
import ObjectModel

struct InversePairing {
    /// A relationship, by the indices of its entity and of itself.
    struct Side: Hashable {
        var entity: Int
        var relationship: Int
    }

    private let drafts: [EntityDraft]
    private let numbers: [String: Int]
    /// The entities by the numbers of their classes.
    private let places: [Int: Int]
    /// The user's statements about relationships, which override the sources.
    private let stated: [String: String]
    private(set) var inverses: [Side: String] = [:]
    /// What cannot be decided, by the entity that it spoils.
    private(set) var refusals: [(entity: Int, remark: EntityDraft.Remark)] = []
    /// What is inferred, without evidence from a store, by its entity.
    private(set) var doubts: [(entity: Int, remark: EntityDraft.Remark)] = []
    /// Relationships that depend on their spelling, as neither names the other, and whether they are paired.
    private(set) var unwritten: [(remark: EntityDraft.Remark, isPaired: Bool)] = []
    private var refused: Set<Side> = []
    /// Relationships that the user says have no inverse.
    private var single: Set<Side> = []
    /// The relationships that one names as its inverse, or that name it.
    private var neighbours: [Side: Set<Side>] = [:]

    /// Pairs the relationships of some entities, no two of one name.
    ///
    /// `stated` has the user's inverses, such as `Item.folder` to `Folder.items`, or to `none`.
    init(_ drafts: [EntityDraft], stated: [String: String] = [:]) {
        self.drafts = drafts
        self.stated = stated
        numbers = Dictionary(firstOf: drafts.enumerated().map { ($1.name, $0) })
        places = Dictionary(firstOf: drafts.enumerated().map { ($1.id, $0) })
        for side in sides { readStated(side) }
        let settled = single.union(neighbours.keys)
        for side in sides where !settled.contains(side) { readWritten(side, besides: settled) }
        for side in sides { pairNeighbours(of: side) }
        pairOthers()
        askForInherited()
    }

    private var sides: [Side] {
        drafts.indices.flatMap { entity in
            drafts[entity].relationships.indices.map { Side(entity: entity, relationship: $0) }
        }
    }

    private func draft(_ side: Side) -> EntityDraft.RelationshipDraft {
        drafts[side.entity].relationships[side.relationship]
    }

    private func destination(_ side: Side) -> Int? {
        draft(side).relationship.destinationEntity.flatMap { numbers[$0] }
    }

    private func name(_ side: Side) -> String {
        "\(drafts[side.entity].name).\(draft(side).relationship.name)"
    }

    /// A relationship of an entity, which it may inherit.
    private func side(_ name: String, of entity: Int) -> Side? {
        for entity in lineage(entity) {
            let found = drafts[entity].relationships.firstIndex { $0.relationship.name == name }
            if let found { return Side(entity: entity, relationship: found) }
        }
        return nil
    }

    /// An entity and those that it inherits from, itself first.
    private func lineage(_ entity: Int) -> [Int] {
        var line = [entity]
        while let parent = drafts[line[line.count - 1]].parent.flatMap({ places[$0] }),
            !line.contains(parent), line.count < 50
        {
            line.append(parent)
        }
        return line
    }

    /// Whether each of two relationships leads to an entity that has the other, or inherits it.
    private func leadBack(_ side: Side, _ other: Side) -> Bool {
        guard let target = destination(side), let back = destination(other) else { return false }
        return lineage(target).contains(other.entity) && lineage(back).contains(side.entity)
    }

    private func hasRefused(_ name: String, _ entity: Int) -> Bool {
        lineage(entity).contains { drafts[$0].refused.contains(name) }
    }

    private mutating func readStated(_ side: Side) {
        guard let inverse = stated[name(side)] else { return }
        if inverse == "none" {
            single.insert(side)
            return
        }
        let parts = inverse.split(separator: ".").map(String.init)
        let root = parts.first.flatMap { numbers[$0] }
        if let root, let target = destination(side), lineage(target).contains(root),
            parts.count == 2
        {
            // A property that is not understood still has a name, and only the name counts.
            if hasRefused(parts[1], root) {
                single.insert(side)
                return inverses[side] = parts[1]
            }
            if let other = self.side(parts[1], of: root), leadBack(side, other) {
                return connect(side, other)
            }
        }
        refuse(side, "inverses: \(inverse) is not a relationship that leads back")
    }

    private mutating func readWritten(_ side: Side, besides settled: Set<Side>) {
        if let fault = draft(side).inverseFault { return refuse(side, fault) }
        guard let inverse = draft(side).inverse, let target = destination(side) else { return }
        guard let other = self.side(inverse, of: target) else {
            // Even a property that is not understood has a name, and only the name counts.
            if hasRefused(inverse, target) { return inverses[side] = inverse }
            let message = "the inverse '\(inverse)' is not a relationship of \(drafts[target].name)"
            return refuse(side, message)
        }
        guard leadBack(side, other) else {
            return refuse(side, "the inverse '\(inverse)' leads to another entity")
        }
        if other.entity != target || destination(other) != side.entity {
            doubt(side, "an inverse by way of a class that inherits")
        }
        if !settled.contains(other) { connect(side, other) }
    }

    private mutating func connect(_ side: Side, _ other: Side) {
        neighbours[side, default: []].insert(other)
        neighbours[other, default: []].insert(side)
    }

    /// Pairs two relationships that are connected with each other and with no third one.
    private mutating func pairNeighbours(of side: Side) {
        guard let others = neighbours[side], let other = others.first else { return }
        if others.count > 1 {
            return refuse(side, "it is the inverse of more than one relationship", rivalry)
        }
        guard neighbours[other]?.count == 1 else {
            let name = draft(other).relationship.name
            return refuse(side, "another relationship has the same inverse '\(name)'", rivalry)
        }
        inverses[side] = draft(other).relationship.name
    }

    /// Pairs what SwiftData pairs automatically, as far as observed.
    private mutating func pairOthers() {
        let unclear = unclearEnds
        let open = sides.filter {
            inverses[$0] == nil && !refused.contains($0) && !single.contains($0)
        }
        // Candidates are the relationships of the other entity that lead back, from either side.
        let groups = Dictionary(grouping: open) { Ends(from: $0.entity, to: destination($0)) }
        var done: Set<Side> = []
        for side in open where !done.contains(side) {
            guard let target = destination(side) else { continue }
            let candidates = groups[Ends(from: target, to: side.entity)] ?? []
            let known = unclear[Ends(from: target, to: side.entity)] ?? unclear[Ends(from: target)]
            if let name = known {
                refuse(side, "momtool does not understand \(name), which may be its inverse")
                continue
            }
            guard !candidates.isEmpty else { continue }
            let ends = Ends(from: side.entity, to: target)
            if let name = unclear[ends] ?? unclear[Ends(from: side.entity)] {
                refuse(side, "momtool does not understand \(name), which may have its inverse")
                continue
            }
            let rivals = groups[ends] ?? []
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

    /// Asks for the inverse where only a relationship of a subclass leads back.
    private mutating func askForInherited() {
        guard drafts.contains(where: { $0.parent != nil }) else { return }
        let open = sides.filter {
            inverses[$0] == nil && !refused.contains($0) && !single.contains($0)
        }
        for side in open {
            let other = open.first {
                $0 != side && leadBack(side, $0)
                    && (destination(side) != $0.entity || destination($0) != side.entity)
            }
            if let other {
                refuse(side, "SwiftData could infer \(name(other)) by way of a class that inherits")
            }
        }
    }

    /// The ends of possible relationships that are not understood, with their names.
    private var unclearEnds: [Ends: String] {
        var ends: [Ends: String] = [:]
        for side in refused {
            let end = Ends(from: side.entity, to: destination(side))
            ends[end] = min(ends[end] ?? name(side), name(side))
        }
        for (number, entity) in drafts.enumerated() {
            for open in entity.open {
                let name = "\(entity.name).\(open.name)"
                guard let targets = open.destinations else {
                    ends[Ends(from: number), default: name] = name
                    continue
                }
                for target in targets.compactMap({ numbers[$0] }) {
                    ends[Ends(from: number, to: target), default: name] = name
                }
            }
        }
        return ends
    }

    private struct Ends: Hashable {
        var from: Int
        /// The destination; `nil` for any.
        var to: Int?
    }

    /// Decides whether two relationships without other candidates are a pair.
    private mutating func pair(_ side: Side, _ other: Side) {
        let (one, two) = (draft(side), draft(other))
        let sides = [one, two]
        let isRequired = sides.contains { !$0.relationship.isToMany && !$0.relationship.isOptional }
        if isRequired {
            let message = "it is unknown whether SwiftData infers the inverse of a mandatory to-one"
            refuseBoth(side, other, message)
        } else if sides.allSatisfy(\.relationship.isToMany) {
            refuseBoth(side, other, "the inverse of a many-to-many relationship must be written")
        } else if one.isWritten, two.isWritten {
            // To-many and to-one with @Relationship on both stay apart; of two to-ones nothing is known.
            if one.relationship.isToMany || two.relationship.isToMany {
                let names = "\(drafts[other.entity].name).\(draft(other).relationship.name)"
                let remark = remark(
                    side,
                    "SwiftData does not pair it with \(names): both have @Relationship "
                        + "and neither has an inverse",
                    ["write inverse: on one side, in a new version, if they belong together"]
                )
                unwritten.append((remark, isPaired: false))
            } else {
                refuseBoth(
                    side,
                    other,
                    "it is unknown what @Relationship on both sides of a one-to-one means"
                )
            }
        } else if !one.isWritten, !two.isWritten {
            join(side, other)
        } else {
            let plain = one.isWritten ? two : one
            if plain.relationship.isToMany {
                let message = "no known store has @Relationship only on the to-one side"
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
        let remark = remark(
            side,
            "the inverse \(root).\(name) is not written: SwiftData finds it by the spelling of both",
            ["write inverse: \\\(root).\(name); the hash does not change"]
        )
        unwritten.append((remark, isPaired: true))
    }

    private mutating func refuseBoth(_ side: Side, _ other: Side, _ message: String) {
        refuse(side, message)
        refuse(other, message)
    }

    private mutating func refuse(
        _ side: Side,
        _ message: String,
        _ note: Wording = """
        write it as inverse: \\Other.property on one side, or under swift: inverses: in .momtool.yml
        """
    ) {
        refused.insert(side)
        var remark = remark(side, message, [note])
        remark.question = SwiftQuestion(
            entity: drafts[side.entity].name,
            name: name(side),
            kind: .inverse(possibleInverses(of: side))
        )
        refusals.append((side.entity, remark))
    }

    private func possibleInverses(of side: Side) -> [String] {
        (destination(side).map(lineage) ?? []).flatMap { entity in
            drafts[entity].relationships.indices.map { Side(entity: entity, relationship: $0) }
        }.filter { leadBack(side, $0) }.map(name)
    }

    private mutating func doubt(_ side: Side, _ message: String) {
        doubts.append((side.entity, remark(side, message, [])))
    }

    private func remark(_ side: Side, _ message: String, _ notes: [Wording]) -> EntityDraft.Remark {
        EntityDraft.Remark(
            element: name(side),
            message: message,
            notes: notes,
            place: draft(side).place
        )
    }
}

/// What to do where the sources write one inverse for two relationships.
private let rivalry: Wording = """
    SwiftData pairs only one of those that name it: write which under swift: inverses: in .momtool.yml, and none for the others; \
    \(.fitting(of: nil)) finds it with a store of the app
    """

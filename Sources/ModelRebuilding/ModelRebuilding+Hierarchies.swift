import Diagnostics
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat

extension ModelRebuilding {
    /// Finds which columns of a table belong to which entity of a hierarchy, and proves the entities on the way.
    ///
    /// Columns come in groups by their types, and in each group entity by entity in the order of their numbers
    /// (STORE_LAYOUT 4.3), so that what is left of each group begins with the columns of the next entity. How many they
    /// are is tried until the entity has its hash. Where one is not found, or a migration has added columns at the end,
    /// the rest stays with the entities whose rows have values.
    mutating func proveHierarchy(of root: StoreEvidence.EntityFacts, effort: Int) {
        var groups = groups(of: root.table)
        let members = evidence.entities.filter { $0.root == root.name }
        for entity in members.sorted(by: { $0.number < $1.number }) {
            guard let target = evidence.hashes.entities[entity.name] else { return }
            if taken[entity.name] != nil {
                for place in groups.indices {
                    groups[place] = Array(
                        groups[place].drop { evidence.columns[$0].owner == entity.name }
                    )
                }
                continue
            }
            guard let counts = shares(of: entity, target, groups, effort: effort) else { return }
            for (place, count) in counts.enumerated() {
                groups[place].removeFirst(count)
            }
        }
    }

    /// The columns of a table in the groups that they come in, as places.
    private func groups(of table: String) -> [[Int]] {
        var groups: [String: [Int]] = [:]
        for (place, column) in evidence.columns.enumerated() where column.table == table {
            switch (column.role, column.declaredType) {
            case (.owner, _): continue
            case (_, "FLOAT"), (_, "TIMESTAMP"): groups["FLOAT", default: []].append(place)
            case (_, "BLOB"):
                // UUIDs come before transformable attributes, and these before binary ones.
                let draft = places[place].map { drafts[$0] }
                let type = draft?.guesses.first?.storedForm ?? ""
                groups["BLOB " + type, default: []].append(place)
            default: groups[column.declaredType, default: []].append(place)
            }
        }
        return groups.keys.sorted().compactMap { groups[$0] }
    }

    /// Tries how many of the columns that are left in each group belong to an entity.
    private mutating func shares(
        of entity: StoreEvidence.EntityFacts,
        _ target: VersionHash,
        _ groups: [[Int]],
        effort: Int
    ) -> [Int]? {
        let choices = groups.map { counts(of: entity, $0) }
        let lineage = evidence.lineage(of: entity.name)
        let columns = Set(places.filter { evidence.columns[$0.key].table == entity.table }.values)
        let fixed = drafts.indices.filter { place in
            guard lineage.contains(drafts[place].owner) else { return false }
            return !columns.contains(place) || drafts[place].isProven
        }
        var own: [Int: [PropertyDraft]] = [:]
        for place in Set(zip(groups, choices).flatMap { $0.prefix($1.map(\.count).max() ?? 0) }) {
            var column = evidence.columns[place]
            column.owner = entity.name
            own[place] = (try? drafts(of: column).map { preferringLikenesses($0) }) ?? []
        }
        let each = Swift.max(effort / 400, 40)
        for pick in CheapestFirst(choices.map { $0.map(\.cost) }).prefix(400) {
            let counts = zip(choices, pick).map { $0[$1].count }
            let mine = zip(groups, counts).flatMap { $0.prefix($1) }
            let candidates = fixed.map { drafts[$0] } + mine.compactMap { own[$0]?.first }
            guard candidates.count == fixed.count + mine.count,
                let found = search(entity, target, candidates).run(effort: each)
            else { continue }
            proven[entity.name] = found.isAbstract
            for place in mine { move(place, own[place] ?? []) }
            let order = fixed + mine.compactMap { places[$0] }
            for (place, choice) in zip(order, found.choices) { decide(place, choice) }
            return counts
        }
        return nil
    }

    /// Lets a column belong to another entity.
    private mutating func move(_ column: Int, _ new: [PropertyDraft]) {
        guard let place = places[column], let first = new.first else { return }
        let back = drafts[place].counterpart
        drafts[place] = first
        drafts[place].counterpart = back
        if let back, new.count == 2, !drafts[back].isProven {
            drafts[back] = new[1]
            drafts[back].counterpart = place
        }
    }

    /// How many of the next columns of a group may belong to an entity, the likeliest numbers first.
    private func counts(
        of entity: StoreEvidence.EntityFacts,
        _ group: [Int]
    ) -> [(count: Int, cost: Int)] {
        var (least, most) = (0, 0)
        var previous: (role: Bool, name: String)?
        for (index, place) in group.enumerated() {
            let column = evidence.columns[place]
            let holder = evidence.holder(of: column.presence.keys)
            if let holder, !evidence.lineage(of: holder).contains(entity.name) { break }
            // Names ascend within an entity, of attributes first and then of relationships.
            let name = places[place].flatMap { drafts[$0].guesses.first?.name } ?? ""
            let isKey = column.role != .attribute
            if let previous {
                if previous.role, !isKey { break }
                if previous.role == isKey, !previous.name.precedesByCodeUnits(name) { break }
            }
            previous = (isKey, name)
            most = index + 1
            if holder == entity.name { least = index + 1 }
        }
        let isLeaf = !entity.hasSubentities
        return (least...Swift.max(least, most)).map { count in
            let distance = isLeaf || entity.rows > 0 ? most - count : Swift.min(count, most - count)
            return (count, 2 * distance)
        }
        .sorted { ($0.cost, -$0.count) < ($1.cost, -$1.count) }
    }
}

extension PropertyDraft.Guess {
    /// The group that the column of an attribute of bytes comes in.
    fileprivate var storedForm: String? {
        guard case .attribute(let attribute) = form else { return nil }
        return attribute.type == .uuid ? "7" : attribute.type == .transformable ? "8" : "9"
    }
}

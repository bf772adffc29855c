import Diagnostics
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat

extension ModelRebuilding {
    /// Finds which columns of a table belong to which entity of a hierarchy, and proves the entities on the way.
    ///
    /// Columns come in groups by their types, and in each group entity by entity in the order of their numbers
    /// (SQLiteStores, "Column order"), so that what is left of each group begins with the columns of the next
    /// entity. How many they are is tried until the entity has its hash. Where one is not found, or a migration has
    /// added columns at the end, the rest stays with the entities whose rows have values.
    mutating func proveHierarchy(
        of root: StoreEvidence.EntityFacts,
        _ budget: RebuildingBudget
    ) {
        var groups = groups(of: root.table)
        defer { handDown(groups.flatMap(\.self), root) }
        let members = evidence.entities.filter { $0.root == root.name }
        for entity in members.sorted(by: { $0.number < $1.number }) {
            guard let target = evidence.hashes.entities[entity.name], !budget.isSpent else {
                return
            }
            if proven[entity.name] != nil {
                for place in groups.indices {
                    groups[place] = Array(
                        groups[place].drop { owner(ofColumn: $0) == entity.name }
                    )
                }
                continue
            }
            budget.progress?(proven.count, evidence.entities.count)
            guard let counts = shares(of: entity, target, groups, budget) else { return }
            for (place, count) in counts.enumerated() {
                groups[place].removeFirst(count)
            }
        }
    }

    /// The number of divisions of the columns that are left that are tried for an entity.
    private static let mostDivisions = 1000

    /// Gives columns that no proven entity has to the first one below that is not proven.
    ///
    /// Otherwise they would be added to an entity that is proven without them.
    private mutating func handDown(_ columns: [Int], _ root: StoreEvidence.EntityFacts) {
        let open = evidence.entities.filter { $0.root == root.name && proven[$0.name] == nil }
            .sorted { $0.number < $1.number }
        for column in columns {
            guard let place = places[column], !drafts[place].isProven,
                proven[drafts[place].owner] != nil
            else { continue }
            let owner = drafts[place].owner
            let below = open.first { evidence.lineage(of: $0.name).contains(owner) } ?? open.first
            guard let below else { continue }
            var source = evidence.columns[column]
            source.owner = below.name
            move(column, (try? drafts(of: source).map { preferringLikenesses($0) }) ?? [])
        }
    }

    private func owner(ofColumn column: Int) -> String? {
        places[column].map { drafts[$0].owner }
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
        _ budget: RebuildingBudget
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
        // Without enough for each, fewer are tried.
        let picks = Swift.min(Swift.max(budget.effort / 20, 8), Self.mostDivisions)
        let each = budget.trying(Swift.max(budget.effort / 300, 40))
        let ranked = own.compactMapValues { $0.first.map(RankedDraft.init) }
        let settled = fixed.map { RankedDraft(drafts[$0]) }
        for pick in CheapestFirst(choices.map { $0.map(\.cost) }).prefix(picks) {
            guard !budget.isSpent else { return nil }
            let counts = zip(choices, pick).map { $0[$1].count }
            let mine = zip(groups, counts).flatMap { $0.prefix($1) }
            let candidates = settled + mine.compactMap { ranked[$0] }
            guard candidates.count == fixed.count + mine.count,
                let found = search(entity, target, candidates).run(each, followed)
            else { continue }
            take(found, of: entity.name)
            for place in mine { move(place, own[place] ?? []) }
            let order = fixed + mine.compactMap { places[$0] }
            decide(order, found.choices)
            return counts
        }
        return nil
    }

    /// Lets a column belong to another entity.
    private mutating func move(_ column: Int, _ new: [PropertyDraft]) {
        guard let place = places[column], let first = new.first else { return }
        let backs = drafts[place].counterparts
        drafts[place] = first
        drafts[place].counterparts = backs
        guard new.count == backs.count + 1 else { return }
        for (back, draft) in zip(backs, new.dropFirst()) where !drafts[back].isProven {
            let others = drafts[back].counterparts
            drafts[back] = draft
            drafts[back].counterparts = others
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

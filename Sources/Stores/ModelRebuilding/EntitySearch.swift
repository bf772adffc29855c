import Diagnostics
import ModelHashing
import ObjectModel

/// Tries what the properties of an entity may be until it has the hash that its store says.
struct EntitySearch {
    let entity: StoreEvidence.EntityFacts
    let parent: VersionHash?
    /// The uniqueness constraints, each as it may be spelled.
    let constraints: [[[String]]]
    let target: VersionHash
    /// The drafts of its properties, inherited ones included.
    let drafts: [RankedDraft]

    /// What an entity is, as its hash has proven.
    struct Result {
        let isAbstract: Bool
        /// The place of the right guess of each draft.
        let choices: [Int]
        /// The habit under which it was found.
        let habit: NamingHabit
        let constraints: [[String]]

        init(
            _ isAbstract: Bool,
            _ choices: [Int],
            _ habit: NamingHabit,
            _ constraints: [[String]]
        ) {
            (self.isAbstract, self.choices) = (isAbstract, choices)
            (self.habit, self.constraints) = (habit, constraints)
        }
    }

    /// Searches.
    ///
    /// - Parameters:
    ///   - budget: how many combinations to try, and until when.
    ///   - known: how many proven entities followed each habit; what has been seen comes first.
    /// - Returns: what the entity is; `nil` when none of the combinations has the hash.
    func run(_ budget: RebuildingBudget, _ known: [NamingHabit: Int] = [:]) -> Result? {
        guard drafts.allSatisfy({ !$0.draft.guesses.isEmpty }) else { return nil }
        // Where little is tried, the habits that proven entities follow come alone.
        let habits = NamingHabit.habits(of: drafts, known).prefix(max(budget.effort / 8, 2))
        let kinds: [Bool] = entity.rows == 0 && entity.hasSubentities ? [true, false] : [false]
        let share = budget.trying(
            max(budget.effort / (habits.count * kinds.count * constraints.count), 2)
        )
        let names = Set(drafts.flatMap(\.names)).sorted { $0.precedesByCodeUnits($1) }
        let ranks = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        for habit in habits {
            for isAbstract in kinds {
                for spelled in constraints {
                    let found = search(isAbstract, habit, spelled, ranks, share)
                    if let found { return Result(isAbstract, found, habit, spelled) }
                }
            }
        }
        return nil
    }

    private func search(
        _ isAbstract: Bool,
        _ habit: NamingHabit,
        _ spelled: [[String]],
        _ ranks: [String: Int],
        _ budget: RebuildingBudget
    ) -> [Int]? {
        let trial = EntityTrial(
            name: entity.name,
            isAbstract: isAbstract,
            parent: parent,
            modifier: nil,
            constraints: spelled.map { $0.joined(separator: ".") }
        )
        let orders = drafts.map { $0.order(by: habit, spelled) }
        guard orders.allSatisfy({ !$0.isEmpty }) else { return nil }
        let options = zip(drafts, orders).map { ranked, order in
            order.prefix(budget.effort).map { place, _ in
                let guess = ranked.draft.guesses[place]
                return (rank: guess.name.flatMap { ranks[$0] }, hash: guess.hash)
            }
        }
        var parts: [(rank: Int, hash: [UInt8])] = []
        let costs = orders.map { $0.prefix(budget.effort).map(\.cost) }
        let combinations = CheapestFirst(costs).prefix(budget.effort)
        for (count, choices) in combinations.enumerated() {
            // A look at the clock takes as long as some combinations.
            if count % 512 == 511, budget.isSpent { return nil }
            parts.removeAll(keepingCapacity: true)
            for (options, choice) in zip(options, choices) {
                guard let rank = options[choice].rank else { continue }
                var place = parts.count
                while place > 0, parts[place - 1].rank > rank { place -= 1 }
                parts.insert((rank, options[choice].hash), at: place)
            }
            let isDouble = zip(parts, parts.dropFirst()).contains { $0.rank == $1.rank }
            if !isDouble, trial.hash(of: parts.map(\.hash)) == target.bytes {
                return zip(orders, choices).map { $0[$1].place }
            }
        }
        return nil
    }
}

import Diagnostics
import ModelHashing
import ObjectModel

/// Tries what the properties of an entity may be until it has the hash that its store says.
struct EntitySearch {
    let entity: StoreEvidence.EntityFacts
    let parent: VersionHash?
    let constraints: [String]
    let target: VersionHash
    /// The drafts of its properties, inherited ones included.
    let drafts: [PropertyDraft]

    /// Searches.
    ///
    /// - Parameter budget: how many combinations to try, and until when.
    /// - Returns: whether the entity is abstract, and the place of the right guess of each draft; `nil` when none of
    ///   the combinations has the hash.
    func run(_ budget: RebuildingBudget) -> (isAbstract: Bool, choices: [Int])? {
        guard drafts.allSatisfy({ !$0.guesses.isEmpty }) else { return nil }
        // Xcode's attributes are optional unless somebody says otherwise, SwiftData's the other way round.
        let habits = [true, false]
        let kinds: [Bool] = entity.rows == 0 && entity.hasSubentities ? [false, true] : [false]
        for isAbstract in kinds {
            for habit in habits {
                let found = search(
                    isAbstract: isAbstract,
                    prefersOptional: habit,
                    budget.trying(budget.effort / (habits.count * kinds.count))
                )
                if let found { return (isAbstract, found) }
            }
        }
        return nil
    }

    private func search(
        isAbstract: Bool,
        prefersOptional: Bool,
        _ budget: RebuildingBudget
    ) -> [Int]? {
        let trial = EntityTrial(
            name: entity.name,
            isAbstract: isAbstract,
            parent: parent,
            modifier: nil,
            constraints: constraints
        )
        let orders = drafts.map { sorted($0.guesses, prefersOptional) }
        let names = Set(drafts.flatMap(\.guesses).compactMap(\.name))
            .sorted { $0.precedesByCodeUnits($1) }
        let ranks = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let options = zip(drafts, orders).map { draft, order in
            order.map { place, _ in
                (
                    rank: draft.guesses[place].name.flatMap { ranks[$0] },
                    hash: draft.guesses[place].hash
                )
            }
        }
        var parts: [(rank: Int, hash: [UInt8])] = []
        let combinations = CheapestFirst(orders.map { $0.map(\.cost) }).prefix(
            max(budget.effort, 1)
        )
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

    /// The guesses by their costs, with what goes against a habit made dearer.
    private func sorted(
        _ guesses: [PropertyDraft.Guess],
        _ prefersOptional: Bool
    ) -> [(place: Int, cost: Int)] {
        guesses.enumerated().map { place, guess in
            let isLiked = guess.cost < 0 || guess.isOptional == prefersOptional
            return (place, guess.cost + (isLiked ? 0 : 6))
        }
        .sorted { ($0.cost, $0.place) < ($1.cost, $1.place) }
    }
}

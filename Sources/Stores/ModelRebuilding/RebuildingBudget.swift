/// How much is tried to prove the entities of a model, and who is told how far it is.
package struct RebuildingBudget {
    /// The number of combinations that are tried for an entity at most.
    package var effort: Int
    /// When to stop with what is proven until then; `nil` means no limit.
    package var deadline: ContinuousClock.Instant?
    /// Is called before each search with the number of entities that are proven, and of all.
    package var progress: ((_ proven: Int, _ total: Int) -> Void)?

    package init(
        effort: Int = 150_000,
        deadline: ContinuousClock.Instant? = nil,
        progress: ((_ proven: Int, _ total: Int) -> Void)? = nil
    ) {
        self.effort = effort
        self.deadline = deadline
        self.progress = progress
    }

    /// Whether the time is over.
    var isSpent: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// The same with another number of combinations.
    func trying(_ effort: Int) -> RebuildingBudget {
        RebuildingBudget(effort: effort, deadline: deadline, progress: progress)
    }
}

import ModelHashing
package import ObjectModel

/// The versions of a bundle, and the lightweight steps between them.
package struct VersionGraph: Sendable, Hashable {
    package let versions: [ModelVersion]

    package init(versions: [ModelVersion]) { self.versions = versions }

    package struct Detour: Sendable, Hashable {
        package var plans: [MigrationPlan]
        package var refused: MigrationPlan
        /// What is dropped on the way although both ends have it, such as `Person.name`, sorted.
        package var losses: [String]
    }

    package enum Route: Sendable, Hashable {
        /// Both have the same hashes: Core Data migrates nothing.
        case nothingToDo
        case direct(MigrationPlan)
        /// Several lightweight steps, because the direct one is refused.
        case detour(Detour)
        /// None: the direct step is refused, and no chain of lightweight steps leads around it.
        ///
        /// `deadEnds` are the refused steps from version to next version on the way.
        case none(refused: MigrationPlan, deadEnds: [MigrationPlan])
    }

    /// Finds the route between two versions: directly if that is legal, otherwise by the legal chain that drops least.
    ///
    /// Core Data itself never chains (MigrationBehaviour, "When Core Data migrates"); what it refuses may still be
    /// possible in steps that it would infer. A chain goes through versions between the two, in their order; among
    /// chains that drop equally much, the shortest wins, and among these the one with the oldest versions. Versions
    /// with equal hashes count as one, the newest of them.
    package func route(from start: Int, to end: Int) -> Route {
        let (source, destination) = (versions[start], versions[end])
        guard source.hashes != destination.hashes else { return .nothingToDo }
        let direct = MigrationPlan(from: source, to: destination)
        guard !direct.isLegal else { return .direct(direct) }
        let stops = stops(from: start, to: end)
        let steps = StepMemo()
        let search = DetourSearch(stops, around: direct, steps)
        guard let way = search.best() else {
            let deadEnds = zip(stops, stops.dropFirst()).filter { !steps.isLegal($0, $1) }
            return .none(
                refused: direct,
                deadEnds: deadEnds.map { MigrationPlan(from: $0, to: $1) }
            )
        }
        let plans = zip(way, way.dropFirst()).map { MigrationPlan(from: stops[$0], to: stops[$1]) }
        return .detour(Detour(plans: plans, refused: direct, losses: search.losses(of: plans)))
    }

    /// The versions from one to another, in the order of the route; of versions with equal hashes the newest.
    private func stops(from start: Int, to end: Int) -> [ModelVersion] {
        let between = versions[(min(start, end) + 1)..<max(min(start, end) + 1, max(start, end))]
        hashTogether(between)
        var known: Set<String> = [versions[start].checksum, versions[end].checksum]
        let newest = between.reversed().filter { known.insert($0.checksum).inserted }
        // An older version may be the target: then the route leads backwards through those between.
        return [versions[start]] + (start < end ? newest.reversed() : newest) + [versions[end]]
    }
}

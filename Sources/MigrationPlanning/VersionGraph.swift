public import MappingInference
import ModelHashing
public import ObjectModel

/// The versions of a bundle, and which of them lightweight steps lead between.
public struct VersionGraph: Sendable, Hashable {
    /// The versions, oldest first.
    public var versions: [ModelVersion]
    /// What inference may do beyond what is on record.
    public var options: InferenceOptions

    /// Creates a graph of versions given oldest first.
    public init(versions: [ModelVersion], options: InferenceOptions = InferenceOptions()) {
        self.versions = versions
        self.options = options
    }

    /// A way from one version to another.
    public enum Route: Sendable, Hashable {
        /// Both have the same checksum: Core Data migrates nothing.
        case nothingToDo
        /// One lightweight step.
        case direct(MigrationPlan)
        /// Several lightweight steps, as few as possible, because the direct one is refused.
        case chain([MigrationPlan], refused: MigrationPlan)
        /// None: the direct step is refused, and no chain of lightweight steps leads around it.
        ///
        /// `deadEnds` are the refused steps from version to next version on the way.
        case none(refused: MigrationPlan, deadEnds: [MigrationPlan])
        /// A version is not in the graph.
        case unknownVersion(String)

        /// The steps to take; `nil` when there is no way.
        public var plans: [MigrationPlan]? {
            switch self {
            case .nothingToDo: []
            case .direct(let plan): [plan]
            case .chain(let plans, _): plans
            case .none, .unknownVersion: nil
            }
        }
    }

    /// Finds a version by its name, or by its checksum.
    public func version(_ nameOrChecksum: String) -> ModelVersion? {
        versions.first { $0.name == nameOrChecksum }
            ?? versions.first { $0.checksum == nameOrChecksum }
    }

    /// Finds the way between two versions: directly if that is legal, else by the shortest legal chain.
    ///
    /// Core Data itself never chains (MIGRATION_BEHAVIOUR 1.1); what it refuses may still be done in
    /// steps, each of which it would infer. A chain goes through versions that lie between the two, in
    /// their order; of chains equally short it takes the one whose versions are the oldest.
    ///
    /// - Parameters:
    ///   - source: The name or checksum of the version that stores are at.
    ///   - destination: The name or checksum of the version that they are to come to.
    /// - Returns: the way, or why there is none.
    public func route(from source: String, to destination: String) -> Route {
        guard let start = index(of: source) else { return .unknownVersion(source) }
        guard let end = index(of: destination) else { return .unknownVersion(destination) }
        guard versions[start].checksum != versions[end].checksum else { return .nothingToDo }
        let direct = plan(start, end)
        guard !direct.isLegal else { return .direct(direct) }
        // An older version may be the target: then the way leads backwards through those between.
        let stops = distinct(start < end ? Array(start...end) : Array((end...start).reversed()))
        if let chain = shortestChain(stops) { return .chain(chain, refused: direct) }
        let neighbours = zip(stops, stops.dropFirst()).map { plan($0, $1) }
        return .none(refused: direct, deadEnds: neighbours.filter { !$0.isLegal })
    }

    /// Versions with equal hashes are one place to stop at: nothing is to be done between them.
    private func distinct(_ places: [Int]) -> [Int] {
        var seen: Set<String> = []
        return places.filter { seen.insert(versions[$0].checksum).inserted }
    }

    /// Searches breadth first from the first stop to the last; each step leads on in the order of stops.
    private func shortestChain(_ stops: [Int]) -> [MigrationPlan]? {
        var arrivals: [Int: MigrationPlan] = [:]
        var previous: [Int: Int] = [:]
        var layer = [0]
        while !layer.isEmpty {
            var next: [Int] = []
            for place in layer {
                for stop in stops.indices
                where stop > place && arrivals[stop] == nil
                    && !(place == 0 && stop == stops.count - 1)
                {
                    let step = plan(stops[place], stops[stop])
                    guard step.isLegal else { continue }
                    arrivals[stop] = step
                    previous[stop] = place
                    next.append(stop)
                }
                guard arrivals[stops.count - 1] == nil else {
                    return trace(to: stops.count - 1, arrivals, previous)
                }
            }
            layer = next
        }
        return nil
    }

    private func trace(
        to end: Int,
        _ arrivals: [Int: MigrationPlan],
        _ previous: [Int: Int]
    ) -> [MigrationPlan] {
        var plans: [MigrationPlan] = []
        var place = end
        while let plan = arrivals[place], let before = previous[place] {
            plans.append(plan)
            place = before
        }
        return plans.reversed()
    }

    private func plan(_ from: Int, _ to: Int) -> MigrationPlan {
        MigrationPlan(from: versions[from], to: versions[to], options: options)
    }

    private func index(of nameOrChecksum: String) -> Int? {
        versions.firstIndex { $0.name == nameOrChecksum }
            ?? versions.firstIndex { $0.checksum == nameOrChecksum }
    }
}

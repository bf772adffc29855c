import MappingInference
import ModelHashing
package import ObjectModel

/// Searches the route around a refused step that drops least, and of these the shortest.
///
/// Routes go through the stops in their order. The best ones so far are extended first; one that drops no less than
/// another route to the same stop, and is not shorter, is discarded. This way few pairs of versions are compared: the start
/// with each stop, each stop with the end, and more only if something is dropped.
struct DetourSearch {
    /// The versions, from the start to the end.
    private let stops: [ModelVersion]
    private let steps: StepMemo
    private let start: ModelGraph
    /// What the direct step drops as well.
    private let expected: Set<String>

    /// The limit of routes to one stop to extend; in real bundles there is one, or two.
    private static let wayLimit = 8

    private struct Way {
        var stops: [Int]
        var loss = DetourLoss()
        var cost = 0

        var place: Int { stops[stops.count - 1] }
        var length: Int { stops.count - 1 }

        /// Whether it is at least as good, wherever both are extended to.
        func isNoWorse(than other: Way) -> Bool {
            length <= other.length && loss.dropped.isSubset(of: other.loss.dropped)
        }
    }

    init(_ stops: [ModelVersion], around refused: MigrationPlan, _ steps: StepMemo) {
        (self.stops, self.steps) = (stops, steps)
        start = ModelGraph(refused.source.model)
        expected = Set(refused.mapping.losses.compactMap(\.element))
    }

    func isMissed(_ element: String) -> Bool {
        guard !expected.contains(element) else { return false }
        let parts = element.split(separator: ".", maxSplits: 1).map(String.init)
        guard let entity = start.entity(parts[0]) else { return false }
        return parts.count == 1 || start.property(parts[1], of: entity) != nil
    }

    /// Returns the best route, by the indexes of its stops; `nil` when there is none.
    func best() -> [Int]? {
        let end = stops.count - 1
        let last = Set((1..<max(end, 1)).filter { steps.isLegal(stops[$0], stops[end]) })
        guard !last.isEmpty else { return nil }
        var open = [Way(stops: [0])]
        var known: [Int: [Way]] = [:]
        var found: Way?
        while let next = open.indices.min(by: { precedes(open[$0], open[$1]) }) {
            let way = open.remove(at: next)
            // Every extension adds at least a step.
            if let found, (found.cost, found.length) <= (way.cost, way.length + 1) { break }
            if last.contains(way.place), let whole = led(way, to: end),
                found.map({ precedes(whole, $0) }) ?? true
            {
                found = whole
            }
            for place in (way.place + 1)..<max(end, way.place + 1) {
                var guess = way
                guess.stops.append(place)
                let others = known[place, default: []]
                guard others.count < Self.wayLimit,
                    !others.contains(where: { $0.isNoWorse(than: guess) }),
                    let longer = led(way, to: place),
                    !others.contains(where: { $0.isNoWorse(than: longer) })
                else { continue }
                known[place, default: []].append(longer)
                open.append(longer)
            }
        }
        return found?.stops
    }

    private func led(_ way: Way, to place: Int) -> Way? {
        guard let mapping = steps.mapping(stops[way.place], stops[place]) else { return nil }
        var way = way
        way.stops.append(place)
        way.loss.pass(mapping, in: self)
        way.cost = way.loss.dropped.map(weight).reduce(0, +)
        return way
    }

    private func weight(_ element: String) -> Int {
        start.entity(element).map { 1 + start.properties(of: $0).count } ?? 1
    }

    private func precedes(_ left: Way, _ right: Way) -> Bool {
        guard left.cost == right.cost else { return left.cost < right.cost }
        guard left.length == right.length else { return left.length < right.length }
        return left.stops.lexicographicallyPrecedes(right.stops)
    }

    /// Returns what a route drops although the direct step would keep it, by the names of the first version, sorted.
    func losses(of way: [MigrationPlan]) -> [String] {
        var loss = DetourLoss()
        for plan in way { loss.pass(plan.mapping, in: self) }
        return loss.dropped.sorted()
    }
}

/// What a route through other versions drops of the first one, although the direct step would keep it.
struct DetourLoss {
    /// Such as `Person` or `Person.name`, by the names of the first version.
    private(set) var dropped: Set<String> = []
    /// The names in the first version of renamed items; `nil` for a new name.
    private var origins: [String: String?] = [:]

    mutating func pass(_ mapping: InferredMapping, in search: DetourSearch) {
        let gone = mapping.losses.compactMap(\.element)
        dropped.formUnion(gone.compactMap(origin).filter(search.isMissed))
        var next = origins
        for name in gone { next[name] = .some(nil) }
        let renamed = mapping.renamedElements
        for (old, _) in renamed { next[old] = .some(nil) }
        for (old, new) in renamed { next[new] = .some(origin(of: old)) }
        origins = next
    }

    private func origin(of name: String) -> String? { origins[name] ?? name }
}

extension InferredMapping {
    /// Such as `Person` or `Person.name`.
    fileprivate var renamedElements: [(old: String, new: String)] {
        var renamed: [(String, String)] = []
        func add(_ old: String, _ new: String) { if old != new { renamed.append((old, new)) } }
        for entity in entityMappings {
            guard let old = entity.sourceEntity, let new = entity.destinationEntity else {
                continue
            }
            add(old, new)
            for attribute in entity.attributeMappings {
                guard let source = attribute.source else { continue }
                add("\(old).\(source.name)", "\(new).\(attribute.destination.name)")
            }
            for relationship in entity.relationshipMappings {
                guard let source = relationship.source else { continue }
                add("\(old).\(source.name)", "\(new).\(relationship.destination.name)")
            }
        }
        return renamed
    }
}

extension RowRisk {
    /// A completely dropped item, such as `Person.name`; `nil` for one that is only narrowed.
    var element: String? {
        switch kind {
        case .removedEntity: sourceEntity
        case .removedAttribute, .removedRelationship: source.map { "\(sourceEntity).\($0.name)" }
        default: nil
        }
    }
}

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

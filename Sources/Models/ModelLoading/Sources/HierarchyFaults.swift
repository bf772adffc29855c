import Diagnostics
import ObjectModel

/// Finds missing parents, cycles of them, hierarchies that are too deep, and redeclared inherited properties.
func hierarchyFaults(_ graph: ModelGraph) -> [Diagnostic] {
    let entities = graph.model.entities
    guard entities.indices.contains(where: { entities[$0].parentEntity != nil }) else { return [] }
    let shape = HierarchyShape(graph)
    var redeclarations = Redeclarations(graph)
    var deepRoots: Set<Int> = []
    var faults: [Diagnostic] = []
    for place in entities.indices {
        guard let parent = entities[place].parentEntity else { continue }
        func report(_ rule: RuleID, _ message: String) {
            let location = entities[place].source.location(of: "parentEntity")
            faults.append(Diagnostic(rule, message, at: location, element: entities[place].name))
        }
        if !graph.hasEntity(parent) {
            report("unknown-parent-entity", "the parent entity '\(parent)' does not exist")
        } else if let circle = shape.circles[place] {
            let names = description(ofCircle: circle.map { entities[$0].name })
            report("parent-cycle", "entity '\(entities[place].name)' is its own ancestor: \(names)")
        } else if case .rooted(let root, let level) = shape.positions[place],
            level > ModelGraph.depthLimit, deepRoots.insert(root).inserted
        {
            report(
                .hierarchyTooDeep,
                "entity '\(entities[place].name)' is on level \(level) of its hierarchy; "
                    + "the limit is \(ModelGraph.depthLimit)"
            )
        }
        faults += redeclarations.faults(of: entities[place])
    }
    return faults
}

/// Names the entities of a cycle, the first again at the end; of a large one only some.
private func description(ofCircle names: [String]) -> String {
    let limit = 8
    let left = names.count > limit ? ["… (\(names.count - limit) more)"] : []
    return (names.prefix(limit) + left + names.prefix(1)).joined(separator: " → ")
}

/// The positions of the entities of a model in their hierarchies; each is visited once.
private struct HierarchyShape {
    enum Position {
        case unknown
        /// On the current way up.
        case open
        /// In a cycle of parents or below one.
        case unrooted
        case rooted(root: Int, level: Int)
    }

    /// By the indices of the entities in the model.
    private(set) var positions: [Position]
    /// The cycles by the index of their first entity in the model: that one, its parent, and so on.
    private(set) var circles: [Int: [Int]] = [:]

    init(_ graph: ModelGraph) {
        positions = graph.model.entities.map { _ in .unknown }
        for place in positions.indices { walk(from: place, graph) }
    }

    private mutating func walk(from start: Int, _ graph: ModelGraph) {
        var path: [Int] = []
        var next: Int? = start
        while let place = next, case .unknown = positions[place] {
            positions[place] = .open
            path.append(place)
            next = graph.parentPlace(of: place)
        }
        if let place = next, case .open = positions[place], let begin = path.firstIndex(of: place) {
            note(circle: path[begin...])
        }
        var parent = next.map { positions[$0] }
        for place in path.reversed() {
            let position: Position =
                switch parent {
                case .rooted(let root, let level): .rooted(root: root, level: level + 1)
                case nil: .rooted(root: place, level: 1)
                case .unknown, .open, .unrooted: .unrooted
                }
            positions[place] = position
            parent = position
        }
    }

    private mutating func note(circle: ArraySlice<Int>) {
        guard let first = circle.min(), let begin = circle.firstIndex(of: first) else { return }
        circles[first] = Array(circle[begin...] + circle[..<begin])
    }
}

private struct Redeclarations {
    private let graph: ModelGraph
    /// The names that ancestors declare, by the ancestors' indices.
    private var names: [Int: Set<String>] = [:]

    init(_ graph: ModelGraph) { self.graph = graph }

    mutating func faults(of entity: Entity) -> [Diagnostic] {
        let own = Set(entity.propertyNames)
        guard !own.isEmpty else { return [] }
        var owners: [String: String] = [:]
        for place in graph.ancestorPlaces(of: entity) {
            for name in own.intersection(declaredNames(at: place)) where owners[name] == nil {
                owners[name] = graph.model.entities[place].name
            }
        }
        guard !owners.isEmpty else { return [] }
        return entity.properties.compactMap { property in
            owners[property.name].map { owner in
                Diagnostic(
                    .redeclaredProperty,
                    "property '\(property.name)' is already inherited from '\(owner)'",
                    severity: .warning,
                    at: property.source.location(of: "name"),
                    element: "\(entity.name).\(property.name)"
                )
            }
        }
    }

    private mutating func declaredNames(at place: Int) -> Set<String> {
        if let known = names[place] { return known }
        let declared = Set(graph.model.entities[place].propertyNames)
        names[place] = declared
        return declared
    }
}

/// Marks entities that redeclare an inherited property, and all below them, as having no hash.
///
/// Core Data makes stores of such models, as Apple's own Notes once did, but no store has shown what it hashes.
func noteRedeclarations(_ faults: [Diagnostic], in model: inout ManagedObjectModel) {
    let elements = faults.filter { $0.rule == .redeclaredProperty }.compactMap(\.element)
    guard !elements.isEmpty else { return }
    let graph = ModelGraph(model)
    var gaps: [String: [EntityGap]] = [:]
    for element in elements {
        let name = String(element.prefix { $0 != "." })
        guard let root = graph.entity(name) else { continue }
        let words: EntityGap =
            "a parent entity also declares '\(element)', which no known store has"
        for entity in graph.hierarchy(of: root) { gaps[entity.name, default: []].append(words) }
    }
    for index in model.entities.indices {
        model.entities[index].gaps += gaps[model.entities[index].name] ?? []
    }
}

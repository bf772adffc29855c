import Diagnostics
import ObjectModel

/// Finds what makes a model unfit for use: duplicate names, dangling references, cycles.
///
/// SwiftData's compiled models have elements of one name in a composite where a struct occurs twice in another
/// (page SwiftData, "Enums and structs"); Core Data's sources have none.
func structuralFaults(of model: ManagedObjectModel, isCompiled: Bool = false) -> [Diagnostic] {
    let graph = ModelGraph(model)
    let hierarchyFaults = hierarchyFaults(graph)
    var faults = duplicateNames(in: model) + hierarchyFaults + compositeFaults(graph)
    if !isCompiled { faults += duplicateElements(in: model) }
    // What such a hierarchy inherits is cut, so references would seem to dangle.
    guard !hierarchyFaults.contains(where: { $0.rule == .hierarchyTooDeep }) else { return faults }
    return faults
        + model.entities.flatMap { entity in
            relationshipFaults(of: entity, in: graph) + indexFaults(of: entity, in: graph)
        } + referenceFaults(graph)
}

/// Finds the items whose names occur before.
///
/// The items are read only if a name occurs twice: most models have no faults, and comparing names is cheap.
private func duplicates<Item>(
    _ names: [String],
    _ kind: String,
    in owner: String?,
    severity: Severity = .error,
    _ items: @autoclosure () -> [Item],
    source: (Item) -> SourceMark
) -> [Diagnostic] {
    guard names.holdsDuplicates else { return [] }
    var first: [String: Item] = [:]
    var faults: [Diagnostic] = []
    for (name, item) in zip(names, items()) where !name.isEmpty {
        guard let earlier = first[name] else {
            first[name] = item
            continue
        }
        let other = source(earlier).location(of: "name")
        faults.report(
            .duplicateName,
            "\(kind) '\(name)' already exists",
            severity: severity,
            at: source(item).location(of: "name"),
            element: owner.map { "\($0).\(name)" } ?? name,
            notes: [Diagnostic.Note("the first one is here", at: other)]
        )
    }
    return faults
}

private func duplicateNames(in model: ManagedObjectModel) -> [Diagnostic] {
    // By index: copying an entity out of the array takes longer than reading its name.
    let names = model.entities.indices.map { model.entities[$0].name }
    var faults = duplicates(names, "entity", in: nil, model.entities, source: \.source)
    faults += duplicates(
        model.composites.map(\.name),
        "composite",
        in: nil,
        model.composites,
        source: \.source
    )
    faults += duplicates(
        model.configurations.map(\.name),
        "configuration",
        in: nil,
        severity: .warning,
        model.configurations,
        source: \.source
    )
    faults += duplicates(
        model.fetchRequestTemplates.map(\.name),
        "fetch request",
        in: nil,
        model.fetchRequestTemplates,
        source: \.source
    )
    for entity in model.entities {
        faults += duplicates(
            entity.propertyNames,
            "property",
            in: entity.name,
            entity.properties,
            source: \.source
        )
        faults += duplicates(
            entity.fetchIndexes.map(\.name),
            "fetch index",
            in: entity.name,
            severity: .warning,
            entity.fetchIndexes,
            source: \.source
        )
    }
    return faults
}

private func duplicateElements(in model: ManagedObjectModel) -> [Diagnostic] {
    model.composites.flatMap { composite in
        duplicates(
            composite.attributes.map(\.name),
            "attribute",
            in: composite.name,
            composite.attributes,
            source: \.source
        )
    }
}

private func relationshipFaults(of entity: Entity, in graph: ModelGraph) -> [Diagnostic] {
    entity.relationships.compactMap { relationship in
        func fault(
            _ rule: RuleID,
            _ message: String,
            _ severity: Severity,
            at attribute: String
        ) -> Diagnostic {
            Diagnostic(
                rule,
                message,
                severity: severity,
                at: relationship.source.location(of: attribute),
                element: "\(entity.name).\(relationship.name)"
            )
        }
        guard let destination = relationship.destinationEntity else {
            let message = "relationship '\(relationship.name)' has no destination"
            return fault(.unknownDestination, message, .error, at: "name")
        }
        guard graph.hasEntity(destination) else {
            let message = "the destination entity '\(destination)' does not exist"
            return fault(.unknownDestination, message, .error, at: "destinationEntity")
        }
        guard let inverseName = relationship.inverseName else { return nil }
        guard let place = graph.inversePlace(of: relationship) else {
            let message = "the inverse '\(inverseName)' does not exist in '\(destination)'"
            return fault(.brokenInverse, message, .error, at: "inverseName")
        }
        let owner = graph.model.entities[place.entity]
        let inverse = owner.relationships[place.relationship]
        guard inverse.inverseName == relationship.name else {
            let message =
                "the inverse '\(inverseName)' points back to '\(inverse.inverseName ?? "nothing")'"
            return fault(.brokenInverse, message, .warning, at: "inverseName")
        }
        return misplacement(of: inverse, in: owner, for: relationship, of: entity, graph).map {
            fault(.brokenInverse, $0, .error, at: "inverseName")
        }
    }
}

/// Says where two relationships that name each other do not lead to each other's entities; `nil` where they do.
///
/// Xcode writes pairs in which one side belongs to a parent entity of the end. A wrong `inverseEntity`, where the
/// destination has the inverse, does no harm: Xcode's tools compile one in the corpus.
private func misplacement(
    of inverse: Relationship,
    in owner: Entity,
    for relationship: Relationship,
    of entity: Entity,
    _ graph: ModelGraph
) -> String? {
    let isPair =
        relationship.destinationEntity == owner.name && inverse.destinationEntity == entity.name
    guard !isPair, let destination = graph.destination(of: relationship) else { return nil }
    let name = "\(owner.name).\(inverse.name)"
    guard graph.isEntity(destination, kindOf: owner) else {
        return "the inverse '\(name)' is not a relationship of '\(destination.name)', which "
            + "'\(relationship.name)' leads to"
    }
    guard let back = graph.destination(of: inverse),
        !graph.isEntity(entity, kindOf: back), !graph.isEntity(back, kindOf: entity)
    else { return nil }
    return "the inverse '\(name)' leads to '\(back.name)', not to '\(entity.name)'"
}

private func compositeFaults(_ graph: ModelGraph) -> [Diagnostic] {
    var extents: [String: (values: Int, depth: Int)] = [:]
    var faults: [Diagnostic] = []

    /// The number of values in a type, and its depth of nesting; `nil` when it contains itself or exceeds a limit.
    func extent(_ type: CompositeType, open: Set<String>) -> (values: Int, depth: Int)? {
        if let known = extents[type.name] { return known }
        guard !open.contains(type.name), open.count < ModelGraph.compositeDepthLimit else {
            return nil
        }
        var total = (values: 0, depth: 1)
        for attribute in type.attributes {
            guard let nested = attribute.compositeName.flatMap(graph.composite) else {
                total.values += 1
                continue
            }
            guard let inner = extent(nested, open: open.union([type.name])) else { return nil }
            total.values += inner.values
            total.depth = max(total.depth, inner.depth + 1)
        }
        guard total.values <= ModelGraph.leafLimit, total.depth <= ModelGraph.compositeDepthLimit
        else { return nil }
        extents[type.name] = total
        return total
    }
    for type in graph.model.composites where extent(type, open: []) == nil {
        let message = "composite '\(type.name)' contains itself or too many values"
        let place = type.source.location(of: "name")
        faults.append(Diagnostic("composite-cycle", message, at: place, element: type.name))
    }
    let owners =
        graph.model.entities.map { ($0.name, $0.attributes) }
        + graph.model.composites.map { ($0.name, $0.attributes) }
    for (owner, attributes) in owners {
        for index in attributes.indices where attributes[index].type == .composite {
            let attribute = attributes[index]
            let name = attribute.compositeName ?? ""
            guard graph.composite(name) == nil else { continue }
            faults.report(
                "unknown-composite",
                name.isEmpty
                    ? "name the composite type of '\(attribute.name)'"
                    : "the composite type '\(name)' does not exist",
                at: attribute.source.location(of: "composite"),
                element: "\(owner).\(attribute.name)"
            )
        }
    }
    return faults
}

private func indexFaults(of entity: Entity, in graph: ModelGraph) -> [Diagnostic] {
    func unknown(_ names: [String], _ kind: String, at source: SourceMark) -> [Diagnostic] {
        names.filter { graph.property($0, of: entity) == nil }.map { name in
            Diagnostic(
                .unknownReference,
                "\(kind) of '\(entity.name)' names the unknown property '\(name)'",
                severity: .warning,
                at: source.element,
                element: entity.name
            )
        }
    }
    let constraints = entity.uniquenessConstraints.flatMap {
        unknown($0.properties, "a uniqueness constraint", at: $0.source)
    }
    let indexes = entity.fetchIndexes.flatMap { index in
        let names = index.elements.compactMap { element in
            if case .property(let name) = element.subject { name } else { nil }
        }
        return unknown(names, "fetch index '\(index.name)'", at: index.source)
    }
    return constraints + indexes
}

private func referenceFaults(_ graph: ModelGraph) -> [Diagnostic] {
    let members = graph.model.configurations.flatMap { configuration in
        configuration.memberEntities.map {
            ("configuration", configuration.name, $0, configuration.source)
        }
    }
    let requests = graph.model.fetchRequestTemplates.compactMap { request in
        request.entity.map { ("fetch request", request.name, $0, request.source) }
    }
    return (members + requests).filter { graph.entity($0.2) == nil }.map {
        kind,
        name,
        entity,
        source in
        Diagnostic(
            .unknownReference,
            "\(kind) '\(name)' names the unknown entity '\(entity)'",
            severity: .warning,
            at: source.element,
            element: name
        )
    }
}

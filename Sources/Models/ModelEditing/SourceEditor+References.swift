extension SourceEditor {
    /// The references to an element that are meaningless without it, in the order of the source.
    func references(to path: ElementPath) -> [ElementPath] { references(to: [path]) }

    /// The references to removed elements without a replacement: no element of the name, and no inherited property.
    var looseEnds: [ElementPath] {
        let graph = EntityGraph(tree.root)
        let gone = Set(removed).filter { path in
            guard find(path) == nil else { return false }
            guard path.parent.kind == .entity, path.kind.map(Self.properties.contains) == true
            else { return true }
            return graph.chain(from: path.parent.key).allSatisfy { entity in
                Self.properties.allSatisfy { find(.entity(entity).appending($0, path.key)) == nil }
            }
        }
        return gone.isEmpty ? [] : references(to: gone)
    }

    private static let properties: [ElementKind] = [.attribute, .relationship, .fetchedProperty]

    /// The references to any of some elements, in one walk through the source.
    private func references(to paths: Set<ElementPath>) -> [ElementPath] {
        var seen = paths
        return (relations(to: paths) + mentions(of: paths)).filter { found in
            let isInside = found.steps.indices.contains { index in
                paths.contains(ElementPath(Array(found.steps[...index])))
            }
            return !isInside && seen.insert(found).inserted
        }
    }

    private func relations(to paths: Set<ElementPath>) -> [ElementPath] {
        func isGone(_ entity: String?) -> Bool {
            entity.map { paths.contains(.entity($0)) } ?? false
        }
        var found: [ElementPath] = []
        for entity in tree.root.children("entity") {
            let here = ElementPath.entity(entity["name"] ?? "")
            if isGone(entity["parentEntity"]) { found.append(here) }
            for attribute in entity.children("attribute") {
                guard let name = attribute["composite"],
                    paths.contains(ElementPath([.init(.composite, name)]))
                else { continue }
                found.append(here.appending(.attribute, attribute["name"] ?? ""))
            }
            for relationship in entity.children("relationship") {
                let owner = relationship["inverseEntity"]
                let inverse = owner.map {
                    ElementPath.entity($0).appending(
                        .relationship,
                        relationship["inverseName"] ?? ""
                    )
                }
                guard
                    isGone(relationship["destinationEntity"]) || isGone(owner)
                        || inverse.map(paths.contains) == true
                else { continue }
                found.append(here.appending(.relationship, relationship["name"] ?? ""))
            }
            for property in entity.children("fetchedProperty")
            where property.children("fetchRequest").contains(where: { isGone($0["entity"]) }) {
                found.append(here.appending(.fetchedProperty, property["name"] ?? ""))
            }
        }
        for request in tree.root.children("fetchRequest") where isGone(request["entity"]) {
            found.append(.model.appending(.fetchRequest, request["name"] ?? ""))
        }
        return found
    }

    private func mentions(of paths: Set<ElementPath>) -> [ElementPath] {
        var owners: [String: [EntityGraph.Owner]] = [:]
        for path in paths {
            switch path.kind {
            case .attribute, .relationship, .fetchedProperty:
                owners[path.key, default: []].append(.entity(path.parent.key))
            case .element: owners[path.key, default: []].append(.composite(path.parent.key))
            case .entity, .index, .constraint, .compoundIndex, .composite, .fetchRequest, .request,
                .configuration, .member, .userInfo, .diagram, nil:
                break
            }
        }
        guard !owners.isEmpty else { return [] }
        let graph = EntityGraph(tree.root)
        var found: [ElementPath] = []
        for text in texts() {
            var isNamed = false
            _ = TextNames(graph, root: text.entity, source: text.source).mapped(
                text.node[text.attribute] ?? ""
            ) {
                name,
                here in
                if let known = owners[name] {
                    isNamed = isNamed || known.contains { Self.belongs(here, to: $0, graph) }
                }
                return name
            }
            if isNamed { found.append(text.path) }
        }
        return found
    }

    /// Removes an element with all references to it, and the references to those.
    mutating func removeWithReferences(_ path: ElementPath) throws(EditFault) {
        _ = try require(path)
        if path.kind == .entity {
            // References to its properties go first: their names are known only while it exists.
            let node = try require(path).node
            let properties = [ElementKind.relationship, .attribute].flatMap { kind in
                node.children(kind.xml).map { path.appending(kind, $0["name"] ?? "") }
            }
            for reference in references(to: Set(properties))
            where !reference.steps.starts(with: path.steps) && find(reference) != nil {
                try removeWithReferences(reference)
            }
        }
        let references = references(to: path)
        try remove(path)
        for reference in references where find(reference) != nil {
            try removeWithReferences(reference)
        }
    }
}

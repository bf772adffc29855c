extension SourceEditor {
    /// What refers to an element and has no meaning without it, in the order of the source.
    func references(to path: ElementPath) -> [ElementPath] {
        var found: [ElementPath] = []
        switch path.kind {
        case .entity: found = references(toEntity: path.key)
        case .attribute, .relationship, .fetchedProperty:
            found = relationships(to: path.parent.key, named: path.key).map { node, entity in
                ElementPath.entity(entity["name"] ?? "")
                    .appending(.relationship, node["name"] ?? "")
            }
            found += mentions(of: path.key, of: .entity(path.parent.key))
        case .element: found = mentions(of: path.key, of: .composite(path.parent.key))
        case .composite:
            for entity in tree.root.children("entity") {
                for attribute in entity.children("attribute")
                where attribute["composite"] == path.key {
                    let owner = ElementPath.entity(entity["name"] ?? "")
                    found.append(owner.appending(.attribute, attribute["name"] ?? ""))
                }
            }
        default: break
        }
        var seen: Set<ElementPath> = [path]
        return found.filter { !$0.steps.starts(with: path.steps) && seen.insert($0).inserted }
    }

    private func references(toEntity name: String) -> [ElementPath] {
        var found: [ElementPath] = []
        for entity in tree.root.children("entity") {
            let here = ElementPath.entity(entity["name"] ?? "")
            if entity["parentEntity"] == name { found.append(here) }
            for relationship in entity.children("relationship")
            where relationship["destinationEntity"] == name || relationship["inverseEntity"] == name
            {
                found.append(here.appending(.relationship, relationship["name"] ?? ""))
            }
            for property in entity.children("fetchedProperty")
            where property.children("fetchRequest").contains(where: { $0["entity"] == name }) {
                found.append(here.appending(.fetchedProperty, property["name"] ?? ""))
            }
        }
        for request in tree.root.children("fetchRequest") where request["entity"] == name {
            found.append(.model.appending(.fetchRequest, request["name"] ?? ""))
        }
        return found
    }

    private func mentions(of name: String, of owner: EntityGraph.Owner) -> [ElementPath] {
        let graph = EntityGraph(tree.root)
        var found: [ElementPath] = []
        for text in texts() {
            var isNamed = false
            _ = TextNames(graph, root: text.entity).mapped(text.node[text.attribute] ?? "") {
                if $0 == name, Self.belongs($1, to: owner, graph) { isNamed = true }
                return $0
            }
            if isNamed { found.append(text.path) }
        }
        return found
    }

    /// Takes an element away with all that refers to it, and to that.
    mutating func removeWithReferences(_ path: ElementPath) throws(EditFault) {
        _ = try require(path)
        if path.kind == .entity {
            // What refers to its properties goes first: their names are known only as long as it is there.
            let node = try require(path).node
            for kind in [ElementKind.relationship, .attribute] {
                for child in node.children(kind.xml) {
                    let inner = path.appending(kind, child["name"] ?? "")
                    for reference in references(to: inner)
                    where !reference.steps.starts(with: path.steps) && find(reference) != nil {
                        try removeWithReferences(reference)
                    }
                }
            }
        }
        let references = references(to: path)
        try remove(path)
        for reference in references where find(reference) != nil {
            try removeWithReferences(reference)
        }
    }
}

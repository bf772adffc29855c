import ModelCompiling

extension SourceEditor {
    mutating func rename(_ path: ElementPath, to name: String) throws(EditFault) {
        guard let kind = path.kind, let key = kind.keyAttribute, kind != .diagram, kind != .member
        else { throw EditFault("\(path.text) has no name") }
        try requireName(name, of: kind)
        let place = try require(path)
        let target = path.parent.appending(kind, name)
        guard path.key != name else { return }
        guard find(target) == nil else { throw Self.occupied(target) }
        switch kind {
        case .entity: renameMentions(ofEntity: path.key, to: name)
        case .attribute, .relationship, .fetchedProperty:
            renameMentions(of: path.key, of: .entity(path.parent.key), to: name)
        case .element: renameMentions(of: path.key, of: .composite(path.parent.key), to: name)
        case .composite:
            for entity in tree.root.children("entity") {
                for attribute in entity.children("attribute")
                where attribute["composite"] == path.key {
                    tree.set("composite", name, of: attribute)
                }
            }
        default: break
        }
        let node = place.node
        tree.set(key, name, of: node)
        if kind.isMigrated {
            // Stores know the oldest name of the chain; back at it, no identifier is needed.
            let identifier = node["elementID"] ?? path.key
            tree.set("elementID", identifier == name ? nil : identifier, of: node)
        }
        resort(node, in: place.holder, key: kind.isSorted ? key : nil)
    }

    /// Moves a renamed element to its sorted position, if its neighbours do not fit it.
    private func resort(_ node: SourceNode, in holder: SourceNode, key: String?) {
        guard let key, let place = holder.children.firstIndex(where: { $0 === node }) else {
            return
        }
        let likes = holder.children.filter { $0.name == node.name }
        guard let index = likes.firstIndex(where: { $0 === node }) else { return }
        let name = SourceNameOrder(node[key] ?? "")
        let fitsBefore = index == 0 || !(name < SourceNameOrder(likes[index - 1][key] ?? ""))
        let fitsAfter =
            index == likes.count - 1 || !(SourceNameOrder(likes[index + 1][key] ?? "") < name)
        guard !fitsBefore || !fitsAfter else { return }
        holder.children.remove(at: place)
        let last = holder.children.lastIndex { $0.name == node.name }
        let next = holder.children.firstIndex {
            $0.name == node.name && SourceNameOrder($0[key] ?? "") > name
        }
        holder.children.insert(node, at: next ?? last.map { $0 + 1 } ?? place)
    }

    private func renameMentions(ofEntity old: String, to new: String) {
        let root = tree.root
        for entity in root.children("entity") {
            replace("parentEntity", old, new, of: entity)
            for relationship in entity.children("relationship") {
                replace("destinationEntity", old, new, of: relationship)
                replace("inverseEntity", old, new, of: relationship)
            }
            for property in entity.children("fetchedProperty") {
                for request in property.children("fetchRequest") {
                    replace("entity", old, new, of: request)
                }
            }
            guard entity["name"] == old, let className = entity["representedClassName"] else {
                continue
            }
            // The class keeps its module, or the dot for the current one.
            let parts = className.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.last.map(String.init) == old else { continue }
            let renamed = (parts.dropLast().map(String.init) + [new]).joined(separator: ".")
            tree.set("representedClassName", renamed, of: entity)
        }
        for request in root.children("fetchRequest") { replace("entity", old, new, of: request) }
        for configuration in root.children("configuration") {
            for member in configuration.children("memberEntity") {
                replace("name", old, new, of: member)
            }
        }
        for element in root.children("elements").flatMap({ $0.children("element") }) {
            replace("name", old, new, of: element)
        }
    }

    private func replace(_ attribute: String, _ old: String, _ new: String, of node: SourceNode) {
        if node[attribute] == old { tree.set(attribute, new, of: node) }
    }

    /// The relationships whose inverse is a property of an entity, with the entities that have them.
    func relationships(
        to entity: String,
        named name: String
    ) -> [(node: SourceNode, entity: SourceNode)] {
        tree.root.children("entity").flatMap { owner in
            owner.children("relationship").filter {
                $0["inverseName"] == name && $0["inverseEntity"] == entity
            }.map { ($0, owner) }
        }
    }

    private mutating func renameMentions(
        of old: String,
        of owner: EntityGraph.Owner,
        to new: String
    ) {
        if case .entity(let entity) = owner {
            for (node, _) in relationships(to: entity, named: old) {
                tree.set("inverseName", new, of: node)
            }
        }
        let graph = EntityGraph(tree.root)
        for text in texts() {
            let names = TextNames(graph, root: text.entity, source: text.source)
            let value = text.node[text.attribute] ?? ""
            let renamed = names.mapped(value) { name, here in
                name == old && Self.belongs(here, to: owner, graph) ? new : name
            }
            if renamed != value { tree.set(text.attribute, renamed, of: text.node) }
        }
    }

    /// Whether an owner is the given entity, or inherits from it.
    static func belongs(
        _ here: EntityGraph.Owner,
        to owner: EntityGraph.Owner,
        _ graph: EntityGraph
    ) -> Bool {
        switch (here, owner) {
        case (.entity(let one), .entity(let other)): graph.isKind(one, of: other)
        default: here == owner
        }
    }

    struct NamingText {
        var node: SourceNode
        var attribute: String
        var entity: String
        /// The entity that `$FETCH_SOURCE` is an object of.
        var source: String?
        /// The element to remove when it becomes meaningless.
        var path: ElementPath
    }

    /// All texts that name properties: key paths, predicates, derivations.
    func texts() -> [NamingText] {
        var texts: [NamingText] = []
        for entity in tree.root.children("entity") {
            let name = entity["name"] ?? ""
            let here = ElementPath.entity(name)
            func add(_ node: SourceNode, _ attribute: String, _ path: ElementPath, of owner: String)
            {
                guard node[attribute] != nil else { return }
                texts.append(.init(node: node, attribute: attribute, entity: owner, path: path))
            }
            for attribute in entity.children("attribute") {
                let path = here.appending(.attribute, attribute["name"] ?? "")
                add(attribute, "derivationExpression", path, of: name)
            }
            for property in entity.children("fetchedProperty") {
                let path = here.appending(.fetchedProperty, property["name"] ?? "")
                let start = texts.count
                for request in property.children("fetchRequest") {
                    add(request, "predicateString", path, of: request["entity"] ?? name)
                }
                for index in texts.indices[start...] { texts[index].source = name }
            }
            for index in entity.children("fetchIndex") {
                let path = here.appending(.index, index["name"] ?? "")
                add(index, "partialIndexPredicate", path, of: name)
                for element in index.children("fetchIndexElement") {
                    add(element, "property", path, of: name)
                    add(element, "expression", path, of: name)
                }
            }
            for kind in [ElementKind.constraint, .compoundIndex] {
                let lists = entity.children(kind.container ?? "").flatMap { $0.children(kind.xml) }
                for list in lists {
                    let path = here.appending(kind, kind.key(of: list))
                    for part in list.children(kind.part ?? "") {
                        add(part, "value", path, of: name)
                    }
                }
            }
        }
        for request in tree.root.children("fetchRequest") where request["predicateString"] != nil {
            let path = ElementPath.model.appending(.fetchRequest, request["name"] ?? "")
            let entity = request["entity"] ?? ""
            texts.append(
                .init(node: request, attribute: "predicateString", entity: entity, path: path)
            )
        }
        return texts
    }
}

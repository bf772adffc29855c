import Diagnostics

struct SourceEditor {
    let tree: SourceTree
    private let knowsAll: Bool
    /// What was removed without references to it.
    private(set) var removed: [ElementPath] = []

    init(_ tree: SourceTree, knowsAll: Bool = false) {
        (self.tree, self.knowsAll) = (tree, knowsAll)
    }

    /// Applies an edit; throws when there is nothing that it could change, or something in its way.
    mutating func apply(_ edit: ModelEdit) throws(EditFault) {
        let settings = edit.settings.own + edit.settings.parts.flatMap(\.self)
        for setting in settings where !ModelEdit.isName(setting.name) {
            throw EditFault("'\(setting.name)' is not a setting")
        }
        for setting in settings where !(setting.value ?? "").unicodeScalars.allSatisfy(isText) {
            throw EditFault(
                "the value of '\(setting.name)' has a character that a source cannot contain"
            )
        }
        if knowsAll { try requireKnown(edit) }
        switch edit {
        case .add(let path, let settings): try add(path, settings)
        case .insert(let path, let settings, let parts): try insert(path, settings, parts)
        case .remove(let path):
            try remove(path)
            removed.append(path)
        case .removeWithReferences(let path): try removeWithReferences(path)
        case .rename(let path, let name): try rename(path, to: name)
        case .move(let path, let entity): try move(path, to: entity)
        case .set(let path, let settings): try set(path, settings)
        case .setParts(let path, let parts): try setParts(path, parts)
        case .order(let path, let steps): try order(path, steps)
        }
    }

    struct Place {
        var node: SourceNode
        /// The element around it: its owner, or the list that contains it.
        var holder: SourceNode
        var owner: SourceNode
    }

    func find(_ path: ElementPath) -> Place? {
        var place = Place(node: tree.root, holder: tree.root, owner: tree.root)
        for step in path.steps {
            let owner = place.node
            guard let holder = holder(step.kind.container, of: owner) else { return nil }
            if step.key.isEmpty, step.kind.container != nil, holder.children.isEmpty {
                place = Place(node: holder, holder: owner, owner: owner)
                continue
            }
            guard
                let node = holder.children.first(where: {
                    $0.name == step.kind.xml && step.kind.key(of: $0) == step.key
                })
            else { return nil }
            place = Place(node: node, holder: holder, owner: owner)
        }
        return place
    }

    /// The element that lists the given ones: a container, or the owner itself.
    func holder(_ container: String?, of owner: SourceNode) -> SourceNode? {
        guard let container else { return owner }
        return owner.children(container).first
    }

    /// Finds an element that must exist.
    func require(_ path: ElementPath) throws(EditFault) -> Place {
        guard let place = find(path) else { throw missing(path) }
        return place
    }

    private func depth(of path: ElementPath) -> Int {
        path.steps.reduce(0) { $0 + ($1.kind.container == nil ? 1 : 2) }
    }

    mutating func insert(
        _ path: ElementPath,
        _ settings: [ElementSetting],
        _ parts: [[ElementSetting]]
    ) throws(EditFault) {
        guard let kind = path.kind else { throw EditFault("a model cannot be added to itself") }
        guard kind.parents.contains(path.parent.kind) else {
            throw EditFault("\(path.text) is not allowed there")
        }
        guard find(path) == nil else {
            throw EditFault(
                saying:
                    "\(path.text) already exists; choose another name, or change it with \(.setting)"
            )
        }
        try requireName(path.key, of: kind)
        let owner = try require(path.parent).node
        let depth = depth(of: path)
        if let container = kind.container, path.key.isEmpty {
            // An empty list, such as Xcode leaves.
            let holder = SourceNode(container, gap: "")
            return tree.insert(holder, into: owner, depth: depth - 1, sortedBy: nil)
        }
        var settings = settings
        if let name = kind.keyAttribute, !settings.contains(where: { $0.name == name }) {
            settings.insert(ElementSetting(name, path.key), at: 0)
        }
        let node = tree.makeNode(kind.xml, settings)
        if let part = kind.part {
            let lists =
                kind.isList
                ? path.key.split(separator: ",").map { [ElementSetting("value", String($0))] }
                : parts
            for list in lists {
                let element = tree.makeNode(part, list)
                tree.insert(element, into: node, depth: depth + 1, at: node.children.count)
            }
        }
        let key = kind.isSorted ? kind.keyAttribute : nil
        guard let container = kind.container else {
            tree.insert(node, into: owner, depth: depth, sortedBy: key)
            return
        }
        if owner.children(container).isEmpty {
            let holder = SourceNode(container, gap: "")
            tree.insert(holder, into: owner, depth: depth - 1, sortedBy: nil)
        }
        guard let holder = owner.children(container).first else { return }
        tree.insert(node, into: holder, depth: depth, sortedBy: key)
    }

    mutating func remove(_ path: ElementPath) throws(EditFault) {
        guard let kind = path.kind else { throw EditFault("a model cannot be removed from itself") }
        let place = try require(path)
        tree.remove(place.node, from: place.holder)
        if kind.container != nil, place.holder !== place.owner, place.holder.children.isEmpty {
            tree.remove(place.holder, from: place.owner)
        }
        // Texts that are meaningless without it, and have no value of their own.
        if kind == .entity {
            let diagram = ElementPath.model.appending(.diagram, path.key)
            if find(diagram) != nil { try remove(diagram) }
            for configuration in tree.root.children("configuration") {
                let owner = ElementPath([.init(.configuration, configuration["name"] ?? "")])
                let member = owner.appending(.member, path.key)
                if find(member) != nil { try remove(member) }
            }
        }
    }

    mutating func setParts(_ path: ElementPath, _ parts: [[ElementSetting]]) throws(EditFault) {
        guard let kind = path.kind, let part = kind.part, !kind.isList else {
            throw EditFault("\(path.text) has no elements")
        }
        let node = try require(path).node
        for child in node.children(part) { tree.remove(child, from: node) }
        for list in parts {
            let depth = depth(of: path) + 1
            tree.insert(
                tree.makeNode(part, list),
                into: node,
                depth: depth,
                at: node.children.count
            )
        }
    }

    /// Refuses a name that already exists.
    static func occupied(_ path: ElementPath) -> EditFault {
        EditFault("\(path.text) already exists; choose another name")
    }

    mutating func move(_ path: ElementPath, to entity: ElementPath) throws(EditFault) {
        guard let kind = path.kind, path.parent.kind == .entity, entity.kind == .entity else {
            throw EditFault("only parts of an entity can be moved, and only to another entity")
        }
        let target = entity.appending(kind, path.key)
        guard find(target) == nil else { throw Self.occupied(target) }
        let owner = try require(entity).node
        let place = try require(path)
        tree.remove(place.node, from: place.holder)
        let key = kind.isSorted ? kind.keyAttribute : nil
        tree.insert(place.node, into: owner, depth: depth(of: target), sortedBy: key)
        for (node, _) in relationships(to: path.parent.key, named: path.key) {
            tree.set("inverseEntity", entity.key, of: node)
        }
    }

    mutating func order(_ path: ElementPath, _ steps: [ElementPath.Step]) throws(EditFault) {
        let owner = try require(path).node
        let holders = Set(steps.map(\.kind.container))
        for container in holders {
            guard let holder = holder(container, of: owner) else { continue }
            let mine = steps.filter { $0.kind.container == container }
            var rest = holder.children
            let gaps = rest.map(\.gap)
            var ordered: [SourceNode] = []
            for step in mine {
                guard
                    let index = rest.firstIndex(where: {
                        $0.name == step.kind.xml && step.kind.key(of: $0) == step.key
                    })
                else { throw missing(path.appending(step.kind, step.key)) }
                ordered.append(rest.remove(at: index))
            }
            let places = holder.children.indices.filter { index in
                ordered.contains { $0 === holder.children[index] }
            }
            for (place, node) in zip(places, ordered) {
                holder.children[place] = node
                if !gaps[place].contains("<"), !node.gap.contains("<") { node.gap = gaps[place] }
            }
        }
    }

    /// Refuses names that texts could not refer to.
    func requireName(_ name: String, of kind: ElementKind) throws(EditFault) {
        let isFree = kind.container != nil || kind == .request
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard isFree || !name.isEmpty, isPlain else {
            throw EditFault("'\(name)' is not a valid \(kind.rawValue) name")
        }
        switch kind {
        case .entity, .attribute, .relationship, .fetchedProperty, .composite, .element:
            let first = name.unicodeScalars.first
            guard first.map({ $0.properties.isAlphabetic || $0 == "_" }) == true,
                name.unicodeScalars.allSatisfy({
                    $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_"
                })
            else {
                throw EditFault(
                    "'\(name)' is not a valid \(kind.rawValue) name: use letters, digits and _"
                )
            }
        default: break
        }
    }
}

private func isText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
}

import Diagnostics

extension SourceEditor {
    func missing(_ path: ElementPath) -> EditFault {
        var owner = ElementPath.model
        for step in path.steps {
            let next = owner.appending(step.kind, step.key)
            if find(next) == nil {
                return EditFault(saying: "there is no \(path.text)\(advice(for: step, in: owner))")
            }
            owner = next
        }
        return EditFault("there is no \(path.text)")
    }

    /// The fault that nothing has a name that was given without its kind, such as `Book.titel`.
    func missing(named text: String) -> EditFault {
        func fault(_ advice: Wording) -> EditFault {
            EditFault(saying: "there is no '\(text)'\(advice)")
        }
        let outer = tree.root.children.compactMap { $0["name"] }
        guard let dot = text.firstIndex(of: ".") else {
            let near = suggestion(for: text, among: outer)
            guard near.isEmpty else { return fault(Wording(near)) }
            let owners = tree.root.children.filter { entity in
                entity.name == "entity" && Self.properties(of: entity).contains(text)
            }.compactMap { $0["name"] }
            let words = text.split(separator: " ").map(String.init)
            guard words.count != 2 || !outer.contains(words[0]) else {
                return fault("; did you mean '\(words[0]).\(words[1])'")
            }
            return fault(
                owners.first.map { "; name a property with its entity: '\($0).\(text)'" } ?? ""
            )
        }
        let (name, key) = (String(text[..<dot]), String(text[text.index(after: dot)...]))
        guard let owner = tree.root.children.first(where: { $0["name"] == name }) else {
            let near = nearestName(to: name, among: outer).map { "\($0).\(key)" }
            return fault(near.map { "; did you mean '\($0)'" } ?? "")
        }
        if owner.name == "entity" {
            return fault(advice(for: .init(.attribute, key), in: .entity(name)))
        }
        let inner = nearestName(to: key, among: owner.children.compactMap { $0["name"] })
        return fault(inner.map { "; did you mean '\(name).\($0)'" } ?? "")
    }

    /// Suggests what a step probably means in an element; inherited properties come with their entity.
    private func advice(for step: ElementPath.Step, in owner: ElementPath) -> Wording {
        guard let node = find(owner)?.node else { return "" }
        let isProperty = [.attribute, .relationship, .fetchedProperty].contains(step.kind)
        guard isProperty, owner.kind == .entity else {
            let likes = holder(step.kind.container, of: node)?.children(step.kind.xml) ?? []
            let names = likes.map(step.kind.key)
            let near = suggestion(for: step.key, among: names)
            guard near.isEmpty, !names.isEmpty else { return Wording(near) }
            return "; there are \(names.listed(most: 20))"
        }
        let graph = EntityGraph(tree.root)
        for entity in graph.chain(from: owner.key).dropFirst() {
            let properties = find(.entity(entity)).map { Self.properties(of: $0.node) } ?? []
            if properties.contains(step.key) {
                return "; it is inherited: name '\(entity).\(step.key)'"
            }
        }
        let names = Self.properties(of: node)
        // The value of an option may have been mistaken for part of the name.
        let first = step.key.split(separator: " ").first.map(String.init)
        if let first, first != step.key, names.contains(first) {
            let rest = step.key.dropFirst(first.count).drop { $0 == " " }
            return
                "; did you mean '\(owner.key).\(first)'; '\(rest)' is not part of the name: \(.settings)"
        }
        let near = nearestName(to: step.key, among: names)
        return near.map { "; did you mean '\(owner.key).\($0)'" } ?? ""
    }

    private static func properties(of entity: SourceNode) -> [String] {
        ["attribute", "relationship", "fetchedProperty"].flatMap { entity.children($0) }
            .compactMap { $0["name"] }
    }
}

struct EditDifference {
    private(set) var edits: [ModelEdit] = []
    private var editor: SourceEditor
    private let target: SourceEditor

    init(from old: SourceTree, to new: SourceTree) throws(EditFault) {
        editor = SourceEditor(old)
        target = SourceEditor(new)
        try rename(in: .model, [.entity])
        try renameInner(.model)
        try compare(.model)
    }

    /// The settings that imply each other.
    private static let groups = [
        ["toMany", "maxCount"], ["inverseName", "inverseEntity"],
        ["derivationExpression", "derived"],
    ]

    private mutating func perform(_ edit: ModelEdit) throws(EditFault) {
        edits.append(edit)
        try editor.apply(edit)
    }

    private func children(_ editor: SourceEditor, _ path: ElementPath) -> [ElementPath.Step] {
        guard let node = editor.find(path)?.node else { return [] }
        var steps: [ElementPath.Step] = []
        for kind in ElementKind.kinds(in: path.kind) {
            let holder = editor.holder(kind.container, of: node)
            let found = holder?.children(kind.xml) ?? []
            steps += found.map { .init(kind, kind.key(of: $0)) }
            let isEmptyList = kind.container != nil && holder?.children.isEmpty == true
            if isEmptyList { steps.append(.init(kind, "")) }
        }
        return steps
    }

    private mutating func renameInner(_ path: ElementPath) throws(EditFault) {
        for step in children(target, path) where step.kind == .entity || step.kind == .composite {
            let inner = path.appending(step.kind, step.key)
            guard editor.find(inner) != nil else { continue }
            try rename(in: inner, [.attribute, .relationship, .element])
        }
    }

    /// Finds renames by the renaming identifier.
    private mutating func rename(
        in path: ElementPath,
        _ kinds: Set<ElementKind>
    ) throws(EditFault) {
        let after = Set(children(target, path))
        for step in children(target, path) where kinds.contains(step.kind) {
            let new = path.appending(step.kind, step.key)
            guard editor.find(new) == nil, let identifier = target.find(new)?.node["elementID"]
            else { continue }
            let former = children(editor, path).filter { candidate in
                guard candidate.kind == step.kind, !after.contains(candidate) else { return false }
                let node = editor.find(path.appending(candidate.kind, candidate.key))?.node
                return (node?["elementID"] ?? candidate.key) == identifier
            }
            guard former.count == 1 else { continue }
            try perform(.rename(path.appending(step.kind, former[0].key), to: step.key))
        }
    }

    private mutating func compare(_ path: ElementPath) throws(EditFault) {
        try compareSettings(path)
        let (before, after) = (children(editor, path), children(target, path))
        let (old, new) = (Set(before), Set(after))
        guard old.count == before.count, new.count == after.count else {
            throw EditFault("two elements in \(path.text) have the same name")
        }
        for step in before where !new.contains(step) {
            let inner = path.appending(step.kind, step.key)
            // The diagram and the configurations went with their entity.
            if editor.find(inner) != nil { try perform(.remove(inner)) }
        }
        for step in after {
            let inner = path.appending(step.kind, step.key)
            if editor.find(inner) == nil { try insert(inner) }
            let isEmptyList = step.key.isEmpty && step.kind.container != nil
            if !isEmptyList { try compare(inner) }
        }
        for container in Set(after.map(\.kind.container)) {
            let mine = { (step: ElementPath.Step) in step.kind.container == container }
            let wanted = shownOrder(target, path, container)
            guard shownOrder(editor, path, container) != wanted,
                Set(wanted) == Set(after.filter(mine))
            else { continue }
            try perform(.order(path, wanted))
        }
    }

    /// The elements of a list, in file order.
    private func shownOrder(
        _ editor: SourceEditor,
        _ path: ElementPath,
        _ container: String?
    ) -> [ElementPath.Step] {
        guard let node = editor.find(path)?.node else { return [] }
        let holder = editor.holder(container, of: node)
        let kinds = ElementKind.kinds(in: path.kind).filter { $0.container == container }
        return (holder?.children ?? []).compactMap { child in
            kinds.first { $0.xml == child.name }.map { .init($0, $0.key(of: child)) }
        }
    }

    private func settings(_ node: SourceNode) -> [ElementSetting] {
        node.attributes.map { ElementSetting($0.name, $0.value) }
    }

    private func parts(_ node: SourceNode, _ kind: ElementKind?) -> [[ElementSetting]] {
        guard let kind, let part = kind.part, !kind.isList else { return [] }
        return node.children(part).map(settings)
    }

    private mutating func insert(_ path: ElementPath) throws(EditFault) {
        guard let node = target.find(path)?.node else { return }
        let isEmptyList = path.key.isEmpty && path.kind?.container != nil
        if isEmptyList { return try perform(.insert(path, [], parts: [])) }
        let own = settings(node).filter { $0.name != path.kind?.keyAttribute }
        try perform(.insert(path, own, parts: parts(node, path.kind)))
    }

    private mutating func compareSettings(_ path: ElementPath) throws(EditFault) {
        guard let old = editor.find(path)?.node, let new = target.find(path)?.node else { return }
        var changes: [ElementSetting] = []
        for attribute in old.attributes where new[attribute.name] == nil {
            changes.append(ElementSetting(attribute.name, nil))
        }
        for attribute in new.attributes where old[attribute.name] != attribute.value {
            changes.append(ElementSetting(attribute.name, attribute.value))
        }
        // A single setting would imply the others of its group, so these are written too.
        for group in Self.groups where changes.contains(where: { group.contains($0.name) }) {
            for name in group where !changes.contains(where: { $0.name == name }) {
                changes.append(ElementSetting(name, new[name]))
            }
        }
        if let type = changes.last(where: { $0.name == "attributeType" })?.value {
            changes += editor.retyping(old, to: type, beside: changes)
                .map { ElementSetting($0.name, new[$0.name]) }
        }
        if !changes.isEmpty { try perform(.set(path, changes)) }
        let wanted = parts(new, path.kind)
        if parts(old, path.kind) != wanted { try perform(.setParts(path, wanted)) }
    }
}

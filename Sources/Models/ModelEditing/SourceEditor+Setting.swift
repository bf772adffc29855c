import Essentials
import ObjectModel

// The implications of a setting, common to adding and changing elements.
extension SourceEditor {
    mutating func set(_ path: ElementPath, _ settings: [ElementSetting]) throws(EditFault) {
        let node = try require(path).node
        let former = Self.inverse(of: node)
        let (all, inner) = Self.split(completed(settings, of: path.kind, node), of: path.kind)
        let isTyped = path.kind == .attribute || path.kind == .element
        for setting in all {
            if let key = path.kind?.keyAttribute, setting.name == key {
                throw EditFault("to change '\(key)' of \(path.text), rename it")
            }
            if isTyped, setting.name == "attributeType", let type = setting.value {
                try AttributeType.require(type)
            }
            guard path.kind != .index || setting.name != "properties" else {
                try setParts(path, Self.parts(indexing: setting.value ?? ""))
                continue
            }
            tree.set(setting.name, setting.value, of: node)
        }
        if path.steps.isEmpty { tree.arrangeModelAttributes() }
        if path.kind == .fetchedProperty, !inner.isEmpty {
            let request = path.appending(.request, "")
            let name = ElementSetting("name", "fetchedPropertyFetchRequest")
            if find(request) == nil {
                try add(request, [name] + inner)
            } else {
                try set(request, inner)
            }
        }
        let names = Set(all.map(\.name))
        if path.kind == .relationship, names.contains("inverseName"),
            !names.contains("inverseEntity")
        {
            try tieInverse(of: path, node, former)
        }
    }

    /// The settings in Xcode's words, with the ones that they imply.
    ///
    /// The given ones are not completed: the edits between two files give all that belongs together. A `kind` of `nil`
    /// means the model, a `node` of `nil` a new element.
    func completed(
        _ settings: [ElementSetting],
        of kind: ElementKind?,
        _ node: SourceNode?
    ) -> [ElementSetting] {
        var all = settings.map(\.written)
        func given(_ name: String) -> ElementSetting? { all.last { $0.name == name } }
        switch kind {
        case .attribute, .element:
            if let derivation = given("derivationExpression"), given("derived") == nil {
                all.append(ElementSetting("derived", derivation.value == nil ? nil : "YES"))
            }
            if let node, let type = given("attributeType")?.value {
                all += retyping(node, to: type, beside: all)
            }
            let type = given("attributeType").map(\.value) ?? node?["attributeType"]
            guard type == "Boolean" else { break }
            let words = [
                "true": "YES", "yes": "YES", "1": "YES", "false": "NO", "no": "NO", "0": "NO",
            ]
            for index in all.indices where all[index].name == "defaultValueString" {
                let value = all[index].value
                all[index].value = value.map { words[$0.lowercased()] ?? $0 }
            }
        case .relationship:
            guard let many = given("toMany"), given("maxCount") == nil, let node else { break }
            if many.value == nil { all.append(ElementSetting("maxCount", "1")) }
            if many.value == "YES", node["maxCount"] == "1" {
                all.append(ElementSetting("maxCount", nil))
            }
        case .entity, .fetchedProperty, .index, .constraint, .compoundIndex, .composite,
            .fetchRequest, .request, .configuration, .member, .userInfo, .diagram, nil:
            break
        }
        return all
    }

    /// Separates the settings of a fetched property's fetch request from its own.
    static func split(
        _ settings: [ElementSetting],
        of kind: ElementKind?
    ) -> (own: [ElementSetting], inner: [ElementSetting]) {
        guard kind == .fetchedProperty else { return (settings, []) }
        let names = Set(ElementKind.settings(of: .request)).subtracting(["name"])
        let own = settings.filter { !names.contains($0.name) }
        return (own, settings.filter { names.contains($0.name) })
    }

    /// The elements of a fetch index, from comma-separated names.
    static func parts(indexing names: String) -> [[ElementSetting]] {
        names.split(separator: ",").map { name in
            [
                ElementSetting("property", name.trimmed), ElementSetting("type", "Binary"),
                ElementSetting("order", "ascending"),
            ]
        }
    }

    private static func inverse(of node: SourceNode) -> ElementPath? {
        guard let entity = node["inverseEntity"], let name = node["inverseName"] else { return nil }
        return .relationship(name, of: entity)
    }

    /// Sets the inverse of a relationship, made where it is missing, and releases the previous one.
    private mutating func tieInverse(
        of path: ElementPath,
        _ node: SourceNode,
        _ former: ElementPath?
    ) throws(EditFault) {
        let end = node["destinationEntity"] ?? ""
        let other = node["inverseName"].map { ElementPath.relationship($0, of: end) }
        if let former, former != other, let side = find(former)?.node,
            Self.inverse(of: side) == path
        {
            tree.set("inverseName", nil, of: side)
            tree.set("inverseEntity", nil, of: side)
        }
        tree.set("inverseEntity", other == nil ? nil : end, of: node)
        guard let other else { return }
        _ = try require(.entity(end))
        try matchInverse(of: path, ["inverseName": other.key, "destinationEntity": end])
    }
}

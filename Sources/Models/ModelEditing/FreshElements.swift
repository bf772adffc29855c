import Diagnostics
package import ObjectModel

extension SourceEditor {
    /// Adds an element with the defaults of the Xcode that saved the file last.
    mutating func add(_ path: ElementPath, _ settings: [ElementSetting]) throws(EditFault) {
        let (own, inner) = Self.split(completed(settings, of: path.kind, nil), of: path.kind)
        var given: [String: String] = [:]
        var absent: Set<String> = []
        for setting in own {
            given[setting.name] = setting.value ?? (setting.isFlag ? "NO" : nil)
            if setting.value == nil { absent.insert(setting.name) }
        }
        var parts: [[ElementSetting]] = []
        var fresh: [String: String] = [:]
        switch path.kind {
        case .attribute, .element: fresh = try freshAttribute(path, given)
        case .relationship: fresh = try freshRelationship(given)
        case .entity:
            fresh = ["representedClassName": path.key, "syncable": "YES"]
            if version >= 11_147 { fresh["codeGenerationType"] = "class" }
        case .fetchedProperty:
            fresh = ["optional": "YES"]
            if version < 14_903 { fresh["syncable"] = "YES" }
        case .index:
            parts = Self.parts(indexing: given.removeValue(forKey: "properties") ?? "")
            guard !parts.isEmpty else {
                throw EditFault("name the properties of \(path.text) with properties: a,b")
            }
        case .fetchRequest, .request:
            guard given["entity"] != nil else {
                throw EditFault("name the entity of \(path.text) with entity:")
            }
        case .userInfo: fresh = ["value": ""]
        default: break
        }
        fresh.merge(given) { $1 }
        let all = fresh.filter { !absent.contains($0.key) }
            .sorted { $0.key < $1.key }.map { ElementSetting($0.key, $0.value) }
        try insert(path, all, parts)
        if path.kind == .relationship { try matchInverse(of: path, given) }
        guard path.kind == .fetchedProperty, !inner.isEmpty else { return }
        let name = ElementSetting("name", "fetchedPropertyFetchRequest")
        try add(path.appending(.request, ""), [name] + inner)
    }

    /// The tools that saved the file last; the newest where they are not known.
    private var version: Int { tree.toolsVersion ?? .max }

    private func freshAttribute(
        _ path: ElementPath,
        _ given: [String: String]
    ) throws(EditFault) -> [String: String] {
        let type = given["attributeType"] ?? ""
        try AttributeType.require(type)
        if type == "Composite", given["composite"] == nil {
            let names = tree.root.children("composite").compactMap { $0["name"] }
            let known = names.isEmpty ? "" : "; there are \(names.listed(most: 20))"
            throw EditFault("name the composite type of \(path.text) with composite:\(known)")
        }
        var fresh = ["optional": "YES"]
        let isOptional = given["optional"] != "NO"
        if version < 14_903 { fresh["syncable"] = "YES" }
        fresh.merge(typeSettings(type)) { $1 }
        let isDerived = given["derivationExpression"] != nil
        // A default that was not asked for would hide that existing rows have no value.
        if !isOptional, given["defaultValueString"] == nil { fresh["defaultValueString"] = nil }
        if isDerived || given["defaultValueString"] == "" && type != "String" {
            fresh["defaultValueString"] = nil
        }
        return fresh
    }

    /// What Xcode gives a new attribute of a type: its default, and whether it is a scalar in code.
    private func typeSettings(_ type: String) -> [String: String] {
        var settings: [String: String] = [:]
        let scalar = version >= 14_903 ? "YES" : "NO"
        switch type {
        case "Integer 16", "Integer 32", "Integer 64":
            settings = ["defaultValueString": "0", "usesScalarValueType": scalar]
        case "Float", "Double":
            settings = ["defaultValueString": "0.0", "usesScalarValueType": scalar]
        case "Decimal": settings = ["defaultValueString": "0.0"]
        case "Boolean": settings = ["usesScalarValueType": scalar]
        case "Date", "UUID": settings = ["usesScalarValueType": "NO"]
        default: break
        }
        if version < 11_147 { settings["usesScalarValueType"] = nil }
        return settings
    }

    /// The settings that change with an attribute's type.
    ///
    /// Settings of the old type are removed, and those of a new attribute of the new type added; a chosen default stays, and
    /// a mandatory attribute gets no invented default. `given` settings always stay.
    func retyping(
        _ node: SourceNode,
        to type: String,
        beside given: [ElementSetting]
    ) -> [ElementSetting] {
        guard let former = node["attributeType"], former != type else { return [] }
        let (old, new) = (typeSettings(former), typeSettings(type))
        let (scalar, value) = ("usesScalarValueType", "defaultValueString")
        var changes: [ElementSetting] = []
        if old[scalar] != new[scalar] { changes.append(ElementSetting(scalar, new[scalar])) }
        let optional = given.last { $0.name == "optional" }.map(\.value) ?? node["optional"]
        let isDerived = node["derivationExpression"] != nil
        if node[value] == old[value], node[value] != nil || optional == "YES", !isDerived {
            changes.append(ElementSetting(value, new[value]))
        }
        let owned = [
            "Date": ["defaultDateTimeInterval"], "Composite": ["composite"],
            "Transformable": ["valueTransformerName", "customClassName"],
        ]
        changes += (owned[former] ?? []).map { ElementSetting($0, nil) }
        return changes.filter { change in
            node[change.name] != change.value && !given.contains { $0.name == change.name }
        }
    }

    private func freshRelationship(
        _ given: [String: String]
    ) throws(EditFault) -> [String: String] {
        guard let end = given["destinationEntity"] else {
            throw EditFault("name the destination entity of the relationship")
        }
        _ = try require(.entity(end))
        var fresh = ["optional": "YES", "deletionRule": "Nullify"]
        fresh[given["toMany"] == "YES" ? "toMany" : "maxCount"] =
            given["toMany"] == "YES" ? "YES" : "1"
        if given["inverseName"] != nil { fresh["inverseEntity"] = end }
        if version < 14_903 { fresh["syncable"] = "YES" }
        return fresh
    }

    /// Makes the inverse of a new relationship, or uses one that has none.
    mutating func matchInverse(of path: ElementPath, _ given: [String: String]) throws(EditFault) {
        guard let inverse = given["inverseName"], let end = given["destinationEntity"] else {
            return
        }
        let (owner, name) = (path.parent.key, path.key)
        let target = ElementPath.entity(end).appending(.relationship, inverse)
        guard let place = find(target) else {
            try add(target, [ElementSetting("destinationEntity", owner)])
            guard let made = find(target)?.node else { return }
            tree.set("inverseName", name, of: made)
            tree.set("inverseEntity", owner, of: made)
            return
        }
        let (written, entity) = (place.node["inverseName"], place.node["inverseEntity"])
        guard written == nil || written == name && entity == owner else {
            throw EditFault("\(target.text) has another inverse, \(entity ?? "").\(written ?? "")")
        }
        guard place.node["destinationEntity"] == owner else {
            throw EditFault("\(target.text) does not lead to \(owner)")
        }
        tree.set("inverseName", name, of: place.node)
        tree.set("inverseEntity", owner, of: place.node)
    }
}

extension AttributeType {
    private static let swiftTypes = [
        "Int": "Integer 64", "Int64": "Integer 64", "Int32": "Integer 32", "Int16": "Integer 16",
        "Bool": "Boolean", "Data": "Binary", "URL": "URI", "Integer": "Integer 64",
        "int": "Integer 64", "integer": "Integer 64", "bool": "Boolean", "text": "String",
        "data": "Binary", "url": "URI", "datetime": "Date", "timestamp": "Date",
    ]

    /// Refuses an unknown type, and lists the types.
    package static func require(_ word: String) throws(EditFault) {
        let types = allCases.compactMap(\.sourceName)
        guard !types.contains(word) else { return }
        let problem = word.isEmpty ? "name a type" : "'\(word)' is not a type"
        let meant =
            swiftTypes[word].map { "; did you mean '\($0)'" } ?? suggestion(for: word, among: types)
        throw EditFault("\(problem)\(meant); there are \(types.joined(separator: ", "))")
    }
}

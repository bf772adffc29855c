import ObjectModel

/// Swift details that a model does not contain: the types of its attributes, and the enums and structs among them.
///
/// `Int` and `UInt64` are one type in a model, and the cases of an enum are not in it at all.
package struct SwiftShapes: Sendable, Hashable {
    /// The types of attributes, by the names of entity and attribute, such as `Item.mood`.
    package var types: [String: String] = [:]
    /// The first values that models do not hold, by the names of entity and attribute, where no other code decides them.
    package var defaults: [String: String] = [:]
    /// The attributes with the option `.codable`, by the names of entity and attribute; a model says only what it stores.
    package var codable: Set<String> = []
    /// The enums and structs that the types name, declared with only their stored parts.
    package var declarations: [String] = []
    /// The transformers that sources name by their types, by the names of entity and attribute.
    package var transformers: [String: String] = [:]
    /// The modules of the types, besides Foundation.
    package var modules: Set<String> = []

    package init() {}
}

/// Writes the types of a version with names valid in its scope.
struct ShapeWriting {
    private let index: TypeIndex
    private var names: [Int: String] = [:]
    private var takenNames: Set<String>
    private let entities: Set<String>
    /// The modules that the file of the present type imports, one of which has what no source declares.
    private var imports: [String] = []
    private var shapes = SwiftShapes()

    static func shapes(of entities: [EntityDraft], _ index: TypeIndex) -> SwiftShapes {
        var writing = ShapeWriting(index, entities)
        for entity in entities { writing.add(entity) }
        return writing.shapes
    }

    private init(_ index: TypeIndex, _ entities: [EntityDraft]) {
        self.index = index
        self.entities = Set(entities.map(\.name))
        let known: Set<String> = ["Array", "Color", "Dictionary", "Optional", "Schema"]
        takenNames = self.entities.union(ScalarType.table.keys).union(known)
    }

    private mutating func add(_ draft: EntityDraft) {
        let node = index.nodes[draft.id]
        imports = index.files[node.scope.file].imports
        let stored = Set(draft.attributes.map(\.attribute.name))
        for case .property(let property) in node.members where !property.isStatic {
            guard let name = property.name, stored.contains(name) else { continue }
            let meaning = try? index.meaning(of: property, in: node.scope, named: name)
            let written = property.type?.text
            if meaning == nil { shapes.modules.formUnion(imports) }
            guard let type = meaning.map({ text($0) }) ?? written else { continue }
            shapes.types["\(draft.name).\(name)"] = type
            let options = PropertyOptions(index.conditions.active(property.attributes))
            if let transformer = options.transformerType {
                shapes.modules.formUnion(imports)
                shapes.transformers["\(draft.name).\(name)"] = transformer
            }
            if options.isCodable { shapes.codable.insert("\(draft.name).\(name)") }
            shapes.defaults["\(draft.name).\(name)"] =
                caseText(property.value, of: meaning, in: node.scope)
                ?? (index.isStandard(property.value, in: node.scope) ? property.valueText : nil)
        }
    }

    /// The case of an enum that is a first value, with the enum's name beside the declarations.
    private mutating func caseText(
        _ value: Expression?,
        of meaning: TypeMeaning?,
        in scope: Scope
    ) -> String? {
        var plain = meaning
        if case .optional(let wrapped)? = meaning { plain = wrapped }
        guard case .member(let base, let name)? = value, case .declared(let id)? = plain,
            base == nil || base?.typeForm.map({ index.resolve($0, in: scope) }) == plain
        else { return nil }
        let isCase = index.nodes[id].members.contains { member in
            guard case .enumCase(let declared) = member else { return false }
            return declared.name == name && !declared.hasPayload
        }
        return isCase ? "\(self.name(of: id)).\(name.swiftName)" : nil
    }

    /// Returns a type as written beside the declarations.
    private mutating func text(_ meaning: TypeMeaning) -> String {
        switch meaning {
        case .optional(let wrapped): return text(wrapped) + "?"
        case .array(let element): return "[\(text(element))]"
        case .dictionary(let key, let value): return "[\(text(key)): \(text(value))]"
        case .scalar(let scalar): return scalar.text(besides: entities)
        case .resolvedColor:
            shapes.modules.insert("SwiftUI")
            return "Color.Resolved"
        case .foreign(let text), .unknown(let text, _):
            shapes.modules.formUnion(imports)
            return text
        case .declared(let id): return name(of: id)
        }
    }

    private mutating func name(of id: Int) -> String {
        let node = index.nodes[id]
        if node.isModel { return node.name }
        if let name = names[id] { return name }
        var name = node.name
        if takenNames.contains(name) { name = node.path.joined() }
        var number = 2
        while !takenNames.insert(name).inserted {
            name = "\(node.name)\(number)"
            number += 1
        }
        names[id] = name
        // Its parts are declared after it.
        let place = shapes.declarations.count
        shapes.declarations.append("")
        let text = declaration(of: id, name)
        shapes.declarations[place] = text
        return name
    }

    private mutating func declaration(of id: Int, _ name: String) -> String {
        let node = index.nodes[id]
        guard node.declaration?.kind == .enum else { return structText(node, name) }
        let form = try? index.enumForm(id)
        var parents = "Codable"
        if case .raw(let scalar)? = form {
            parents = scalar.text(besides: entities) + ", " + parents
        }
        return "enum \(name): \(parents) {\n\(cases(of: node))}\n"
    }

    private func cases(of node: TypeNode) -> String {
        node.members.map { member in
            guard case .enumCase(let declaration) = member else { return "" }
            return "    case \(declaration.text)\n"
        }.joined()
    }

    private mutating func structText(_ node: TypeNode, _ name: String) -> String {
        let outer = imports
        imports = index.files[node.scope.file].imports
        defer { imports = outer }
        var text = "struct \(name): Codable {\n"
        for case .property(let property) in node.members where !property.isStatic {
            if case .computed = property.accessors { continue }
            guard let field = property.name else { continue }
            let meaning = try? index.meaning(of: property, in: node.scope, named: field)
            let type = meaning.map { fieldText($0) } ?? property.type?.text ?? "Never"
            text += "    var \(field.swiftName): \(type)\n"
        }
        // They decide under which names arrays of the struct are archived.
        if case .type(let id)? = node.children["CodingKeys"]?.first {
            let cases = cases(of: index.nodes[id]).replacing("    case", with: "        case")
            text += "\n    enum CodingKeys: String, CodingKey {\n\(cases)    }\n"
        }
        return text + "}\n"
    }

    /// An enum with coded raw values is written as its raw type, as structs store it.
    private mutating func fieldText(_ meaning: TypeMeaning) -> String {
        var plain = meaning
        if case .optional(let wrapped) = meaning { plain = wrapped }
        guard case .declared(let id) = plain, index.nodes[id].declaration?.kind == .enum,
            case .rawByHand(let scalar)? = try? index.enumForm(id)
        else { return text(meaning) }
        return scalar.text(besides: entities) + "?"
    }
}

extension TypeIndex {
    /// Whether a value depends on literals and on types of the standard library and Foundation alone.
    fileprivate func isStandard(_ value: Expression?, in scope: Scope) -> Bool {
        func areStandard(_ values: [Expression]) -> Bool {
            values.allSatisfy { isStandard($0, in: scope) }
        }
        switch value {
        case .string(let text)?: return text != nil
        case .integer?, .float?, .boolean?, .null?: return true
        case .array(let values)?, .operators(let values, _)?: return areStandard(values)
        case .dictionary(let pairs)?: return areStandard(pairs.flatMap { [$0.key, $0.value] })
        case .call(let callee, let arguments)?:
            return areStandard([callee] + arguments.map(\.value))
        case .member(let value?, _)?, .unwrapped(let value)?: return isStandard(value, in: scope)
        case .name?:
            guard let form = value?.typeForm, case .scalar = resolve(form, in: scope) else {
                return false
            }
            return true
        default: return false
        }
    }
}

extension ScalarType {
    /// The name, with its module where an entity has the same name.
    fileprivate func text(besides entities: Set<String>) -> String {
        guard entities.contains(name) else { return name }
        let isFoundation = ["CGFloat", "Data", "Date", "Decimal", "URL", "UUID"].contains(name)
        return (isFoundation ? "Foundation." : "Swift.") + name
    }
}

import ObjectModel

/// Why something is not read, in the words of a finding.
struct Refusal: Error {
    /// What is not understood, such as `type Set<Int> is not understood`.
    var reason: String
    var notes: [String] = []
    var place: Place?
    /// The stored property of a struct that is at fault.
    var field: Place?
    /// Its name, such as `Place.town`.
    var leaf: String?
    /// Whether SwiftData itself stops there, so that the app does not start.
    var isFatal = false

    init(type: String, in field: String? = nil, _ notes: [String] = []) {
        reason = "type \(type)\(field.map { " of \($0)" } ?? "") is not understood"
        self.notes = notes
    }

    init(_ reason: String, _ notes: [String] = [], at place: Place? = nil) {
        self.reason = reason
        self.notes = notes
        self.place = place
    }
}

enum AttributeForm: Sendable, Hashable {
    case scalar(AttributeType)
    /// An array of plain values, by the name of its class.
    case transformable(String)
    case binary
    /// A composite with its elements; the cases belong to an enum without raw values.
    case composite([Element], isEnum: Bool, cases: [String])

    struct Element: Sendable, Hashable {
        var name: String
        var type: AttributeType
        var isOptional: Bool
        var className: String?
        /// The members of the structs around it, outermost first.
        var members: [String] = []
        var place: Place?
        var cases: [EnumCases.Case]?
        /// Whether it is an enum in a struct, and neither is optional.
        var isRequired = false
    }
}

enum EnumForm: Sendable {
    case raw(ScalarType)
    /// `RawRepresentable` by hand.
    case rawByHand(ScalarType)
    case plain([CaseDeclaration])
    /// With associated values.
    case payload([CaseDeclaration])
}

extension TypeIndex {
    func enumForm(_ id: Int, depth: Int = 0) throws(Refusal) -> EnumForm {
        let node = nodes[id]
        try checkDeclaration(of: node)
        if let raw = try rawType(of: node, depth) { return .raw(raw) }
        if conforms(id, to: "RawRepresentable") || conforms(id, to: "OptionSet") {
            guard let type = rawTypeByHand(of: node, depth) else {
                throw Refusal(type: node.name, ["its raw type is not written"])
            }
            return .rawByHand(type)
        }
        let cases = node.members.compactMap { member -> CaseDeclaration? in
            if case .enumCase(let declaration) = member { declaration } else { nil }
        }
        if cases.contains(where: \.hasPayload) { return .payload(cases) }
        if cases.contains(where: { $0.rawValue != nil }) {
            throw Refusal(type: node.name, ["its raw type is unknown"])
        }
        guard !cases.isEmpty else { throw Refusal(type: node.name, ["it has no case"]) }
        return .plain(cases)
    }

    private func rawType(of node: TypeNode, _ depth: Int) throws(Refusal) -> ScalarType? {
        guard let first = node.declaration?.inherited.first, let scope = node.inherited.first?.scope
        else { return nil }
        switch resolve(first, in: scope, depth: depth) {
        case .scalar(let type): return type
        case .unknown(let text, .notSeen) where ScalarType.unseen.contains(text):
            throw Refusal(type: node.name, ["its raw type is \(text)"])
        default: return nil
        }
    }

    private func rawTypeByHand(of node: TypeNode, _ depth: Int) -> ScalarType? {
        let own = node.members.compactMap { member -> (PropertyDeclaration, Scope)? in
            if case .property(let property) = member { (property, node.scope) } else { nil }
        }
        let all = own + node.properties.map { ($0.property, $0.scope) }
        for (property, scope) in all where property.name == "rawValue" && !property.isStatic {
            guard let type = property.type,
                case .scalar(let scalar) = resolve(type, in: scope, depth: depth)
            else { return nil }
            return scalar
        }
        return nil
    }

    func checkDeclaration(of node: TypeNode) throws(Refusal) {
        guard let declaration = node.declaration else { throw Refusal(type: node.name) }
        if declaration.isGeneric { throw Refusal(type: node.name, ["it is generic"]) }
        if declaration.hasError {
            throw Refusal(type: node.name, ["its declaration is not complete Swift"])
        }
    }

    /// Refuses structs whose form no store has shown.
    func checkStruct(_ id: Int) throws(Refusal) {
        let node = nodes[id]
        try checkDeclaration(of: node)
        for name in ["OptionSet", "RawRepresentable"] where conforms(id, to: name) {
            let note = "no known store shows how a struct that conforms to \(name) is stored"
            throw Refusal(type: node.name, [note])
        }
    }

    /// Refuses a type that values cannot have: SwiftData stops at a class as soon as the schema is created.
    func refusal(ofValue id: Int, _ text: String, in place: String? = nil) -> Refusal {
        let kind = nodes[id].declaration?.kind
        guard kind == .class || kind == .actor,
            !lineage(of: id).dropFirst().contains(where: { nodes[$0].isModel })
        else {
            let note = "it is a \(kind?.rawValue ?? "type") without @Model"
            return Refusal(type: text.withoutOptional, in: place, [note])
        }
        let notes = [
            "SwiftData stops the app at launch: Class property within Persisted Struct/Enum is not supported",
            "make it a struct, or exclude the property with @Transient",
        ]
        let owner = place.map { " of \($0)" } ?? ""
        var refusal = Refusal(
            "the class \(text.withoutOptional)\(owner) cannot be stored as a value",
            notes
        )
        refusal.isFatal = true
        return refusal
    }

    func notes(on reason: TypeMeaning.Reason) -> [String] {
        switch reason {
        case .notDeclared: ["the sources do not declare it; add its source"]
        case .ambiguous(let places):
            [
                "declared at \(places.joined(separator: " and ")); give the sources of one module, "
                    + "or leave some out with exclude: in .momtool.yml"
            ]
        case .notSeen: ["no known store shows how SwiftData stores it"]
        }
    }
}

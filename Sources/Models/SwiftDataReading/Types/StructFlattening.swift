import ObjectModel

/// Lays out the values of structs: the leaves of nested structs are in one list, in the order of the source.
struct StructFlattening {
    /// The most values of one attribute; a source that nests more is refused.
    private static let leafLimit = 2000

    let index: TypeIndex
    private(set) var elements: [AttributeForm.Element] = []
    /// What is inferred, without evidence from a store.
    private(set) var doubts: [String] = []
    private(set) var structs: Set<Int> = []
    private(set) var encoded = EncodedValues()
    private var open: [Int] = []
    private var member: Place?
    /// The members whose structs are being read, outermost first.
    private var members: [String] = []

    init(_ index: TypeIndex) { self.index = index }

    /// Adds the leaves of a struct, which are all optional when something above them is.
    mutating func add(_ id: Int, isOptional: Bool) throws(Refusal) {
        let node = index.nodes[id]
        guard !open.contains(id) else { throw Refusal(type: node.name, ["it contains itself"]) }
        try index.checkStruct(id)
        structs.insert(id)
        open.append(id)
        defer { open.removeLast() }
        let count = elements.count
        var names: Set<String> = []
        for case .property(let property) in node.members where !property.isStatic {
            if case .computed = property.accessors { continue }
            if let name = property.name, !names.insert(name).inserted {
                let message = "two properties of \(node.name) are named \(name)"
                throw refusal(message, at: property.place)
            }
            try add(property, of: id, isOptional: isOptional)
        }
        guard elements.count > count else {
            throw Refusal(type: node.name, ["it has no stored property"])
        }
    }

    private mutating func add(
        _ property: PropertyDeclaration,
        of id: Int,
        isOptional: Bool
    ) throws(Refusal) {
        let node = index.nodes[id]
        let place = "\(node.name).\(property.name ?? "?")"
        guard let name = property.name, !property.isLazy, !property.isWeak, !property.hasError
        else { throw refusal("property \(place) is not understood", at: property.place) }
        let uses = index.conditions.active(property.attributes)
        if index.foreign[place] == nil,
            let use = uses.first(where: { !AttributeUse.harmless.contains($0.name) })
        {
            throw refusal("@\(use.name) of \(place) is not understood", at: use.place)
        }
        if case .observers = property.accessors {
            doubts.append("\(place) has observers, which no known store has in a struct")
        }
        var meaning = try index.meaning(of: property, in: node.scope, named: place)
        var isOptionalHere = false
        if case .optional(let wrapped) = meaning {
            isOptionalHere = true
            meaning = wrapped
        }
        let text = property.type?.text ?? node.name
        member = property.place
        do throws(Refusal) {
            try add(meaning, name, isOptionalHere: isOptionalHere, isOptional, text: text, place)
        } catch {
            var refusal = error
            refusal.field = refusal.field ?? property.place
            refusal.leaf = refusal.leaf ?? place
            throw refusal
        }
    }

    private mutating func add(
        _ meaning: TypeMeaning,
        _ name: String,
        isOptionalHere: Bool,
        _ isOptionalAbove: Bool,
        text: String,
        _ place: String
    ) throws(Refusal) {
        let isOptional = isOptionalHere || isOptionalAbove
        switch meaning {
        case .scalar(let scalar):
            if !scalar.isSeen { doubts.append("\(place) is of type \(scalar.name)") }
            try append(name, scalar.type, isOptional)
        case .array(let element): try addArray(element, name, isOptional, text: text, place)
        case .declared(let id):
            try addDeclared(id, name, isOptionalHere, isOptionalAbove, text: text, place)
        case .foreign(let key):
            doubts.append("\(key) is as the table of types says")
            switch index.foreign[key] {
            case .rawValues(let type)?:
                guard case .scalar(let scalar) = index.resolve(type, in: Scope(file: -1)) else {
                    throw Refusal(type: type.text, in: key)
                }
                try append(name, scalar.type, true)
            case .fields(let fields)?:
                members.append(name)
                defer { members.removeLast() }
                try add(fields, of: key, isOptional: isOptional)
            default: throw Refusal(type: text, in: place)
            }
        case .unknown(let type, let reason):
            throw Refusal(type: type, in: place, index.notes(on: reason))
        case .dictionary: throw unseen("a dictionary", text, place)
        case .resolvedColor: throw unseen("a Color.Resolved", text, place)
        case .optional: throw unseen("an optional of an optional", text, place)
        }
    }

    /// Refuses what no store has shown inside a struct; its form can be stated only for the property.
    private func unseen(_ what: String, _ text: String, _ place: String) -> Refusal {
        let note =
            "it is \(what) inside a struct, and no known store shows how SwiftData stores that"
        return Refusal(type: text, in: place, [note])
    }

    private mutating func addDeclared(
        _ id: Int,
        _ name: String,
        _ isOptionalHere: Bool,
        _ isOptionalAbove: Bool,
        text: String,
        _ place: String
    ) throws(Refusal) {
        switch index.nodes[id].declaration?.kind {
        case .enum?:
            switch try index.enumForm(id) {
            // Inside a struct an enum is a value of its raw type that may always be missing.
            case .raw(let scalar):
                try append(name, scalar.type, true)
                elements[elements.count - 1].cases = index.storedCases(of: id, scalar)
                elements[elements.count - 1].isRequired = !isOptionalHere && !isOptionalAbove
            case .rawByHand(let scalar):
                try append(name, scalar.type, true)
                elements[elements.count - 1].isRequired = !isOptionalHere && !isOptionalAbove
            case .plain: throw unseen("an enum without raw values", text, place)
            case .payload: throw unseen("an enum with associated values", text, place)
            }
        case .struct?:
            if isOptionalHere, !isOptionalAbove {
                doubts.append("\(place) is an optional struct in a struct that is not optional")
            }
            members.append(name)
            defer { members.removeLast() }
            try add(id, isOptional: isOptionalHere || isOptionalAbove)
        default: throw index.refusal(ofValue: id, text, in: place)
        }
    }

    private mutating func addArray(
        _ element: TypeMeaning,
        _ name: String,
        _ isOptional: Bool,
        text: String,
        _ place: String
    ) throws(Refusal) {
        switch element {
        case .scalar(let scalar):
            if !scalar.isSeen { doubts.append("\(place) is of type [\(scalar.name)]") }
            try append(name, .transformable, isOptional, className: "Array<\(scalar.name)>")
        case .declared(let id):
            switch index.nodes[id].declaration?.kind {
            case .struct?: try index.checkStruct(id)
            case .enum?: try index.checkDeclaration(of: index.nodes[id])
            default: throw Refusal(type: text, in: place)
            }
            try append(name, .binary, isOptional)
            encoded.add(.array(element), at: name, index)
        case .foreign(let key):
            doubts.append("\(key) is as the table of types says")
            try append(name, .binary, isOptional)
        case .unknown(_, let reason): throw Refusal(type: text, in: place, index.notes(on: reason))
        default: throw Refusal(type: text, in: place, index.notes(on: .notSeen))
        }
    }

    mutating func add(
        _ fields: [(name: String, type: TypeForm)],
        of key: String,
        isOptional: Bool
    ) throws(Refusal) {
        guard open.count < 20 else { throw Refusal(type: key, ["it contains itself"]) }
        open.append(-1)
        defer { open.removeLast() }
        for field in fields {
            var meaning = index.resolve(field.type, in: Scope(file: -1))
            var isOptionalHere = false
            if case .optional(let wrapped) = meaning {
                isOptionalHere = true
                meaning = wrapped
            }
            try add(
                meaning,
                field.name,
                isOptionalHere: isOptionalHere,
                isOptional,
                text: field.type.text,
                "\(key).\(field.name)"
            )
        }
    }

    private func refusal(_ message: String, at field: Place) -> Refusal {
        var refusal = Refusal(message)
        refusal.field = field
        return refusal
    }

    /// The values; two different ones of one name are refused, as their order in the hash is not known.
    func form() throws(Refusal) -> AttributeForm {
        var known: [String: AttributeForm.Element] = [:]
        for element in elements {
            guard let other = known.updateValue(element, forKey: element.name),
                other.type != element.type || other.isOptional != element.isOptional
            else { continue }
            let note = "structs in structs lose their names; rename one of the two"
            let message = "two values named '\(element.name)' of different types are not understood"
            var refusal = Refusal(message, [note])
            refusal.field = element.place
            throw refusal
        }
        return .composite(elements, isEnum: false, cases: [])
    }

    private mutating func append(
        _ name: String,
        _ type: AttributeType,
        _ isOptional: Bool,
        className: String? = nil
    ) throws(Refusal) {
        let element = AttributeForm.Element(
            name: name,
            type: type,
            isOptional: isOptional,
            className: className,
            members: members,
            place: member
        )
        guard elements.count < Self.leafLimit else {
            throw Refusal("momtool cannot read more than \(Self.leafLimit) values in one property")
        }
        elements.append(element)
    }
}

extension AttributeUse {
    /// The Swift attributes that do not affect what is stored.
    static let harmless: Set<String> = [
        "available", "objc", "nonobjc", "MainActor", "usableFromInline", "inlinable",
        "preconcurrency",
        "_spi", "discardableResult", "_documentation", "Sendable", "frozen", "backDeployed",
    ]
}

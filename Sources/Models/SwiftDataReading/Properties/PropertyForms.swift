import ObjectModel

/// What a property of a model class is in the model.
struct PropertyForm: Sendable {
    enum Kind: Sendable {
        case attribute(AttributeForm)
        /// A relationship to objects of a class, by its number.
        case relationship(Int, isToMany: Bool)
    }

    var kind: Kind
    var isOptional: Bool
    /// What is inferred, without evidence from a store.
    var doubts: [String] = []
    /// The types that the doubts leave open, as `types:` has them.
    var candidates: [String] = []
    /// The types whose shape takes part in the hash, by their numbers.
    var values: Set<Int> = []
    /// The parts of it that are kept as encoded data.
    var encoded = EncodedValues()
}

extension TypeIndex {
    /// Determines the form in the model of a property of some type.
    func form(
        of type: TypeMeaning,
        text: String,
        property: String
    ) throws(Refusal) -> PropertyForm {
        guard case .optional(let wrapped) = type else {
            return try form(of: type, text: text, property: property, isOptional: false)
        }
        return try form(of: wrapped, text: text, property: property, isOptional: true)
    }

    private func form(
        of type: TypeMeaning,
        text: String,
        property: String,
        isOptional: Bool
    ) throws(Refusal) -> PropertyForm {
        func attribute(_ form: AttributeForm, _ doubts: [String] = []) -> PropertyForm {
            PropertyForm(kind: .attribute(form), isOptional: isOptional, doubts: doubts)
        }
        switch type {
        case .scalar(let scalar):
            return attribute(.scalar(scalar.type), scalar.isSeen ? [] : ["type \(scalar.name)"])
        case .array(let element): return try arrayForm(of: element, text, isOptional: isOptional)
        case .dictionary(let key, let value):
            var form = attribute(.binary, try dictionaryDoubts(key, value, text))
            form.encoded.add(type, at: "", self)
            return form
        case .declared(let id):
            return try declaredForm(id, text, property: property, isOptional: isOptional)
        case .resolvedColor:
            let names = ["linearRed", "linearGreen", "linearBlue", "opacity"]
            let elements = names.map {
                AttributeForm.Element(name: $0, type: .float, isOptional: isOptional)
            }
            let doubts = isOptional ? ["an optional Color.Resolved"] : []
            return attribute(.composite(elements, isEnum: false, cases: []), doubts)
        case .foreign(let key):
            return try foreignForm(key, text, property: property, isOptional: isOptional)
        case .unknown(let name, let reason):
            let name = text.hasPrefix(name) ? text.withoutOptional : name
            throw Refusal(type: name, notes(on: reason))
        case .optional: throw Refusal(type: text, ["no known store has an optional of an optional"])
        }
    }

    private func arrayForm(
        of element: TypeMeaning,
        _ text: String,
        isOptional: Bool
    ) throws(Refusal) -> PropertyForm {
        switch element {
        case .scalar(let scalar):
            return PropertyForm(
                kind: .attribute(.transformable("Array<\(scalar.name)>")),
                isOptional: isOptional,
                doubts: scalar.isSeen ? [] : ["type [\(scalar.name)]"]
            )
        case .declared(let id):
            if nodes[id].isModel {
                let kind = PropertyForm.Kind.relationship(id, isToMany: true)
                return PropertyForm(kind: kind, isOptional: isOptional)
            }
            var doubts: [String] = []
            switch nodes[id].declaration?.kind {
            case .struct?: try checkStruct(id)
            case .enum?:
                try checkDeclaration(of: nodes[id])
                doubts = ["type \(text.withoutOptional)"]
            default: throw Refusal(type: text.withoutOptional, notes(on: .notSeen))
            }
            let kind = PropertyForm.Kind.attribute(.binary)
            var form = PropertyForm(kind: kind, isOptional: isOptional, doubts: doubts)
            form.encoded.add(.array(element), at: "", self)
            return form
        case .foreign(let key):
            let doubts = ["\(key) is as the table of types says"]
            return PropertyForm(kind: .attribute(.binary), isOptional: isOptional, doubts: doubts)
        case .unknown(_, let reason): throw Refusal(type: text.withoutOptional, notes(on: reason))
        default: throw Refusal(type: text.withoutOptional, notes(on: .notSeen))
        }
    }

    /// The features of a dictionary that no store has shown; one whose form is not known is refused.
    private func dictionaryDoubts(
        _ key: TypeMeaning,
        _ value: TypeMeaning,
        _ text: String
    ) throws(Refusal) -> [String] {
        var value = value
        if case .optional(let wrapped) = value { value = wrapped }
        guard case .scalar(let name) = key, name.name == "String" else {
            let notes = ["stores have only shown dictionaries with keys of type String"]
            throw Refusal(type: text.withoutOptional, notes)
        }
        switch value {
        case .scalar: return []
        case .foreign(let key): return ["\(key) is as the table of types says"]
        case .declared(let id) where nodes[id].declaration?.kind == .struct:
            try checkStruct(id)
            return []
        case .declared(let id) where nodes[id].declaration?.kind == .enum:
            try checkDeclaration(of: nodes[id])
            return ["type \(text.withoutOptional)"]
        case .unknown(_, let reason): throw Refusal(type: text.withoutOptional, notes(on: reason))
        default:
            let notes = ["stores have only shown dictionaries of plain values and of structs"]
            throw Refusal(type: text.withoutOptional, notes)
        }
    }

    private func declaredForm(
        _ id: Int,
        _ text: String,
        property: String,
        isOptional: Bool
    ) throws(Refusal) -> PropertyForm {
        let node = nodes[id]
        if node.isModel {
            let kind = PropertyForm.Kind.relationship(id, isToMany: false)
            return PropertyForm(kind: kind, isOptional: isOptional)
        }
        switch node.declaration?.kind {
        case .struct?:
            var flattening = StructFlattening(self)
            try flattening.add(id, isOptional: isOptional)
            return PropertyForm(
                kind: .attribute(try flattening.form()),
                isOptional: isOptional,
                doubts: flattening.doubts,
                values: flattening.structs,
                encoded: flattening.encoded
            )
        case .enum?: return try enumProperty(id, text, property: property, isOptional: isOptional)
        default: throw refusal(ofValue: id, text)
        }
    }

    private func enumProperty(
        _ id: Int,
        _ text: String,
        property: String,
        isOptional: Bool
    ) throws(Refusal) -> PropertyForm {
        var doubts: [String] = []
        var candidates: [String] = []
        var elements: [AttributeForm.Element] = []
        var cases: [CaseDeclaration] = []
        switch try enumForm(id) {
        case .raw(let scalar):
            if scalar.name != "String", scalar.name != "Int" {
                doubts = ["an enum of raw type \(scalar.name)"]
            }
            elements = [.init(name: property, type: scalar.type, isOptional: true)]
            elements[0].cases = storedCases(of: id, scalar)
        case .rawByHand:
            let note =
                "stores have only shown enums that conform to RawRepresentable by hand in structs"
            throw Refusal(type: text.withoutOptional, [note])
        case .plain(let plain): cases = plain
        case .payload(let all):
            cases = all
            doubts = ["an enum with associated values, each of which is read as Binary"]
            candidates =
                ["Data", "Transformable"]
                + ["Data?", "String?"].map { type in
                    let fields = all.map { "\($0.name): \($0.hasPayload ? type : "String?")" }
                    return "{ \(fields.joined(separator: ", ")) }"
                }
        }
        elements += cases.map {
            let type: AttributeType = $0.hasPayload ? .binary : .string
            return .init(name: $0.name, type: type, isOptional: true, place: $0.place)
        }
        let form = AttributeForm.composite(elements, isEnum: true, cases: cases.map(\.name))
        return PropertyForm(
            kind: .attribute(form),
            isOptional: isOptional,
            doubts: doubts,
            candidates: candidates,
            values: cases.isEmpty ? [] : [id]
        )
    }

    private func foreignForm(
        _ key: String,
        _ text: String,
        property: String,
        isOptional: Bool
    ) throws(Refusal) -> PropertyForm {
        var doubts = ["\(key) is as the table of types says"]
        switch foreign[key] {
        case .rawValues(let type)?:
            guard case .scalar(let scalar) = resolve(type, in: Scope(file: -1)) else {
                throw Refusal(type: type.text, in: key)
            }
            let element = AttributeForm.Element(name: property, type: scalar.type, isOptional: true)
            let form = AttributeForm.composite([element], isEnum: true, cases: [])
            return PropertyForm(kind: .attribute(form), isOptional: isOptional, doubts: doubts)
        case .fields(let fields)?:
            var flattening = StructFlattening(self)
            try flattening.add(fields, of: key, isOptional: isOptional)
            let form = try flattening.form()
            doubts += flattening.doubts
            return PropertyForm(kind: .attribute(form), isOptional: isOptional, doubts: doubts)
        default: throw Refusal(type: text.withoutOptional)
        }
    }
}

extension String {
    /// The text of a type without its final `?`.
    var withoutOptional: String { hasSuffix("?") ? String(dropLast()) : self }
}

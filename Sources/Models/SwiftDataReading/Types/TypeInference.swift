extension TypeIndex {
    /// Finds the type of a property: the written one, or that of its first value.
    func meaning(
        of property: PropertyDeclaration,
        in scope: Scope,
        named place: String
    ) throws(Refusal) -> TypeMeaning {
        if let form = foreign[place] {
            let type = stated(form, at: place, in: Scope(file: -1), depth: 0)
            if case .optional = type { return type }
            guard let written = property.type, case .optional = resolve(written, in: scope) else {
                return type
            }
            return .optional(type)
        }
        if let type = property.type { return resolve(type, in: scope) }
        if let value = property.value, let type = inferred(value, in: scope, depth: 0) {
            return type
        }
        let message = "the type of \(place) is not clear from its first value; write the type"
        throw Refusal(message, at: property.place)
    }

    /// The type that the user gives a property or a type; `Transformable` is none of Swift, and what some values are kept
    /// as.
    func stated(_ form: ForeignForm, at place: String, in scope: Scope, depth: Int) -> TypeMeaning {
        guard case .alias(let type) = form else { return .foreign(place) }
        switch type.text {
        case "Transformable": return .scalar(.transformable)
        case "Transformable?": return .optional(.scalar(.transformable))
        default: break
        }
        return resolve(type, in: scope, depth: depth)
    }

    /// Finds the type of a value where Swift itself leaves no choice; `nil` elsewhere.
    func inferred(_ value: Expression, in scope: Scope, depth: Int) -> TypeMeaning? {
        guard depth < 20 else { return nil }
        switch value {
        case .string: return standard("String")
        case .integer: return standard("Int")
        case .float: return standard("Double")
        case .boolean: return standard("Bool")
        case .array(let elements): return arrayType(elements, in: scope, depth: depth)
        case .cast(_, let type): return resolve(type, in: scope)
        case .call(let callee, let arguments): return callType(callee, arguments, in: scope)
        case .unwrapped(let value): return unwrappedType(value, in: scope, depth: depth)
        case .member(let base?, let name): return memberType(base, name, in: scope, depth: depth)
        case .operators(let operands, let operators): return operatorType(operands, operators)
        case .dictionary, .null, .name, .keyPath, .type, .member, .closure, .choice, .other:
            return nil
        }
    }

    private func standard(_ name: String) -> TypeMeaning? {
        ScalarType.table[name].map { .scalar($0) }
    }

    private func arrayType(_ elements: [Expression], in scope: Scope, depth: Int) -> TypeMeaning? {
        let types = elements.map { inferred($0, in: scope, depth: depth + 1) }
        guard let first = types.first, let first, types.allSatisfy({ $0 == first }) else {
            return nil
        }
        return .array(first)
    }

    /// The initializers of known types that give an optional, by their first label.
    private static let failing: Set<String> = [
        "rawValue", "string", "uuidString", "base64Encoded", "exactly", "uuid", "bitPattern",
    ]

    private func callType(
        _ callee: Expression,
        _ arguments: [Expression.Argument],
        in scope: Scope
    ) -> TypeMeaning? {
        var callee = callee
        if case .member(let base?, "init") = callee { callee = base }
        guard let form = callee.typeForm else { return nil }
        let type = resolve(form, in: scope)
        switch type {
        case .array, .dictionary: return type
        case .scalar(let scalar):
            if let label = arguments.first?.label, Self.failing.contains(label) { return nil }
            // A number made from a text is optional.
            if let first = arguments.first, first.label == nil, scalar.name != "String",
                scalar.name != "Date", scalar.name != "Data"
            {
                guard isNumber(first.value) else { return nil }
            }
            return type
        case .declared(let id):
            let node = nodes[id]
            let kind = node.declaration?.kind
            guard kind == .struct || kind == .class, !node.hasFailableInitializer else {
                return nil
            }
            return type
        case .resolvedColor: return type
        default: return nil
        }
    }

    private func isNumber(_ value: Expression) -> Bool {
        switch value {
        case .integer, .float: true
        default: false
        }
    }

    private func unwrappedType(_ value: Expression, in scope: Scope, depth: Int) -> TypeMeaning? {
        guard case .call(let callee, _) = value, let form = callee.typeForm else { return nil }
        let type = resolve(form, in: scope)
        switch type {
        case .scalar, .declared: return type
        default: return nil
        }
    }

    /// Known members of types that are not declared in the sources.
    private static let members: [String: [String: String]] = [
        "UUID": ["uuidString": "String"],
        "Date": [
            "timeIntervalSince1970": "Double", "timeIntervalSinceReferenceDate": "Double",
            "timeIntervalSinceNow": "Double",
        ], "URL": ["absoluteString": "String", "path": "String"],
    ]

    private func memberType(
        _ base: Expression,
        _ name: String,
        in scope: Scope,
        depth: Int
    ) -> TypeMeaning? {
        if let form = base.typeForm {
            let type = resolve(form, in: scope)
            switch type {
            case .scalar(let scalar): return staticMember(name, of: scalar)
            case .optional: return name == "none" ? type : nil
            case .declared(let id):
                guard nodes[id].declaration != nil else { return nil }
                return staticMember(name, of: id, depth: depth)
            default: break
            }
        }
        guard let type = inferred(base, in: scope, depth: depth + 1) else { return nil }
        switch type {
        case .scalar(let scalar): return Self.members[scalar.name]?[name].flatMap(standard)
        case .declared(let id) where name == "rawValue":
            guard case .raw(let scalar)? = try? enumForm(id) else { return nil }
            return .scalar(scalar)
        default: return nil
        }
    }

    private func staticMember(_ name: String, of scalar: ScalarType) -> TypeMeaning? {
        let names: Set<String> = [
            "now", "distantPast", "distantFuture", "zero", "max", "min", "pi", "infinity", "nan",
            "greatestFiniteMagnitude", "leastNormalMagnitude", "leastNonzeroMagnitude", "ulpOfOne",
            "leastFiniteMagnitude",
        ]
        return names.contains(name) ? .scalar(scalar) : nil
    }

    private func staticMember(_ name: String, of id: Int, depth: Int) -> TypeMeaning? {
        let node = nodes[id]
        let isCase = node.members.contains { member in
            if case .enumCase(let declaration) = member { declaration.name == name } else { false }
        }
        if isCase { return .declared(id) }
        let found = node.properties.first { $0.property.name == name && $0.property.isStatic }
        guard let (property, scope) = found else { return nil }
        if let type = property.type { return resolve(type, in: scope) }
        return property.value.flatMap { inferred($0, in: scope, depth: depth + 1) }
    }

    private func operatorType(_ operands: [Expression], _ operators: [String]) -> TypeMeaning? {
        guard operators.allSatisfy(["+", "-", "*", "/", "%"].contains) else { return nil }
        let isText = operands.allSatisfy { if case .string = $0 { true } else { false } }
        if isText { return operators.allSatisfy { $0 == "+" } ? standard("String") : nil }
        guard operands.allSatisfy(isNumber) else { return nil }
        let isWhole = operands.allSatisfy { if case .integer = $0 { true } else { false } }
        return standard(isWhole ? "Int" : "Double")
    }
}

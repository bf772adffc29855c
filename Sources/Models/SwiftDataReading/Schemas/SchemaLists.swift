/// Follows the lists of classes, schemas and stages in versions and plans.
struct SchemaLists {
    let index: TypeIndex

    /// One element of a list with the scope of its names.
    struct Element {
        var value: Expression
        var scope: Scope
        var place: Place
    }

    private struct Reference: Hashable {
        var name: String
        var scope: Scope
    }

    func elements(of name: String, in id: Int) throws(Refusal) -> [Element] {
        guard let (property, scope) = property(name, of: id) else {
            throw Refusal("'\(name)' is not written in the sources")
        }
        var open: [Reference] = []
        return try elements(of: property, in: scope, open: &open)
    }

    /// Finds a static property, in the type or in what it inherits.
    func property(_ name: String, of id: Int) -> (property: PropertyDeclaration, scope: Scope)? {
        for type in index.lineage(of: id) {
            let found = index.nodes[type].properties.first {
                $0.property.name == name && $0.property.isStatic
            }
            if let found { return found }
        }
        return nil
    }

    func value(of property: PropertyDeclaration) throws(Refusal) -> Expression {
        if let value = property.value { return value }
        if case .computed(let body) = property.accessors {
            let statements = index.conditions.active(body)
            if statements.count == 1, case .value(let value) = statements[0] { return value }
        }
        throw Refusal("'\(property.name ?? "?")' is built at run time", at: property.place)
    }

    private func elements(
        of property: PropertyDeclaration,
        in scope: Scope,
        open: inout [Reference]
    ) throws(Refusal) -> [Element] {
        let name = property.name ?? "?"
        let reference = Reference(name: name, scope: scope)
        guard !open.contains(reference), open.count < 50 else {
            throw Refusal("'\(name)' refers to itself", at: property.place)
        }
        open.append(reference)
        defer { open.removeLast() }
        let value = try value(of: property)
        return try elements(of: value, in: scope, at: property.place, open: &open)
    }

    private func elements(
        of value: Expression,
        in scope: Scope,
        at place: Place,
        open: inout [Reference]
    ) throws(Refusal) -> [Element] {
        switch value {
        case .array(let values):
            return values.map { Element(value: $0, scope: scope, place: place) }
        case .cast(let value, _): return try elements(of: value, in: scope, at: place, open: &open)
        case .operators(let operands, let operators) where operators.allSatisfy({ $0 == "+" }):
            var result: [Element] = []
            for operand in operands {
                result += try elements(of: operand, in: scope, at: place, open: &open)
            }
            guard result.count <= 10_000 else { throw Refusal("the list is too long", at: place) }
            return result
        case .name, .member:
            guard let (property, scope) = follow(value, in: scope) else { break }
            return try elements(of: property, in: scope, open: &open)
        default: break
        }
        throw Refusal("momtool cannot read a list that is built at run time", at: place)
    }

    func follow(
        _ value: Expression,
        in scope: Scope
    ) -> (property: PropertyDeclaration, scope: Scope)? {
        switch value {
        case .name(let name, let arguments) where arguments.isEmpty:
            for id in scope.chain { if let found = property(name, of: id) { return found } }
            let found = index.globals.filter { $0.property.name == name }
            return found.first { $0.scope.file == scope.file } ?? found.first
        case .member(let base?, let name):
            guard let form = base.typeForm, let id = index.extendable(form, in: scope) else {
                return nil
            }
            return property(name, of: id)
        case .member(nil, let name): return scope.chain.first.flatMap { property(name, of: $0) }
        default: return nil
        }
    }

    /// Returns the type of `T.self`, or of a static or global property that holds it.
    func type(_ value: Expression, in scope: Scope) -> (form: TypeForm, meaning: TypeMeaning)? {
        var (value, scope) = (value, scope)
        for _ in 0..<20 {
            if case .cast(let inner, _) = value { value = inner }
            if case .member(let base?, "self") = value, let form = base.typeForm {
                return (form, index.resolve(form, in: scope))
            }
            guard let (property, next) = follow(value, in: scope),
                let named = try? self.value(of: property)
            else { return nil }
            (value, scope) = (named, next)
        }
        return nil
    }
}

import Diagnostics

indirect enum TypeMeaning: Sendable, Hashable {
    case optional(TypeMeaning)
    case array(TypeMeaning)
    case dictionary(TypeMeaning, TypeMeaning)
    case declared(Int)
    /// A type of the standard library or Foundation, by its name there.
    case scalar(ScalarType)
    case resolvedColor
    /// A type of another module, by its name in the user's table.
    case foreign(String)
    /// An unknown type, by its text, and the reason.
    case unknown(String, Reason)

    enum Reason: Sendable, Hashable {
        case notDeclared
        case ambiguous([String])
        /// It is known, but no store has shown its form.
        case notSeen
    }
}

extension TypeIndex {
    private static let depthLimit = 40

    func resolve(_ form: TypeForm, in scope: Scope, depth: Int = 0) -> TypeMeaning {
        guard depth < Self.depthLimit else { return .unknown(form.text, .notDeclared) }
        switch form {
        case .optional(let type): return .optional(resolve(type, in: scope, depth: depth + 1))
        case .array(let type): return .array(resolve(type, in: scope, depth: depth + 1))
        case .dictionary(let key, let value):
            return .dictionary(
                resolve(key, in: scope, depth: depth + 1),
                resolve(value, in: scope, depth: depth + 1)
            )
        case .named(let components): return resolve(components, in: scope, depth: depth)
        case .other(let text): return .unknown(text, .notSeen)
        }
    }

    private func resolve(
        _ components: [TypeForm.Component],
        in scope: Scope,
        depth: Int
    ) -> TypeMeaning {
        let text = TypeForm.named(components).text
        guard let first = components.first else { return .unknown(text, .notDeclared) }
        let found = children(first.name, in: scope)
        if found.isEmpty { return standard(components, text, in: scope, depth: depth) }
        let meaning = follow(found, components, text, in: scope, depth: depth)
        // A type of another module that is only extended here represents itself.
        if case .declared(let id) = meaning, nodes[id].declaration == nil {
            return standard(components, text, in: scope, depth: depth)
        }
        if case .unknown(_, .notDeclared) = meaning, isForeign(found) {
            return standard(components, text, in: scope, depth: depth)
        }
        return meaning
    }

    private func isForeign(_ children: [TypeNode.Child]) -> Bool {
        children.allSatisfy { child in
            if case .type(let id) = child { nodes[id].declaration == nil } else { false }
        }
    }

    /// Resolves further names within the meaning of the first.
    private func follow(
        _ found: [TypeNode.Child],
        _ components: [TypeForm.Component],
        _ text: String,
        in scope: Scope,
        depth: Int
    ) -> TypeMeaning {
        var children = found
        for (index, component) in components.enumerated() {
            guard let child = onlyOne(children) else {
                return .unknown(text, .ambiguous(children.map(describe)))
            }
            guard component.arguments.isEmpty else { return .unknown(text, .notSeen) }
            let meaning = meaning(of: child, depth: depth)
            if index == components.count - 1 { return meaning }
            guard case .declared(let id) = meaning else { return .unknown(text, .notDeclared) }
            let next = components[index + 1].name
            children = member(next, of: id)
            guard children.isEmpty else { continue }
            guard next == "RawValue", index + 2 == components.count else {
                return .unknown(text, .notDeclared)
            }
            return rawValue(of: id, depth: depth) ?? .unknown(text, .notDeclared)
        }
        return .unknown(text, .notDeclared)
    }

    /// The raw type of an enum, which may refer to that of another one, a few times over.
    private func rawValue(of id: Int, depth: Int) -> TypeMeaning? {
        guard nodes[id].declaration?.kind == .enum else { return nil }
        switch try? enumForm(id, depth: depth + Self.depthLimit / 3) {
        case .raw(let scalar)?, .rawByHand(let scalar)?: return .scalar(scalar)
        case .plain?, .payload?, nil: return nil
        }
    }

    private func meaning(of child: TypeNode.Child, depth: Int) -> TypeMeaning {
        switch child {
        case .type(let id): return .declared(id)
        case .alias(let number):
            let alias = aliases[number]
            guard !alias.declaration.isGeneric else {
                return .unknown(alias.declaration.name, .notSeen)
            }
            return resolve(alias.declaration.type, in: alias.scope, depth: depth + 1)
        }
    }

    /// Resolves a name: in the innermost type that has it, then the file, then any file.
    func children(_ name: String, in scope: Scope) -> [TypeNode.Child] {
        if name == "Self", let innermost = scope.chain.first { return [.type(innermost)] }
        for id in scope.chain {
            let found = member(name, of: id)
            if !found.isEmpty { return found }
        }
        let visible = (top[name] ?? []).filter { !isPrivate($0) || file(of: $0) == scope.file }
        let own = visible.filter { isPrivate($0) }
        if !(own.isEmpty && visible.isEmpty) {
            return nearest(own.isEmpty ? visible : own, to: scope.file)
        }
        // An extension of a nested type does not see the enclosing types; but if nothing else has the name, it refers to them.
        for id in scope.chain.reversed() {
            for outer in nodes[id].scope.chain where !scope.chain.contains(outer) {
                let found = member(name, of: outer)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// Of several declarations, returns those whose files share most folders with a file, as modules have own folders.
    func nearest(_ children: [TypeNode.Child], to number: Int) -> [TypeNode.Child] {
        guard children.count > 1, folders.indices.contains(number) else { return children }
        let own = folders[number]
        let shared = children.map { child in
            zip(folders[file(of: child)], own).prefix { $0 == $1 }.count
        }
        let most = shared.max() ?? 0
        return zip(children, shared).filter { $1 == most }.map(\.0)
    }

    /// Whether a type is the class of an entity, judging by its name: a version has one class of a name.
    func names(_ form: TypeForm, class name: String, in scope: Scope) -> Bool {
        switch resolve(form, in: scope) {
        case .declared(let id): nodes[id].name == name
        case .unknown(_, .ambiguous): form.path?.last == name
        default: false
        }
    }

    /// Says whether a class is among what a name may mean.
    func mayBeClass(_ form: TypeForm, in scope: Scope) -> Bool {
        guard case .named(let components) = form, let first = components.first else { return false }
        return children(first.name, in: scope).contains { child in
            guard case .type(let id) = child else { return false }
            return nodes[id].declaration?.kind == .class
        }
    }

    func text(_ meaning: TypeMeaning) -> String {
        switch meaning {
        case .optional(let wrapped): text(wrapped) + "?"
        case .array(let element): "[\(text(element))]"
        case .dictionary(let key, let value): "[\(text(key)): \(text(value))]"
        case .declared(let id): nodes[id].name
        case .scalar(let scalar): scalar.name
        case .resolvedColor: "Color.Resolved"
        case .foreign(let name), .unknown(let name, _): name
        }
    }

    /// Finds a type of the sources, or one of another module that is extended there, such as `Schema`.
    func extendable(_ form: TypeForm, in scope: Scope) -> Int? {
        if case .declared(let id) = resolve(form, in: scope) { return id }
        guard let path = form.path, path.count == 1,
            case .type(let id)? = children(path[0], in: scope).first
        else { return nil }
        return id
    }

    func member(_ name: String, of id: Int) -> [TypeNode.Child] {
        if let found = nodes[id].children[name] { return found }
        for ancestor in lineage(of: id) {
            if let found = nodes[ancestor].children[name] { return found }
        }
        return []
    }

    /// The most types that a type has above it: in a longer lineage nothing is looked up.
    private static let lineageLimit = 100

    /// Returns a type with its superclasses and protocols, nearest first.
    func lineage(of id: Int) -> [Int] {
        var line = [id]
        var next = 0
        while next < line.count, line.count < Self.lineageLimit {
            for type in nodes[line[next]].supertypes where !line.contains(type) {
                line.append(type)
            }
            next += 1
        }
        return line
    }

    /// The relevant protocols of other modules.
    static let protocols = [
        "VersionedSchema", "SchemaMigrationPlan", "RawRepresentable", "OptionSet",
    ]

    /// Whether a type conforms to one of these protocols, directly or through a type declared here.
    func conforms(_ id: Int, to name: String) -> Bool { conforming[name]?.contains(id) ?? false }

    /// Finds the types that conform to the protocols, visiting each type once.
    func conformances() -> [String: Set<Int>] {
        var heirs: [Int: [Int]] = [:]
        var result: [String: Set<Int>] = [:]
        for id in nodes.indices {
            for type in nodes[id].supertypes { heirs[type, default: []].append(id) }
            for (form, _) in nodes[id].inherited {
                for part in form.text.split(separator: "&") {
                    let name = part.split { $0 == "." || $0.isWhitespace }.last.map(String.init)
                    guard let name, Self.protocols.contains(name) else { continue }
                    result[name, default: []].insert(id)
                }
            }
        }
        for name in result.keys.sorted() {
            var rest = Array(result[name] ?? [])
            while let next = rest.popLast() {
                for heir in heirs[next] ?? []
                where result[name, default: []].insert(heir).inserted { rest.append(heir) }
            }
        }
        return result
    }

    /// Returns the only one, or the first if all are equal.
    private func onlyOne(_ children: [TypeNode.Child]) -> TypeNode.Child? {
        guard let first = children.first else { return nil }
        guard children.count > 1 else { return first }
        let isSame = children.dropFirst().allSatisfy { other in
            switch (first, other) {
            case (.type(let left), .type(let right)):
                nodes[left].declaration == nodes[right].declaration
            case (.alias(let left), .alias(let right)):
                aliases[left].declaration.type == aliases[right].declaration.type
            default: false
            }
        }
        return isSame ? first : nil
    }

    private func describe(_ child: TypeNode.Child) -> String {
        let place =
            switch child {
            case .type(let id): nodes[id].place
            case .alias(let number): aliases[number].declaration.place
            }
        return location(place).description
    }

    private func isPrivate(_ child: TypeNode.Child) -> Bool {
        switch child {
        case .type(let id): nodes[id].declaration?.isPrivate ?? false
        case .alias(let number): aliases[number].declaration.isPrivate
        }
    }

    private func file(of child: TypeNode.Child) -> Int {
        switch child {
        case .type(let id): nodes[id].file
        case .alias(let number): aliases[number].scope.file
        }
    }
}

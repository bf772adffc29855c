import Diagnostics
import ObjectModel

/// What a type is.
indirect enum TypeMeaning: Sendable, Hashable {
    case optional(TypeMeaning)
    case array(TypeMeaning)
    case dictionary(TypeMeaning, TypeMeaning)
    /// A type of the sources, by its number.
    case declared(Int)
    /// A type of the standard library or Foundation, by the name that it has there.
    case scalar(ScalarType)
    /// SwiftUI's resolved color.
    case resolvedColor
    /// A type of another module, by the name that the user's table has it under.
    case foreign(String)
    /// A type that is not known, by its text, and why.
    case unknown(String, Reason)

    enum Reason: Sendable, Hashable {
        /// Nothing in the sources has this name.
        case notDeclared
        /// More than one type has this name.
        case ambiguous([String])
        /// It is known, but no store has shown its form.
        case notSeen
    }
}

extension TypeIndex {
    /// The longest way over aliases that is followed.
    private static let depthLimit = 40

    /// Finds what a type means in a scope.
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
        // A type of another module that is only extended here stands for itself.
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

    /// Goes from the meaning of the first name to those that are looked up in it.
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
            children = member(components[index + 1].name, of: id)
            if children.isEmpty { return .unknown(text, .notDeclared) }
        }
        return .unknown(text, .notDeclared)
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

    /// Finds what a name stands for: the innermost type that has it, else the file, else any file.
    func children(_ name: String, in scope: Scope) -> [TypeNode.Child] {
        if name == "Self", let innermost = scope.chain.first { return [.type(innermost)] }
        for id in scope.chain {
            let found = member(name, of: id)
            if !found.isEmpty { return found }
        }
        let visible = (top[name] ?? []).filter { !isPrivate($0) || file(of: $0) == scope.file }
        let own = visible.filter { isPrivate($0) }
        if !(own.isEmpty && visible.isEmpty) { return own.isEmpty ? visible : own }
        // An extension of a nested type names nothing of the types round it; but where nothing else has
        // the name, it is meant.
        for id in scope.chain.reversed() {
            for outer in nodes[id].scope.chain where !scope.chain.contains(outer) {
                let found = member(name, of: outer)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// Finds a type of the sources, or one of another module that is extended there, as `Schema`.
    func extendable(_ form: TypeForm, in scope: Scope) -> Int? {
        if case .declared(let id) = resolve(form, in: scope) { return id }
        guard let path = form.path, path.count == 1,
            case .type(let id)? = children(path[0], in: scope).first
        else { return nil }
        return id
    }

    /// Finds a type in a type, or in what it inherits.
    func member(_ name: String, of id: Int) -> [TypeNode.Child] {
        if let found = nodes[id].children[name] { return found }
        var seen: Set<Int> = [id]
        var rest = nodes[id].supertypes
        while let next = rest.popLast() {
            guard seen.insert(next).inserted else { continue }
            if let found = nodes[next].children[name] { return found }
            rest += nodes[next].supertypes
        }
        return []
    }

    /// Says whether a type conforms to a protocol of another module, by itself or by way of one declared here.
    func conforms(_ id: Int, to name: String) -> Bool {
        var seen: Set<Int> = []
        var rest = [id]
        while let next = rest.popLast() {
            guard seen.insert(next).inserted else { continue }
            let isNamed = nodes[next].inherited.contains { form, _ in
                form.text.split(separator: "&").contains { part in
                    part.split { $0 == "." || $0.isWhitespace }.last.map(String.init) == name
                }
            }
            if isNamed { return true }
            rest += nodes[next].supertypes
        }
        return false
    }

    /// Returns the only one, or the first where all say the same.
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

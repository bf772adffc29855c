/// A configuration of a container, with the scope of its names.
struct StoreConfiguration {
    /// Its arguments, none for the default; `nil` where it is made at run time.
    var arguments: [Expression.Argument]?
    var scope: Scope

    /// Whether the store is only in memory; `nil` where that is decided at run time.
    var isInMemory: Bool? {
        switch self["isStoredInMemoryOnly"] {
        case nil, .boolean(false): false
        case .boolean(true): true
        default: nil
        }
    }

    subscript(label: String) -> Expression? { arguments?.first { $0.label == label }?.value }
}

extension SchemaReader {
    /// The calls that open containers in this build, with the scopes of their names.
    var uses: [(use: ContainerUse, scope: Scope)] {
        index.files.enumerated().flatMap { number, file in
            file.containers.filter { $0.conditions.allSatisfy(index.conditions.holds) }
                .map { (use: $0, scope: scope(of: $0, in: number)) }
                // Another target may open other models.
                .filter {
                    !importers.contains(file.path) || classes(of: $0.use, in: $0.scope) != nil
                }
        }
    }

    /// Whether a container may be only in memory.
    func isTemporary(_ use: ContainerUse, in scope: Scope) -> Bool {
        use.isTemporary || configurations(of: use, in: scope).allSatisfy { $0.isInMemory != false }
    }

    /// Whether a container is only in memory, as in previews.
    func isPreview(_ use: ContainerUse, in scope: Scope) -> Bool {
        use.isPreview || configurations(of: use, in: scope).allSatisfy { $0.isInMemory == true }
    }

    /// The configurations of a container; the default one where it names none.
    func configurations(of use: ContainerUse, in scope: Scope) -> [StoreConfiguration] {
        let start = use.arguments.firstIndex { $0.label == "configurations" }
        let values = start.map { use.arguments[$0...].map(\.value) } ?? []
        let found = values.flatMap { configurations($0, in: scope, depth: 0) }
        return found.isEmpty ? [StoreConfiguration(arguments: [], scope: scope)] : found
    }

    private func configurations(
        _ value: Expression,
        in scope: Scope,
        depth: Int
    ) -> [StoreConfiguration] {
        let type = Expression.name("ModelConfiguration", [])
        switch value {
        case .array(let values):
            return values.flatMap { configurations($0, in: scope, depth: depth) }
        case .call(type, let arguments), .call(.member(type, "init"), let arguments),
            .call(.member(nil, "init"), let arguments):
            return [StoreConfiguration(arguments: arguments, scope: scope)]
        default:
            guard depth < 20, let (found, next) = constant(value, of: type, in: scope) else {
                return [StoreConfiguration(scope: scope)]
            }
            return configurations(found, in: next, depth: depth + 1)
        }
    }

    /// The value of a constant, which may be a static property of the expected type.
    private func constant(
        _ value: Expression,
        of type: Expression?,
        in scope: Scope
    ) -> (value: Expression, scope: Scope)? {
        var value = value
        if case .member(nil, let name) = value, let type { value = .member(type, name) }
        guard let (property, next) = lists.follow(value, in: scope),
            let found = try? lists.value(of: property)
        else { return nil }
        return (found, next)
    }

    /// Returns a value in which constants are replaced by their values.
    func resolved(
        _ value: Expression,
        of type: String? = nil,
        in scope: Scope,
        depth: Int = 0
    ) -> Expression {
        guard depth < 20 else { return value }
        func inner(_ value: Expression) -> Expression {
            resolved(value, in: scope, depth: depth + 1)
        }
        let type = type.map { Expression.name($0, []) }
        if let (found, next) = constant(value, of: type, in: scope) {
            return resolved(found, in: next, depth: depth + 1)
        }
        switch value {
        case .unwrapped(let value), .cast(let value, _): return inner(value)
        case .member(let base?, let name): return .member(inner(base), name)
        case .choice(let first, let second): return .choice(inner(first), inner(second))
        case .call(let function, let arguments):
            return .call(
                inner(function),
                arguments.map { .init(label: $0.label, value: inner($0.value)) }
            )
        default: return value
        }
    }

    /// Whether each persistent configuration is mirrored, `nil` where entitlements decide, and whether all are known.
    var mirrored: (known: [Bool?], isWhole: Bool) {
        let found = uses.filter { !isPreview($0.use, in: $0.scope) }.flatMap {
            configurations(of: $0.use, in: $0.scope)
        }.filter { $0.isInMemory != true }
        let known = found.filter { $0.arguments != nil }
        return (known.map(isMirrored), !found.isEmpty && known.count == found.count)
    }

    func isMirrored(_ configuration: StoreConfiguration) -> Bool? {
        configuration["cloudKitDatabase"].flatMap {
            isMirrored(resolved($0, in: configuration.scope))
        }
    }

    private func isMirrored(_ database: Expression) -> Bool? {
        switch database {
        case .member(_, "none"): return false
        case .call(.member(_, "private"), _): return true
        case .choice(let first, let second):
            let both = [isMirrored(first), isMirrored(second)]
            return both.contains(true) ? true : both == [false, false] ? false : nil
        default: return nil
        }
    }
}

extension Expression {
    /// Whether it has one value wherever it is written: it is made of texts, types and what these have.
    var isConstant: Bool {
        switch self {
        case .string(let text): text != nil
        case .name("UUID", _), .name("Self", _): false
        case .name(let name, _): name.first?.isUppercase == true
        case .member(let base, _): base?.isConstant ?? true
        case .call(let function, let arguments):
            function.isConstant && arguments.allSatisfy { $0.value.isConstant }
        default: false
        }
    }

    /// The members and the labels of arguments in it.
    var members: [String] {
        switch self {
        case .member(let base, let name): (base?.members ?? []) + [name]
        case .call(let function, let arguments):
            arguments.reduce(function.members) { $0 + [$1.label ?? ""] + $1.value.members }
        case .unwrapped(let value), .cast(let value, _): value.members
        case .choice(let first, let second): first.members + second.members
        default: []
        }
    }
}

import Diagnostics
import ObjectModel

struct Scope: Sendable, Hashable {
    var chain: [Int] = []
    var file: Int
}

/// A type with everything from its declaration and its extensions.
struct TypeNode: Sendable {
    enum Child: Sendable, Hashable {
        case type(Int)
        case alias(Int)
    }

    /// The names of the enclosing types and its own, outermost first.
    var path: [String]
    /// The declaration; `nil` for a type of another module that is extended here.
    var declaration: TypeDeclaration?
    /// The stored and computed properties, cases and macros of the declaration itself.
    var members: [Declaration] = []
    var attributes: [AttributeUse] = []
    /// What it inherits and conforms to, extensions included.
    var inherited: [(form: TypeForm, scope: Scope)] = []
    /// The properties of extensions, and the static ones of the declaration.
    var properties: [(property: PropertyDeclaration, scope: Scope)] = []
    var children: [String: [Child]] = [:]
    var hasFailableInitializer = false
    /// Whether an initializer computes its values from stored ones.
    var decodesByCode = false
    /// Its functions, by name, if their file declares a migration plan.
    var functions: [String: [FunctionBody]] = [:]
    /// The scope in which the members look names up.
    var scope: Scope
    /// The declared types that it inherits and conforms to.
    var supertypes: [Int] = []

    var name: String { path[path.count - 1] }
    var file: Int { scope.file }
    var place: Place { declaration?.place ?? Place(file: file) }
    var isModel: Bool { declaration?.kind == .class && attributes.contains { $0.name == "Model" } }
}

struct TypeIndex: Sendable {
    private(set) var nodes: [TypeNode] = []
    private(set) var aliases: [(declaration: AliasDeclaration, scope: Scope)] = []
    private(set) var globals: [(property: PropertyDeclaration, scope: Scope)] = []
    private(set) var functions: [String: [FunctionBody]] = [:]
    private(set) var top: [String: [TypeNode.Child]] = [:]
    /// The types that conform to protocols of other modules, by the protocols' names.
    private(set) var conforming: [String: Set<Int>] = [:]
    let files: [FileDeclarations]
    /// The enclosing folders of each file, outermost first.
    let folders: [[Substring]]
    let conditions: BuildConditions
    let foreign: [String: ForeignForm]
    private var pending: [(declaration: TypeDeclaration, file: Int)] = []

    /// Takes what `#if` keeps of the files.
    init(
        _ files: [FileDeclarations],
        _ conditions: BuildConditions,
        foreign: [String: ForeignForm] = [:]
    ) {
        self.files = files
        folders = files.map { $0.path.split(separator: "/").dropLast() }
        self.conditions = conditions
        self.foreign = foreign
        for (number, file) in files.enumerated() {
            for declaration in conditions.active(file.declarations) {
                add(declaration, to: nil, Scope(file: number))
            }
        }
        addExtensions()
        for id in nodes.indices { nodes[id].supertypes = supertypes(of: id) }
        conforming = conformances()
    }

    private mutating func add(_ declaration: Declaration, to parent: Int?, _ scope: Scope) {
        switch declaration {
        case .type(let type): add(type, to: parent, scope)
        case .alias(let alias):
            aliases.append((alias, scope))
            add(.alias(aliases.count - 1), named: alias.name, to: parent)
        case .property(let property):
            guard let parent else { return globals.append((property, scope)) }
            nodes[parent].members.append(declaration)
            if property.isStatic { nodes[parent].properties.append((property, scope)) }
        case .enumCase, .macro: if let parent { nodes[parent].members.append(declaration) }
        case .function(let name, let body):
            if let parent {
                nodes[parent].functions[name, default: []].append(body)
            } else {
                functions[name, default: []].append(body)
            }
        case .failableInitializer: if let parent { nodes[parent].hasFailableInitializer = true }
        case .decodingInitializer: if let parent { nodes[parent].decodesByCode = true }
        }
    }

    private mutating func add(_ child: TypeNode.Child, named name: String, to parent: Int?) {
        if let parent {
            nodes[parent].children[name, default: []].append(child)
        } else {
            top[name, default: []].append(child)
        }
    }

    private mutating func add(_ type: TypeDeclaration, to parent: Int?, _ scope: Scope) {
        guard type.kind != .extension, let name = type.name.path?.last else {
            return pending.append((type, scope.file))
        }
        let id = nodes.count
        var inner = scope
        inner.chain.insert(id, at: 0)
        var node = TypeNode(
            path: (parent.map { nodes[$0].path } ?? []) + [name],
            declaration: type,
            scope: inner
        )
        node.attributes = conditions.active(type.attributes)
        node.inherited = type.inherited.map { ($0, scope) }
        nodes.append(node)
        add(.type(id), named: name, to: parent)
        for member in conditions.active(type.members) { add(member, to: id, inner) }
    }

    /// Assigns extensions to their types; one may declare what another extends.
    private mutating func addExtensions() {
        while !pending.isEmpty {
            let round = pending
            pending = []
            var left: [(declaration: TypeDeclaration, file: Int)] = []
            for item in round {
                let scope = Scope(file: item.file)
                if case .declared(let id) = resolve(item.declaration.name, in: scope) {
                    extend(id, item.declaration, item.file)
                } else {
                    left.append(item)
                }
            }
            if left.count == round.count, pending.isEmpty {
                let names = left.sorted { depth($0.declaration) < depth($1.declaration) }
                for item in names { extendForeign(item.declaration, item.file) }
                return
            }
            pending += left
        }
    }

    private func depth(_ declaration: TypeDeclaration) -> Int { declaration.name.path?.count ?? 0 }

    private mutating func extend(_ id: Int, _ declaration: TypeDeclaration, _ file: Int) {
        // In an extension, names do not refer to the types around the extended one.
        let scope = Scope(chain: [id], file: file)
        nodes[id].inherited += declaration.inherited.map { ($0, Scope(file: file)) }
        for member in conditions.active(declaration.members) {
            switch member {
            case .property(let property): nodes[id].properties.append((property, scope))
            case .enumCase, .macro: break
            default: add(member, to: id, scope)
            }
        }
    }

    private mutating func extendForeign(_ declaration: TypeDeclaration, _ file: Int) {
        guard var path = declaration.name.path else { return }
        if path.count > 1, TypeIndex.libraries.contains(path[0]) { path.removeFirst() }
        var parent: Int?
        for length in 1...path.count {
            let name = path[length - 1]
            let known = parent.map { nodes[$0].children[name] ?? [] } ?? top[name] ?? []
            switch known.first {
            case .type(let id)?:
                parent = id
                continue
            // An extension of an alias's type declares nothing under the alias.
            case .alias?: return
            case nil: break
            }
            let id = nodes.count
            let chain = [id] + (parent.map { nodes[$0].scope.chain } ?? [])
            nodes.append(
                TypeNode(
                    path: Array(path[..<length]),
                    declaration: nil,
                    scope: Scope(chain: chain, file: file)
                )
            )
            add(.type(id), named: name, to: parent)
            parent = id
        }
        if let parent { extend(parent, declaration, file) }
    }

    func location(_ place: Place) -> FileLocation {
        guard files.indices.contains(place.file) else { return FileLocation(path: "") }
        let file = files[place.file]
        return file.places.location(of: nil, ofElementAt: place.offset)
            ?? FileLocation(path: file.path)
    }

    func mark(_ place: Place) -> SourceMark {
        guard files.indices.contains(place.file) else { return SourceMark() }
        return SourceMark(files[place.file].places, offset: place.offset)
    }

    private func supertypes(of id: Int) -> [Int] {
        nodes[id].inherited.compactMap { form, scope in
            guard case .declared(let type) = resolve(form, in: scope), type != id else {
                return nil
            }
            return type
        }
    }
}

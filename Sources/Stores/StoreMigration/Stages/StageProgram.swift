package import Diagnostics
import Essentials
import FileSystem
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A user's program that does the work of a stage: it reads objects and writes changes, a line of JSON each.
///
/// It runs beside the migration, whose transaction its changes are part of: any failure takes them back.
package struct StageProgram: Sendable, Hashable {
    /// The program and its arguments; a name without a slash is looked up as a shell does.
    package var arguments: [String]
    package var entities: [String]
    package var location: FileLocation

    package init(arguments: [String], entities: [String], location: FileLocation) {
        (self.arguments, self.entities, self.location) = (arguments, entities, location)
    }

    package var name: String { arguments.first ?? "" }

    /// The default time limit of a program: one that hangs must not block a store for ever.
    static let timeLimit: Duration = .seconds(600)
}

/// Writes objects as lines for a program, and carries out the changes in the lines that it answers with.
///
/// Objects are rows as in the page StableOutput, made self-contained: `@id` is the entity and the identifier, to-one
/// links are such names, to-many links are left out, and nil is `null`, in a composite too.
struct ProgramLines {
    private let context: StoreContext
    private let views: ModelViews
    /// The objects that the program inserted, by its names for them.
    private var inserted: [String: Int64] = [:]

    init(_ context: StoreContext, _ views: ModelViews) {
        (self.context, self.views) = (context, views)
    }

    /// The line of an object with the properties of the entity that it was read as.
    func line(of object: StoreObject, as entity: String) throws -> [UInt8] {
        guard let entity = views.graph.entity(entity) else { return [] }
        var members: [String: JSONValue] = ["@id": .string("\(object.entity)/p\(object.id)")]
        for stored in views.attributes(of: entity) {
            let value = ProgramValue.json(try object.value(stored.name), stored.attribute)
            put(value, at: stored.path[...], into: &members)
        }
        for link in views.toOneLinks(of: entity) {
            let key = try object.value(link.name).integer
            let destination = relationship(link.name, of: entity)?.destinationEntity ?? ""
            members[link.name] = key.map { .string("\(destination)/p\($0)") } ?? .null
        }
        return Array(JSONValue.object(members).document().utf8) + [UInt8(ascii: "\n")]
    }

    /// Puts a value into the object of its composite.
    private func put(
        _ value: JSONValue,
        at path: ArraySlice<String>,
        into members: inout [String: JSONValue]
    ) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return members[name] = value }
        var elements: [String: JSONValue] = [:]
        if case .object(let known)? = members[name] { elements = known }
        put(value, at: path.dropFirst(), into: &elements)
        members[name] = .object(elements)
    }

    mutating func carryOut(_ line: [UInt8]) throws {
        guard let value = try? JSONValue(parsing: line), case .object(var members) = value else {
            throw ProgramFault("the line is not a JSON object")
        }
        if let name = JSONValue.repeatedName(in: line) {
            throw ProgramFault("'\(name)' occurs twice")
        }
        let kinds = ["@id", "@insert", "@delete"].filter { members[$0] != nil }
        guard kinds.count == 1, let name = members.removeValue(forKey: kinds[0])?.text else {
            throw ProgramFault(
                "a line needs one of \"@id\" (to change an object), \"@insert\" and \"@delete\" with a name"
            )
        }
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard let entity = views.graph.entity(parts.first ?? "") else {
            throw ProgramFault("there is no entity '\(parts.first ?? "")'")
        }
        switch kinds[0] {
        case "@insert": try insert(entity, parts.count > 1 ? name : nil, members)
        case "@delete":
            guard members.isEmpty else { throw ProgramFault("\"@delete\" takes no other keys") }
            try context.delete(entity.name, try identifier(name))
        default:
            let id = try identifier(name)
            let (values, links) = try split(members, of: entity)
            if !values.isEmpty {
                let list = values.map { "\(quotedIdentifier($0.name)) = ?" }.joined(separator: ", ")
                try context.rows(
                    "UPDATE \(quotedIdentifier(entity.name)) SET \(list) WHERE objectID = ?",
                    values.map(\.value) + [.integer(id)]
                )
            }
            try link(entity, id, links)
        }
    }

    private mutating func insert(
        _ entity: Entity,
        _ name: String?,
        _ members: [String: JSONValue]
    ) throws {
        guard !entity.isAbstract else { throw ProgramFault("'\(entity.name)' is abstract") }
        if let name, Self.key(of: name) != nil || inserted[name] != nil {
            throw ProgramFault("'\(name)' is a name of stored or inserted objects; choose another")
        }
        let (values, links) = try split(members, of: entity)
        let pairs = Dictionary(values.map { ($0.name, $0.value) }) { $1 }
        let id = try context.insert(entity.name, pairs)
        if let name { inserted[name] = id }
        try link(entity, id, links)
    }

    private func link(_ entity: Entity, _ id: Int64, _ links: [(name: String, to: Int64)]) throws {
        for link in links { try context.link(entity.name, link.name, from: id, to: link.to) }
    }

    /// The members as values of columns, and as links to add to to-many relationships.
    private func split(_ members: [String: JSONValue], of entity: Entity) throws -> (
        values: [(name: String, value: SQLiteValue)], links: [(name: String, to: Int64)]
    ) {
        var values: [(name: String, value: SQLiteValue)] = []
        var links: [(name: String, to: Int64)] = []
        let attributes = views.attributes(of: entity)
        for (name, json) in members.sorted(by: { $0.key < $1.key }) {
            // An element may be given without a mapping, by the name of its column.
            let given = attributes.filter { $0.path[0] == name || $0.name == name }
            if !given.isEmpty {
                let isElement = given[0].path[0] != name
                let depth = isElement ? given[0].path.count : 1
                values += try self.values(json, "\(entity.name).\(name)", given, at: depth)
            } else if let relationship = relationship(name, of: entity) {
                if relationship.isToMany {
                    guard let names = json.items?.compactMap(\.text),
                        names.count == json.items?.count
                    else { throw ProgramFault("\(entity.name).\(name) takes a list of objects") }
                    links += try names.map { (name, try identifier($0, of: relationship)) }
                } else if case .null = json {
                    values.append((name, .null))
                } else {
                    guard let text = json.text else {
                        throw ProgramFault("\(entity.name).\(name) takes an object, or null")
                    }
                    values.append((name, .integer(try identifier(text, of: relationship))))
                }
            } else {
                throw ProgramFault("'\(entity.name)' has no property '\(name)'")
            }
        }
        return (values, links)
    }

    /// The values of an attribute, or of all elements of a composite: omitted ones become nil.
    private func values(
        _ json: JSONValue,
        _ element: String,
        _ attributes: [ModelViews.StoredAttribute],
        at depth: Int
    ) throws -> [(name: String, value: SQLiteValue)] {
        if let stored = attributes.first, stored.path.count == depth {
            guard let value = ProgramValue.stored(json, stored.attribute) else {
                let type = stored.attribute.type.sourceName ?? "value"
                throw ProgramFault("\(element): '\(json)' is not a valid \(type)")
            }
            return [(stored.name, value)]
        }
        var members: [String: JSONValue] = [:]
        switch json {
        case .null: break
        case .object(let given): members = given
        case .boolean, .integer, .number, .string, .list:
            throw ProgramFault("\(element) takes an object with its elements, or null")
        }
        let elements = Dictionary(grouping: attributes) { $0.path[depth] }
        for name in members.keys.sorted() where elements[name] == nil {
            throw ProgramFault("'\(element)' has no element '\(name)'")
        }
        return try elements.sorted { $0.key < $1.key }.flatMap { name, attributes in
            try values(members[name] ?? .null, "\(element).\(name)", attributes, at: depth + 1)
        }
    }

    private func relationship(_ name: String, of entity: Entity) -> Relationship? {
        views.graph.lineage(of: entity).lazy.flatMap(\.relationships)
            .first { $0.name == name && !$0.isTransient }
    }

    /// The identifier of an existing object, by its name; one that the relationship, if given, can lead to.
    private func identifier(_ name: String, of relationship: Relationship? = nil) throws -> Int64 {
        let entity = name.split(separator: "/").first.map(String.init) ?? ""
        guard let key = inserted[name] ?? Self.key(of: name), try isObject(key, of: entity) else {
            throw ProgramFault("there is no object '\(name)'")
        }
        guard let relationship, let end = relationship.destinationEntity else { return key }
        // Objects of different hierarchies may have the same key.
        guard views.layout.table(of: entity)?.name == views.layout.table(of: end)?.name,
            try isObject(key, of: end)
        else {
            throw ProgramFault(
                "'\(relationship.name)' leads to \(end), but '\(name)' is of another entity"
            )
        }
        return key
    }

    private func isObject(_ key: Int64, of entity: String) throws -> Bool {
        guard let view = views.entities[entity.lowercased()] else { return false }
        return try !context.rows(
            "SELECT 1 FROM \(quotedIdentifier(view.name)) WHERE objectID = ?",
            [.integer(key)]
        ).isEmpty
    }

    /// The key in a name such as `Person/p3`.
    private static func key(of name: String) -> Int64? {
        let parts = name.split(separator: "/")
        guard parts.count == 2, parts[1].hasPrefix("p") else { return nil }
        return Int64(parts[1].dropFirst())
    }
}

extension StageSession {
    func run(_ program: StageProgram) throws(StoreMigrationError) {
        let context = StoreContext(self)
        defer { context.close() }
        var run: ProgramConversation?
        do {
            for entity in program.entities where views.graph.entity(entity) == nil {
                throw ProgramFault("it reads the entity '\(entity)', which does not exist")
            }
            var lines = ProgramLines(context, views)
            let started = try ProgramConversation(program.arguments) {
                deadline.hasPassed
            } take: {
                try lines.carryOut($0)
            }
            run = started
            defer { started.end() }
            for entity in program.entities {
                try context.fetch(entity) { try started.send(lines.line(of: $0, as: entity)) }
            }
            try started.finish()
        } catch let error as StoreMigrationError { throw error } catch {
            let place = program.location
            let position = run.map { $0.lines > 0 ? " (line \($0.lines) of its output)" : "" } ?? ""
            throw .script(
                path: place.path,
                line: place.line ?? 1,
                column: place.column ?? 1,
                reason: "program '\(program.name)'\(position): \(error)"
            )
        }
    }
}

/// Values as programs of stages read and write them: the JSON of exported rows (the page StableOutput, "Rows").
///
/// A value without its attribute's type is passed as it is stored; a program that does not touch it leaves it unchanged.
enum ProgramValue {
    /// Numbers of greater magnitude are strings: most programs would round them.
    private static let exactLimit: UInt64 = 1 << 53

    static func json(_ value: SQLiteValue, _ attribute: Attribute) -> JSONValue {
        switch (value, attribute.type) {
        case (.null, _): return .null
        case (.integer(let number), .boolean) where number == 0 || number == 1:
            return .boolean(number == 1)
        case (.integer(let number), .date): return date(Double(number))
        case (.real(let number), .date): return date(number)
        case (.integer(let number), .decimal): return .string(String(number))
        case (.real(let number), .decimal): return .string(number.description)
        case (.integer(let number), _):
            return number.magnitude <= exactLimit ? .integer(Int(number)) : .string(String(number))
        case (.real(let number), _): return real(number)
        case (.text(let text), _): return .string(text)
        case (.blob(let bytes), let type):
            let text = type == .uuid ? uuidText(bytes) : nil
            return .string(text ?? bytes.base64EncodedString())
        }
    }

    private static func date(_ seconds: Double) -> JSONValue {
        StoredDate.text(of: seconds).map { .string($0) } ?? real(seconds)
    }

    private static func real(_ number: Double) -> JSONValue {
        number.isFinite ? .number(number) : .string(number > 0 ? "Infinity" : "-Infinity")
    }

    /// The value as it is stored; `nil` for one that the attribute cannot have.
    static func stored(_ json: JSONValue, _ attribute: Attribute) -> SQLiteValue? {
        if case .null = json { return .null }
        switch attribute.type.values {
        case .boolean: return json.truth.map { .integer($0 ? 1 : 0) }
        case .integer:
            let range = attribute.type.integers
            return integer(json).flatMap { range.contains($0) ? .integer($0) : nil }
        case .double: return real(json).map { .real($0) }
        case .float: return real(json).map { .real(Double(Float($0))) }
        case .decimal:
            if json.text == "NaN" { return .text("NaN") }
            return integer(json).map { .integer($0) } ?? real(json).map { .real($0) }
        case .date: return seconds(json).map { .real($0) }
        case .string, .uri: return json.text.map { .text($0) }
        case .uuid: return json.text.flatMap(UUID.init(uuidString:)).map { .blob($0.bytes) }
        case .binary, .transformable:
            return json.text.flatMap { Data(base64Encoded: $0) }.map { .blob($0) }
        case .undefined, .objectID, .composite: return nil
        }
    }

    private static func integer(_ json: JSONValue) -> Int64? {
        switch json {
        case .integer(let number): Int64(number)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    private static func real(_ json: JSONValue) -> Double? {
        switch json {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    private static func seconds(_ json: JSONValue) -> Double? {
        guard let text = json.text, !["Infinity", "-Infinity"].contains(text) else {
            return real(json)
        }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { StoredDate.seconds(of: $0) }
    }
}

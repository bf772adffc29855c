import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowEditor {
    /// Inserts objects, with their defaults and the values and links that the rows give.
    ///
    /// - Parameter rows: the rows by entity; an `@id` is a name for later.
    /// - Throws: `RowExchangeError` at the first fault, with its location.
    package mutating func insert(_ rows: RowSource) throws(RowExchangeError) {
        try begin()
        var objects: [Object] = []
        try document(rows).forEachRow { reader, entity throws(RowExchangeError) in
            let object = try makeObject(of: entity)
            objects.append(object)
            try reader.skipRow { text throws(RowExchangeError) in
                let name =
                    "\(layout.entities[entity].name)/\(String(decoding: text, as: UTF8.self))"
                guard self.name(object, name) else {
                    let message = "there is another object '\(name)'"
                    throw reader.fault(.duplicateID, message, at: reader.mark)
                }
            }
        }
        var place = 0
        try document(rows).forEachRow { reader, _ throws(RowExchangeError) in
            try setMembers(of: objects[place], from: reader)
            place += 1
        }
    }

    private func document(_ rows: RowSource) -> RowDocument {
        RowDocument(rows, entities: layout.entities.map { ($0.name, $0.isAbstract) })
    }

    /// Sets values and links of an object; null takes them away.
    package mutating func set(
        _ object: Object,
        _ values: RowSource
    ) throws(RowExchangeError) {
        try begin()
        let reader = JSONReader(values)
        try reader.expect("{")
        try setMembers(of: object, from: reader)
    }

    private mutating func setMembers(
        of object: Object,
        from reader: JSONReader
    ) throws(RowExchangeError) {
        touched.insert(object)
        try forEachMember(of: object, from: reader) {
            editor,
            field,
            reader throws(RowExchangeError) in
            try editor.set(field, of: object, from: reader)
        }
        try deriveValues(of: object)
    }

    /// Hands over each member of an object of JSON, with the reader before its value.
    mutating func forEachMember(
        of object: Object,
        from reader: JSONReader,
        _ body: (inout RowEditor, RowField, JSONReader) throws(RowExchangeError) -> Void
    ) throws(RowExchangeError) {
        guard let fields = fields[object.entity] else { return }
        try reader.forEachMember { text, mark throws(RowExchangeError) in
            let name = String(decoding: text, as: UTF8.self)
            try reader.expect(":")
            if name == "@id" {
                _ = try reader.string()
                return
            }
            guard let field = fields.fields.first(where: { $0.name == name }) else {
                let entity = layout.entities[object.entity].name
                let nearest = suggestion(for: name, among: fields.fields.map(\.name))
                let message = "\(entity) has no stored property '\(name)'\(nearest)"
                throw reader.fault(.unknownProperty, message, at: mark)
            }
            try body(&self, field, reader)
        }
    }

    private mutating func set(
        _ field: RowField,
        of object: Object,
        from reader: JSONReader
    ) throws(RowExchangeError) {
        switch field {
        case .value(let field): try set(field, of: object, from: reader)
        case .composite(let name, let elements):
            try setComposite(name, elements, of: object, from: reader)
        case .toOne(let field):
            let targets = try references(to: field.destination, from: reader)
            try link(field, of: object, to: targets.first)
        case .toMany(let field):
            let targets = try references(to: field.destination, from: reader)
            for member in try destinations(of: field, of: object) {
                try unlink(field, of: object, from: member)
            }
            for member in targets { try link(field, of: object, to: member) }
        }
    }

    private mutating func set(
        _ field: ValueField,
        of object: Object,
        from reader: JSONReader
    ) throws(RowExchangeError) {
        let statement = try update(field.column, of: object)
        if try !reader.takeNull() {
            let element = "\(layout.entities[object.entity].name).\(field.name)"
            try values.read(field.attribute, element, into: statement, at: 1, from: reader)
        }
        try run(statement, field, of: object)
    }

    /// Runs a change of a value; tables of old frameworks keep their values unique themselves, whatever is done next.
    private mutating func run(
        _ statement: Statement,
        _ field: ValueField,
        of object: Object
    ) throws(RowExchangeError) {
        do throws(StoreError) {
            try statement.run()
        } catch .sqlite(_, 2067, _, _) {
            let element = "\(words(object)): \(field.name)"
            conflicts.append(SaveFault(code: 133_021, element: element, message: "not unique"))
        } catch {
            throw .store(error)
        }
    }

    private mutating func setComposite(
        _ name: String,
        _ elements: [RowField],
        of object: Object,
        from reader: JSONReader
    ) throws(RowExchangeError) {
        // What is not named of a new composite is nil.
        for element in elements { try clear(element, of: object) }
        if try reader.takeNull() { return }
        try reader.expect("{")
        try reader.forEachElement(of: name, among: elements) { element throws(RowExchangeError) in
            try set(element, of: object, from: reader)
        }
    }

    private func clear(_ field: RowField, of object: Object) throws(RowExchangeError) {
        switch field {
        case .value(let field):
            let statement = try update(field.column, of: object)
            try reading { () throws(StoreError) in try statement.run() }
        case .composite(_, let elements):
            for element in elements { try clear(element, of: object) }
        case .toOne, .toMany: break
        }
    }

    private func update(
        _ column: String,
        of object: Object
    ) throws(RowExchangeError) -> Statement {
        let table = quotedIdentifier(fields[object.entity]?.table ?? "")
        let sql = "UPDATE \(table) SET \(quotedIdentifier(column)) = ?1 WHERE Z_PK = \(object.key)"
        return try reading { () throws(StoreError) in try Statement(sql, on: connection) }
    }

    /// Makes an object with the default values of its attributes, as inserting one into a context does.
    private mutating func makeObject(of entity: Int) throws(RowExchangeError) -> Object {
        guard let fields = fields[entity], let root = layout.number(of: fields.entity.rootName)
        else { throw .rows(Diagnostic(.unknownEntity, "the entity has no table")) }
        let keys = "Z_PRIMARYKEY WHERE Z_ENT = \(root)"
        let greatest = try value("SELECT Z_MAX FROM \(keys)")?.integer ?? 0
        let (key, overflows) = greatest.addingReportingOverflow(1)
        guard !overflows else { throw .rows(Diagnostic(.outOfRange, "there is no key left")) }
        try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(root)")
        let table = quotedIdentifier(fields.table)
        try execute(
            "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), \(entity + 1), 1)"
        )
        let object = Object(entity: entity, key: key)
        touched.insert(object)
        inserted.insert(object)
        for case .value(let field) in fields.fields {
            guard let value = field.attribute.defaultValue, field.attribute.derivation == nil
            else { continue }
            let statement = try update(field.column, of: object)
            try values.bind(value, field.attribute, into: statement, at: 1)
            try run(statement, field, of: object)
        }
        return object
    }

    /// Works out the derived attributes of an object, which Core Data does when it saves one.
    func deriveValues(of object: Object) throws(RowExchangeError) {
        guard let fields = fields[object.entity] else { return }
        for case .value(let field) in fields.fields {
            let scope = RowScope(row: "t", entity: fields.entity.name)
            guard let derivation = field.attribute.derivation,
                let value = try? derivedValue(derivation, of: scope, layout, graph)
            else { continue }
            try execute(
                "UPDATE \(quotedIdentifier(fields.table)) AS t "
                    + "SET \(quotedIdentifier(field.column)) = \(value) WHERE Z_PK = \(object.key)"
            )
        }
    }
}

import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowEditor {
    /// Adds what relationships of an object lead to.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - links: for each relationship a reference, or a list of them.
    /// - Throws: `RowExchangeError` at the first fault, with its location.
    package mutating func link(_ object: Object, _ links: RowSource) throws(RowExchangeError) {
        try forEachLink(of: object, links) { editor, field, targets throws(RowExchangeError) in
            switch field {
            case .toOne(let field): try editor.link(field, of: object, to: targets.first)
            case .toMany(let field):
                for target in targets { try editor.link(field, of: object, to: target) }
            case .value, .composite: break
            }
        }
    }

    /// Takes away some of what relationships of an object lead to; see ``link(_:_:)``.
    package mutating func unlink(_ object: Object, _ links: RowSource) throws(RowExchangeError) {
        try forEachLink(of: object, links) { editor, field, targets throws(RowExchangeError) in
            switch field {
            case .toOne(let field):
                if try editor.destinations(of: .toOne(field), of: object) == targets {
                    try editor.link(field, of: object, to: nil)
                }
            case .toMany(let field):
                for target in targets { try editor.unlink(field, of: object, from: target) }
            case .value, .composite: break
            }
        }
    }

    private mutating func forEachLink(
        of object: Object,
        _ links: RowSource,
        _ body: (inout RowEditor, RowField, [Object]) throws(RowExchangeError) -> Void
    ) throws(RowExchangeError) {
        try begin()
        let reader = JSONReader(links)
        try reader.expect("{")
        try forEachMember(of: object, from: reader) {
            editor,
            field,
            reader throws(RowExchangeError) in
            let mark = reader.mark
            guard let destination = field.destination else {
                let message = "'\(field.name)' is no relationship; write it behind 'set'"
                throw reader.fault(.wrongValue, message, at: mark)
            }
            let targets = try editor.references(to: destination, from: reader)
            if case .toOne = field, targets.count > 1 {
                let message = "'\(field.name)' leads to one object"
                throw reader.fault(.wrongValue, message, at: mark)
            }
            try body(&editor, field, targets)
        }
        for object in touched where !deleted.contains(object) { try deriveValues(of: object) }
    }

    /// Reads a reference, a list of them, or null.
    func references(
        to destination: String,
        from reader: JSONReader
    ) throws(RowExchangeError) -> [Object] {
        if try reader.takeNull() { return [] }
        guard try reader.take("[") else { return [try reference(to: destination, from: reader)] }
        var objects: [Object] = []
        try reader.forEachElement { () throws(RowExchangeError) in
            objects.append(try reference(to: destination, from: reader))
        }
        return objects
    }

    private func reference(
        to destination: String,
        from reader: JSONReader
    ) throws(RowExchangeError) -> Object {
        _ = try reader.peek()
        let mark = reader.mark
        let text = String(decoding: try reader.string(), as: UTF8.self)
        let object = try object(text, at: reader.location(mark))
        guard layout.numbers(ofHierarchy: destination).contains(object.entity + 1) else {
            throw reader.fault(.wrongValue, "'\(text)' is no \(destination)", at: mark)
        }
        return object
    }

    /// The objects that a relationship leads to, in their order where there is one.
    func destinations(
        of field: RowField,
        of object: Object
    ) throws(RowExchangeError) -> [Object] {
        switch field {
        case .value, .composite: return []
        case .toOne(let field):
            guard let target = layout.table(of: field.destination)?.name,
                let table = fields[object.entity]?.table
            else { return [] }
            let key = quotedIdentifier(field.column)
            return try objects(
                "SELECT d.Z_ENT, d.Z_PK FROM \(quotedIdentifier(table)) AS t JOIN "
                    + "\(quotedIdentifier(target)) AS d ON d.Z_PK = t.\(key) "
                    + "WHERE t.Z_PK = \(object.key)"
            )
        case .toMany(let field): return try destinations(of: field, of: object)
        }
    }

    func destinations(
        of field: ToManyField,
        of object: Object
    ) throws(RowExchangeError) -> [Object] {
        switch field.storage {
        case .inverseForeignKey(let table, let column, _, let orderKey),
            .ownerColumn(let table, let column, let orderKey):
            let order = orderKey.map { quotedIdentifier($0) + ", " } ?? ""
            return try objects(
                "SELECT Z_ENT, Z_PK FROM \(quotedIdentifier(table)) "
                    + "WHERE \(quotedIdentifier(column)) = \(object.key) ORDER BY \(order)Z_PK"
            )
        case .joinTable(let name, let source, let destination, let orderKey):
            guard let target = layout.table(of: field.destination)?.name else { return [] }
            let order = orderKey.map { "j.\(quotedIdentifier($0)), " } ?? ""
            return try objects(
                "SELECT d.Z_ENT, d.Z_PK FROM \(quotedIdentifier(name)) AS j JOIN "
                    + "\(quotedIdentifier(target)) AS d "
                    + "ON d.Z_PK = j.\(quotedIdentifier(destination)) "
                    + "WHERE j.\(quotedIdentifier(source)) = \(object.key) ORDER BY \(order)d.Z_PK"
            )
        case .foreignKey, .none: return []
        }
    }

    /// Lets a to-one relationship lead to an object, or to nothing; its inverse follows.
    mutating func link(
        _ field: ToOneField,
        of object: Object,
        to target: Object?
    ) throws(RowExchangeError) {
        guard
            case .foreignKey(let table, _, _, let orderKey)? = layout.storage(
                of: field.relationship.name,
                declaredBy: field.declaredBy
            )
        else { return }
        touched.formUnion([object, target].compactMap(\.self))
        touched.formUnion(try destinations(of: .toOne(field), of: object))
        let own = KeyColumns(table, field.column, field.entityColumn, orderKey)
        if let back = inversePlace(of: field) {
            try release(back, from: object)
            if let target {
                try release(own, from: target)
                try point(back, of: target, to: object)
            }
        }
        try point(own, of: object, to: target)
    }

    /// Adds an object to those that a to-many relationship leads to.
    mutating func link(
        _ field: ToManyField,
        of object: Object,
        to member: Object
    ) throws(RowExchangeError) {
        touched.formUnion([object, member])
        if let place = KeyColumns(ofMembersOf: field.storage) {
            try touchOwner(of: member, at: place, field)
            try point(place, of: member, to: object)
        } else if case .joinTable(let name, let source, _, _) = field.storage {
            try join(name, source, object.key, member.key)
            if isOwnInverse(name) { try join(name, source, member.key, object.key) }
        }
    }

    /// Takes an object from those that a to-many relationship leads to.
    mutating func unlink(
        _ field: ToManyField,
        of object: Object,
        from member: Object
    ) throws(RowExchangeError) {
        touched.formUnion([object, member])
        if let place = KeyColumns(ofMembersOf: field.storage) {
            try clear(place, of: member, object)
        } else if case .joinTable(let name, let source, let destination, _) = field.storage {
            let (from, to) = (quotedIdentifier(source), quotedIdentifier(destination))
            let sql = "DELETE FROM \(quotedIdentifier(name)) WHERE \(from) = ? AND \(to) = ?"
            try execute(sql, [.integer(object.key), .integer(member.key)])
            guard isOwnInverse(name) else { return }
            try execute(sql, [.integer(member.key), .integer(object.key)])
        }
    }
}

extension RowEditor {
    private func point(
        _ place: KeyColumns,
        of row: RowEditor.Object,
        to target: RowEditor.Object?
    ) throws(RowExchangeError) {
        guard let target else {
            return try execute(
                "UPDATE \(place.table) SET \(place.clearing) WHERE Z_PK = \(row.key)"
            )
        }
        var changes = ["\(place.column) = \(target.key)"]
        if let column = place.entityColumn { changes.append("\(column) = \(target.entity + 1)") }
        if let order = place.orderKey {
            changes.append(
                "\(order) = (SELECT 1024 + IFNULL(MAX(\(order)), 1024) FROM \(place.table) "
                    + "WHERE \(place.column) = \(target.key))"
            )
        }
        // What leads there already keeps its place.
        try execute(
            "UPDATE \(place.table) SET \(changes.joined(separator: ", ")) "
                + "WHERE Z_PK = \(row.key) AND \(place.column) IS NOT \(target.key)"
        )
    }

    private func clear(
        _ place: KeyColumns,
        of row: RowEditor.Object,
        _ target: RowEditor.Object
    ) throws(RowExchangeError) {
        try execute(
            "UPDATE \(place.table) SET \(place.clearing) "
                + "WHERE Z_PK = \(row.key) AND \(place.column) = \(target.key)"
        )
    }

    /// Lets no row of a one-to-one relationship lead to an object any more.
    private mutating func release(
        _ place: KeyColumns,
        from target: RowEditor.Object
    ) throws(RowExchangeError) {
        let condition = "\(place.column) = \(target.key)"
        touched.formUnion(
            try objects("SELECT Z_ENT, Z_PK FROM \(place.table) WHERE \(condition)")
        )
        try execute("UPDATE \(place.table) SET \(place.clearing) WHERE \(condition)")
    }

    /// The owner that an object moves away from changes too.
    private mutating func touchOwner(
        of member: RowEditor.Object,
        at place: KeyColumns,
        _ field: ToManyField
    ) throws(RowExchangeError) {
        guard let owners = layout.table(of: field.declaredBy)?.name else { return }
        touched.formUnion(
            try objects(
                "SELECT o.Z_ENT, o.Z_PK FROM \(place.table) AS m JOIN \(quotedIdentifier(owners)) AS o "
                    + "ON o.Z_PK = m.\(place.column) WHERE m.Z_PK = \(member.key)"
            )
        )
    }

    /// The columns of the inverse of a to-one relationship, if that is to-one too.
    private func inversePlace(of field: ToOneField) -> KeyColumns? {
        guard let (inverse, owner) = graph.inverse(of: field.relationship), !inverse.isToMany,
            case .foreignKey(let table, let column, let entityColumn, let orderKey)? =
                layout.storage(of: inverse.name, declaredBy: owner.name)
        else { return nil }
        return KeyColumns(table, column, entityColumn, orderKey)
    }

    private func isOwnInverse(_ table: String) -> Bool {
        layout.joinTables.contains {
            $0.name == table && $0.first.leadsThrough == $0.second.leadsThrough
        }
    }

    private func join(
        _ name: String,
        _ source: String,
        _ owner: Int64,
        _ member: Int64
    ) throws(RowExchangeError) {
        guard let join = layout.joinTables.first(where: { $0.name == name }) else { return }
        let isForward = join.first.name == source
        let (left, right) = isForward ? (join.first, join.second) : (join.second, join.first)
        let table = quotedIdentifier(name)
        var columns = [left.name, right.name].map(quotedIdentifier)
        var values = ["\(owner)", "\(member)"]
        for (column, other, key) in [(right, left, owner), (left, right, member)] {
            guard let orderKey = column.orderKey.map(quotedIdentifier) else { continue }
            columns.append(orderKey)
            values.append(
                "(SELECT 1024 + IFNULL(MAX(\(orderKey)), 1024) FROM \(table) "
                    + "WHERE \(quotedIdentifier(other.name)) = \(key))"
            )
        }
        try execute(
            "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(values.joined(separator: ", ")))"
        )
    }
}

extension RowField {
    /// The entity that a relationship leads to.
    var destination: String? {
        switch self {
        case .toOne(let field): field.destination
        case .toMany(let field): field.destination
        case .value, .composite: nil
        }
    }

    /// The relationship.
    var relationship: Relationship? {
        switch self {
        case .toOne(let field): field.relationship
        case .toMany(let field): field.relationship
        case .value, .composite: nil
        }
    }
}

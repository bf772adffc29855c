import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowEditor {
    /// Says in what an object differs from what is expected of it; only what is named counts.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - expected: its values and links; null stands for none.
    /// - Returns: a line for each difference; empty when there is none.
    /// - Throws: `RowExchangeError` when the expectation is not understood.
    package mutating func differences(
        of object: Object,
        from expected: RowSource
    ) throws(RowExchangeError) -> [String] {
        var lines: [String] = []
        let reader = JSONReader(expected)
        try reader.expect("{")
        try forEachMember(of: object, from: reader) {
            editor,
            field,
            reader throws(RowExchangeError) in
            lines += try editor.differences(of: object, in: field, field.name, from: reader)
        }
        return lines.map { "\(words(object)): \($0)" }
    }

    private func differences(
        of object: Object,
        in field: RowField,
        _ name: String,
        from reader: JSONReader
    ) throws(RowExchangeError) -> [String] {
        switch field {
        case .value(let field):
            let expected = try canonical(field, from: reader)
            let found = try canonical(field, of: object)
            guard !haveSameBytes(expected, found) else { return [] }
            let (one, other) = toldApart(expected, found)
            return ["\(name) is \(other ?? "nil"), expected \(one ?? "nil")"]
        case .composite(_, let elements):
            return try compositeDifferences(of: object, in: elements, name, from: reader)
        case .toOne, .toMany:
            var expected = try references(to: field.destination ?? "", from: reader).map(words)
            var found = try destinations(of: field, of: object).map(words)
            if field.relationship?.isOrdered != true {
                expected.sort()
                found.sort()
            }
            guard expected != found else { return [] }
            let isOrder = expected.sorted() == found.sorted()
            let verb = isOrder ? "is in another order:" : "is"
            return ["\(name) \(verb) \(list(found)), expected \(list(expected))"]
        }
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }

    private func compositeDifferences(
        of object: Object,
        in elements: [RowField],
        _ name: String,
        from reader: JSONReader
    ) throws(RowExchangeError) -> [String] {
        guard try reader.take("{") else {
            guard try reader.takeNull() else { throw try reader.unexpected("'{'") }
            for case .value(let field) in elements {
                guard let value = try canonical(field, of: object) else { continue }
                return ["\(name).\(field.name) is \(value), expected nil"]
            }
            return []
        }
        var lines: [String] = []
        try reader.forEachElement(of: name, among: elements) { element throws(RowExchangeError) in
            lines += try differences(
                of: object,
                in: element,
                "\(name).\(element.name)",
                from: reader
            )
        }
        return lines
    }

    /// The value of an object in the form that an export gives it; `nil` for none.
    private func canonical(
        _ field: ValueField,
        of object: Object
    ) throws(RowExchangeError) -> String? {
        let table = quotedIdentifier(fields[object.entity]?.table ?? "")
        let sql =
            "SELECT Z_PK, \(quotedIdentifier(field.column)) FROM \(table) WHERE Z_PK = \(object.key)"
        let statement = try reading { () throws(StoreError) in try Statement(sql, on: connection) }
        return try canonical(field.attribute, of: statement)
    }

    /// The value that is expected, in the form that an export would give it.
    private func canonical(
        _ field: ValueField,
        from reader: JSONReader
    ) throws(RowExchangeError) -> String? {
        if try reader.takeNull() { return nil }
        let statement = try reading { () throws(StoreError) in
            try Statement("SELECT 0, ?1", on: connection)
        }
        var attribute = field.attribute
        attribute.allowsExternalBinaryDataStorage = false
        try values.read(attribute, field.name, into: statement, at: 1, from: reader)
        return try canonical(attribute, of: statement)
    }

    private func canonical(
        _ attribute: Attribute,
        of statement: Statement
    ) throws(RowExchangeError) -> String? {
        let isThere = try reading { () throws(StoreError) in try statement.step() }
        guard isThere, statement.kind(1) != .null else { return nil }
        var writer = ValueWriter(path: connection.path, entity: "")
        var text = JSONText(capacity: 64)
        writer.write(attribute, 1, of: statement, into: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

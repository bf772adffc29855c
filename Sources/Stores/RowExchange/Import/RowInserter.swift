import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Reads rows and writes them with their values and to-one links; other links wait in tables of their own.
struct RowInserter {
    private enum Mention: UInt8 { case none, null, value }

    private(set) var count = 0
    private(set) var identifiers: RowIdentifiers
    private(set) var values: ValueReader
    /// Required values that rows omit.
    private(set) var gaps: [Diagnostic] = []
    /// The first link to a missing row, where that is recorded while the rest is read.
    private(set) var danglingLink: StoreError?
    let targets: ImportTargets
    private let options: RowImportOptions
    /// Where the current row begins.
    var mark = (line: 0, column: 0)
    private var mentions: [Mention] = []
    private var lines: [Int] = []
    /// The destinations of the current row's to-many links, those of a relationship one after another.
    private var members: [Int64] = []
    private var lists: [(table: Int, count: Int)] = []
    private var emptyTables: [Int] = []

    init(
        _ targets: ImportTargets,
        _ identifiers: RowIdentifiers,
        _ externalData: ExternalData,
        _ options: RowImportOptions
    ) {
        (self.targets, self.identifiers, self.options) = (targets, identifiers, options)
        values = ValueReader(externalData)
    }

    /// Reads a row after its opening brace, with its closing brace, and writes it; returns its key.
    ///
    /// `entity` is an index. `complete` reads what the row omits, by its `@id`. An error has its location.
    mutating func insertRow(
        of entity: Int,
        from reader: JSONReader,
        _ complete: (inout RowInserter, [UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) -> Int64 {
        _ = try reader.peek()
        mark = reader.mark
        let target = targets.entities[entity]
        mentions.removeAll(keepingCapacity: true)
        mentions.append(contentsOf: repeatElement(.none, count: target.fields.count))
        lines.removeAll(keepingCapacity: true)
        lines.append(contentsOf: repeatElement(0, count: target.fields.count))
        members.removeAll(keepingCapacity: true)
        lists.removeAll(keepingCapacity: true)
        emptyTables.removeAll(keepingCapacity: true)
        let name = try readMembers(of: target, entity, from: reader)
        if let name { try complete(&self, name) }
        let given = name.flatMap { name in name.withUnsafeBytes { identifiers.key($0, of: entity) }
        }
        let key = given ?? identifiers.makeKey(for: entity)
        try fillGaps(of: target, key, reader)
        do {
            try target.insert.bind(key, at: 1)
            try target.insert.run()
        } catch { throw explained(error, target.name, reader) }
        try addLinks(of: key, reader)
        count += 1
        return key
    }

    /// The names of the properties that the last written row gives, with their lines.
    func mentionedNames(of entity: Int) -> [String: Int] {
        let fields = targets.entities[entity].fields
        return Dictionary(
            firstOf: fields.indices.filter { mentions[$0] != .none }
                .map { (String(decoding: fields[$0].name, as: UTF8.self), lines[$0]) }
        )
    }

    /// Reads what the current row omits from another row, after its opening brace.
    mutating func readFurther(of entity: Int, from reader: JSONReader) throws(StoreError) {
        _ = try readMembers(of: targets.entities[entity], entity, from: reader, isFurther: true)
    }

    private mutating func readMembers(
        of target: ImportTarget,
        _ entity: Int,
        from reader: JSONReader,
        isFurther: Bool = false
    ) throws(StoreError) -> [UInt8]? {
        var identifier: [UInt8]?
        var expected = 0
        if try reader.take("}") { return nil }
        repeat {
            _ = try reader.peek()
            let mark = reader.mark
            let name = try reader.string()
            if name.elementsEqual("@id".utf8) {
                guard identifier == nil else { throw twice("@id", target.name, mark, reader) }
                try reader.expect(":")
                identifier = Array(try reader.string())
                continue
            }
            guard let place = place(of: name, in: target, &expected) else {
                throw unknown(name, target, mark, reader)
            }
            let field = target.fields[place]
            try reader.expect(":")
            guard mentions[place] == .none else {
                guard isFurther else {
                    let name = String(decoding: field.name, as: UTF8.self)
                    throw twice(name, target.name, mark, reader)
                }
                try reader.skipValue()
                continue
            }
            let isPresent = try read(field, into: target.insert, from: reader)
            mentions[place] = isPresent ? .value : .null
            lines[place] = mark.line
        } while try reader.take(",")
        guard try reader.take("}") else { throw try reader.unexpected("',' or '}'") }
        return identifier
    }

    /// Members mostly come in the order of the fields, so the next ones are tried first.
    private func place(
        of name: UnsafeRawBufferPointer,
        in target: ImportTarget,
        _ expected: inout Int
    ) -> Int? {
        var place = expected
        while place < target.fields.count, place < expected + 8 {
            if name.elementsEqual(target.fields[place].name) {
                expected = place + 1
                return place
            }
            place += 1
        }
        guard let place = target.places[Array(name)] else { return nil }
        expected = place + 1
        return place
    }

    /// Reads the value of a property; `false` for null and its equivalents.
    private mutating func read(
        _ field: ImportField,
        into statement: Statement,
        from reader: JSONReader
    ) throws(StoreError) -> Bool {
        if try reader.takeNull() { return false }
        switch field.kind {
        case .value(let value):
            try values.read(
                value.attribute,
                field.element,
                into: Parameter(statement: statement, index: value.parameter),
                from: reader
            )
            return true
        case .composite(let elements, let fillings):
            let seen = try readComposite(elements, field.element, into: statement, from: reader)
            for (names, value) in fillings where options.missing == .filled {
                let places = names.map { name in elements.firstIndex { $0.name == Array(name.utf8) }
                }
                guard let first = places[0], seen.isDisjoint(with: places.compactMap(\.self))
                else { continue }
                let text = JSONReader(text: value, like: reader)
                _ = try read(elements[first], into: statement, from: text)
            }
            return true
        case .toOne(let parameter, let entityParameter, let destination):
            guard let link = try reference(to: destination, field.element, from: reader) else {
                return false
            }
            try statement.bind(link.key, at: parameter)
            if let entityParameter {
                try statement.bind(Int64(link.entity + 1), at: entityParameter)
            }
            return true
        case .toMany(let table, let destination):
            return try readLinks(table, to: destination, field.element, from: reader)
        }
    }

    private mutating func readComposite(
        _ elements: [ImportField],
        _ element: String,
        into statement: Statement,
        from reader: JSONReader
    ) throws(StoreError) -> Set<Int> {
        let start = reader.mark
        guard try reader.take("{") else {
            let message = "an object is expected\(elements.example)"
            throw reader.fault(.wrongValue, message, at: start, element: element)
        }
        var seen: Set<Int> = []
        try reader.forEachMember { name, mark throws(StoreError) in
            guard let place = elements.firstIndex(where: { name.elementsEqual($0.name) }) else {
                let text = String(decoding: name, as: UTF8.self)
                let message = "'\(element)' has no element '\(text)'"
                throw reader.fault(.unknownProperty, message, at: mark, element: element)
            }
            guard seen.insert(place).inserted else {
                throw twice(elements[place].element, element, mark, reader)
            }
            try reader.expect(":")
            _ = try read(elements[place], into: statement, from: reader)
        }
        return seen
    }

    private mutating func readLinks(
        _ table: Int,
        to destination: LinkDestination,
        _ element: String,
        from reader: JSONReader
    ) throws(StoreError) -> Bool {
        let start = reader.mark
        guard try reader.take("[") else {
            let message = "an array of references is expected"
            throw reader.fault(.wrongValue, message, at: start, element: element)
        }
        if try reader.take("]") {
            emptyTables.append(table)
            return false
        }
        let first = members.count
        repeat {
            guard let link = try reference(to: destination, element, from: reader) else { continue }
            members.append(link.key)
        } while try reader.take(",")
        guard try reader.take("]") else { throw try reader.unexpected("',' or ']'") }
        lists.append((table, members.count - first))
        if members.count == first { emptyTables.append(table) }
        return members.count > first
    }

    /// Reads a reference; `nil` for one to a missing row, where such are left out.
    private mutating func reference(
        to destination: LinkDestination,
        _ element: String,
        from reader: JSONReader
    ) throws(StoreError) -> (entity: Int, key: Int64)? {
        let first = try reader.peek()
        let mark = reader.mark
        guard first == UInt8(ascii: "\"") else {
            let message = "a reference such as \"\(destination.name)/p1\" is expected"
            throw reader.fault(.wrongValue, message, at: mark, element: element)
        }
        let text = try reader.string()
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else {
            // Names are short; longer text is not a name.
            let own = String(decoding: text.prefix(60), as: UTF8.self)
            let message = "write the reference as \"\(destination.name)/\(own)\""
            throw reader.fault(.wrongValue, message, at: mark, element: element)
        }
        guard let (place, end) = entity(namedIn: text, slash, destination) else {
            let message = "there is no entity '\(String(decoding: text[..<slash], as: UTF8.self))'"
            throw reader.fault(.unknownEntity, message, at: mark, element: element)
        }
        let identifier = UnsafeRawBufferPointer(rebasing: text[(end + 1)...])
        guard let link = identifiers.find(identifier, of: place) else {
            guard !options.clearsLinks else { return nil }
            let message = "there is no row '\(String(decoding: text, as: UTF8.self))'"
            let fault = reader.fault(.danglingReference, message, at: mark, element: element)
            guard options.advisesOnLinks else { throw fault }
            danglingLink = danglingLink ?? fault
            return nil
        }
        guard destination.entities.contains(link.entity) else {
            let message =
                "'\(String(decoding: text, as: UTF8.self))' is not an object of '\(destination.name)'"
            throw reader.fault(.wrongValue, message, at: mark, element: element)
        }
        return link
    }

    private mutating func fillGaps(
        of target: ImportTarget,
        _ key: Int64,
        _ reader: JSONReader
    ) throws(StoreError) {
        for (place, field) in target.fields.enumerated() where mentions[place] != .value {
            switch field.absence {
            case .isNil:
                guard options.missing == .filled, case .composite(_, let fillings) = field.kind,
                    !fillings.isEmpty, mentions[place] != .null
                else { continue }
                _ = try read(field, into: target.insert, from: JSONReader(text: "{}", like: reader))
            case .takesDefault(let value):
                // An explicit nil stays.
                guard case .value(let column) = field.kind, mentions[place] != .null else {
                    continue
                }
                let parameter = Parameter(statement: target.insert, index: column.parameter)
                try values.bind(value, column.attribute, into: parameter)
            case .isFault: try fillFault(field, target, key, reader)
            case .isGap(let gap):
                // An explicit nil of a derived attribute stays.
                if case .value = field.kind, mentions[place] == .null { continue }
                try targets.addGap.bind(Int64(gap), at: 1)
                try targets.addGap.bind(key, at: 2)
                try targets.addGap.bind(Int64(mark.line), at: 3)
                try targets.addGap.bind(Int64(mark.column), at: 4)
                try targets.addGap.run()
            }
        }
    }

    private mutating func fillFault(
        _ field: ImportField,
        _ target: ImportTarget,
        _ key: Int64,
        _ reader: JSONReader
    ) throws(StoreError) {
        guard options.missing != .left else { return }
        let name = String(decoding: field.name, as: UTF8.self)
        var value: String?
        if case .value(let place) = field.kind {
            let isUnique = target.uniqueNames.contains(name)
            value = fillingValue(of: place.attribute, number: key, isUnique: isUnique)
            if options.missing == .filled, let value {
                return try values.read(
                    place.attribute,
                    field.element,
                    into: Parameter(statement: target.insert, index: place.parameter),
                    from: JSONReader(text: value, like: reader)
                )
            }
        }
        let addition = value.map { ": add \"\(name)\": \($0)" } ?? ""
        let message =
            "\(field.element): give a value; the attribute is required and has no default\(addition)"
        guard gaps.count < Self.gapLimit else { return }
        gaps.append(
            Diagnostic(.missingValue, message, at: reader.location(mark), element: field.element)
        )
    }

    static let gapLimit = 1000

    private func addLinks(of key: Int64, _ reader: JSONReader) throws(StoreError) {
        let tables = lists.lazy.flatMap { list in
            (0..<list.count).lazy.map { (targets.links[list.table], 2048 + 1024 * Int64($0)) }
        }
        for (member, (table, position)) in zip(members, tables) {
            do throws(StoreError) {
                try table.insert.bind(key, at: 1)
                try table.insert.bind(member, at: 2)
                try table.insert.bind(position, at: 3)
                try table.insert.run()
            } catch .sqlite(_, let code, _, _) where code & 0xFF == 19 {
                let message =
                    table.isJoin
                    ? "'\(table.field.relationship.name)' names an object twice"
                    : "'\(table.field.relationship.name)' names an object again"
                let element = table.property.description
                throw reader.fault(.contradiction, message, at: mark, element: element)
            }
        }
        for table in emptyTables {
            try targets.links[table].insertEmpty.bind(key, at: 1)
            try targets.links[table].insertEmpty.run()
        }
    }
}

import SQLiteAccess
import StoreFormat

extension StoreEvidence {
    /// Reads the names that indexes and triggers have in their own spelling (SQLiteStores, "Indexes" and "Derived
    /// attributes").
    mutating func readNames(_ schema: [SchemaObject]) {
        for object in schema {
            switch object.kind {
            case .index: readIndex(object)
            case .trigger: readTrigger(object.sql)
            case .table: readConstraints(of: object)
            case .view: break
            }
        }
    }

    private mutating func readIndex(_ index: SchemaObject) {
        guard index.name.hasPrefix("Z_"), let open = index.sql.lastIndex(of: "("),
            let close = index.sql.lastIndex(of: ")"), open < close
        else { return }
        let columns = index.sql[index.sql.index(after: open)..<close].split(separator: ",")
            .compactMap { $0.split(separator: " ").first.map { String($0.dropFirst()) } }
        let own = entities.filter {
            $0.table == index.table && index.name.hasPrefix("Z_\($0.name)_")
        }
        for entity in own {
            var rest = index.name.dropFirst(entity.name.count + 3)
            guard rest.hasPrefix("UNIQUE_") else {
                readIndexName(String(rest), columns)
                continue
            }
            rest = rest.dropFirst(7)
            guard rest.uppercased() == columns.joined(separator: "_") else { continue }
            var names: [String] = []
            for column in columns {
                names.append(String(rest.prefix(column.count)))
                rest = rest.dropFirst(column.count + 1)
            }
            constraints[entity.name, default: []].append(names)
            spellings += names
        }
    }

    /// Reads `CONSTRAINT ZCODE_ZKIND UNIQUE (ZCODE, ZKIND)` in the statement of an entity's table.
    private mutating func readConstraints(of table: SchemaObject) {
        guard let root = entities.first(where: { $0.parent == nil && $0.table == table.name })
        else { return }
        for part in table.sql.components(behind: " UNIQUE (") {
            guard let end = part.firstIndex(of: ")") else { continue }
            let columns = part[..<end].split(separator: ",").map { $0.filter { $0 != " " } }
            guard columns.allSatisfy({ $0.hasPrefix("Z") }), !columns.isEmpty else { continue }
            tableConstraints[root.name, default: []].append(columns.map { String($0.dropFirst()) })
        }
    }

    /// An index may be called as its attribute, or `by` and its attribute.
    private mutating func readIndexName(_ name: String, _ columns: [String]) {
        guard columns.count == 1 else { return }
        if name.uppercased() == columns[0] { spellings.append(name) }
        let rest = name.dropFirst(2)
        if name.hasPrefix("by"), rest.uppercased() == columns[0] {
            spellings.append(rest.prefix(1).lowercased() + rest.dropFirst())
        }
    }

    /// What a trigger tells Core Data of ends with the attribute and its column: `…, Z_PK, 'bookCount', ZBOOKCOUNT)`.
    private mutating func readTrigger(_ sql: String) {
        guard let start = sql.firstRange(of: "Z_PK, '") else { return }
        let rest = sql[start.upperBound...]
        guard let end = rest.firstIndex(of: "'") else { return }
        spellings.append(String(rest[..<end]))
    }

    /// Reads the tables of many-to-many relationships: `Z_2TAGS (Z_2BOOKS, Z_4TAGS)` says that `tags` of entity 2 leads
    /// to entity 4, and `books` back.
    mutating func readJoins(_ schema: [SchemaObject]) {
        for table in schema where table.kind == .table && table.name.hasPrefix("Z_") {
            guard let (number, text) = numbered(table.name),
                let owner = entity(number: number),
                let names = try? store.connection.columns(of: table.name).map(\.name)
            else { continue }
            let keys = names.filter { !$0.hasPrefix("Z_FOK_") }
            guard keys.count == 2 else { continue }
            func isOrdered(_ key: String) -> Bool {
                names.contains("Z_FOK_" + key.dropFirst(2))
            }
            var side = JoinSide(
                owner: owner.name,
                text: text,
                destination: owner.name,
                isOrdered: isOrdered(keys[0])
            )
            guard keys[1] != "REFLEXIVE" else {
                joins.append((side, nil))
                continue
            }
            guard let (back, inverse) = numbered(keys[0]), back == number,
                let (target, _) = numbered(keys[1]), let destination = entity(number: target)
            else { continue }
            var other = JoinSide(
                owner: destination.name,
                text: inverse,
                destination: owner.name,
                isOrdered: side.isOrdered
            )
            other.inverseText = text
            side.destination = destination.name
            side.isOrdered = isOrdered(keys[1])
            side.inverseText = inverse
            joins.append((side, other))
        }
    }

    private func numbered(_ name: String) -> (Int, String)? {
        let digits = name.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
        let rest = name.dropFirst(2 + digits.count)
        guard name.hasPrefix("Z_"), let number = Int(digits), !rest.isEmpty else { return nil }
        return (number, String(rest))
    }
}

extension String {
    /// What follows each occurrence of a text.
    fileprivate func components(behind text: String) -> [Substring] {
        ranges(of: text).map { self[$0.upperBound...] }
    }
}

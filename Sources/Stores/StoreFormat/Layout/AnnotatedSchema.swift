import Essentials
import ObjectModel

/// Returns the statement that made a part of a schema, one column per line with its meaning in the model.
///
/// The text is still SQL: additions are comments. Objects unknown to the layout stay as they are.
package func annotatedSQL(of object: SchemaObject, _ layout: StoreLayout) -> String {
    guard object.kind == .table else { return object.sql }
    var notes: [String: String] = [:]
    let heading: String
    if let table = layout.tables.first(where: { $0.name == object.name }) {
        for column in table.columns { notes[column.name] = note(of: column.role) }
        heading = table.entities
            .map { "\($0) (\(layout.number(of: $0) ?? 0))" }.joined(separator: ", ")
    } else if let join = layout.joinTables.first(where: { $0.name == object.name }) {
        for (column, other) in [(join.first, join.second), (join.second, join.first)] {
            notes[column.name] = "\(column.entity), through \(column.leadsThrough)"
            if let orderKey = column.orderKey {
                notes[orderKey] = "place among the \(column.leadsThrough.name) of \(other.entity)"
            }
        }
        heading = "\(join.second.leadsThrough), \(join.first.leadsThrough)"
    } else {
        return object.sql
    }
    guard let (start, columns, end) = parts(of: object.sql) else { return object.sql }
    let lines = columns.enumerated().map { index, column in
        let separator = index == columns.count - 1 ? "" : ","
        let comment = notes[columnName(column)].map { " -- \($0)" } ?? ""
        return "  \(column)\(separator)\(singleLine(comment))"
    }
    return (["-- \(singleLine(heading))", start + "("] + lines + [")" + end])
        .joined(separator: "\n")
}

private func note(of role: ColumnRole) -> String {
    switch role {
    case .primaryKey: "key"
    case .entityNumber: "number of the entity"
    case .optimisticLock: "number of updates"
    case .attribute(let attribute, let path): (["\(attribute)"] + path).joined(separator: ".")
    case .toOne(let link): "\(link): key of the destination"
    case .toOneEntity(let link): "\(link): entity of the destination"
    case .orderKey(let link): "place among those with the same \(link)"
    case .toManyOwner(let link): "\(link): key of the owner"
    case .toManyOwnerOrderKey(let link): "place in \(link)"
    }
}

private func parts(of sql: String) -> (start: String, columns: [String], end: String)? {
    var (start, columns, current) = ("", [String](), "")
    var depth = 0
    var quote: Character?
    var rest = Substring(sql)
    while let character = rest.popFirst() {
        if let open = quote {
            if character == open { quote = nil }
        } else if ["\"", "'", "`"].contains(character) {
            quote = character
        } else if character == "(" {
            depth += 1
            if depth == 1 {
                (start, current) = (current, "")
                continue
            }
        } else if character == ")" {
            depth -= 1
            if depth == 0 {
                columns.append(current.trimmed)
                return (start, columns, String(rest))
            }
        } else if character == ",", depth == 1 {
            columns.append(current.trimmed)
            current = ""
            continue
        }
        current.append(character)
    }
    return nil
}

func declaredColumnNames(of sql: String) -> [String] {
    let words = ["PRIMARY", "CONSTRAINT", "UNIQUE", "CHECK", "FOREIGN"]
    return (parts(of: sql)?.columns ?? []).filter { definition in
        !words.contains { definition.hasPrefix($0 + " ") }
    }.map(columnName)
}

private func columnName(_ definition: String) -> String {
    guard definition.hasPrefix("\"") else { return String(definition.prefix { !$0.isWhitespace }) }
    let name = definition.dropFirst().replacing("\"\"", with: "\u{0}").prefix { $0 != "\"" }
    return String(name).replacing("\u{0}", with: "\"")
}

/// A comment ends with its line, and names come from anywhere.
private func singleLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

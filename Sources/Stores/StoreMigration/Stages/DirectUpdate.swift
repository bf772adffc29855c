import SQLiteAccess

/// A statement on a view, rewritten for its table.
///
/// SQLite updates a view row by row through its trigger. A plain `UPDATE` of attributes means the same on the table,
/// and is as fast there as Core Data's own statements; everything else goes through the view.
struct DirectUpdate {
    let sql: String
    let table: String

    /// Rewrites a statement; `nil` when it is not plainly an update of attributes.
    init?(_ statement: ScriptStatement, views: ModelViews) {
        let tokens = statement.tokens
        guard tokens.count > 4, tokens[0].isKeyword("UPDATE"), Self.isName(tokens[1]),
            tokens[2].isKeyword("SET"), let view = views.entities[tokens[1].text.lowercased()],
            !tokens.contains(where: { token in Self.obstacles.contains { token.isKeyword($0) } }),
            Self.isBalanced(tokens), Self.setsAttributes(tokens, view),
            let end = Self.conditionStart(tokens)
        else { return nil }
        var rewriting = Rewriting(statement: statement, view: view)
        guard let values = rewriting.text(of: 3..<end) else { return nil }
        var sql = "UPDATE main.\(quotedIdentifier(view.table)) SET \(values), Z_OPT = Z_OPT + 1"
        var conditions: [String] = []
        if let condition = view.condition { conditions.append(condition) }
        if end < tokens.count {
            guard end + 1 < tokens.count,
                let condition = rewriting.text(of: (end + 1)..<tokens.count)
            else { return nil }
            conditions.append("(\(condition))")
        }
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        self.sql = sql
        table = view.table
    }

    private static let obstacles = [
        "SELECT", "FROM", "WITH", "RETURNING", "ORDER", "LIMIT", "INDEXED", "RAISE", "VALUES",
        "COLLATE",
    ]

    private static func isName(_ token: SQLToken) -> Bool {
        token.kind == .word || token.kind == .quotedName
    }

    /// Whether the condition closes no parenthesis that it did not open, as it is enclosed in some.
    private static func isBalanced(_ tokens: [SQLToken]) -> Bool {
        var depth = 0
        for token in tokens where token.kind == .other {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            guard depth >= 0 else { return false }
        }
        return depth == 0
    }

    /// Whether every assignment is to an attribute, as `name = value`.
    private static func setsAttributes(
        _ tokens: [SQLToken],
        _ view: ModelViews.EntityView
    ) -> Bool {
        var depth = 0
        var isTarget = true
        for (place, token) in tokens.enumerated().dropFirst(3) {
            if depth == 0, token.isKeyword("WHERE") { break }
            if isTarget {
                guard isName(token), view.attributeColumns[token.text.lowercased()] != nil,
                    place + 1 < tokens.count, tokens[place + 1].text == "="
                else { return false }
                isTarget = false
            }
            guard token.kind == .other else { continue }
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            if token.text == ",", depth == 0 { isTarget = true }
        }
        return depth == 0 && !isTarget
    }

    private static func conditionStart(_ tokens: [SQLToken]) -> Int? {
        var depth = 0
        for (place, token) in tokens.enumerated().dropFirst(3) {
            if token.kind == .other, token.text == "(" { depth += 1 }
            if token.kind == .other, token.text == ")" { depth -= 1 }
            guard token.isKeyword("WHERE") else { continue }
            return depth == 0 ? place : nil
        }
        return tokens.count
    }
}

private struct Rewriting {
    let statement: ScriptStatement
    let view: ModelViews.EntityView

    private func isOnlyInView(_ name: String) -> Bool {
        name == "entity" || view.external.contains(name)
    }

    mutating func text(of places: Range<Int>) -> String? {
        let tokens = statement.tokens
        let bytes = Array(statement.text.utf8)
        guard let first = tokens[places].first, let last = tokens[places].last else { return nil }
        var result: [UInt8] = []
        var copied = first.range.lowerBound
        for place in places {
            let token = tokens[place]
            guard token.kind != .other else { continue }
            let isCall = place + 1 < tokens.count && tokens[place + 1].text == "("
            if token.kind == .word, isCall { continue }
            let isQualified = place > 0 && tokens[place - 1].text == "."
            let isQualifier = place + 1 < tokens.count && tokens[place + 1].text == "."
            guard !isQualified, !isQualifier else { return nil }
            guard let column = view.columns[token.text.lowercased()] else {
                // SQLite reports a quoted name that is not a column, on the view.
                if token.kind == .quotedName || isOnlyInView(token.text.lowercased()) { return nil }
                continue
            }
            // After AS comes a type, which may have the name of an attribute.
            if place > 0, tokens[place - 1].isKeyword("AS") { return nil }
            // A name that is also a keyword may be either.
            if token.kind == .word, quotedIdentifier(token.text) != token.text { return nil }
            result += bytes[copied..<token.range.lowerBound]
            result += Array(quotedIdentifier(column).utf8)
            copied = token.range.upperBound
        }
        result += bytes[copied..<last.range.upperBound]
        return String(decoding: result, as: UTF8.self)
    }
}

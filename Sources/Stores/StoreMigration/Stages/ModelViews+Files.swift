import SQLiteAccess

extension ModelViews {
    /// Returns a statement that changes or deletes objects, rewritten for the view without external values where it
    /// uses none of them.
    ///
    /// SQLite reads every column of a view whose rows change: a script that links people to cities would read the photo
    /// of each. An alias for the view does not help, because SQLite does not know it in the condition.
    func withoutFiles(_ sql: String) -> String {
        guard hasExternalValues else { return sql }
        let bytes = Array(sql.utf8)
        let tokens = sqlTokens(bytes)
        guard let target = Self.target(of: tokens),
            let view = entities[tokens[target].text.lowercased()], let other = view.withoutFiles
        else { return sql }
        let names = tokens.indices.filter {
            tokens[$0].kind == .word || tokens[$0].kind == .quotedName
        }
        guard !names.contains(where: { view.external.contains(tokens[$0].text.lowercased()) })
        else { return sql }
        let same = names.filter {
            $0 > target && tokens[$0].text.lowercased() == view.name.lowercased()
        }
        let qualifiers = same.filter { $0 + 1 < tokens.count && tokens[$0 + 1].text == "." }
        // Where the view is read too, its name before a dot is ambiguous.
        guard qualifiers.isEmpty || qualifiers == same else { return sql }
        var result: [UInt8] = []
        var copied = 0
        for place in [target] + qualifiers {
            let range = tokens[place].range
            result += bytes[copied..<range.lowerBound] + Array(quotedIdentifier(other).utf8)
            copied = range.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// The position of the view's name in a plain `UPDATE` or `DELETE`; `nil` for every other statement.
    private static func target(of tokens: [SQLToken]) -> Int? {
        func isKeyword(_ place: Int, _ word: String) -> Bool {
            tokens.indices.contains(place) && tokens[place].isKeyword(word)
        }
        if isKeyword(0, "UPDATE"), isKeyword(2, "SET") { return 1 }
        guard isKeyword(0, "DELETE"), isKeyword(1, "FROM"), tokens.count > 2 else { return nil }
        return tokens.count == 3 || tokens[3].kind == .end || isKeyword(3, "WHERE") ? 2 : nil
    }
}

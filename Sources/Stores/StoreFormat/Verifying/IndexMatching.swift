extension StoreLayout {
    /// The indexes that a store lacks, as neither the name nor the columns of one are there (SQLiteStores, "Indexes").
    package func missingIndexes(in schema: [SchemaObject]) -> [SchemaObject] {
        let present = schema.filter { $0.kind == .index }
        let names = Set(present.map(\.name))
        let missing = indexes.filter { !names.contains($0.name) }
        guard !missing.isEmpty else { return [] }
        var forms: Set<String> = []
        for index in present {
            let form = indexForm(index.sql)
            forms.insert(form)
            // A unique index serves for searching as well.
            if form.hasPrefix("unique ") { forms.insert(String(form.dropFirst("unique ".count))) }
        }
        return missing.filter { !forms.contains(indexForm($0.sql)) }
    }

    /// Whether a store has only the declared indexes: no attribute that is an index's only element also has the index
    /// that other runtimes make for its flag.
    func declaresIndexesAlone(amongIndexes schema: [SchemaObject]) -> Bool {
        let names = Set(schema.lazy.filter { $0.kind == .index }.map(\.name))
        let twins = Dictionary(grouping: indexes.filter { !$0.isUnique }) { indexForm($0.sql) }
            .values.filter { $0.count > 1 }
        // Of equal indexes, the one of the flag is created first.
        return twins.contains { $0.dropFirst().contains { names.contains($0.name) } }
            && twins.allSatisfy { !names.contains($0[0].name) }
    }
}

/// What an index does: its table, columns and condition, without its name and SQLite's defaults.
func indexForm(_ sql: String) -> String {
    let words = sql.split { $0.isWhitespace || "(),\"`[]".contains($0) }.map { $0.lowercased() }
    guard let start = words.firstIndex(of: "on") else { return sql }
    let kind = words[..<start].contains("unique") ? "unique " : ""
    var form = kind
    for (place, word) in words.enumerated() where place > start {
        let isUsual =
            word == "asc" || word == "collate" && words[(place + 1)...].first == "binary"
            || word == "binary" && words[place - 1] == "collate"
        if !isUsual { form += word + " " }
    }
    return form
}

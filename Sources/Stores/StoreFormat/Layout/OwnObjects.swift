import ObjectModel
import SQLiteAccess

/// The indexes and triggers of a store that are Core Data's, recognized by what they do: when it renames a table or an
/// entity, or drops an index from a version, objects keep earlier names (SQLiteStores, "Traces of migration").
package struct OwnObjects: Sendable {
    /// The names of indexes and triggers, and those of triggers alone, in lower case.
    private let names: Set<String>
    private let triggerNames: Set<String>
    /// The statements of indexes and of triggers, by the table in lower case.
    private let indexes: [String: [String]]
    private let triggers: [String: [String]]
    /// The columns of each join table, in lower case.
    private let joins: [String: Set<String>]
    private let unknownDerivations: Set<String>

    package init(of layouts: StoreLayout...) {
        let triggers = layouts.flatMap { $0.triggers + $0.spatialIndexes.flatMap(\.triggers) }
        let indexes = layouts.flatMap(\.indexes)
        triggerNames = Set(triggers.map { $0.name.lowercased() })
        names = triggerNames.union(indexes.map { $0.name.lowercased() })
        self.indexes = Dictionary(grouping: indexes) { $0.table.lowercased() }
            .mapValues { $0.map(\.sql) }
        self.triggers = Dictionary(grouping: triggers) { $0.table.lowercased() }
            .mapValues { $0.map(\.sql) }
        joins = Dictionary(
            firstOf: layouts.flatMap(\.joinTables).map { join in
                let columns = [join.first.name, join.second.name].map { $0.lowercased() }
                return (join.name.lowercased(), Set(columns))
            }
        )
        unknownDerivations = Set(layouts.flatMap(\.unknownDerivations).map(\.name))
    }

    /// Whether every version recreates an object: it has the name of one, is an index over exactly the columns of a
    /// join table, or updates a derived attribute.
    package func contains(_ object: SchemaObject) -> Bool {
        if names.contains(object.name.lowercased()) || isTrigger(object) { return true }
        guard let columns = IndexedColumns(object.sql) else { return isDerivation(object.sql) }
        return !columns.isPartial && joins[object.table.lowercased()] == Set(columns.names)
    }

    /// Whether a trigger has the name of one of the model's and does something else.
    package func isAltered(_ object: SchemaObject) -> Bool {
        triggerNames.contains(object.name.lowercased()) && !isTrigger(object)
            && TriggerEffects.spatialIndexes(filledBy: object.sql) == nil
    }

    /// Whether a trigger is altered, or keeps an attribute that the model derives otherwise, or no more.
    package func isStale(_ object: SchemaObject) -> Bool {
        isAltered(object) || isDerivation(object.sql) && !isTrigger(object)
    }

    private func isDerivation(_ sql: String) -> Bool {
        derivedAttribute(sql).map { !unknownDerivations.contains($0) } ?? false
    }

    /// Whether a trigger does what one of the model's does.
    package func isTrigger(_ object: SchemaObject) -> Bool {
        guard let own = triggers[object.table.lowercased()] else { return false }
        let form = triggerForm(object.sql)
        return own.contains { triggerForm($0) == form }
    }

    /// Whether Core Data made an object for some version: an index in its style, or a trigger of a spatial index.
    ///
    /// It is not reported as missing if the model no longer has it.
    package func isRest(_ object: SchemaObject) -> Bool {
        guard !contains(object) else { return true }
        let (name, sql) = (object.name, object.sql)
        guard let columns = IndexedColumns(sql) else {
            return TriggerEffects.spatialIndexes(filledBy: sql) != nil
        }
        guard name.hasPrefix("Z"), !columns.names.isEmpty else { return false }
        guard !columns.isPartial else { return columns.areCollated && name.hasPrefix("Z_") }
        let (end, list) = (name.lowercased(), columns.names.joined(separator: "_"))
        if end.hasSuffix("_\(list)_index") || end.hasSuffix("_\(list)") { return true }
        let form = indexForm(sql)
        return columns.areCollated && name.hasPrefix("Z_")
            || indexes[object.table.lowercased()]?.contains { indexForm($0) == form } ?? false
    }
}

private struct IndexedColumns {
    /// In lower case; empty where an expression is among them.
    var names: [String] = []
    /// Whether each has an order and a collation as Core Data writes them.
    var areCollated = false
    var isPartial = false

    /// `nil` for anything except an index.
    init?(_ sql: String) {
        let tokens = sqlTokens(Array(sql.utf8))
        guard let open = tokens.firstIndex(where: { $0.isSign("(") }),
            tokens.first?.isKeyword("CREATE") == true,
            tokens[..<open].prefix(3).contains(where: { $0.isKeyword("INDEX") })
        else { return nil }
        let list = tokens[(open + 1)...].prefix { !$0.isSign("(") && !$0.isSign(")") }
        guard list.endIndex < tokens.endIndex, tokens[list.endIndex].isSign(")") else { return }
        let parts = list.split { $0.isSign(",") }
        names = parts.compactMap { $0.first?.text.lowercased() }
        areCollated = parts.allSatisfy { part in
            part.dropFirst().prefix(2).map { $0.text.lowercased() } == ["collate", "binary"]
        }
        isPartial = list.endIndex + 1 < tokens.endIndex
    }
}

extension SQLToken {
    fileprivate func isSign(_ sign: String) -> Bool { kind == .other && text == sign }
}

/// What a trigger does and when, without its name and its call to Core Data.
func triggerForm(_ sql: String) -> String {
    let words = sql.split { $0.isWhitespace || "\"`[]".contains($0) }.map { $0.lowercased() }
    let start = words.firstIndex(of: "after") ?? words.startIndex
    let end = max(start, words.firstIndex { $0.hasPrefix(triggerFunction) } ?? words.endIndex)
    let rest = words[end...].drop { !$0.hasSuffix(";") }.dropFirst()
    return (words[start..<end] + rest).joined(separator: " ")
}

/// The function of Core Data's that triggers of derived attributes call, which no other program has.
private let triggerFunction = "nscoredatadatrigger"

/// The attribute that a trigger keeps; `nil` for other triggers.
private func derivedAttribute(_ sql: String) -> String? {
    let parts = sql.split(separator: "'", omittingEmptySubsequences: false)
    guard let call = parts.firstIndex(where: { $0.lowercased().contains(triggerFunction) }),
        parts.count > call + 3
    else { return nil }
    return String(parts[call + 3])
}

extension StoreLayout {
    /// The triggers, of derived attributes or `some`, that a store lacks: none does the same, whatever its name.
    package func missingTriggers(
        in schema: [SchemaObject],
        of some: [SchemaObject]? = nil
    ) -> [SchemaObject] {
        let forms = Set(schema.filter { $0.kind == .trigger }.map { triggerForm($0.sql) })
        return (some ?? triggers).filter { !forms.contains(triggerForm($0.sql)) }
    }
}

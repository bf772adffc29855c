import Diagnostics

/// The finding for a trigger that the model does not explain: an app's own trigger that does not touch Core Data's
/// tables is not a fault.
func surplusTrigger(
    _ trigger: SchemaObject,
    _ effects: TriggerEffects,
    _ layout: StoreLayout
) -> Diagnostic {
    let isDerived = trigger.name.hasPrefix("Z_DA_")
    let effect = isDerived ? nil : effects.effect(of: trigger)
    let isHarmless = isDerived ? !layout.unknownDerivations.isEmpty : effect == nil
    let what =
        isDerived
        ? "belongs to no derived attribute"
        : "is the app's own and \(effect ?? "does not touch Core Data's tables")"
    let message = "trigger \(trigger.name) of table \(trigger.table) \(what)"
    return Diagnostic(.surplusTrigger, message, severity: isHarmless ? .note : .warning)
}

/// What the triggers of a store do to Core Data's tables, directly or by setting off others.
struct TriggerEffects {
    /// The tables and views that the triggers of each table or view write to, in lower case.
    private var written: [String: Set<String>] = [:]
    private var refusing: Set<String> = []
    private let changing: ChangingTables

    init(of schema: [SchemaObject], on changing: ChangingTables) {
        self.changing = changing
        for trigger in schema where trigger.kind == .trigger {
            let table = trigger.table.lowercased()
            let words = trigger.sql.bodyWords
            written[table, default: []].formUnion(Self.tables(in: words))
            if words.contains("raise") { refusing.insert(table) }
        }
    }

    /// What a trigger does to rows of Core Data, in words; `nil` where it does nothing to them.
    func effect(of trigger: SchemaObject) -> String? {
        let words = trigger.sql.bodyWords
        if words.contains("raise") { return "may refuse changes" }
        var waiting = Self.tables(in: words)
        var known: Set<String> = []
        while let table = waiting.popFirst() {
            guard known.insert(table).inserted else { continue }
            if changing.contains(table) { return "writes to table \(table.uppercased())" }
            if refusing.contains(table) { return "may refuse changes" }
            waiting.formUnion(written[table] ?? [])
        }
        return nil
    }

    /// The spatial indexes that a trigger fills, in lower case; `nil` for one that does anything else.
    static func spatialIndexes(filledBy sql: String) -> Set<String>? {
        let words = sql.bodyWords
        let tables = tables(in: words)
        let isRest = !tables.isEmpty && tables.allSatisfy { $0.hasPrefix("z_rt_") }
        return isRest && !words.contains("raise") ? tables : nil
    }

    /// The names after the words that write: what follows is a table, except for the `SET` of an upsert.
    private static func tables(in words: [String]) -> Set<String> {
        var tables: Set<String> = []
        for (place, word) in words.enumerated() {
            var next = place + 1
            switch word {
            case "into": break
            case "update": if words.count > next + 1, words[next] == "or" { next += 2 }
            case "from" where place > 0 && words[place - 1] == "delete": break
            default: continue
            }
            if next < words.count, words[next] != "set" { tables.insert(words[next]) }
        }
        return tables
    }
}

extension String {
    /// The words between `BEGIN` and the end of a trigger, in lower case, names without their quotes.
    fileprivate var bodyWords: [String] {
        let words = lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return words.drop { $0 != "begin" }.dropFirst().map(String.init)
    }
}

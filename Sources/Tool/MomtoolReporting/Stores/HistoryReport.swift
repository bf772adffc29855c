import Diagnostics
import Essentials
package import StoreFormat

/// Writes a store's history piece by piece, as text or as JSON: no more of it is held than one change.
package struct HistoryReport: Sendable {
    /// What a report is of.
    package struct Subject: Sendable {
        /// The path of the store.
        package var store: String
        /// The UUID of the store, with which `x-coredata://UUID/Entity/p5` is the URI of an object.
        package var uuid: String?
        /// What the numbers in the history stand for.
        package var names: HistoryNames
        /// The one object that was asked for, if any.
        package var object: ObjectReference?
        /// What mirroring to CloudKit knows of that object: each record as names and values.
        package var mirroring: [[(name: String, value: RecordedValue)]] = []

        package init(
            store: String,
            uuid: String?,
            names: HistoryNames,
            object: ObjectReference? = nil,
            mirroring: [[(name: String, value: RecordedValue)]] = []
        ) {
            (self.store, self.uuid, self.names, self.object) = (store, uuid, names, object)
            self.mirroring = mirroring
        }
    }

    private let subject: Subject
    private let isJSON: Bool
    private let hasEvents: Bool
    private var hasTransaction = false
    private var hasChange = false
    /// The names of entities in quotes, each made once.
    private var objects: [Int64: String] = [:]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - subject: what it is of.
    ///   - format: text or JSON.
    ///   - hasEvents: whether transactions and changes are listed, and not counted alone.
    package init(_ subject: Subject, as format: ReportFormat, hasEvents: Bool) {
        (self.subject, self.hasEvents, isJSON) = (subject, hasEvents, format == .json)
    }

    /// What comes first.
    package func beginning() -> String {
        guard isJSON else { return subject.store.onOneLine + "\n" }
        var lines = [
            "{\n\"formatVersion\": \(reportVersion)", "\"store\": \(quoted(subject.store))",
        ]
        if let uuid = subject.uuid { lines.append("\"uuid\": \(quoted(uuid))") }
        if let object = subject.object {
            lines.append("\"object\": \(quoted(object.description))")
            lines.append(
                "\"mirroring\": [\(subject.mirroring.map(record).joined(separator: ", "))]"
            )
        }
        return lines.joined(separator: ",\n") + (hasEvents ? ",\n\"transactions\": [" : "")
    }

    /// What a piece of history adds.
    package mutating func text(of event: HistoryEvent) -> String {
        guard hasEvents else { return "" }
        switch event {
        case .transaction(let transaction):
            defer { (hasTransaction, hasChange) = (true, false) }
            return isJSON
                ? (hasTransaction ? "\n]},\n" : "\n") + json(transaction)
                : "\n" + line(transaction) + "\n"
        case .change(let change):
            defer { hasChange = true }
            return isJSON ? (hasChange ? ",\n" : "\n") + json(change) : line(change) + "\n"
        }
    }

    /// What comes last.
    package func end(_ summary: HistorySummary) -> String {
        isJSON
            ? (hasEvents ? (hasTransaction ? "\n]}\n]" : "]") : "") + jsonEnd(summary)
            : textEnd(summary)
    }

    private func line(_ transaction: HistoryTransaction) -> String {
        let number = transaction.key.map { "\($0)" } ?? "without a number"
        guard !transaction.isMissing else {
            return "transaction \(number)  is gone; when and by whom is not known"
        }
        let facts = [
            ("author", transaction.author), ("context", transaction.context),
            ("process", transaction.process), ("bundle", transaction.bundle),
        ].compactMap { name, value in value.map { "\(name) \($0.onOneLine)" } }
        return "transaction \(number)  \(time(transaction.seconds) ?? "at no known time")"
            + (facts.isEmpty ? "" : "  " + facts.joined(separator: ", "))
    }

    private mutating func line(_ change: HistoryChange) -> String {
        let kind =
            switch change.kind {
            case .insert: "insert"
            case .update: "update"
            case .delete: "delete"
            case .unknown(let number): "change of kind \(number.map { "\($0)" } ?? "NULL")"
            }
        var details: [String] = []
        if change.kind == .update || change.bitmap != nil {
            details.append(propertyWords(change))
        }
        let names = tombstoneNames(change)
        details += zip(change.tombstone, names).map { kept, attribute in
            "\((attribute?.name ?? kept.column).onOneLine) was \(words(kept.value, attribute))"
        }
        return "  \(kind)  \(object(change).onOneLine)"
            + (details.isEmpty ? "" : "  " + details.joined(separator: ", "))
    }

    private func propertyWords(_ change: HistoryChange) -> String {
        guard change.bitmap != nil else { return "properties not recorded" }
        if let only = onlyProperty(change) { return only.onOneLine }
        let bits = change.bits
        let shown = bits.prefix(16).map(\.description).joined(separator: ", ")
        return bits.isEmpty
            ? "no bit set" : "\(bits.count.counted("bit")): \(shown)\(bits.count > 16 ? ", …" : "")"
    }

    private func words(_ value: RecordedValue, _ attribute: HistoryNames.KeptAttribute?) -> String {
        switch value {
        case .integer(let integer):
            if attribute?.isDate == true, let text = time(Double(integer)) { return text }
            return "\(integer)"
        case .real(let real):
            if attribute?.isDate == true, let text = time(real) { return text }
            return "\(real)"
        case .text(let text):
            let shown = text.count > Self.textLimit ? text.prefix(Self.textLimit) + "…" : text
            return "'\(shown.onOneLine)'"
        case .bytes(let data): return data.count.counted("byte")
        }
    }

    private static let textLimit = 80

    private func textEnd(_ summary: HistorySummary) -> String {
        func row(_ name: String, _ counts: HistorySummary.Counts, _ withTransactions: Bool)
            -> [String]
        {
            [name] + (withTransactions ? ["\(counts.transactions)"] : [])
                + [counts.inserts, counts.updates, counts.deletions].map(\.description)
        }
        var parts: [String] = []
        if !summary.days.isEmpty {
            let rows = days(summary).map { row($0 ?? "unknown", $1, true) }
            let heading = ["day", "transactions", "inserts", "updates", "deletions"]
            parts.append(textTable(rows, heading: heading))
        }
        if !summary.entities.isEmpty {
            let rows = entities(summary).map { row($0 ?? "unknown", $1, false) }
            parts.append(textTable(rows, heading: ["entity", "inserts", "updates", "deletions"]))
        }
        let mirroring = subject.mirroring.map { record in
            "mirroring: "
                + record.map { "\($0.name.onOneLine) \(words($0.value, nil))" }.joined(
                    separator: ", "
                )
        }
        if !mirroring.isEmpty { parts.append(mirroring.joined(separator: "\n")) }
        let total = summary.total
        parts.append(
            "\(total.transactions.counted("transaction")), \(total.changes.counted("change"))"
        )
        parts += notes(summary).map { "note: " + $0 }
        return "\n" + parts.joined(separator: "\n\n") + "\n"
    }

    private func time(_ seconds: Double?) -> String? { seconds.flatMap(StoredDate.text) }

    private func object(_ change: HistoryChange) -> String {
        let entity = change.entity.map { subject.names.entity($0) ?? "entity \($0)" }
        return "\(entity ?? "no entity")/\(change.object.map { "p\($0)" } ?? "no key")"
    }

    /// The attributes that the values of a deleted object are of, where that is known.
    private func tombstoneNames(_ change: HistoryChange) -> [HistoryNames.KeptAttribute?] {
        let kept = change.entity.flatMap(subject.names.keptAttributes) ?? []
        let isKnown = kept.count == 1 && change.tombstone.count == 1
        return change.tombstone.map { _ in isKnown ? kept[0] : nil }
    }

    private func onlyProperty(_ change: HistoryChange) -> String? {
        change.bits.isEmpty ? nil : change.entity.flatMap(subject.names.onlyProperty)
    }

    private func days(_ summary: HistorySummary) -> [(String?, HistorySummary.Counts)] {
        summary.days.sorted { ($0.key ?? "~") < ($1.key ?? "~") }.map { ($0.key, $0.value) }
    }

    private func entities(_ summary: HistorySummary) -> [(String?, HistorySummary.Counts)] {
        summary.entities.map { number, counts in
            (number.flatMap(subject.names.entity), counts)
        }.sorted { ($0.0 ?? "~") < ($1.0 ?? "~") }
    }

    /// What the history does not say.
    private func notes(_ summary: HistorySummary) -> [String] {
        var notes: [String] = []
        if summary.hasBitmaps {
            notes.append(
                "which property a bit of an update stands for is not documented, so bits are given by number; "
                    + "the name stands there only where the entity has one stored property"
            )
        }
        if summary.missing > 0 {
            notes.append(
                "\(summary.missing.counted("transaction")) that changes name "
                    + (summary.missing == 1 ? "is" : "are") + " gone"
            )
        }
        return notes
    }
}

extension HistoryReport {
    private func quoted(_ text: String) -> String {
        // Characters that turn the direction of text mean the same as escapes.
        plainJSON(text, isPretty: false).escaping(\.isObeyed)
    }

    private func json(_ transaction: HistoryTransaction) -> String {
        var members: [String] = []
        if let key = transaction.key { members.append("\"transaction\": \(key)") }
        if transaction.isMissing { members.append("\"missing\": true") }
        for (name, value) in [
            ("time", time(transaction.seconds)), ("author", transaction.author),
            ("context", transaction.context), ("process", transaction.process),
            ("bundle", transaction.bundle),
        ] {
            if let value { members.append("\"\(name)\": \(quoted(value))") }
        }
        return "{\(members.joined(separator: ", "))\(members.isEmpty ? "" : ", ")\"changes\": ["
    }

    private mutating func json(_ change: HistoryChange) -> String {
        let kind =
            switch change.kind {
            case .insert: "\"insert\""
            case .update: "\"update\""
            case .delete: "\"delete\""
            case .unknown(let number): number.map(\.description) ?? "null"
            }
        var text =
            "{\"change\": \(change.key), \"kind\": \(kind), \"object\": \(json(object: change))"
        if change.bitmap != nil {
            text += ", \"bits\": [\(change.bits.map(\.description).joined(separator: ", "))]"
            if let only = onlyProperty(change) { text += ", \"properties\": [\(quoted(only))]" }
        }
        guard !change.tombstone.isEmpty else { return text + "}" }
        let values = zip(change.tombstone, tombstoneNames(change)).map { kept, attribute in
            let name = attribute.map { ", \"property\": \(quoted($0.name))" } ?? ""
            return "{\"column\": \(quoted(kept.column))\(name), \(value(kept.value, attribute))}"
        }
        return text + ", \"tombstone\": [\(values.joined(separator: ", "))]}"
    }

    /// The object in quotes; entities come again and again, and are escaped once.
    private mutating func json(object change: HistoryChange) -> String {
        guard let number = change.entity, let key = change.object else {
            return quoted(object(change))
        }
        if let start = objects[number] { return "\(start)/p\(key)\"" }
        let start = String(quoted(subject.names.entity(number) ?? "entity \(number)").dropLast())
        if subject.names.entity(number) != nil { objects[number] = start }
        return "\(start)/p\(key)\""
    }

    private func value(
        _ value: RecordedValue,
        _ attribute: HistoryNames.KeptAttribute? = nil
    ) -> String {
        switch value {
        case .integer(let integer):
            if attribute?.isDate == true, let text = time(Double(integer)) {
                return "\"date\": \(quoted(text))"
            }
            return "\"value\": \(integer)"
        case .real(let real):
            if attribute?.isDate == true, let text = time(real) {
                return "\"date\": \(quoted(text))"
            }
            return real.isFinite ? "\"value\": \(real)" : "\"value\": \(quoted("\(real)"))"
        case .text(let text): return "\"value\": \(quoted(text))"
        case .bytes(let data): return "\"bytes\": \(quoted(data.base64EncodedString()))"
        }
    }

    private func record(_ record: [(name: String, value: RecordedValue)]) -> String {
        let members = record.map { name, stored in
            "{\"column\": \(quoted(name)), \(value(stored))}"
        }
        return "[\(members.joined(separator: ", "))]"
    }

    private func jsonEnd(_ summary: HistorySummary) -> String {
        func members(_ counts: HistorySummary.Counts, _ withTransactions: Bool = true) -> String {
            (withTransactions ? "\"transactions\": \(counts.transactions), " : "")
                + "\"inserts\": \(counts.inserts), \"updates\": \(counts.updates), "
                + "\"deletions\": \(counts.deletions), \"unknown\": \(counts.unknown)"
        }
        func list(_ rows: [String]) -> String {
            rows.isEmpty ? "[]" : "[\n\(rows.joined(separator: ",\n"))\n]"
        }
        let days = days(summary).map { day, counts in
            "{\"day\": \(day.map(quoted) ?? "null"), \(members(counts))}"
        }
        let entities = entities(summary).map { name, counts in
            "{\"entity\": \(name.map(quoted) ?? "null"), \(members(counts, false))}"
        }
        return ",\n\"days\": \(list(days)),\n\"entities\": \(list(entities)),\n"
            + "\"total\": {\(members(summary.total)), \"missingTransactions\": \(summary.missing)},\n"
            + "\"notes\": \(list(notes(summary).map(quoted)))\n}\n"
    }
}

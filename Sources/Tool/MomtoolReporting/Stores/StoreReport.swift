import Diagnostics
import Essentials
import LogReading
import ModelHashing
package import ObjectModel
package import StoreFormat

package struct StoreReport: Sendable, TextReport, KeyedReport {
    package struct EntityRows: Sendable, KeyedReport {
        package var number: Int64
        package var name: String
        package var parent: String?
        package var rows: Int
        /// The greatest key handed out; kept for root entities only.
        package var greatestKey: Int64
        /// The entity in the model that the store carries: the fields that `inspect` gives of a model's entity.
        package var model: Entity?

        package var jsonObject: JSONObject {
            [
                "number": number, "name": name, "parent": parent, "rows": rows,
                "greatestKey": greatestKey, "model": model.map(MomtoolReporting.jsonObject),
            ]
        }
    }

    private let snapshot: StoreSnapshot
    private let hasModel: Bool
    package private(set) var entities: [EntityRows]
    /// Whether the hashes are left out, as only an outline was asked for.
    private var isOutline = false
    /// The names of the entities that are shown; `nil` for all.
    private var shownNames: [String]?
    /// The statements of its tables, indexes and triggers, when asked for, with the names of a model that it carries.
    private let sql: [String]?
    /// When that was asked for and it keeps one.
    private let history: History?
    /// The bytes of each table and index, and of the files beside the store, when asked for.
    private let sizes: StoreSizes?
    private let tableEntities: [String: [String]]

    /// Creates a report; `nil` leaves history and sizes out.
    package init(
        _ snapshot: StoreSnapshot,
        model: ManagedObjectModel?,
        includesSQL: Bool = false,
        history: HistorySummary? = nil,
        sizes: StoreSizes? = nil
    ) {
        (self.snapshot, self.sizes, hasModel) = (snapshot, sizes, model != nil)
        let graph = model.map(ModelGraph.init)
        let names = Dictionary(firstOf: snapshot.primaryKeys.map { ($0.number, $0.name) })
        entities = snapshot.primaryKeys.filter { $0.number < HistoryLayout.firstNumber }.map {
            row in
            EntityRows(
                number: row.number,
                name: row.name,
                parent: names[row.superNumber],
                rows: snapshot.rowCounts[row.number] ?? 0,
                greatestKey: row.maximumKey,
                model: graph?.entity(row.name)
            )
        }
        let layout = model.map { storedLayout(of: $0, snapshot.metadata, snapshot.schema) }
        tableEntities = Dictionary(firstOf: (layout?.tables ?? []).map { ($0.name, $0.entities) })
        self.history = history.map { History(summary: $0) }
        sql =
            includesSQL
            ? snapshot.schema.map { object in
                layout.map { annotatedSQL(of: object, $0) } ?? object.sql
            } : nil
    }

    /// Leaves out all entities except some; if none is named, and no more is requested, everything except their rows.
    package mutating func show(_ names: [String], isBrief: Bool) {
        if !names.isEmpty {
            entities.removeAll { !names.contains($0.name) }
            shownNames = names
        } else if isBrief {
            for place in entities.indices { entities[place].model = nil }
            isOutline = true
        }
    }

    private var bytes: Int { snapshot.pageSize * snapshot.pageCount }

    static let shape = """
        historyPart := { name?: string "The author or the entity.", transactions: integer, changes: integer,
          firstDay?: string, lastDay?: string }
        store = report { store: string "The path.", uuid: string, frameworkVersion?: integer, system?: string,
          versionIdentifiers: [string], checksum: string "Computed from the hashes, in base64.",
          hashes?: {string} "The hash of each entity, in hexadecimal.", entities: [{ number: integer "Z_ENT.",
          name: string, parent?: string, rows: integer, greatestKey: integer, model?: entity }], bytes: integer,
          hasHistory: boolean, cloudKitTables: [string], applicationKeys: [string], hasModel: boolean, sql?: [string],
          history?: { total: historyPart, authors: [historyPart], entities: [historyPart],
          old: historyPart "What is older than 30 days.", bytes?: integer,
          oldBytes?: integer "About how many bytes its removal frees." }, sizes?: [{ kind: string, name?: string,
          table?: string, entities?: [string], bytes: integer, unused: integer }] "With --bytes.", files?: {
          logBytes: integer, externalFiles: integer, externalBytes: integer } "With --bytes." }
        """
    package var jsonObject: JSONObject {
        let metadata = snapshot.metadata
        let hashes = metadata.hashes.entities.filter { shownNames?.contains($0.key) ?? true }
        let files: JSONObject? = sizes.map {
            [
                "logBytes": $0.logBytes, "externalFiles": $0.externalFiles,
                "externalBytes": $0.externalBytes,
            ]
        }
        return [
            "store": snapshot.path, "uuid": metadata.uuid,
            "frameworkVersion": metadata.frameworkVersion, "system": snapshot.systemName,
            "versionIdentifiers": metadata.versionIdentifiers, "checksum": metadata.hashes.checksum,
            "hashes": isOutline ? nil : hashes.mapValues(\.hex), "entities": entities,
            "bytes": bytes, "hasHistory": snapshot.hasHistory,
            "cloudKitTables": snapshot.cloudKitTables,
            "applicationKeys": metadata.applicationKeys, "hasModel": hasModel, "sql": sql,
            "history": history, "sizes": sizes?.parts.map(jsonObject), "files": files,
        ]
    }

    package var text: String {
        let metadata = snapshot.metadata
        let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
        var facts: [[String]] = [
            ["uuid", metadata.uuid],
            [
                "format of",
                [snapshot.systemName, metadata.frameworkVersion.map { "framework \($0)" }]
                    .compactMap(\.self).joined(separator: ", "),
            ], ["checksum", metadata.hashes.checksum],
            ["identifiers", identifiers.joined(separator: ", ")],
            ["size", bytes.counted("byte")],
            ["model", hasModel ? "embedded" : "none embedded"],
            ["history", snapshot.hasHistory ? "kept" : "not kept"],
        ]
        if !snapshot.cloudKitTables.isEmpty {
            facts.append(["CloudKit", snapshot.cloudKitTables.count.counted("table")])
        }
        if !metadata.applicationKeys.isEmpty {
            facts.append(["metadata keys", metadata.applicationKeys.joined(separator: ", ")])
        }
        let rows = entities.map { ["\($0.number)", $0.title, "\($0.rows)"] }
        let table = textTable(rows, heading: ["no", "entity", "rows"])
        let properties = entities.compactMap(\.propertyLines)
        let list = properties.isEmpty ? "" : "\n\n" + properties.joined(separator: "\n")
        let statements = sql.map { "\n\n" + $0.map { $0 + ";" }.joined(separator: "\n") } ?? ""
        return snapshot.path.onOneLine + "\n" + textTable(facts.filter { !$0[1].isEmpty }) + "\n\n"
            + table + list + sizeText + (history.map { "\n\n" + $0.text(of: snapshot.path) } ?? "")
            + statements
    }

    private func entities(of part: StoreSizes.Part) -> [String]? {
        part.kind == .entity ? tableEntities[part.table] : nil
    }

    private func jsonObject(_ part: StoreSizes.Part) -> JSONObject {
        [
            "kind": part.kind, "name": part.name.isEmpty ? nil : part.name,
            "table": part.name == part.table ? nil : part.table, "entities": entities(of: part),
            "bytes": part.bytes, "unused": part.unused,
        ]
    }

    private var sizeText: String {
        guard let sizes else { return "" }
        let rows = sizes.parts.map { part in
            [
                "\(part.bytes)", share(part.bytes), "\(part.unused)", part.kind.title,
                entities(of: part)?.joined(separator: ", ") ?? part.name,
            ]
        }
        var text = "\n\n" + textTable(rows, heading: ["bytes", "share", "unused", "kind", "of"])
        let sums = StoreSizes.Kind.allCases.compactMap { kind -> [String]? in
            let sum = sizes.parts.filter { $0.kind == kind }.reduce(0) { $0 + $1.bytes }
            return sum == 0 ? nil : ["\(sum)", share(sum), kind.title]
        }
        text += "\n\n" + textTable(sums, heading: ["bytes", "share", "all of"])
        if sizes.logBytes > 0 { text += "\n\nwrite-ahead log  \(sizes.logBytes.counted("byte"))" }
        if sizes.externalFiles > 0 {
            let count = sizes.externalFiles.counted("file")
            text += "\n\nlarge values  \(sizes.externalBytes.counted("byte")) in \(count)"
        }
        return text
    }

    private func share(_ part: Int) -> String {
        bytes == 0 ? "" : "\(Int((100 * Double(part) / Double(bytes)).rounded())) %"
    }
}

extension StoreSizes.Kind {
    fileprivate var title: String { self == .cloudKit ? "CloudKit" : rawValue }
}

extension StoreReport.EntityRows {
    fileprivate var title: String { parent.map { "\(name) : \($0)" } ?? name }

    fileprivate var propertyLines: String? {
        guard let model else { return nil }
        let lines =
            model.attributes.filter { !$0.isTransient }.map(\.line)
            + model.relationships.map(\.line)
        return textLines(["  \(title)"] + lines.map { "    \($0)" })
    }
}

extension StoreReport {
    package struct History: Sendable, KeyedReport {
        /// The days after which history is old.
        package static let age = 30.0

        let summary: HistorySummary

        package var jsonObject: JSONObject {
            [
                "total": summary.total.jsonObject, "authors": summary.authors.map(\.jsonObject),
                "entities": summary.entities.map(\.jsonObject), "old": summary.old.jsonObject,
                "bytes": summary.bytes, "oldBytes": summary.oldBytes,
            ]
        }

        func text(of store: String) -> String {
            let rows =
                [summary.total.row("all", summary.bytes)]
                + summary.authors.map { $0.row($0.name.map { "author \($0)" } ?? "no author") }
                + summary.entities.map { $0.row($0.name.map { "entity \($0)" } ?? "no entity") }
                + [summary.old.row("older than \(Int(Self.age)) days", summary.oldBytes)]
            let heading = ["history", "transactions", "changes", "first day", "last day", "bytes"]
            let table = textTable(rows, heading: heading)
            guard summary.old.transactions > 0 else { return table }
            let command = HelpfulCommand.call(
                .repair,
                .text(shellWord(store)),
                .following(.pruneHistory(olderThanDays: Self.age)),
                .following(.compact),
                .output("Smaller.sqlite")
            )
            let gain = summary.oldBytes.map { "about \($0.counted("byte"))" } ?? "the old part"
            return table + "\n\n" + "\(command.commandWords) frees \(gain)".onOneLine
        }
    }
}

extension HistorySummary.Part {
    fileprivate var jsonObject: JSONObject {
        [
            "name": name, "transactions": transactions, "changes": changes, "firstDay": day(first),
            "lastDay": day(last),
        ]
    }

    fileprivate func row(_ title: String, _ bytes: Int? = nil) -> [String] {
        [
            title, "\(transactions)", "\(changes)", day(first) ?? "", day(last) ?? "",
            bytes.map(String.init) ?? "",
        ]
    }

    /// The day in UTC, such as `2024-02-29`.
    private func day(_ seconds: Double?) -> String? {
        seconds.flatMap(StoredDate.text).map { String($0.prefix(10)) }
    }
}

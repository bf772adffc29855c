import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel
package import StoreFormat

package struct StoreReport: Sendable, TextReport {
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

    package struct Size: Sendable, Encodable {
        package var kind: StoreSizes.Kind
        /// Absent for free pages.
        package var name: String?
        package var table: String?
        package var entities: [String]?
        package var bytes: Int
        package var unused: Int
    }

    package struct FileSizes: Sendable, Encodable {
        package var logBytes: Int
        /// The number of files with large values.
        package var externalFiles: Int
        package var externalBytes: Int
    }

    package var store: String
    package var uuid: String
    /// The framework version that wrote it last.
    package var frameworkVersion: Int?
    /// The system of that framework version, as a guess.
    package var system: String?
    package var versionIdentifiers: [String]
    /// The checksum of its model, computed from the entity hashes.
    package var checksum: String
    /// In hexadecimal digits; `nil` where only an outline was asked for.
    package var hashes: [String: String]?
    package var entities: [EntityRows]
    /// The size of the main file's content in bytes.
    package var bytes: Int
    package var hasHistory: Bool
    package var cloudKitTables: [String]
    package var applicationKeys: [String]
    package var hasModel: Bool
    /// The statements of its tables, indexes and triggers, when asked for, with the model's names in comments where the
    /// store carries its model.
    package var sql: [String]?
    /// When that was asked for and it keeps one.
    package var history: History?
    /// The bytes of each table and index, the greatest first, when asked for.
    package var sizes: [Size]?
    /// The bytes of the files beside the store, when asked for.
    package var files: FileSizes?

    /// Creates a report; `nil` leaves history and sizes out.
    package init(
        _ snapshot: StoreSnapshot,
        model: ManagedObjectModel?,
        includesSQL: Bool = false,
        history: HistorySummary? = nil,
        sizes: StoreSizes? = nil
    ) {
        store = snapshot.path
        uuid = snapshot.metadata.uuid
        frameworkVersion = snapshot.metadata.frameworkVersion
        system = snapshot.systemName
        versionIdentifiers = snapshot.metadata.versionIdentifiers
        checksum = snapshot.metadata.hashes.checksum
        hashes = snapshot.metadata.hashes.entities.mapValues(\.hex)
        bytes = snapshot.pageSize * snapshot.pageCount
        hasHistory = snapshot.hasHistory
        cloudKitTables = snapshot.cloudKitTables
        applicationKeys = snapshot.metadata.applicationKeys
        hasModel = model != nil
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
        self.history = history.map { History(summary: $0) }
        if let sizes { add(sizes, layout) }
        if includesSQL {
            sql = snapshot.schema.map { object in
                layout.map { annotatedSQL(of: object, $0) } ?? object.sql
            }
        }
    }

    /// Leaves out all entities except some; if none is named, and no more is requested, everything except their rows.
    package mutating func show(_ names: [String], isBrief: Bool) {
        if !names.isEmpty {
            entities.removeAll { !names.contains($0.name) }
            hashes = hashes?.filter { names.contains($0.key) }
        } else if isBrief {
            for place in entities.indices { entities[place].model = nil }
            hashes = nil
        }
    }

    package var text: String {
        var facts: [[String]] = [
            ["uuid", uuid],
            [
                "format of",
                [system, frameworkVersion.map { "framework \($0)" }]
                    .compactMap(\.self).joined(separator: ", "),
            ],
            ["checksum", checksum],
            ["identifiers", versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ")],
            ["size", bytes.counted("byte")],
            ["model", hasModel ? "embedded" : "none embedded"],
            ["history", hasHistory ? "kept" : "not kept"],
        ]
        if !cloudKitTables.isEmpty {
            facts.append(["CloudKit", cloudKitTables.count.counted("table")])
        }
        if !applicationKeys.isEmpty {
            facts.append(["metadata keys", applicationKeys.joined(separator: ", ")])
        }
        let rows = entities.map { ["\($0.number)", $0.title, "\($0.rows)"] }
        let table = textTable(rows, heading: ["no", "entity", "rows"])
        let properties = entities.compactMap(\.propertyLines)
        let list = properties.isEmpty ? "" : "\n\n" + properties.joined(separator: "\n")
        let statements = sql.map { "\n\n" + $0.map { $0 + ";" }.joined(separator: "\n") } ?? ""
        return store.onOneLine + "\n" + textTable(facts.filter { !$0[1].isEmpty }) + "\n\n" + table
            + list + sizeText + (history.map { "\n\n" + $0.text(of: store) } ?? "") + statements
    }
}

extension StoreReport {
    private mutating func add(_ found: StoreSizes, _ layout: StoreLayout?) {
        let entities = Dictionary(firstOf: (layout?.tables ?? []).map { ($0.name, $0.entities) })
        sizes = found.parts.map { part in
            Size(
                kind: part.kind,
                name: part.name.isEmpty ? nil : part.name,
                table: part.name == part.table ? nil : part.table,
                entities: part.kind == .entity ? entities[part.table] : nil,
                bytes: part.bytes,
                unused: part.unused
            )
        }
        files = FileSizes(
            logBytes: found.logBytes,
            externalFiles: found.externalFiles,
            externalBytes: found.externalBytes
        )
    }

    private var sizeText: String {
        guard let sizes, let files else { return "" }
        let rows = sizes.map { size in
            [
                "\(size.bytes)", share(size.bytes), "\(size.unused)", size.kind.title,
                size.entities?.joined(separator: ", ") ?? size.name ?? "",
            ]
        }
        var text = "\n\n" + textTable(rows, heading: ["bytes", "share", "unused", "kind", "of"])
        let sums = StoreSizes.Kind.allCases.compactMap { kind -> [String]? in
            let sum = sizes.filter { $0.kind == kind }.reduce(0) { $0 + $1.bytes }
            return sum == 0 ? nil : ["\(sum)", share(sum), kind.title]
        }
        text += "\n\n" + textTable(sums, heading: ["bytes", "share", "all of"])
        if files.logBytes > 0 { text += "\n\nwrite-ahead log  \(files.logBytes.counted("byte"))" }
        if files.externalFiles > 0 {
            let count = files.externalFiles.counted("file")
            text += "\n\nlarge values  \(files.externalBytes.counted("byte")) in \(count)"
        }
        return text
    }

    private func share(_ part: Int) -> String {
        bytes == 0 ? "" : "\(Int((100 * Double(part) / Double(bytes)).rounded())) %"
    }
}

extension StoreSizes.Kind {
    fileprivate var title: String {
        switch self {
        case .entity: "entity"
        case .links: "links"
        case .index: "index"
        case .history: "history"
        case .cloudKit: "CloudKit"
        case .system: "system"
        case .other: "other"
        case .free: "free"
        }
    }
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

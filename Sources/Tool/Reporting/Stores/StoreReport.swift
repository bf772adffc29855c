import Essentials
import ModelHashing
package import ObjectModel
package import StoreFormat

/// What a store says about itself, as `momtool inspect` gives it.
package struct StoreReport: Sendable, Codable, Rendering {
    /// An entity with its rows.
    package struct EntityRows: Sendable, Codable {
        /// The number (`Z_ENT`).
        package var number: Int64
        /// The name.
        package var name: String
        /// The name of the parent, if any.
        package var parent: String?
        /// The rows of exactly this entity.
        package var rows: Int
        /// The greatest key handed out; kept for root entities only.
        package var greatestKey: Int64
        /// Its stored attributes and relationships as `name: type`, when the store carries its model.
        package var properties: [String]?
    }

    /// The path of the store.
    package var store: String
    /// The store's UUID.
    package var uuid: String
    /// The framework version that wrote it last.
    package var frameworkVersion: Int?
    /// The system of that framework version, about.
    package var system: String?
    /// The version identifiers of its model.
    package var versionIdentifiers: [String]
    /// The checksum of its model, computed from the entity hashes.
    package var checksum: String
    /// The entity hashes, in hexadecimal digits.
    package var hashes: [String: String]
    /// The entities, by number.
    package var entities: [EntityRows]
    /// The size of the main file's content in bytes.
    package var bytes: Int
    /// Whether it keeps persistent history.
    package var hasHistory: Bool
    /// The tables of CloudKit mirroring.
    package var cloudKitTables: [String]
    /// The keys that the application added to the metadata.
    package var applicationKeys: [String]
    /// Whether it carries its model.
    package var hasModel: Bool
    /// The statements that made its tables, indexes and triggers, when they were asked for; with
    /// the model's names in comments where the store carries its model.
    package var sql: [String]?

    /// Creates a report.
    package init(_ snapshot: StoreSnapshot, model: ManagedObjectModel?, includesSQL: Bool = false) {
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
        let names = Dictionary(
            snapshot.primaryKeys.map { ($0.number, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        entities = snapshot.primaryKeys.filter { $0.number < HistoryLayout.firstNumber }.map {
            row in
            EntityRows(
                number: row.number,
                name: row.name,
                parent: names[row.superNumber],
                rows: snapshot.rowCounts[row.number] ?? 0,
                greatestKey: row.maximumKey,
                properties: graph?.entity(row.name).map(propertyList)
            )
        }
        if includesSQL {
            let layout = model.map { storedLayout(of: $0, snapshot.metadata, snapshot.schema) }
            sql = snapshot.schema.map { object in
                layout.map { annotatedSQL(of: object, $0) } ?? object.sql
            }
        }
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        var facts: [[String]] = [
            ["uuid", uuid],
            [
                "written by",
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
        let rows = entities.map { entity in
            let name = entity.parent.map { "\(entity.name) : \($0)" } ?? entity.name
            return [
                "\(entity.number)", name, "\(entity.rows)",
                (entity.properties ?? []).joined(separator: ", "),
            ]
        }
        let table = textTable(
            rows,
            heading: ["no", "entity", "rows", hasModel ? "properties" : ""]
        )
        let statements = sql.map { "\n\n" + $0.map { $0 + ";" }.joined(separator: "\n") } ?? ""
        return store + "\n" + textTable(facts.filter { !$0[1].isEmpty }) + "\n\n" + table
            + statements
    }
}

private func propertyList(_ entity: Entity) -> [String] {
    let attributes = entity.attributes.filter { !$0.isTransient }.map { attribute in
        "\(attribute.name): \(attribute.compositeName ?? attribute.type.sourceName ?? "Undefined")"
    }
    let relationships = entity.relationships.filter { !$0.isTransient }.map { relationship in
        "\(relationship.name) → \(relationship.destinationEntity ?? "?")"
            + (relationship.isToMany ? (relationship.isOrdered ? " [ordered]" : " [many]") : "")
    }
    return attributes + relationships
}

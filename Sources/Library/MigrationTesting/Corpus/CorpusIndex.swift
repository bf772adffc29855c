import Essentials
import FileSystem
package import ModelLoading
package import Momtool
import ObjectModel
import StoreFormat

/// What `corpus.json` says: the stores, and what the app must find in each when it has migrated it.
package struct CorpusIndex: Codable, Sendable, Hashable {
    package static let fileName = "corpus.json"

    package struct Store: Codable, Sendable, Hashable {
        package var name: String
        /// The version of the model; `nil` where the model has none with its hashes any more.
        package var version: String?
        package var tags: [String]
        package var checksum: String
        /// The hash of the file with the team's rows; `nil` for generated rows.
        package var rows: String?
        /// The index in `facts` of what is expected of each entity after the migration; `nil` without one.
        package var entities: [String: Int]?
    }

    /// What is compared of the objects of an entity, without its sub-entities.
    package struct EntityFacts: Codable, Sendable, Hashable {
        package var objects = 0
        package var attributes: [String: ValueFacts] = [:]
        package var relationships: [String: Int] = [:]
    }

    package struct ValueFacts: Codable, Sendable, Hashable {
        /// How many objects have a value.
        package var values = 0
        /// The sum of the values' hashes (FNV-1a, 64 bits) in hexadecimal; `nil` where Core Data may use another form.
        package var sum: String?
    }

    package var formatVersion = 1
    /// The path of the model, from the folder of the file.
    package var model: String
    /// The version that the rows were recorded at.
    package var version: String
    package var stores: [Store] = []
    /// What entities have, each once: most have the same in the stores of many versions.
    package var facts: [EntityFacts] = []

    /// Keeps what entities have, and returns the places.
    mutating func places(of entities: [String: EntityFacts]) -> [String: Int] {
        var places: [String: Int] = [:]
        for (name, found) in entities.sorted(by: { $0.key < $1.key }) {
            places[name] = facts.firstIndex(of: found) ?? facts.count
            if places[name] == facts.count { facts.append(found) }
        }
        return places
    }

    /// Keeps the stores of another index whose versions this one lacks.
    mutating func keepOthers(of old: CorpusIndex) {
        let known = Set(stores.map(\.checksum))
        for var store in old.stores where !known.contains(store.checksum) {
            store.entities = store.entities.map { places in
                self.places(
                    of: places.compactMapValues { place in
                        old.facts.indices.contains(place) ? old.facts[place] : nil
                    }
                )
            }
            stores.append(store)
        }
    }
}

extension StoreDump {
    /// What `corpus.json` says about each entity that has objects.
    func facts(_ model: ManagedObjectModel) -> [String: CorpusIndex.EntityFacts] {
        let graph = ModelGraph(model)
        var facts: [String: CorpusIndex.EntityFacts] = [:]
        for (entity, keys) in keys where !keys.isEmpty {
            guard let definition = graph.entity(entity) else { continue }
            var found = CorpusIndex.EntityFacts(objects: keys.count)
            for attribute in graph.attributes(of: definition) where !attribute.isTransient {
                // A composite is compared by its elements' columns here, and by its dictionary there.
                guard attribute.type != .composite else { continue }
                let values = keys.compactMap { key -> SQLiteValue? in
                    let value = self.values[Key(entity: entity, key: key)]?[attribute.name]
                    return value == .null ? nil : value
                }
                found.attributes[attribute.name] = CorpusIndex.ValueFacts(
                    values: values.count,
                    sum: attribute.hashedSum(of: values)
                )
            }
            for relationship in graph.relationships(of: definition) {
                found.relationships[relationship.name] = keys.reduce(0) {
                    $0 + (links[Key(entity: entity, key: $1)]?[relationship.name]?.count ?? 0)
                }
            }
            facts[entity] = found
        }
        return facts
    }
}

extension Attribute {
    /// The sum of the hashes of some values of a store; `nil` for types that Core Data may give another form.
    fileprivate func hashedSum(of values: [SQLiteValue]) -> String? {
        guard !allowsExternalBinaryDataStorage else { return nil }
        var sum: UInt64 = 0
        for value in values {
            guard let bytes = hashedBytes(of: value) else { return nil }
            sum &+= stableHash(of: bytes)
        }
        return String(sum, radix: 16)
    }

    /// The bytes of a value that the generated Swift test hashes too.
    private func hashedBytes(of value: SQLiteValue) -> [UInt8]? {
        switch (type.values, value) {
        case (.boolean, .integer(let number)): Array(String(number == 0 ? 0 : 1).utf8)
        case (.integer, .integer(let number)): Array(String(number).utf8)
        case (.double, .real(let number)), (.date, .real(let number)):
            Array(String(number.bitPattern).utf8)
        case (.double, .integer(let number)), (.date, .integer(let number)):
            Array(String(Double(number).bitPattern).utf8)
        case (.string, .text(let text)): Array(text.utf8)
        case (.uuid, .blob(let bytes)): Array(bytes)
        case (.binary, .blob(let bytes)): Array(bytes)
        default: nil
        }
    }
}

/// A corpus, and how the app migrates its stores.
package struct CorpusRun: Sendable {
    package let corpus: Corpus
    private let app: AppMigrations

    package init(
        at folder: String,
        _ bundle: ModelBundle,
        _ options: MatrixOptions,
        _ swift: SwiftSettings
    ) throws(MomtoolError) {
        app = try AppMigrations(of: bundle, options, swift)
        corpus = Corpus(at: folder, bundle, app.settings, swift)
    }

    package func tests() throws(MomtoolError) -> [MigrationTest] {
        try fieldTests(
            in: corpus.folder,
            ofStores: corpus.stores,
            among: corpus.bundle.versions,
            of: corpus.bundle.path,
            to: corpus.bundle.chosenVersion(nil),
            by: app.migrator,
            options: app.options,
            recorded: corpus.recordedRows
        )
    }

    /// Makes the stores that are missing, and records the rows of all; `isWhole` if all are migrated.
    package func record() throws -> (lines: [String], isWhole: Bool) {
        try corpus.record(by: app.migrator, app.options)
    }

    /// Migrates the stores, and makes those that are missing where each older one arrives as it did.
    package func release() throws -> (lines: [String], isWhole: Bool) {
        let failed = try tests().map { $0.run() }.filter { $0.status == .failed }
        guard !failed.isEmpty else { return try record() }
        let lines = failed.flatMap { outcome in
            outcome.lines.map { "\(corpus.folder)/\(outcome.name): \($0)" }
        }
        return (lines + ["\(corpus.folder): no store is made before these arrive"], false)
    }
}

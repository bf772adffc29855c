import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel
package import PropertyLists
package import SQLiteAccess

/// The metadata of a store: the row of `Z_METADATA` (SQLiteStores, "Metadata").
///
/// All entries of the dictionary are kept, including those of applications; the properties read and write the entries
/// that Core Data knows.
package struct StoreMetadata: Sendable, Hashable {
    /// The UUID of the store, as upper-case text.
    package var uuid: String
    package var entries: [String: PropertyList]

    package init(uuid: String, entries: [String: PropertyList]) {
        (self.uuid, self.entries) = (uuid, entries)
    }

    /// The hashes of the entities of the model that the store was made with.
    package var hashes: ModelHashes {
        get {
            guard case .dictionary(let values)? = entries[Key.hashes.rawValue] else {
                return ModelHashes(entities: [:])
            }
            return ModelHashes(
                entities: values.compactMapValues { $0.data.flatMap { VersionHash($0) } }
            )
        }
        set {
            let values = newValue.entities.mapValues { PropertyList.data(Data($0.bytes)) }
            entries[Key.hashes.rawValue] = .dictionary(values)
        }
    }

    /// Whether the store records its version; one without a dictionary does not.
    package var saysVersion: Bool { !hashes.entities.isEmpty }

    /// The version of the hash algorithm; 3 in every store seen.
    package var hashesVersion: Int? { integer(.hashesVersion) }

    /// The version identifiers of the model; several for a merged one.
    package var versionIdentifiers: [String] {
        get {
            guard case .array(let values)? = entries[Key.identifiers.rawValue] else { return [] }
            return values.compactMap(\.string)
        }
        set { entries[Key.identifiers.rawValue] = .array(newValue.map { .string($0) }) }
    }

    /// The digest of the hashes, in base64; absent before framework 977.
    package var digest: String? {
        get { string(.digest) }
        set { entries[Key.digest.rawValue] = newValue.map { .string($0) } }
    }

    /// The checksum of the model, in base64; absent before framework 1333.
    package var checksum: String? {
        get { string(.checksum) }
        set { entries[Key.checksum.rawValue] = newValue.map { .string($0) } }
    }

    package var frameworkVersion: Int? {
        get { integer(.frameworkVersion) }
        set { entries[Key.frameworkVersion.rawValue] = newValue.map { .integer(Int64($0)) } }
    }

    /// The keys that are not Core Data's, sorted; they belong to applications.
    package var applicationKeys: [String] {
        entries.keys.filter { Key(rawValue: $0) == nil }.sorted()
    }

    /// Replaces what depends on the model; digest and checksum are set only where they existed.
    package mutating func setModel(hashes: ModelHashes, versionIdentifiers: [String]) {
        (self.hashes, self.versionIdentifiers) = (hashes, versionIdentifiers)
        if digest != nil { digest = hashes.digest }
        if checksum != nil { checksum = hashes.checksum }
    }

    enum Key: String {
        case hashes = "NSStoreModelVersionHashes"
        case hashesVersion = "NSStoreModelVersionHashesVersion"
        case identifiers = "NSStoreModelVersionIdentifiers"
        case digest = "NSStoreModelVersionHashesDigest"
        case checksum = "NSStoreModelVersionChecksumKey"
        case storeType = "NSStoreType"
        case frameworkVersion = "NSPersistenceFrameworkVersion"
        case maximumFrameworkVersion = "NSPersistenceMaximumFrameworkVersion"
        case autoVacuumLevel = "_NSAutoVacuumLevel"
    }

    private func string(_ key: Key) -> String? { entries[key.rawValue]?.string }

    private func integer(_ key: Key) -> Int? { entries[key.rawValue]?.integer.map { Int($0) } }
}

extension StoreMetadata {
    package init(_ connection: SQLiteConnection) throws(StoreError) {
        let path = connection.path
        let sql = "SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1"
        guard let row = try connection.rows(sql).first else {
            throw .damagedMetadata(path: path, reason: "Z_METADATA has no row of version 1")
        }
        let uuid = row[0].text ?? ""
        guard let blob = row[1].blob else {
            guard row[1] == .null else {
                throw .damagedMetadata(path: path, reason: "Z_PLIST is not a property list")
            }
            // Such stores exist; callers that need the hashes report their absence.
            self.init(uuid: uuid, entries: [:])
            return
        }
        let list: PropertyList
        do { list = try readPropertyList(blob) } catch {
            throw .damagedMetadata(path: path, reason: error.description)
        }
        guard case .dictionary(let entries) = list else {
            throw .damagedMetadata(path: path, reason: "Z_PLIST is not a dictionary")
        }
        self.init(uuid: uuid, entries: entries)
    }
}

extension StoreFile {
    package func metadata() throws(StoreError) -> StoreMetadata { try StoreMetadata(connection) }
}

package struct EntityDifference: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case missingInStore
        case missingInModel
        case differentHash
    }

    package var entity: String
    package var kind: Kind

    package init(entity: String, kind: Kind) { (self.entity, self.kind) = (entity, kind) }
}

/// Which version of a model a store was written with.
package enum StoreIdentity: Sendable, Hashable {
    /// Every entity of the store has the same hash in these versions, and there are no others.
    case exact([String])
    /// No version fits; this one differs least, in these entities, sorted by name.
    case nearest(String, [EntityDifference])
    case unknown
}

/// Finds the version of a model that wrote a store, only by entity hashes.
///
/// A store of a merged model, which has more or fewer entities than a version, does not match it exactly. Of versions
/// that differ in equally many entities the last one is the nearest.
package func identify(storeHashes: ModelHashes, among versions: [ModelVersion]) -> StoreIdentity {
    hashTogether(versions)
    let exact = versions.filter { $0.hashes == storeHashes }.map(\.name)
    guard exact.isEmpty else { return .exact(exact) }
    var nearest: (name: String, differences: [EntityDifference])?
    for version in versions {
        let found = differences(storeHashes, version.hashes)
        if let best = nearest, best.differences.count < found.count { continue }
        nearest = (version.name, found)
    }
    return nearest.map { .nearest($0.name, $0.differences) } ?? .unknown
}

private func differences(_ store: ModelHashes, _ model: ModelHashes) -> [EntityDifference] {
    Set(store.entityNames + model.entityNames).sorted().compactMap { entity in
        switch (store.entities[entity], model.entities[entity]) {
        case (nil, _): EntityDifference(entity: entity, kind: .missingInStore)
        case (_, nil): EntityDifference(entity: entity, kind: .missingInModel)
        case let (left, right):
            left == right ? nil : EntityDifference(entity: entity, kind: .differentHash)
        }
    }
}

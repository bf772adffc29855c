import ModelHashing
package import ObjectModel

/// The versions of a model that shipped, frozen: what `MODEL.lock` holds.
///
/// The text form is made for review and merging: a block for each version in the order of shipping, in it
/// one line for each entity hash, entity setting and property hash, sorted by name; of an entity that is as in an
/// earlier version only that version's name; and what its step was meant to lose, if anything. Fields are separated by blanks; white space, `%` and `#` in names are
/// written as `%` and two digits for each byte. `unknown Order` says that Swift sources left this entity open, and
/// `case Order state open` that a stored enum of theirs has a case with this raw value, and `holds Order lines[].price Int` that
/// what an attribute keeps as data has such a value.
///
///     version V1
///     checksum uCEw1uPGnRLnZsLZzFWXqLfbPoaQiUXJRKVXbHeBo3c=
///     entity 1f0c…64 digits Order
///     setting Order parent Base
///     property 9a17…16 digits Order number
///
///     version V2
///     checksum jdRe9YqDVBMAbzZ8vFmKPnhWdJy3CnWvU6wXOaPd0Nk=
///     loses Order.number
///     same V1 Order
///
/// `loses *` is a version that shipped before anybody named what its step loses. `pruned 2026-11-24` behind the checksum
/// says that the version was taken out of the model on that day on purpose, because no store has it any more.
package struct ModelLock: Sendable, Hashable {
    /// A frozen version.
    package struct Version: Sendable, Hashable {
        /// The name in its bundle.
        package var name: String
        /// Apple's version checksum, in base64.
        package var checksum: String
        /// The entities, by name.
        package var entities: [Entity]
        /// The names of entities that were not understood, and of which nothing is locked, sorted.
        package var unknownEntities: [String] = []
        /// Those of them that the lock took over from a block that it lost, which is told as a fault of the lock.
        package var missingEntities: Set<String> = []
        /// What its step was meant to lose when it was locked, sorted; `nil` when nothing was named.
        ///
        /// ``ModelLock/anyLoss`` alone says that it shipped before anybody named its losses.
        package var losses: [String]?
        /// The day on which it was taken out of the model, as `2026-11-24`; `nil` for a version that must be there.
        package var prunedDay: String?
        /// The line of the text that it was read from.
        package var line: Int?
    }

    /// A frozen entity.
    package struct Entity: Sendable, Hashable {
        package var name: String
        /// The version hash.
        package var hash: VersionHash
        /// What else of the entity its hash holds, such as `abstract` or `parent Base`, sorted.
        package var settings: [String]
        /// The stored properties that it declares itself, by name; empty when they are not known.
        package var properties: [Property]
        /// The raw values of the enums that it holds, as far as sources say them; they are part of no hash.
        package var cases: [EnumValue] = []
        /// The values that its attributes keep as encoded data, as far as sources say them; they are part of no hash.
        package var encoded: [EncodedShape.Member] = []
        /// The line of the text that it was read from.
        package var line: Int?
    }

    /// A raw value that rows may hold.
    package struct EnumValue: Sendable, Hashable {
        /// The attribute, with the element of its composite.
        package var property: String
        /// The value as text.
        package var value: String
    }

    /// A frozen property.
    package struct Property: Sendable, Hashable {
        package var name: String
        /// The first 16 hexadecimal digits of the hash that it adds to its entity's.
        package var hash: String
        /// The line of the text that it was read from.
        package var line: Int?
    }

    /// The versions that must be in the model, in the order of shipping.
    package var versions: [Version]
    /// The versions that shipped and were taken out of the model on purpose: they are named, and not missed.
    package var prunedVersions: [Version] = []
    /// Whether each version whose step loses something says so: locks of older releases left out unnamed losses.
    package var recordsLosses = true

    /// What stands for all that a step loses.
    package static let anyLoss = "*"

    package init(versions: [Version] = []) {
        self.versions = versions
    }

    /// A version that has another name than when it was locked.
    package struct Renaming: Sendable, Hashable {
        /// The name in the lock.
        package var oldName: String
        /// The name in the bundle.
        package var newName: String
        /// The line of the lock.
        package var line: Int?
    }

    /// Returns the lock with the names that its versions have now; a version is known by its hashes first.
    ///
    /// - Parameter versions: the versions of the bundle.
    /// - Returns: the lock, and the versions in it that have another name.
    package func following(
        _ versions: [ModelVersion]
    ) -> (lock: ModelLock, renamed: [Renaming]) {
        var lock = self
        var renamed: [Renaming] = []
        var taken = Set(self.versions.map(\.name))
        let names = Set(versions.map(\.name))
        for (index, locked) in self.versions.enumerated() where !names.contains(locked.name) {
            let twin = versions.first { !taken.contains($0.name) && locked.isSame(as: $0) }
            guard let twin else { continue }
            taken.insert(twin.name)
            lock.versions[index].name = twin.name
            renamed.append(
                Renaming(oldName: locked.name, newName: twin.name, line: locked.line)
            )
        }
        return (lock, renamed)
    }

    /// Returns the frozen version of a name.
    package func version(named name: String) -> Version? {
        versions.first { $0.name == name }
    }
}

/// A lock with the path of its file.
package struct LocatedLock: Sendable, Hashable {
    package var lock: ModelLock
    /// The path that findings name.
    package var path: String

    package init(_ lock: ModelLock, path: String) {
        self.lock = lock
        self.path = path
    }
}

extension ModelLock.Version {
    /// Freezes a version of a model.
    package init(_ version: ModelVersion) {
        let unknown = version.entitiesWithGaps
        let version = version.without(unknown)
        let (model, hashes) = (version.model, version.hashes)
        let properties = Dictionary(grouping: propertyHashes(of: model), by: \.entity)
        let entities = Dictionary(
            model.entities.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.init(
            name: version.name,
            checksum: version.checksum,
            entities: hashes.entityNames.compactMap { entityName in
                guard let entity = entities[entityName], let hash = hashes.entities[entityName]
                else { return nil }
                let own = (properties[entityName] ?? []).map {
                    ModelLock.Property(name: $0.property, hash: String($0.hash.hex.prefix(16)))
                }
                return ModelLock.Entity(
                    name: entityName,
                    hash: hash,
                    settings: entity.lockedSettings,
                    properties: own.sorted {
                        $0.name.utf16.lexicographicallyPrecedes($1.name.utf16)
                    },
                    cases: entity.lockedCases,
                    encoded: entity.lockedEncoding
                )
            }
        )
        unknownEntities = unknown.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    }

    /// Freezes what a store or a `VersionInfo.plist` says of its version, whose properties are not known.
    package init(name: String, hashes: ModelHashes) {
        self.init(
            name: name,
            checksum: hashes.checksum,
            entities: hashes.entityNames.compactMap { entityName in
                hashes.entities[entityName].map {
                    ModelLock.Entity(name: entityName, hash: $0, settings: [], properties: [])
                }
            }
        )
    }

    /// Returns what can be compared with a version: what is understood of both.
    func comparable(
        with version: ModelVersion
    ) -> (locked: ModelLock.Version, version: ModelVersion) {
        let unknown = version.entitiesWithGaps.union(unknownEntities)
        guard !unknown.isEmpty else { return (self, version) }
        var locked = self
        locked.entities.removeAll { unknown.contains($0.name) }
        return (locked, version.without(unknown))
    }

    /// Whether a version of a model is this one, under whatever name: what is understood of both has equal hashes.
    package func isSame(as version: ModelVersion) -> Bool {
        let (locked, version) = comparable(with: version)
        return !locked.entities.isEmpty && version.hashes == locked.hashes
    }

    /// Whether some hashes hold all of its entities, as those of sources do that are read together with others.
    package func isPart(of hashes: ModelHashes) -> Bool {
        !entities.isEmpty && entities.allSatisfy { hashes.entities[$0.name] == $0.hash }
    }

    /// The hashes of the entities.
    package var hashes: ModelHashes {
        ModelHashes(
            entities: Dictionary(
                entities.map { ($0.name, $0.hash) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }
}

extension Entity {
    /// What of the entity its hash holds besides name and properties (VersionHashes, "Entities").
    var lockedSettings: [String] {
        var settings: [String] = []
        if isAbstract { settings.append("abstract") }
        if let parentEntity { settings.append("parent \(EscapedName.escape(parentEntity))") }
        if let versionHashModifier, !versionHashModifier.isEmpty {
            settings.append("modifier \(EscapedName.escape(versionHashModifier))")
        }
        settings += uniquenessConstraints.map { constraint in
            "unique " + constraint.properties.map(EscapedName.escape).joined(separator: ".")
        }
        return settings.sorted()
    }
}

import Diagnostics
import ModelHashing
package import ObjectModel

/// The versions of a model that shipped, frozen, as in `MODEL.lock`.
///
/// The text form suits review and merging: a block per version in the order of shipping, with one line for each entity
/// hash, entity setting and property hash, sorted by name; an entity that equals one in an earlier version has only that
/// version's name; then its allowed losses, if any. Spaces separate fields; white space, `%` and `#` in names are written
/// as `%` and two digits per byte. `unknown Order` records that Swift sources left this entity open, `case Order state
/// open` that a stored enum has a case with this raw value, and `holds Order lines[].price Int` that the encoded data of an
/// attribute has such a value.
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
/// `loses *` is a version that shipped before the losses of its step were recorded. `pruned 2026-11-24` after the checksum
/// records that the version was removed from the model on that day on purpose, because no store has it any more.
package struct ModelLock: Sendable, Hashable {
    package struct Version: Sendable, Hashable {
        package var name: String
        /// In base64.
        package var checksum: String
        package var entities: [Entity]
        /// The names of entities that were not understood and are not locked, sorted.
        package var unknownEntities: [String] = []
        /// Those that the lock copied from a block that it lost, which is reported as a fault of the lock.
        package var missingEntities: Set<String> = []
        /// The agreed losses of its step when it was locked, sorted; `nil` when nothing was named.
        ///
        /// Only ``ModelLock/anyLoss`` means that it shipped before its losses were recorded.
        package var losses: [String]?
        /// The day of its removal from the model, as `2026-11-24`; `nil` for a version that must exist.
        package var prunedDay: String?
        package var line: Int?
    }

    package struct Entity: Sendable, Hashable {
        package var name: String
        package var hash: VersionHash
        /// Other settings in its hash, such as `abstract` or `parent Base`, sorted.
        package var settings: [String]
        /// The stored properties that it declares itself, by name; empty when they are not known.
        package var properties: [Property]
        /// The raw values of its enums, where sources have them; they are part of no hash.
        package var cases: [EnumValue] = []
        /// The values that its attributes keep as encoded data, where sources have them; they are part of no hash.
        package var encoded: [EncodedShape.Member] = []
        package var line: Int?
    }

    package struct EnumValue: Sendable, Hashable {
        package var property: String
        package var value: String
    }

    package struct Property: Sendable, Hashable {
        package var name: String
        /// The first 16 hexadecimal digits of the hash that it adds to its entity's.
        package var hash: String
        package var line: Int?
    }

    package var versions: [Version]
    /// The versions that shipped and were removed from the model on purpose: they are known, and not reported as missing.
    package var prunedVersions: [Version] = []
    /// Whether each version whose step loses something records that: locks of older releases left out unnamed losses.
    package var recordsLosses = true

    /// The newest tag, if the lock was made from the releases of a repository and not read from a file; otherwise `nil`.
    package var newestTag: String?

    /// All that a step loses.
    package static let anyLoss = "*"

    package init(versions: [Version] = []) { self.versions = versions }

    package struct Renaming: Sendable, Hashable {
        package var oldName: String
        package var newName: String
        package var line: Int?
    }

    /// Returns the lock with the present names of its versions, and the renamed ones; hashes identify a version first.
    ///
    /// One that was edited may have been frozen before itself, under another name.
    package func following(_ versions: [ModelVersion]) -> (lock: ModelLock, renamed: [Renaming]) {
        var lock = self
        var renamed: [Renaming] = []
        var taken = Set(self.versions.map(\.name))
        let places = Dictionary(firstOf: versions.enumerated().map { ($1.name, $0) })
        for (index, locked) in self.versions.enumerated() {
            let place = places[locked.name]
            let open = versions.prefix(place ?? versions.count).filter { !taken.contains($0.name) }
            guard !open.isEmpty, place.map({ !locked.isSame(as: versions[$0]) }) ?? true,
                let twin = open.first(where: { locked.isSame(as: $0) })
            else { continue }
            taken.insert(twin.name)
            lock.versions[index].name = twin.name
            renamed.append(Renaming(oldName: locked.name, newName: twin.name, line: locked.line))
        }
        return (lock, renamed)
    }

    package func version(named name: String) -> Version? { versions.first { $0.name == name } }
}

package struct LocatedLock: Sendable, Hashable {
    package var lock: ModelLock
    package var path: String

    /// What is at its lines, for the notes of findings.
    var placeWords: String {
        lock.newestTag == nil ? "it is locked here" : "there it has other hashes"
    }

    package init(_ lock: ModelLock, path: String) { (self.lock, self.path) = (lock, path) }
}

extension ModelLock.Version {
    package init(_ version: ModelVersion) {
        let unknown = version.entitiesWithGaps
        let version = version.without(unknown)
        let (model, hashes) = (version.model, version.hashes)
        let properties = Dictionary(grouping: propertyHashes(of: model), by: \.entity)
        let entities = Dictionary(firstOf: model.entities.map { ($0.name, $0) })
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

    /// Freezes a version known only from a store or a `VersionInfo.plist`, whose properties are unknown.
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

    /// Whether a version of a model is this one, under any name: the understood parts of both have equal hashes.
    package func isSame(as version: ModelVersion) -> Bool {
        let (locked, version) = comparable(with: version)
        return !locked.entities.isEmpty && version.hashes == locked.hashes
    }

    /// The entities and properties of a model that it does not have, as far as it knows.
    func lacking(_ model: ManagedObjectModel) -> [String] {
        let known = Dictionary(firstOf: entities.map { ($0.name, $0.properties.map(\.name)) })
        return model.entities.flatMap { entity -> [String] in
            guard let own = known[entity.name] else {
                return unknownEntities.contains(entity.name) ? [] : [entity.name]
            }
            let new = Set(own.isEmpty ? [] : entity.properties.map(\.name)).subtracting(own)
            return new.map { "\(entity.name).\($0)" }
        }
    }

    /// Whether some hashes include all of its entities, as of sources that are read together with others.
    package func isPart(of hashes: ModelHashes) -> Bool {
        !entities.isEmpty && entities.allSatisfy { hashes.entities[$0.name] == $0.hash }
    }

    package var hashes: ModelHashes {
        ModelHashes(entities: Dictionary(firstOf: entities.map { ($0.name, $0.hash) }))
    }
}

extension Entity {
    /// The entity's settings in its hash besides name and properties (VersionHashes, "Entities").
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

extension ModelLock {
    /// Reads the recorded losses, with their locations.
    package static func namedLosses(in text: String, path: String) -> [NamedLoss] {
        var version: String?
        var losses: [NamedLoss] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineEnd)
        for (index, line) in lines.enumerated() {
            let fields = line.split(separator: " ")
            guard fields.count >= 2 else { continue }
            let name = EscapedName.unescape(fields[1])
            if fields[0] == "version" { version = name }
            guard fields[0] == "loses", let version, let name, name != anyLoss else { continue }
            let location = FileLocation(path: path, line: index + 1)
            losses.append(NamedLoss(version: version, name: name, at: location))
        }
        return losses
    }

    /// Reads only the names of the versions, in the order of the lock, which takes a fraction of the time.
    ///
    /// The text may be in any state; other lines are skipped.
    package static func versionNames(in text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.starts(with: "version ".utf8) else { return nil }
            let name = line.dropFirst("version ".utf8.count)
                .prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
            return EscapedName.unescape(Substring(name))
        }
    }
}

extension Character {
    /// Whether it ends a line, as git may write it on Windows too.
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r\n" }
}

extension ModelLock {
    /// How people mark versions in a lock that no store has any more, as advice.
    package static let pruningWords =
        "add 'pruned DAY', such as 'pruned 2026-11-24', below each checksum"

    /// Whether a text is a day as in locks, such as `2026-11-24`.
    package static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return false }
        return (1...12).contains(Int(parts[1]) ?? 0) && (1...31).contains(Int(parts[2]) ?? 0)
    }

    package func prunedVersion(withHashes hashes: ModelHashes) -> Version? {
        prunedVersions.first { !$0.entities.isEmpty && $0.hashes == hashes }
    }
}

extension ModelLock.Version {
    /// What is wrong with stores of the version, for people; `nil` for a version that is not pruned.
    package var pruningRemark: String? {
        prunedDay.map { day in
            "it is a store of '\(name)', which was pruned on \(day): this model cannot open it; first open it with "
                + "an app that has '\(name)', or restore the version from version control"
        }
    }
}

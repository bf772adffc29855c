/// An optional setting of a property, with what every module needs to know about it.
///
/// A new flag is a case here, with its row, and a property below; readers, writers, archives, hashes, comparison and
/// reports iterate over the rows. The order is that of hashes.
package enum PropertyFlag: Int, Sendable, Hashable, CaseIterable {
    /// Large values may be in external files.
    case externalStorage
    case cloudEncryption
    /// Persistent history keeps the value of deleted objects.
    case preservationAfterDeletion
    case indexed
    case spotlightIndexing
    /// It is stored in an external record (legacy `storedInTruthFile`).
    case storedInTruthFile

    package struct Row: Sendable {
        package var sourceName: String
        /// Another name, which was written by hand in some files.
        package var otherSourceName: String?
        package var isOfRelationships = false
        package var archivePlace: ArchivePlace
        /// Whether it is in the version hash where it is set.
        package var isHashed = false
        package var words: String
        package var swiftDataOption: String?
        /// Whether a store has shown what the option does.
        package var isSeenInSwiftData = false
    }

    package enum ArchivePlace: Sendable, Hashable {
        case common(key: String, bit: Int64)
        case key(String)
        case storage(bit: Int64)
        /// No file has shown it.
        case unknown
    }

    package var row: Row { Self.rows[rawValue] }

    package init?(sourceName: String) {
        guard let flag = Self.bySourceName[sourceName] else { return nil }
        self = flag
    }

    package static let hashed = allCases.filter(\.row.isHashed)

    private static let bySourceName: [String: PropertyFlag] = {
        var flags: [String: PropertyFlag] = [:]
        for flag in allCases {
            flags[flag.row.sourceName] = flag
            if let name = flag.row.otherSourceName { flags[name] = flag }
        }
        return flags
    }()

    private static let rows: [Row] = allCases.map { flag in
        switch flag {
        case .externalStorage:
            Row(
                sourceName: "allowsExternalBinaryDataStorage",
                archivePlace: .storage(bit: 0x04),
                isHashed: true,
                words: "external storage",
                swiftDataOption: "externalStorage",
                isSeenInSwiftData: true
            )
        case .cloudEncryption:
            Row(
                sourceName: "allowsCloudEncryption",
                archivePlace: .unknown,
                words: "cloud encryption",
                swiftDataOption: "allowsCloudEncryption",
                isSeenInSwiftData: true
            )
        case .preservationAfterDeletion:
            Row(
                sourceName: "preserveAfterDeletion",
                otherSourceName: "preservesValueInHistoryOnDeletion",
                archivePlace: .storage(bit: 0x10),
                isHashed: true,
                words: "preserved after deletion",
                swiftDataOption: "preserveValueOnDeletion"
            )
        case .indexed:
            Row(
                sourceName: "indexed",
                isOfRelationships: true,
                archivePlace: .key("NSIsIndexed"),
                words: "indexed"
            )
        case .spotlightIndexing:
            Row(
                sourceName: "spotlightIndexingEnabled",
                isOfRelationships: true,
                archivePlace: .common(key: "NSIndexedBySpotlight", bit: 0x100),
                words: "indexed by Spotlight",
                swiftDataOption: "spotlight"
            )
        case .storedInTruthFile:
            Row(
                sourceName: "storedInTruthFile",
                isOfRelationships: true,
                archivePlace: .common(key: "NSIsStoredInTruth", bit: 0x200),
                words: "stored in external record"
            )
        }
    }
}

package struct PropertyFlags: Sendable, Hashable {
    private var bits = 0

    package init() {}

    package subscript(flag: PropertyFlag) -> Bool {
        get { bits & 1 << flag.rawValue != 0 }
        set { bits = newValue ? bits | 1 << flag.rawValue : bits & ~(1 << flag.rawValue) }
    }
}

extension Attribute {
    /// Whether large values may be in external files.
    package var allowsExternalBinaryDataStorage: Bool {
        get { flags[.externalStorage] }
        set { flags[.externalStorage] = newValue }
    }

    package var allowsCloudEncryption: Bool {
        get { flags[.cloudEncryption] }
        set { flags[.cloudEncryption] = newValue }
    }

    /// Whether persistent history keeps the value of deleted objects.
    package var preservesValueInHistoryOnDeletion: Bool {
        get { flags[.preservationAfterDeletion] }
        set { flags[.preservationAfterDeletion] = newValue }
    }
}

package protocol FlaggedProperty: Property {
    var isTransient: Bool { get set }
    var flags: PropertyFlags { get set }
}

extension FlaggedProperty {
    package var isIndexed: Bool {
        get { flags[.indexed] }
        set { flags[.indexed] = newValue }
    }
}

import Essentials
import FileSystem

/// The sources of an app that mention something of interest, found by one walk.
struct AppSources: Sendable {
    /// The paths of the sources, sorted.
    let paths: [String]
    /// Those that mention something, with their mentions.
    let files: [(path: String, mentions: SourceMentions)]
    let entitlements: [String]

    /// The sources below a folder, without compiler output, hidden folders and package managers'; searched once a run.
    static func below(_ folder: String) -> AppSources {
        Surroundings.current.memory.found(for: folder) { AppSources(below: folder) }
    }

    private init(below folder: String) {
        var (paths, entitlements): ([String], [String]) = ([], [])
        var seen: Set<FileIdentity> = []
        var rest = [folder]
        while let next = rest.popLast() {
            guard let identity = FileIdentity(of: next), seen.insert(identity).inserted else {
                continue
            }
            for (name, isRegular) in folderEntries(of: next) ?? [] where !isPassedOver(name) {
                let isSource = Self.endings.contains { name.utf8.reversed().starts(with: $0) }
                let isEntitlement = !isSource && name.hasSuffix(".entitlements")
                if isRegular, !isSource, !isEntitlement { continue }
                let path = next + "/" + name
                if !isRegular, leadsOut(path) { continue }
                if !isRegular, FileIdentity(of: path)?.isFolder ?? true {
                    if !name.contains(".xc") { rest.append(path) }
                } else if isSource {
                    paths.append(path)
                } else if isEntitlement {
                    entitlements.append(path)
                }
            }
        }
        self.entitlements = entitlements.sorted()
        self.paths = Array(paths.sorted().prefix(Self.limit))
        files = self.paths.compactMap { path in
            let mentions = SourceMentions.of(path)
            return mentions.isEmpty ? nil : (path, mentions)
        }
    }

    /// The ends of names, from the last byte on.
    private static let endings = [".swift", ".m", ".mm"].map { Array($0.utf8.reversed()) }
    private static let limit = 20_000
}

/// What a source mentions: words that the parser need not see to know that they are absent.
struct SourceMentions: OptionSet, Sendable {
    let rawValue: Int

    /// A class of SwiftData.
    static let model = SourceMentions(rawValue: 1)
    /// A class of Core Data, or a property of one.
    static let managedObject = SourceMentions(rawValue: 2)
    static let versionedSchema = SourceMentions(rawValue: 4)
    static let mirroringContainer = SourceMentions(rawValue: 8)
    static let migration = SourceMentions(rawValue: 16)
    /// A removal of a file or a store.
    static let removal = SourceMentions(rawValue: 32)
    static let modelFile = SourceMentions(rawValue: 64)
    static let container = SourceMentions(rawValue: 128)

    private static let words: [(mention: SourceMentions, words: [String])] = [
        (.model, ["@Model"]), (.managedObject, ["NSManaged"]),
        (.versionedSchema, [": VersionedSchema"]),
        (.mirroringContainer, ["NSPersistentCloudKitContainer"]), (.migration, migrationCalls),
        (.removal, ["destroyPersistentStore", "removeItem"]), (.modelFile, [".xcdatamodel"]),
        (.container, ["NSPersistentContainer", "\"momd\""]),
    ]

    static let migrationCalls = [
        "NSMigrationManager(", "NSMigrationManager alloc]", "NSMappingModel(from:",
        "mappingModelFromBundles:",
    ]

    private static let table = words.map { ($0.mention, $0.words.map { Array($0.utf8) }) }

    /// The greatest source that is read.
    static let sizeLimit = 1 << 20

    /// What a file mentions, which is read once in a run; nothing where it cannot be read.
    static func of(_ path: String) -> SourceMentions {
        let run = Surroundings.current
        return run.memory.found(for: run.absolute(path)) {
            let bytes = (try? readFile(path, limit: sizeLimit)) ?? []
            return SourceMentions(
                table.filter { $0.1.contains { bytes.firstRange(of: $0) != nil } }.map(\.0)
            )
        }
    }
}

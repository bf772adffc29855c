import Diagnostics
import Essentials
import FileSystem

/// The sources of an app that mention something of interest, found by one walk.
struct AppSources: Sendable {
    /// The paths of the sources, sorted, without those of tests.
    let paths: [String]
    /// Those that mention something, with their mentions.
    let files: [(path: String, mentions: SourceMentions)]
    let entitlements: [String]

    /// The sources below a folder, without compiler output, hidden folders and package managers'; searched once a run.
    static func below(_ folder: String) -> AppSources {
        Surroundings.current.memory.found(for: folder) { AppSources(below: folder) }
    }

    private init(below folder: String) {
        let found = filePaths(
            below: folder,
            leavingOut: isPassedOver,
            entering: { !$0.contains(".xc") }
        ) { name in Self.endings.contains { name.utf8.reversed().starts(with: $0) } }
        entitlements = found.filter { $0.hasSuffix(".entitlements") }
        // Tests open and migrate stores of their own.
        let isOfApp = { (path: String) in !path.dropFirst(folder.count).contains("Tests/") }
        let sources = found.filter { !$0.hasSuffix(".entitlements") }
        paths = Array(sources.filter(isOfApp).prefix(Self.limit))
        files = paths.compactMap { path in
            let mentions = SourceMentions.of(path)
            return mentions.isEmpty ? nil : (path, mentions)
        }
    }

    func files(mentioning wanted: SourceMentions) -> [String] {
        files.filter { !$0.mentions.isDisjoint(with: wanted) }.map(\.path)
    }

    /// The first line of code that is wanted, in the files with a mention.
    func firstLine(
        mentioning wanted: SourceMentions,
        where isWanted: (Substring) -> Bool
    ) -> FileLocation? {
        for path in files(mentioning: wanted) {
            guard let line = codeLines(of: path).firstIndex(where: isWanted) else { continue }
            return FileLocation(path: pathFromHere(path), line: line + 1)
        }
        return nil
    }

    /// The ends of names, from the last byte on.
    private static let endings = [".swift", ".m", ".mm", ".entitlements"].map {
        Array($0.utf8.reversed())
    }
    private static let limit = 20_000
}

/// The lines of a source without comments and what only a debug build has, each of which is left empty.
func codeLines(of bytes: [UInt8]) -> [Substring] {
    var code = CodeLines()
    return bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { code.code(of: String(decoding: $0, as: UTF8.self)) }
}

func codeLines(of path: String) -> [Substring] {
    codeLines(of: (try? readFile(path, limit: SourceMentions.sizeLimit)) ?? [])
}

private struct CodeLines {
    private var isComment = false
    private var isDebug = false

    mutating func code(of line: String) -> Substring {
        let text = line.drop { $0 == " " || $0 == "\t" }
        if text.hasPrefix("#if") || text.hasPrefix("#e") { isDebug = text.contains("if DEBUG") }
        let isWithin = isComment
        if text.hasPrefix("/*") { isComment = true }
        if text.contains("*/") { isComment = false }
        guard !isWithin, !isComment, !isDebug, !text.hasPrefix("/*") else { return "" }
        return text.firstRange(of: "//").map { text[..<$0.lowerBound] } ?? text
    }
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
    /// A resource of a package that is not processed.
    static let copy = SourceMentions(rawValue: 64)
    static let container = SourceMentions(rawValue: 128)
    static let migrationOption = SourceMentions(rawValue: 256)

    private static let words: [(mention: SourceMentions, words: [String])] = [
        (.model, ["@Model"]), (.managedObject, ["NSManaged"]),
        (.versionedSchema, [": VersionedSchema"]),
        (.mirroringContainer, ["NSPersistentCloudKitContainer"]),
        (.migration, migrationCalls + [ownMigrator]),
        (.removal, ["destroyPersistentStore", "removeItem"]), (.copy, [".copy("]),
        (.container, ["NSPersistentContainer", "\"momd\""]), (.migrationOption, migrationOptions),
    ]

    /// The options of a store that allow migration; the last two need no mapping model.
    static let migrationOptions = [
        "shouldMigrateStoreAutomatically", "NSMigratePersistentStoresAutomaticallyOption",
        "shouldInferMappingModelAutomatically", "NSInferMappingModelAutomaticallyOption",
    ]

    /// What the declaration of a migrator has, and a parameter of a policy too.
    static let ownMigrator = ": NSMigrationManager"

    static let migrationCalls = [
        "NSMigrationManager(", "NSMigrationManager alloc]", "NSMappingModel(from:",
        "mappingModelFromBundles:", "NSStagedMigrationManager(", "NSStagedMigrationManager alloc]",
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

import Diagnostics
import Essentials
import FileSystem
import MappingInference
package import ModelLoading
package import ObjectModel

/// The sources of an app that mention something of interest, found by one walk.
struct AppSources: Sendable {
    let folder: String
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
        self.folder = folder
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

    /// The first line of code that is wanted, in the files with a mention that are wanted too.
    func firstLine(
        mentioning wanted: SourceMentions,
        in isWantedFile: (String, [Substring]) -> Bool = { _, _ in true },
        where isWanted: (Substring) -> Bool
    ) -> FileLocation? {
        for path in files(mentioning: wanted) {
            let lines = codeLines(of: path)
            guard let line = lines.firstIndex(where: isWanted), isWantedFile(path, lines)
            else { continue }
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
    private var isText = false
    /// The conditions around a line, and whether one is of debug builds alone, or of none.
    private var conditions: [Bool] = []

    mutating func code(of line: String) -> Substring {
        var text = line.drop { $0 == " " || $0 == "\t" }
        if !isText, ["#if", "#el", "#endif"].contains(where: text.hasPrefix) {
            if !text.hasPrefix("#if"), !conditions.isEmpty { conditions.removeLast() }
            let isOff = ["if DEBUG", "if false", "if 0"].contains { text.contains($0) }
            if !text.hasPrefix("#endif") { conditions.append(isOff) }
        }
        let isWithin = isComment
        if text.hasPrefix("/*"), !isText { isComment = true }
        if text.contains("*/") { isComment = false }
        guard !isWithin, !isComment, !conditions.contains(true), !text.hasPrefix("/*") else {
            return ""
        }
        // The lines of a text are not code.
        let parts = text.split(separator: "\"\"\"", maxSplits: 1, omittingEmptySubsequences: false)
        if isText {
            guard parts.count > 1 else { return "" }
            (text, isText) = (parts[1], false)
        } else if parts.count > 1, !parts[0].contains("//") {
            isText = !parts[1].contains("\"\"\"")
            text = parts[0]
        }
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
    static let opening = SourceMentions(rawValue: 512)
    static let merging = SourceMentions(rawValue: 1024)
    /// A container of SwiftData, or a plan that migrates its stores.
    static let plan = SourceMentions(rawValue: 2048)
    /// A file or a store that is moved or copied.
    static let moving = SourceMentions(rawValue: 4096)
    static let managedProperty = SourceMentions(rawValue: 8192)

    private static let words: [(mention: SourceMentions, words: [String])] = [
        (.model, ["@Model", "@SwiftData.Model"]), (.managedObject, ["NSManaged"]),
        (.versionedSchema, [": VersionedSchema"]),
        (.mirroringContainer, ["NSPersistentCloudKitContainer", "cloudKitContainerOptions"]),
        (.migration, migrationCalls + [ownMigrator]),
        (.removal, removals + ["replacePersistentStore"]), (.copy, [".copy("]),
        (.container, ["NSPersistentContainer", "\"momd\""]), (.migrationOption, migrationOptions),
        (.opening, openings), (.merging, mergers), (.moving, movers),
        (.managedProperty, ["@NSManaged"]),
        (.plan, ["SchemaMigrationPlan", "odelContainer(", "ModelConfiguration("]),
    ]

    /// The options of a store that allow migration; the last two need no mapping model.
    static let migrationOptions = [
        "shouldMigrateStoreAutomatically", "NSMigratePersistentStoresAutomaticallyOption",
        "shouldInferMappingModelAutomatically", "NSInferMappingModelAutomaticallyOption",
    ]

    /// What the options of frameworks have that delete a store which does not fit its model.
    static let deletingOption = "StoreOnModelMismatch"
    private static let removals = ["destroyPersistentStore", "removeItem", deletingOption]

    /// What lets a store open that needs a migration, or makes its model, wherever in a source.
    static let openingAnswers =
        removals + [
            "PersistentContainer", "persistentStoreDescriptions", "NSManagedObjectModel()",
            "NSManagedObjectModel new]", "NSManagedObjectModel alloc] init]",
        ]

    /// What moves or copies files or stores.
    static let movers = ["moveItem", "copyItem", "replaceItem", "migratePersistentStore"]

    /// What makes one model of several.
    static let mergers = ["mergedModel(from", "mergedModelFrom", "(byMerging:", "modelByMerging"]

    /// What opens a store.
    static let openings = [
        "loadPersistentStores", "addPersistentStore(", "addPersistentStoreWith", "ModelContainer(",
    ]

    /// What the declaration of a migrator has, and a parameter of a policy too.
    static let ownMigrator = ": NSMigrationManager"

    static let migrationCalls = [
        "NSMigrationManager(", "NSMigrationManager alloc]", "NSMappingModel(from:",
        "mappingModelFromBundles:", "NSStagedMigrationManager(", "NSStagedMigrationManager alloc]",
        // A list of versions, step by step, of CoreStore.
        "migrationChain:",
    ]

    private static let table = words.map { ($0.mention, $0.words.map { Array($0.utf8) }) }

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

extension ModelBundle {
    /// The configurations that code mirrors to CloudKit beside those with a flag in the current version; empty for the
    /// whole model, `nil` for none.
    ///
    /// Xcode's checkbox sets a flag in the model, but only `NSPersistentCloudKitContainer` mirrors: many apps have one
    /// without the other. If entitlements list CloudKit, the sources of the repository are searched, up to a limit, or
    /// without a repository those around the model. A container of another model does not count. Of a model with
    /// configurations those count whose description gets options of CloudKit.
    package var mirroredByApp: Set<String>? {
        guard let current = currentVersion, path.hasSuffix(".xcdatamodeld"),
            current.model.cloudKitEntities.count < current.model.entities.count,
            let (model, sources) = appCode
        else { return nil }
        let entitlements = nearestEntitlements(Array(sources.entitlements.prefix(50)), to: model)
        let isEntitled = entitlements.contains(where: allowsCloudKit)
        guard isEntitled || entitlements.isEmpty else { return nil }
        let (folder, root) = (parent(of: model), sources.folder)
        let above = parent(of: folder)
        let near = above.hasPrefix(root + "/") ? above : folder
        let place = (isEntitled ? root : near) + "/"
        let files = sources.files(mentioning: .mirroringContainer).filter { $0.hasPrefix(place) }
        let lines = files.map { codeLines(of: $0) }
        let containers = zip(files, lines).filter { file, code in
            code.contains { sources.mirrors(model, code: $0, in: file) }
        }
        guard !containers.isEmpty else { return nil }
        let configurations = Set(current.model.configurations.map(\.name))
        if configurations.isEmpty {
            // Without options of CloudKit nothing is mirrored.
            let makesOptions = lines.joined().contains {
                $0.contains("loudKitContainerOptions")
                    && !$0.contains(".cloudKitContainerOptions = nil")
            }
            guard
                makesOptions
                    || containers.contains(where: {
                        !sources.takesOptions(of: model, in: $0.1, $0.0)
                    })
            else { return nil }
        }
        let mirrored = configurations.intersection(lines.flatMap(mirroredConfigurations))
        guard configurations.isEmpty || !mirrored.isEmpty else { return nil }
        return current.mirrored(mirrored).model.cloudKitEntities == current.model.cloudKitEntities
            ? nil : mirrored
    }

    package func mirrored(_ configurations: Set<String>?) -> ModelBundle {
        var copy = self
        copy.versions = versions.map { $0.mirrored(configurations) }
        return copy
    }
}

extension ModelVersion {
    /// The version as configurations are mirrored: the whole for an empty set, none for `nil`.
    package func mirrored(_ configurations: Set<String>?) -> ModelVersion {
        guard let configurations else { return self }
        var model = model
        if configurations.isEmpty { model.documentSettings["usedWithCloudKit"] = "YES" }
        for index in model.configurations.indices
        where configurations.contains(model.configurations[index].name) {
            model.configurations[index].isUsedWithCloudKit = true
        }
        return with(model)
    }
}

extension AppSources {
    /// Whether a line makes a mirroring container of a model, or of one whose name is computed.
    fileprivate func mirrors(_ model: String, code: Substring, in file: String) -> Bool {
        let parts = code.split(
            separator: "NSPersistentCloudKitContainer",
            omittingEmptySubsequences: false
        )
        // A subclass or a type alias does not create a container; a call has parentheses after it.
        return parts.dropFirst().contains { part in
            let rest = part.drop(while: \.isWhitespace)
            guard rest.hasPrefix("(") || rest.hasPrefix("alloc]") else { return false }
            guard let quote = rest.firstIndex(of: "\"") else { return true }
            let named = rest[rest.index(after: quote)...].prefix { $0 != "\"" }
            // With a model, the name is that of the store alone.
            return model.hasSuffix("/\(named).xcdatamodeld")
                || rest.contains("managedObjectModel:") && loads(model, in: file)
        }
    }

    /// Whether code makes one mirroring container of a model and, on every path, takes the options of CloudKit from its stores:
    /// it removes them, or opens descriptions of its own.
    fileprivate func takesOptions(of model: String, in code: [Substring], _ file: String) -> Bool {
        let containers = code.indices.filter { mirrors(model, code: code[$0], in: file) }
        guard containers.count == 1, let made = containers.first else { return false }
        let isDescribed = code.contains { $0.contains(/NSPersistentStoreDescription(\(| alloc])/) }
        let mention = code[made...].firstIndex { $0.contains("persistentStoreDescriptions") }
        return code[made...].indices.contains { line in
            let removal = code[line].firstRange(of: ".cloudKitContainerOptions = nil")
            let new = code[line].firstRange(of: ".persistentStoreDescriptions = ")
            guard let place = removal ?? (isDescribed && line == mention ? new : nil) else {
                return false
            }
            return !endsInCondition(code[made..<line] + [code[line][..<place.lowerBound]])
        }
    }

    /// Whether code loads a model by name, and no other one: that of a source, else that of all; one whose name is computed
    /// is the only one that the source may be about.
    private func loads(_ model: String, in file: String) -> Bool {
        let names = [[file], files(mentioning: .container)].lazy.map { paths in
            Set(
                paths.flatMap {
                    codeLines(of: $0).joined().matches(of: /"([^"]+)("[^"]*"momd"|\.momd")/).map(
                        \.1
                    )
                }
            )
        }.first { !$0.isEmpty }
        return names.map { $0.count == 1 && model.hasSuffix("/\($0.first ?? "").xcdatamodeld") }
            ?? (models(of: [], at: file) == [model])
    }
}

/// Whether code ends in a block that may not run, such as another function.
func endsInCondition(_ code: ArraySlice<Substring>) -> Bool {
    var blocks: [Bool] = []
    var text = ""
    for character in code.joined(separator: "\n") {
        switch character {
        case "{":
            let conditions = ["if ", "if(", "else", "guard ", "switch ", "catch", "func ", "- ("]
            blocks.append(conditions.contains { text.contains($0) })
            text = ""
        case "}":
            _ = blocks.popLast()
            text = ""
        default: text.append(character)
        }
    }
    let depth = code.count { $0.hasPrefix("#if") } - code.count { $0.hasPrefix("#endif") }
    return depth > 0 || blocks.contains(true) || code.dropLast().contains { $0.contains("return") }
}

/// The configurations of descriptions of stores that get options of CloudKit, by the names of their variables.
private func mirroredConfigurations(in code: [Substring]) -> [String] {
    var descriptions: [Substring: (configuration: String?, isMirrored: Bool)] = [:]
    var found: [String] = []
    for line in code {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        // Another variable may have the name.
        if let index = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
            index + 1 < words.count
        {
            descriptions[words[index + 1]] = nil
        }
        func owner(of property: String) -> (name: Substring, value: Substring)? {
            guard let dot = line.firstRange(of: "." + property),
                let equals = line.firstIndex(of: "="), dot.upperBound < equals
            else { return nil }
            let name = line[..<dot.lowerBound].split { !($0.isLetter || $0.isNumber || $0 == "_") }
                .last
            return name.map { ($0, line[line.index(after: equals)...]) }
        }
        var changed: Substring?
        if let (name, value) = owner(of: "configuration") {
            let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
            descriptions[name, default: (nil, false)].configuration =
                parts.count > 2 ? String(parts[1]) : nil
            changed = name
        } else if let (name, value) = owner(of: "cloudKitContainerOptions") {
            descriptions[name, default: (nil, false)].isMirrored = !value.contains("nil")
            changed = name
        }
        if let changed, let all = descriptions[changed], all.isMirrored,
            let name = all.configuration
        {
            found.append(name)
        }
    }
    return found
}

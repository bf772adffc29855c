package import Diagnostics
package import ObjectModel

/// What the Swift sources of an app say about its models.
package struct SwiftModels: Sendable {
    /// The versions: those of `VersionedSchema` in the order of the plan or of their numbers, then the classes outside any
    /// version.
    package var versions: [SwiftModelVersion]
    package var plans: [SwiftMigrationPlan]
    /// Remarks for a check of models, which are not faults.
    package var remarks: [Diagnostic] = []

    /// Whether stores may have the classes that no version lists: an app may open these beside a plan without stages.
    package var opensUnversioned = false
    /// The version with whose classes the app's container is opened where that is not the last one of a plan.
    package var openedVersion: String?
    /// The stores of containers whose classes are known.
    package var stores: [SwiftStore] = []
    /// The classes of containers that are only in memory, if there are no others.
    package var memoryStores: [SwiftStore] = []
    /// Whether a container is opened with a private database of CloudKit.
    package var opensCloudKit = false
    /// Whether a container is opened without CloudKit, regardless of the app's entitlements.
    package var refusesCloudKit = false
    /// The sources, to be read again under other options.
    package var readings: SwiftReadings?

    package func version(named name: String) -> SwiftModelVersion? {
        versions.first { $0.name == name }
            ?? versions.first { $0.name.split(separator: ".").last.map(String.init) == name }
    }
}

/// A store that a container of SwiftData keeps.
package struct SwiftStore: Sendable, Hashable {
    package var entities: Set<String>
    /// Whether it is mirrored to CloudKit; `nil` where the entitlements decide.
    package var isMirrored: Bool?
    /// What says which file it is: the name or URL of its configuration, and its group; the same for all defaults.
    package var file: String
    /// The path that its configuration names or adds to a folder; `nil` where it is made at run time.
    var path: String?
    /// The members and the labels that lead to the file.
    var members: [String] = []
    /// Whether the file is in the folder of a group; `nil` where the folder is made at run time.
    package var isInGroup: Bool?
    package var source: SourceMark

    package var fileName: String? { path?.split(separator: "/").last.map(String.init) }

    /// Whether the file is in the folder of a group, which apps share.
    package var isOfGroup: Bool {
        members.contains { $0.wholeMatch(of: /identifier|forSecurity\w+Identifier/) != nil }
    }

    /// The name of the container of Core Data whose default file it is; `nil` for another file.
    package var coreDataName: String? {
        let folders = ["applicationSupportDirectory", "defaultDirectoryURL"]
        guard let path, path.hasSuffix(".sqlite"), !path.contains("/"),
            members.contains(where: folders.contains),
            members.count(where: { $0.hasPrefix("append") || $0.hasPrefix("deleting") }) < 2
        else { return nil }
        return String(path.dropLast(".sqlite".count))
    }
}

package struct SwiftModelVersion: Sendable {
    /// The version name of classes that no `VersionedSchema` lists.
    package static let unversionedName = "unversioned"

    /// The name of the `VersionedSchema`, with its enclosing types.
    package var name: String
    package var path: String
    /// The version identifier, such as `1.0.0`; `nil` where it is not a plain number.
    package var identifier: String?
    /// Whether a `VersionedSchema` declares it.
    package var isVersioned: Bool
    /// The model, with what was understood of each entity.
    package var model: ManagedObjectModel
    /// The names of the entities that are not fully understood, and so have no hash.
    package var spoiledEntities: Set<String>
    /// The names of the entities that were inferred, without evidence from a store.
    package var unprovenEntities: Set<String>
    /// The open questions whose answers would complete the model.
    package var questions: [SwiftQuestion]
    package var types: [SwiftModelType]
    package var shapes: SwiftShapes
    package var source: SourceMark

    /// The names of its classes, with their enclosing types.
    var classNames: Set<String> { Set(types.filter { $0.kind == .model }.map(\.name)) }
}

/// Something that sources leave open and that can be stated beside them.
package struct SwiftQuestion: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The inverse of a relationship: one of these, or none.
        case inverse([String])
        /// The type of a property: one of these, as `types:` has them; any where there are none.
        case type([String])
        /// Whether a constraint that is written twice counts once.
        case uniqueness
    }

    /// The entity that has no hash, or no proven one, without an answer.
    package var entity: String
    /// The relationship or the property, such as `Item.folder`; a property of a struct with the struct's name.
    package var name: String
    package var kind: Kind
}

/// Parsed Swift sources, to be read under several options.
///
/// Any two are equal: their results are compared separately.
package struct SwiftReadings: Sendable, Hashable {
    let files: [FileDeclarations]
    package let options: SwiftReadingOptions

    /// Reads the models again with other options, except those about files; without diagnostics.
    package func models(_ options: SwiftReadingOptions) -> SwiftModels {
        #if SwiftData
            let foreign = options.types.compactMapValues { ForeignForm($0) }
            let index = TypeIndex(files, BuildConditions(options), foreign: foreign)
            var reader = SchemaReader(index)
            return reader.models(options)
        #else
            return SwiftModels(versions: [], plans: [])
        #endif
    }

    package static func == (left: SwiftReadings, right: SwiftReadings) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// A type that takes part in the hash of a version.
package struct SwiftModelType: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case model
        case value
    }

    package var name: String
    package var kind: Kind
    /// Whether it is declared inside the version, and so by no other version.
    package var isOwn: Bool
    /// Whether it is declared inside some version, and so changes with no other.
    package var isFrozen: Bool
    /// Whether the version itself lists it; others are reached from what is listed.
    package var isListed: Bool
    package var source: SourceMark
}

package struct SwiftMigrationPlan: Sendable, Hashable {
    package struct Stage: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case lightweight
            /// By functions, which cannot be run here.
            case custom
        }

        package var kind: Kind
        package var from: String
        package var to: String
        /// The given functions of a custom stage, `willMigrate` and `didMigrate`.
        package var closures: [String] = []
        /// Whether `willMigrate` deletes objects, so that the step may meet none.
        package var deletes = false
        package var source: SourceMark
    }

    package var name: String
    /// The names of the versions, in order.
    package var schemas: [String]
    package var stages: [Stage]
    /// Whether its container is opened with the classes of no version, so that no store reaches the app's model.
    package var isOpenedOtherwise = false
    package var source: SourceMark
}

/// Reads the models that the same sources declare in many states, such as the commits of a repository.
///
/// Each content of a file is parsed once, and only where it concerns models; states whose models are spelled alike are
/// read once. Faults of the sources are not reported: a store either fits a state or does not.
package struct SwiftStates {
    package struct File: Sendable, Hashable {
        package var path: String
        /// Its content, by its number from ``add(_:)``.
        package var content: Int

        package init(path: String, content: Int) { (self.path, self.content) = (path, content) }
    }

    package struct Version: Sendable {
        package var name: String
        package var model: ManagedObjectModel
        package var gaps: [String]
    }

    private let options: SwiftReadingOptions
    #if SwiftData
        private var contents: [Content] = []
        private var forms: [Form: Int] = [:]
        private var files: [FileDeclarations] = []
        private var known: [[Key]: Int] = [:]
        private let conditions: BuildConditions
        private let foreign: [String: ForeignForm]

        private struct Content {
            var words: SourceWords
            /// The number of its declarations, the same for contents that differ only in what does not concern models;
            /// `nil` before it is parsed, and for what is not read.
            var form: Int?
            var isOmitted = false
        }

        private struct Form: Hashable {
            var declarations: [Conditional<Declaration>]
            var imports: [String]
        }

        /// The part of a state's file that its model depends on.
        private struct Key: Hashable {
            var path: String
            var form: Int
        }
    #endif

    package init(_ options: SwiftReadingOptions) {
        self.options = options
        #if SwiftData
            conditions = BuildConditions(options)
            foreign = options.types.compactMapValues { ForeignForm($0) }
        #endif
    }

    /// Takes a content, scans its words, and returns its number.
    package mutating func add(_ bytes: [UInt8]) -> Int {
        #if SwiftData
            let isLarge = bytes.count > sizeLimit
            let words = SourceWords(isLarge ? [] : bytes)
            contents.append(Content(words: words, isOmitted: isLarge))
            return contents.count - 1
        #else
            return 0
        #endif
    }

    package func facts(of content: Int) -> (holdsModels: Bool, isTest: Bool) {
        #if SwiftData
            let words = contents[content].words
            return (words.holdsModels, words.importsTests)
        #else
            return (false, false)
        #endif
    }

    /// Forgets words that no content declares; nothing may be added afterwards.
    package mutating func finishAdding() {
        #if SwiftData
            let declared = contents.reduce(into: Set<UInt64>()) { $0.formUnion($1.words.declared) }
            for place in contents.indices { contents[place].words.keepOnly(declared) }
        #endif
    }

    /// Reads the versions that a state declares.
    ///
    /// `bytes` gives a content, once. The returned number is the same for states with the same models, and the versions
    /// come only the first time.
    package mutating func read<Failure: Error>(
        _ files: [File],
        _ bytes: (_ content: Int) throws(Failure) -> [UInt8]?
    ) throws(Failure) -> (state: Int, versions: [Version]?) {
        #if SwiftData
            let needed = neededFiles(files)
            try parse(needed.map(\.content), bytes)
            let key = needed.compactMap { file in
                contents[file.content].form.map { Key(path: file.path, form: $0) }
            }
            if let state = known[key] { return (state, nil) }
            known[key] = known.count
            return (known.count - 1, versions(of: needed))
        #else
            return (0, [])
        #endif
    }
}

#if SwiftData
    extension SwiftStates {
        private static let batch = 64

        /// The files with models, and those that declare what these use, sorted by path.
        private func neededFiles(_ files: [File]) -> [File] {
            let words = files.map { contents[$0.content].words }
            let needed = SourceWords.needed(among: words) { words[$0].used }
            return needed.map { files[$0] }.sorted { $0.path.precedesByCodeUnits($1.path) }
        }

        private mutating func parse<Failure: Error>(
            _ numbers: [Int],
            _ bytes: (_ content: Int) throws(Failure) -> [UInt8]?
        ) throws(Failure) {
            var rest = Array(
                Set(numbers.filter { !contents[$0].isOmitted && contents[$0].form == nil })
            ).sorted()[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.batch)
                rest = rest.dropFirst(Self.batch)
                var sources: [(number: Int, source: SwiftSource)] = []
                for number in batch {
                    guard let bytes = try bytes(number), strangeness(of: bytes) == nil else {
                        contents[number].isOmitted = true
                        continue
                    }
                    sources.append((number, SwiftSource(path: "", bytes: bytes)))
                }
                let parsed = SwiftDataReading.parse(
                    sources.map(\.source),
                    options.patience,
                    isNumbered: false
                )
                for (place, source) in sources.enumerated() {
                    take(parsed.flatMap { $0[place] }, of: source.number)
                }
            }
        }

        private mutating func take(_ file: FileDeclarations?, of number: Int) {
            guard var file else {
                contents[number].isOmitted = true
                return
            }
            file.places = SwiftPlaces(path: "", bytes: [])
            file.containers = []
            let form = Form(declarations: file.declarations, imports: file.imports)
            let known = forms[form] ?? forms.count
            forms[form] = known
            contents[number].form = known
            if known == files.count { files.append(file) }
        }

        private func versions(of needed: [File]) -> [Version] {
            let own = needed.compactMap { file -> FileDeclarations? in
                guard let form = contents[file.content].form else { return nil }
                var declarations = files[form]
                declarations.path = file.path
                return declarations
            }
            guard !own.isEmpty else { return [] }
            var reader = SchemaReader(TypeIndex(own, conditions, foreign: foreign))
            return reader.models(options).versions.map { version in
                Version(
                    name: version.name.split(separator: ".").last.map(String.init) ?? version.name,
                    model: version.model,
                    gaps: version.spoiledEntities.sorted()
                )
            }
        }
    }
#endif

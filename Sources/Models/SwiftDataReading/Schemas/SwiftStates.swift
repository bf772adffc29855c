import Diagnostics
package import ObjectModel

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

#if SwiftData
    /// The words of a file that show, before parsing, whether it concerns models at all.
    struct SourceWords: Sendable {
        /// The types, aliases, extended types and variables outside of types, by the hashes of their names.
        private(set) var declared: Set<UInt64> = []
        /// The words outside of the bodies of functions and computed properties, which declare nothing that is stored.
        private(set) var used: Set<UInt64> = []
        /// Whether a class of a model, a version or a plan may be in it.
        private(set) var holdsModels = false
        /// Whether a container may be opened in it, or a list of classes stand there.
        private(set) var opensContainers = false
        private(set) var importsTests = false

        /// Scans a file; the words that it uses take half of the time, and may be left out.
        init(_ bytes: [UInt8], keepsUsed: Bool = true) {
            var tokens = SourceTokens(bytes)
            var bodies = BodyRun()
            var last: Kind?
            var inBodies: Set<UInt64> = []
            while let token = tokens.next() {
                guard case .word(let word) = token else {
                    bodies.count(token)
                    if token != .sign(UInt8(ascii: "`")) { last = nil }
                    continue
                }
                let kind = Self.kinds[word]
                bodies.count(kind)
                // A name that is extended, or shadows another, counts for both.
                let isDeclared =
                    switch last {
                    // `class func` means a static one.
                    case .type: kind != .start && kind != .variable
                    case .variable: bodies.depth == 0
                    default: false
                    }
                if isDeclared { declared.insert(word) }
                if last == .import, kind == .test { importsTests = true }
                if kind == .model { holdsModels = true }
                if kind == .container { opensContainers = true }
                if keepsUsed {
                    if bodies.isInside { inBodies.insert(word) } else { used.insert(word) }
                }
                last = kind
            }
            // Braces that do not match say nothing of bodies.
            if bodies.depth != 0 { used.formUnion(inBodies) }
        }

        mutating func keepOnly(_ words: Set<UInt64>) { used.formIntersection(words) }

        /// Returns the places of the files that hold models, and of those that declare what these name.
        static func needed(among files: [SourceWords], used: (Int) -> Set<UInt64>) -> Set<Int> {
            var declaring: [UInt64: [Int]] = [:]
            for (place, file) in files.enumerated() {
                for word in file.declared { declaring[word, default: []].append(place) }
            }
            var needed = Set(files.indices.filter { files[$0].holdsModels })
            var rest = Array(needed)
            var seen: Set<UInt64> = []
            while let place = rest.popLast() {
                for word in used(place) where seen.insert(word).inserted {
                    for other in declaring[word] ?? [] where needed.insert(other).inserted {
                        rest.append(other)
                    }
                }
            }
            return needed
        }

        private enum Kind { case model, container, `import`, test, variable, type, start, `static` }

        private static let kinds = {
            let words: [(Kind, [String])] = [
                (.model, ["Model", "VersionedSchema", "SchemaMigrationPlan"]),
                (
                    .container,
                    [
                        "ModelConfiguration", "ModelContainer", "PersistentModel", "Schema",
                        "modelContainer",
                    ]
                ), (.import, ["import"]), (.test, ["XCTest", "Testing"]),
                (.variable, ["let", "var"]), (.start, ["deinit", "func", "init", "subscript"]),
                (
                    .type,
                    ["actor", "class", "enum", "extension", "protocol", "struct", "typealias"]
                ), (.static, ["static"]),
            ]
            let pairs = words.flatMap { kind, words in
                words.map { (SourceTokens.hash(of: $0), kind) }
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }()

        /// The braces around a token: those of types and of static members, which may be lists, or of a body.
        private struct BodyRun {
            private(set) var depth = 0
            /// The open braces since the outermost body began.
            private var inside = 0
            /// Whether the last declaration is a type or static, so that its braces are not a body.
            private var isOpen = false
            private var isStatic = false

            var isInside: Bool { inside > 0 }

            mutating func count(_ token: SourceTokens.Token) {
                switch token {
                case .sign(UInt8(ascii: "{")):
                    depth += 1
                    if inside > 0 || !isOpen { inside += 1 }
                case .sign(UInt8(ascii: "}")):
                    depth = max(0, depth - 1)
                    inside = max(0, inside - 1)
                    isOpen = false
                case .sign, .word: break
                }
            }

            mutating func count(_ kind: Kind?) {
                switch kind {
                case .static: isStatic = true
                case .type: isOpen = true
                case .variable, .start: (isOpen, isStatic) = (isStatic, false)
                case .model, .container, .import, .test, nil: break
                }
            }
        }
    }
#endif

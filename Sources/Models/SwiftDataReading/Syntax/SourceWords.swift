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

        init(_ bytes: [UInt8]) {
            var tokens = SourceTokens(bytes)
            var bodies = BodyRun()
            var last: UInt64 = 0
            var inBodies: Set<UInt64> = []
            while let token = tokens.next() {
                bodies.count(token)
                switch token {
                case .sign(UInt8(ascii: "`")): break
                case .sign: last = 0
                case .word(let word):
                    let isDeclared =
                        Self.typeWords.contains(last) && !Self.memberWords.contains(word)
                        || bodies.depth == 0 && Self.variableWords.contains(last)
                    // A name that is extended, or shadows another, counts for both.
                    if isDeclared { declared.insert(word) }
                    if last == Self.importWord, Self.testWords.contains(word) {
                        importsTests = true
                    }
                    if bodies.isInside { inBodies.insert(word) } else { used.insert(word) }
                    if Self.modelWords.contains(word) { holdsModels = true }
                    if Self.containerWords.contains(word) { opensContainers = true }
                    last = word
                }
            }
            // Braces that do not match say nothing of bodies.
            if bodies.depth != 0 { used.formUnion(inBodies) }
        }

        /// Returns the places of the files that hold models, and of those that declare what these name.
        static func needed(among files: [SourceWords]) -> Set<Int> {
            var declaring: [UInt64: [Int]] = [:]
            for (place, file) in files.enumerated() {
                for word in file.declared { declaring[word, default: []].append(place) }
            }
            var needed = Set(files.indices.filter { files[$0].holdsModels })
            var rest = Array(needed)
            var seen: Set<UInt64> = []
            while let place = rest.popLast() {
                for word in files[place].used where seen.insert(word).inserted {
                    for other in declaring[word] ?? [] where needed.insert(other).inserted {
                        rest.append(other)
                    }
                }
            }
            return needed
        }

        mutating func keepOnly(_ words: Set<UInt64>) {
            used.formIntersection(words)
        }

        private static let modelWords = hashes("Model", "VersionedSchema", "SchemaMigrationPlan")
        private static let containerWords = hashes(
            "ModelConfiguration",
            "ModelContainer",
            "PersistentModel",
            "Schema",
            "modelContainer"
        )
        private static let importWord = SourceTokens.hash(of: "import")
        private static let testWords = hashes("XCTest", "Testing")
        /// What follows `class` where it means `static`.
        private static let memberWords = hashes("func", "let", "subscript", "var")
        private static let variableWords = hashes("let", "var")
        private static let typeWords = hashes(
            "actor",
            "class",
            "enum",
            "extension",
            "protocol",
            "struct",
            "typealias"
        )

        private static func hashes(_ words: String...) -> Set<UInt64> {
            Set(words.map { SourceTokens.hash(of: $0) })
        }

        /// The braces around a token: those of types and of static members, which may be lists, or of a body.
        private struct BodyRun {
            private static let staticWord = SourceTokens.hash(of: "static")
            private static let starts = SourceWords.hashes(
                "deinit",
                "func",
                "init",
                "let",
                "subscript",
                "var"
            )

            private(set) var depth = 0
            /// The open braces since the outermost body began.
            private var inside = 0
            /// Whether the last declaration is a type or static, so that its braces are no body.
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
                case .word(Self.staticWord): isStatic = true
                case .word(let word) where SourceWords.typeWords.contains(word): isOpen = true
                case .word(let word) where Self.starts.contains(word):
                    isOpen = isStatic
                    isStatic = false
                case .sign, .word: break
                }
            }
        }
    }
#endif

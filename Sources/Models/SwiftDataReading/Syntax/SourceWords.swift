#if SwiftData
    /// The words of a file that show, before parsing, whether it concerns models at all.
    struct SourceWords: Sendable {
        /// The types, aliases, extended types and variables outside of types, by the hashes of their names.
        private(set) var declared: Set<UInt64> = []
        private(set) var used: Set<UInt64> = []
        /// Whether a class of a model, a version or a plan may be in it.
        private(set) var holdsModels = false
        private(set) var importsTests = false

        init(_ bytes: [UInt8]) {
            var tokens = SourceTokens(bytes)
            var depth = 0
            var last: UInt64 = 0
            while let token = tokens.next() {
                switch token {
                case .sign(UInt8(ascii: "`")): break
                case .sign(let sign):
                    if sign == UInt8(ascii: "{") { depth += 1 }
                    if sign == UInt8(ascii: "}") { depth = max(0, depth - 1) }
                    last = 0
                case .word(let word):
                    let isDeclared =
                        Self.typeWords.contains(last) && !Self.memberWords.contains(word)
                        || depth == 0 && Self.variableWords.contains(last)
                    // A name that is extended, or shadows another, counts for both.
                    if isDeclared { declared.insert(word) }
                    if last == Self.importWord, Self.testWords.contains(word) {
                        importsTests = true
                    }
                    used.insert(word)
                    if Self.modelWords.contains(word) { holdsModels = true }
                    last = word
                }
            }
        }

        mutating func keepOnly(_ words: Set<UInt64>) {
            used.formIntersection(words)
        }

        private static let modelWords = hashes("Model", "VersionedSchema", "SchemaMigrationPlan")
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
    }
#endif

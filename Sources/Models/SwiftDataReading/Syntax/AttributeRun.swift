#if SwiftData
    /// The total length of the brackets of attributes, such as `@Relationship(…)`.
    ///
    /// The parser looks for the end of each before it reads it: an unclosed one makes it search the rest of the file.
    struct AttributeRun {
        static let tooLong = "too many attributes have unclosed brackets"
        private static let limit = 4 << 20

        private var open: [(end: UInt8, attribute: Int?)] = []
        /// Whether the next round bracket is an attribute's.
        private var isNamed = false
        private var looked = 0

        mutating func count(_ token: SourceTokens.Token, at offset: Int) {
            guard case .sign(let sign) = token else { return }
            switch sign {
            case UInt8(ascii: "("): begin(UInt8(ascii: ")"), isNamed ? offset : nil)
            case UInt8(ascii: "["): begin(UInt8(ascii: "]"), nil)
            case UInt8(ascii: "{"): begin(UInt8(ascii: "}"), nil)
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): end(sign, at: offset)
            case UInt8(ascii: "@"): isNamed = true
            case UInt8(ascii: "="), UInt8(ascii: ";"): isNamed = false
            default: break
            }
        }

        func isTooLong(at end: Int) -> Bool {
            open.reduce(looked) { $0 + ($1.attribute.map { end - $0 } ?? 0) } > Self.limit
        }

        private mutating func begin(_ end: UInt8, _ attribute: Int?) {
            open.append((end, attribute))
            isNamed = false
        }

        /// Closes the innermost bracket; the parser skips an end of another kind.
        private mutating func end(_ sign: UInt8, at offset: Int) {
            isNamed = false
            guard open.last?.end == sign else { return }
            if let attribute = open.removeLast().attribute { looked += offset - attribute }
        }
    }
#endif

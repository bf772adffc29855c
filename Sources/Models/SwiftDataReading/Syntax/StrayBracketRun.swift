#if SwiftData
    /// The total length of text after each bracket that closes nothing.
    ///
    /// One that ends a declaration too early makes its content members: from each word that is none, the parser looks
    /// for the next declaration through the rest of the file.
    struct StrayBracketRun {
        static let tooLong = "too many closing brackets have no opening one"
        private static let limit = 4 << 20

        private let end: Int
        /// The open round and square brackets between the innermost braces, and around these.
        private var depth = 0
        private var around: [Int] = []
        private var behind = 0

        init(end: Int) { self.end = end }

        var isTooLong: Bool { behind > Self.limit }

        mutating func count(_ token: SourceTokens.Token, at offset: Int) {
            guard case .sign(let sign) = token else { return }
            switch sign {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                if depth > 0 { depth -= 1 } else { behind += end - offset }
            case UInt8(ascii: "{"):
                around.append(depth)
                depth = 0
            case UInt8(ascii: "}"): depth = around.popLast() ?? 0
            default: break
            }
        }
    }
#endif

#if SwiftData
    /// The most brackets of a kind that may be open at once: what the parser takes for a file grows with their cube.
    private let openBracketLimit = 200

    /// Whether more brackets are open somewhere in a file than people write.
    ///
    /// Brackets in texts and comments count too, which the limit has room for. Those of generics are signs of
    /// comparisons as well: what cannot stand between generics closes them all.
    func nestsTooDeeply(_ bytes: [UInt8]) -> Bool {
        var (plain, angle) = (0, 0)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): plain += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): plain = max(0, plain - 1)
            case UInt8(ascii: "{"): (plain, angle) = (plain + 1, 0)
            case UInt8(ascii: "}"): (plain, angle) = (max(0, plain - 1), 0)
            case UInt8(ascii: "<"): angle += 1
            case UInt8(ascii: ">"): angle = max(0, angle - 1)
            case UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "\""): angle = 0
            default: continue
            }
            if plain > openBracketLimit || angle > openBracketLimit { return true }
        }
        return false
    }
#endif

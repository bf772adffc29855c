/// The order in which Xcode writes entities, properties and entries of user info: by name without case, digits by their
/// value.
package struct SourceNameOrder: Comparable {
    private enum Part: Comparable {
        case underscore
        case number(length: Int, digits: String)
        case letter(UInt8)
    }

    private let parts: [Part]
    private let underscoreIsLast: Bool

    /// Returns items in the order of their names; those whose order is not known stay as they are.
    ///
    /// - Parameters:
    ///   - items: the entities of a model, the attributes of an entity, or anything else that Xcode sorts.
    ///   - name: reads the name of an item, or the key of an entry.
    /// - Returns: the same items.
    package static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        let names = items.map(name)
        guard names.allSatisfy({ $0.utf8.allSatisfy(isKnown) }) else { return items }
        // Whether digits come before an underscore is on no record.
        for underscoreIsLast in [false, true] {
            let keys = names.map { Self($0, underscoreIsLast: underscoreIsLast) }
            if zip(keys, keys.dropFirst()).allSatisfy({ $0 <= $1 }) { return items }
        }
        let keyed = zip(names.map { Self($0, underscoreIsLast: false) }, items).enumerated()
        return keyed.sorted { left, right in
            left.element.0 == right.element.0
                ? left.offset < right.offset : left.element.0 < right.element.0
        }.map(\.element.1)
    }

    private static func isKnown(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private init(_ name: String, underscoreIsLast: Bool) {
        self.underscoreIsLast = underscoreIsLast
        var parts: [Part] = []
        var rest = name.utf8[...]
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        while let byte = rest.first {
            if isDigit(byte) {
                let digits = rest.prefix(while: isDigit).drop { $0 == 0x30 }
                rest = rest.drop(while: isDigit)
                parts.append(
                    .number(length: digits.count, digits: String(decoding: digits, as: UTF8.self))
                )
                continue
            }
            rest = rest.dropFirst()
            parts.append(byte == UInt8(ascii: "_") ? .underscore : .letter(byte | 0x20))
        }
        self.parts = parts
    }

    package static func < (left: Self, right: Self) -> Bool {
        for (one, two) in zip(left.parts, right.parts) where one != two {
            switch (one, two) {
            case (.underscore, .number), (.number, .underscore):
                return (one < two) != left.underscoreIsLast
            default: return one < two
            }
        }
        return left.parts.count < right.parts.count
    }

    package static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }
}

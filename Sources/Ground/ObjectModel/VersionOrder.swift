/// The order in which people number the versions of a model.
///
/// Names are compared by their numbers, ignoring blanks and underscores, so that `V 23` comes after `V2`; the version
/// that is named like its bundle comes first. Of two names that differ in more than numbers neither is older.
package struct VersionOrder: Sendable {
    private let bundleName: String?

    /// Creates the order of a bundle's versions, by the bundle's name without extension.
    package init(bundleName: String?) { self.bundleName = bundleName }

    /// Returns names from the oldest to the newest; names without an order are sorted alphabetically.
    package func sorted(_ names: [String]) -> [String] {
        let keyed: [(name: String, key: Key)] = names.map { name in
            (name, Key(name, isFirst: name == bundleName))
        }
        let sorted = keyed.sorted { left, right in
            left.key == right.key ? left.name < right.name : left.key < right.key
        }
        return sorted.map(\.name)
    }

    package func isVersion(_ one: String, before two: String) -> Bool {
        one != two && sorted([one, two]).first == one
    }

    /// Whether the names of two versions show which of them is older.
    package func isKnown(between one: String, and two: String) -> Bool {
        if one == bundleName || two == bundleName { return true }
        return Key(one, isFirst: false).stem == Key(two, isFirst: false).stem
    }

    /// Whether the names of two versions are the same word with different numbers, as Xcode proposes them.
    package static func isNumbered(_ one: String, _ two: String) -> Bool {
        Key(one, isFirst: false).stem == Key(two, isFirst: false).stem
    }

    /// A name as alternating words and numbers.
    private struct Key: Comparable {
        enum Part: Comparable {
            case number(length: Int, digits: String)
            case word(String)
        }

        let isFirst: Bool
        let parts: [Part]

        init(_ name: String, isFirst: Bool) {
            self.isFirst = isFirst
            var parts: [Part] = []
            var rest = name.lowercased().filter { $0 != " " && $0 != "_" }[...]
            while let first = rest.first {
                let run = rest.prefix { Self.isDigit($0) == Self.isDigit(first) }
                rest = rest.dropFirst(run.count)
                guard Self.isDigit(first) else {
                    parts.append(.word(String(run)))
                    continue
                }
                // Numbers of any length: more digits are more.
                let digits = run.drop { $0 == "0" }
                parts.append(.number(length: digits.count, digits: String(digits)))
            }
            self.parts = parts
        }

        var stem: String { if case .word(let word)? = parts.first { word } else { "" } }

        static func < (left: Key, right: Key) -> Bool {
            left.isFirst == right.isFirst
                ? left.parts.lexicographicallyPrecedes(right.parts) : left.isFirst
        }

        static func == (left: Key, right: Key) -> Bool {
            left.isFirst == right.isFirst && left.parts == right.parts
        }

        private static func isDigit(_ character: Character) -> Bool {
            character.isASCII && character.isNumber
        }
    }
}

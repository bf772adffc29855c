extension KeyedArchive {
    /// What an object holds, by key: a dictionary for few keys.
    ///
    /// Keys keep the order in which they came, so that objects made by the same code have the same order;
    /// the order takes no part in equality. Looking up walks the keys, which are about a dozen.
    public struct Values: Sendable {
        private(set) var pairs: [(key: String, value: Value)]

        /// Creates values; without arguments, none.
        public init() {
            pairs = []
        }

        /// Creates room for a number of keys.
        package init(minimumCapacity: Int) {
            pairs = []
            pairs.reserveCapacity(minimumCapacity)
        }

        /// Adds a key that is known not to be there, which spares the walk over those that are.
        package mutating func add(_ key: String, _ value: Value) {
            pairs.append((key, value))
        }

        /// Takes over pairs whose keys are known to differ.
        init(distinct pairs: [(key: String, value: Value)]) {
            self.pairs = pairs
        }

        /// The keys, in the order in which they came.
        public var keys: [String] { pairs.map(\.key) }

        /// The number of keys.
        public var count: Int { pairs.count }

        /// The value of a key; setting `nil` removes it.
        public subscript(key: String) -> Value? {
            get {
                for pair in pairs where pair.key == key { return pair.value }
                return nil
            }
            set {
                if let index = pairs.firstIndex(where: { $0.key == key }) {
                    if let newValue {
                        pairs[index].value = newValue
                    } else {
                        pairs.remove(at: index)
                    }
                } else if let newValue {
                    pairs.append((key, newValue))
                }
            }
        }

        /// Returns the values as a dictionary.
        var dictionary: [String: Value] {
            Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension KeyedArchive.Values: ExpressibleByDictionaryLiteral {
    /// Creates values from a literal whose keys differ.
    public init(dictionaryLiteral elements: (String, KeyedArchive.Value)...) {
        pairs = elements.map { (key: $0.0, value: $0.1) }
    }
}

extension KeyedArchive.Values: Hashable {
    /// Holds when both have the same keys with the same values, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        left.dictionary == right.dictionary
    }

    /// Hashes the keys with their values.
    public func hash(into hasher: inout Hasher) {
        dictionary.hash(into: &hasher)
    }
}

extension KeyedArchive {
    /// What an object holds, by key: a dictionary for few keys.
    ///
    /// Keys keep the order in which they came, so that objects made by the same code have the same order;
    /// the order takes no part in equality. Looking up walks the keys, which are about a dozen.
    public struct Values: Sendable {
        /// The keys, in the order in which they came.
        ///
        /// Copies share them as long as only values change, so that comparing them is quick.
        public private(set) var keys: [String]
        /// The value of each key.
        private(set) var list: [Value]

        /// Creates values; without arguments, none.
        public init() {
            (keys, list) = ([], [])
        }

        /// Creates room for a number of keys.
        package init(minimumCapacity: Int) {
            self.init()
            keys.reserveCapacity(minimumCapacity)
            list.reserveCapacity(minimumCapacity)
        }

        /// Adds a key that is known not to be there, which spares the walk over those that are.
        package mutating func add(_ key: String, _ value: Value) {
            keys.append(key)
            list.append(value)
        }

        /// Replaces the values of the first keys, which spares looking for them.
        package mutating func replaceFirst(_ values: [Value]) {
            for (place, value) in zip(list.indices, values) { list[place] = value }
        }

        /// Takes over pairs whose keys are known to differ.
        init(distinct pairs: [(key: String, value: Value)]) {
            keys = pairs.map(\.key)
            list = pairs.map(\.value)
        }

        /// The number of keys.
        public var count: Int { keys.count }

        /// The value of a key; setting `nil` removes it.
        public subscript(key: String) -> Value? {
            get {
                keys.firstIndex(of: key).map { list[$0] }
            }
            set {
                if let index = keys.firstIndex(of: key) {
                    if let newValue {
                        list[index] = newValue
                    } else {
                        keys.remove(at: index)
                        list.remove(at: index)
                    }
                } else if let newValue {
                    add(key, newValue)
                }
            }
        }

        /// Returns the values as a dictionary.
        var dictionary: [String: Value] {
            Dictionary(zip(keys, list), uniquingKeysWith: { first, _ in first })
        }
    }
}

extension KeyedArchive.Values: ExpressibleByDictionaryLiteral {
    /// Creates values from a literal whose keys differ.
    public init(dictionaryLiteral elements: (String, KeyedArchive.Value)...) {
        keys = elements.map(\.0)
        list = elements.map(\.1)
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

extension KeyedArchive {
    /// What an object holds, by key: a dictionary for few keys.
    ///
    /// Keys keep the order in which they came, so that objects made by the same code have the same order;
    /// the order takes no part in equality. Looking up walks the keys, which are about a dozen.
    package struct Values: Sendable {
        /// The keys, in the order in which they came.
        ///
        /// Copies share them as long as only values change, so that comparing them is quick.
        package private(set) var keys: [String]
        /// The values of the first keys.
        private(set) var own: [Value]
        /// The values of the other keys, where many objects have the same: copies of them are one array.
        private(set) var shared: [Value]

        /// Creates values; without arguments, none.
        package init() {
            self.init(keys: [], [])
        }

        /// Adds a key that is known not to be there, which spares the walk over those that are.
        package mutating func add(_ key: String, _ value: Value) {
            unshare()
            keys.append(key)
            own.append(value)
        }

        /// Takes over values for keys that are known to differ.
        package init(keys: [String], _ values: [Value]) {
            self.init(keys: keys, own: values, shared: [])
        }

        private init(keys: [String], own: [Value], shared: [Value]) {
            self.keys = keys
            self.own = own
            self.shared = shared
        }

        /// Returns the same values, of which copies share all but the first.
        package func sharing(butFirst count: Int) -> Self {
            var copy = self
            copy.unshare()
            copy.shared = Array(copy.own.dropFirst(count))
            copy.own = Array(copy.own.prefix(count))
            return copy
        }

        /// Returns a copy with other values for the first keys, which must be those that are not shared.
        package func replacingOwn(_ values: [Value]) -> Self {
            assert(values.count == own.count)
            return Self(keys: keys, own: values, shared: shared)
        }

        private mutating func unshare() {
            guard !shared.isEmpty else { return }
            own += shared
            shared = []
        }

        /// Takes over pairs whose keys are known to differ.
        init(distinct pairs: [(key: String, value: Value)]) {
            self.init(keys: pairs.map(\.key), pairs.map(\.value))
        }

        /// The number of keys.
        package var count: Int { keys.count }

        /// The value of the key at a place.
        subscript(place place: Int) -> Value {
            place < own.count ? own[place] : shared[place - own.count]
        }

        /// The value of a key; setting `nil` removes it.
        package subscript(key: String) -> Value? {
            get {
                keys.firstIndex(of: key).map { self[place: $0] }
            }
            set {
                unshare()
                if let index = keys.firstIndex(of: key) {
                    if let newValue {
                        own[index] = newValue
                    } else {
                        keys.remove(at: index)
                        own.remove(at: index)
                    }
                } else if let newValue {
                    add(key, newValue)
                }
            }
        }

        /// Returns the values as a dictionary.
        var dictionary: [String: Value] {
            Dictionary(zip(keys, own + shared), uniquingKeysWith: { first, _ in first })
        }
    }
}

extension KeyedArchive.Values: ExpressibleByDictionaryLiteral {
    /// Creates values from a literal whose keys differ.
    package init(dictionaryLiteral elements: (String, KeyedArchive.Value)...) {
        self.init(keys: elements.map(\.0), elements.map(\.1))
    }
}

extension KeyedArchive.Values: Hashable {
    /// Holds when both have the same keys with the same values, in any order.
    package static func == (left: Self, right: Self) -> Bool {
        left.dictionary == right.dictionary
    }

    /// Hashes the keys with their values.
    package func hash(into hasher: inout Hasher) {
        dictionary.hash(into: &hasher)
    }
}

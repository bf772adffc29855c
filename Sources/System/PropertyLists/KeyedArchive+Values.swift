extension KeyedArchive {
    /// The content of an object, by key: a dictionary for few keys.
    ///
    /// Keys keep their insertion order, so that objects made by the same code have the same order; the order takes no
    /// part in equality. Looking up walks the keys, which are about a dozen.
    package struct Values: Sendable {
        package private(set) var keys: [String]
        private(set) var values: [Value]

        package init() { self.init(keys: [], []) }

        /// Takes over values for keys that are known to differ.
        package init(keys: [String], _ values: [Value]) {
            (self.keys, self.values) = (keys, values)
        }

        /// Adds a key that is known to be new, which saves a search.
        package mutating func add(_ key: String, _ value: Value) {
            keys.append(key)
            values.append(value)
        }

        /// Takes over pairs whose keys are known to differ.
        init(distinct pairs: [(key: String, value: Value)]) {
            self.init(keys: pairs.map(\.key), pairs.map(\.value))
        }

        package var count: Int { keys.count }

        /// The value of a key; setting `nil` removes it.
        package subscript(key: String) -> Value? {
            get { keys.firstIndex(of: key).map { values[$0] } }
            set {
                if let index = keys.firstIndex(of: key) {
                    if let newValue {
                        values[index] = newValue
                    } else {
                        keys.remove(at: index)
                        values.remove(at: index)
                    }
                } else if let newValue {
                    add(key, newValue)
                }
            }
        }

        var dictionary: [String: Value] {
            Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
        }
    }
}

extension KeyedArchive.Values: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, KeyedArchive.Value)...) {
        self.init(keys: elements.map(\.0), elements.map(\.1))
    }
}

extension KeyedArchive.Values: Hashable {
    /// Holds when both have the same keys with the same values, in any order.
    package static func == (left: Self, right: Self) -> Bool { left.dictionary == right.dictionary }

    package func hash(into hasher: inout Hasher) { dictionary.hash(into: &hasher) }
}

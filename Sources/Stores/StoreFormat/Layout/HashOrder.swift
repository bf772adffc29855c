/// The orders in Core Data that follow the enumeration of a Foundation dictionary (SQLiteStores, "Orders that follow a
/// hash table" and "String hash").
enum HashOrder {
    /// Returns the names as a dictionary of a capacity enumerates them when inserted in this order, each once.
    static func enumerate(_ names: [String], capacity: Int) -> [String] {
        let count = max(bucketCount(for: max(capacity, names.count)), names.count)
        var buckets = [String?](repeating: nil, count: count)
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted {
            var bucket = Int(stringHash(name) % UInt64(count))
            while buckets[bucket] != nil { bucket = (bucket + 1) % count }
            buckets[bucket] = name
        }
        return buckets.compactMap(\.self)
    }

    /// Returns CoreFoundation's hash of a string, as its published source computes it.
    static func stringHash(_ string: String) -> UInt64 {
        let units = string.utf16.map(UInt64.init)
        var result = UInt64(units.count)
        if units.count <= 96 {
            let whole = units.count & ~3
            result = mix(units[..<whole], into: result)
            for unit in units[whole...] { result = result &* 257 &+ unit }
        } else {
            let middle = units.count / 2 - 16
            result = mix(units[..<32], into: result)
            result = mix(units[middle..<(middle + 32)], into: result)
            result = mix(units[(units.count - 32)...], into: result)
        }
        return result &+ (result << UInt64(units.count & 31))
    }

    private static func mix(_ units: ArraySlice<UInt64>, into start: UInt64) -> UInt64 {
        stride(from: units.startIndex, to: units.endIndex, by: 4).reduce(start) { result, index in
            let high = result &* 67_503_105 &+ units[index] &* 16_974_593
            let low = units[index + 1] &* 66_049 &+ units[index + 2] &* 257 &+ units[index + 3]
            return high &+ low
        }
    }

    /// The sizes that dictionaries grow through: entries that fit, buckets.
    private static let sizes: [(capacity: Int, buckets: Int)] = [
        (3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127), (118, 191), (155, 251),
        (237, 383), (390, 631), (672, 1087), (1065, 1723), (1732, 2803), (2795, 4523),
        (4543, 7351), (7391, 11959), (12019, 19447), (19302, 31231), (31324, 50683),
        (50629, 81919), (81956, 132_607),
    ]

    private static func bucketCount(for capacity: Int) -> Int {
        sizes.first { capacity <= $0.capacity }?.buckets ?? (capacity / 5 * 8 + 1)
    }
}

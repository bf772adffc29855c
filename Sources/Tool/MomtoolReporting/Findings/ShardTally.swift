import Diagnostics

/// Which shards of a run reports are of, such as `2/5`, so that one that got lost is not taken for success.
struct ShardTally {
    private struct Shard: Hashable, Comparable {
        var index: UInt64
        var count: UInt64

        var name: String { "\(index)/\(count)" }

        init(index: UInt64, count: UInt64) { (self.index, self.count) = (index, count) }

        init?(_ name: String) {
            let numbers = name.split(separator: "/").map { UInt64($0) }
            guard numbers.count == 2, let index = numbers[0], let count = numbers[1], index > 0,
                index <= count
            else { return nil }
            self.init(index: index, count: count)
        }

        static func < (left: Shard, right: Shard) -> Bool {
            (left.count, left.index) < (right.count, right.index)
        }
    }

    private var paths: [Shard: [String]] = [:]

    /// Adds the shards that a report is of.
    mutating func add(_ names: [String], of path: String) {
        for shard in Set(names.compactMap(Shard.init)) { paths[shard, default: []].append(path) }
    }

    /// All of them, each once; `nil` where no report is of one.
    var names: [String]? { paths.isEmpty ? nil : paths.keys.sorted().map(\.name) }

    /// What is missing, and what is double.
    var faults: [Diagnostic] {
        let double = paths.keys.sorted().compactMap { shard -> Diagnostic? in
            guard let files = paths[shard], files.count > 1 else { return nil }
            let message = "\(files.count) reports are of shard \(shard.name); give one of them"
            return Diagnostic("repeated-shard", message, at: FileLocation(path: files[1]))
        }
        let missing = Set(paths.keys.map(\.count)).sorted().compactMap { count -> Diagnostic? in
            // The first ones are enough: a run may have a hundred thousand.
            let lost = (1...count).lazy.map { Shard(index: $0, count: count) }
                .filter { paths[$0] == nil }.prefix(11).map(\.name)
            guard !lost.isEmpty else { return nil }
            let list = lost.prefix(10).joined(separator: ", ") + (lost.count > 10 ? ", …" : "")
            let message = "no report is of shard \(list); run it, and join its report too"
            let place = paths.keys.filter { $0.count == count }.min().flatMap { paths[$0]?.first }
            return Diagnostic("missing-shard", message, at: place.map { FileLocation(path: $0) })
        }
        return double + missing
    }
}

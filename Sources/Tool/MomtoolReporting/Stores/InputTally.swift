package import Diagnostics
import Essentials

/// The inputs that reports name, each by a hash of its name, so that a million of them take little memory.
package struct InputTally: Sendable {
    private var indices: [NameKey: Int32] = [:]
    private var times: [UInt16] = []
    private var isListed: [Bool] = []

    /// Creates a tally without inputs.
    package init() {}

    /// The number of inputs, which are numbered in the order in which they were named first.
    package var count: Int { times.count }

    /// Returns the number of an input, which it gets when it is named first.
    mutating func index(of name: String) -> Int {
        let key = NameKey(name)
        if let index = indices[key] { return Int(index) }
        indices[key] = Int32(times.count)
        times.append(0)
        isListed.append(false)
        return times.count - 1
    }

    /// The number of an input; `nil` where nothing names it.
    func known(_ name: String) -> Int? { indices[NameKey(name)].map(Int.init) }

    /// Notes that an input was done once more.
    mutating func add(at index: Int) { times[index] += times[index] == .max ? 0 : 1 }

    /// Takes back that an input was done.
    mutating func remove(at index: Int) { times[index] -= 1 }

    /// Notes that an input was expected.
    ///
    /// - Returns: how many times it was done; `nil` where nothing names it.
    package mutating func list(_ name: String) -> Int? {
        guard let index = known(name) else { return nil }
        isListed[index] = true
        return Int(times[index])
    }

    /// Whether an input was expected.
    package func isListed(_ index: Int) -> Bool { isListed[index] }
}

/// A name by 128 bits, which no two of many millions have in common.
struct NameKey: Hashable, Sendable {
    private let first: Int
    private let second: Int

    init(_ name: String) {
        var name = name
        (first, second) = name.withUTF8 { bytes in
            var hashers = (Hasher(), Hasher())
            hashers.1.combine(true)
            hashers.0.combine(bytes: UnsafeRawBufferPointer(bytes))
            hashers.1.combine(bytes: UnsafeRawBufferPointer(bytes))
            return (hashers.0.finalize(), hashers.1.finalize())
        }
    }
}

/// What counts of the outcome of a store.
struct CountedOutcome {
    var store: String
    /// Whether nothing is left to do for the store.
    var isDone: Bool
    /// Whether an earlier run had done it, so that this one did nothing.
    var wasDoneBefore = false
    /// The path of what was made.
    var result: String?
}

/// Which outcome of each store counts, where runs, shards and retries name it several times.
///
/// In one report the last one does, as a report grows with time. Among reports, whose order says nothing, one that is done
/// counts before one that is not; of several alike, that of the report that was given last. A store was done twice when
/// two reports did its work and ended well, or one did with two results: what was made anew in its place counts once.
struct OutcomeTally<Position: Sendable>: Sendable {
    private struct Entry {
        var position: Position
        /// The report that has the outcome at the position.
        var report: Int32
        var isDone: Bool
        /// Whether the last report did the work.
        var hasMade: Bool
        /// What it made.
        var result: NameKey?
    }

    /// The stores.
    var inputs = InputTally()
    private var entries: [Entry] = []
    /// The positions of what earlier reports had done, of stores that a later one names too.
    private var doneBefore: [Int: Position] = [:]

    /// Adds an outcome; those of one report follow each other.
    mutating func add(_ outcome: CountedOutcome, of report: Int, at position: Position) {
        let index = inputs.index(of: outcome.store)
        let makes = outcome.isDone && !outcome.wasDoneBefore
        var entry = Entry(
            position: position,
            report: Int32(report),
            isDone: outcome.isDone,
            hasMade: makes,
            result: makes ? outcome.result.map(NameKey.init) : nil
        )
        guard index < entries.count else {
            entries.append(entry)
            if makes { inputs.add(at: index) }
            return
        }
        let last = entries[index]
        if last.report != entry.report {
            if last.isDone { doneBefore[index] = last.position }
            if makes { inputs.add(at: index) }
        } else if makes {
            if !last.hasMade || last.result != entry.result { inputs.add(at: index) }
        } else if outcome.isDone {
            (entry.hasMade, entry.result) = (last.hasMade, last.result)
        } else if last.hasMade {
            inputs.remove(at: index)
        }
        entries[index] = entry
    }

    /// Whether nothing is left to do for a store.
    func isDone(_ index: Int) -> Bool { entries[index].isDone || doneBefore[index] != nil }

    /// The position of the outcome of a store that counts.
    func position(_ index: Int) -> Position {
        let entry = entries[index]
        return entry.isDone ? entry.position : doneBefore[index] ?? entry.position
    }
}

/// The stores whose results are in a file each, to find two stores with one result.
package struct ResultOwners: Sendable {
    private var owners: [NameKey: Int32] = [:]

    /// Begins with no result.
    package init() {}

    /// Adds the outcome of a store that is done.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - index: the number of the store.
    ///   - name: gives the path of another store by its number.
    /// - Returns: what is wrong: another store has the result, and this one is wrongly taken for done.
    package mutating func add(
        _ outcome: MigrationOutcome,
        _ index: Int,
        _ name: (Int) -> String?
    ) -> Diagnostic? {
        guard outcome.isDone, let result = outcome.result else { return nil }
        guard let owner = owners.updateValue(Int32(index), forKey: NameKey(result)),
            let other = name(Int(owner)), plain(other) != plain(outcome.store)
        else { return nil }
        let message = "the reports give it the result of \(plain(other)), \(result)"
        return Diagnostic("repeated-output", message, at: FileLocation(path: outcome.store))
    }

    private func plain(_ path: String) -> String {
        path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}

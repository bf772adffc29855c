import Essentials

/// The outcomes in journals, of which only their positions are kept: each is read again when it is needed.
package struct JournalOutcomes: Sendable {
    /// Where a line of a journal is.
    package struct Position: Sendable {
        /// The number of the journal among those that are read.
        package var file: Int32
        /// The number of bytes of the line.
        package var length: Int32
        /// Where in the file it begins.
        package var offset: Int

        /// Creates the position of a line of a journal.
        package init(file: Int, length: Int, offset: Int) {
            (self.file, self.length, self.offset) = (Int32(file), Int32(length), offset)
        }
    }

    /// The most bytes of a line.
    package static let longestLine = 16 << 20

    /// The commands whose journals these are: an outcome of one says nothing of what another had to do.
    package private(set) var commands: Set<String> = []
    private var tally = OutcomeTally<Position>()

    /// Creates outcomes of no store.
    package init() {}

    /// The number of stores, which are numbered in the order in which they are named first.
    package var count: Int { tally.inputs.count }

    /// Notes that a store was expected.
    ///
    /// - Returns: how many times it was done; `nil` where no journal names it.
    package mutating func list(_ store: String) -> Int? { tally.inputs.list(store) }

    /// Whether a store was expected.
    package func isListed(_ index: Int) -> Bool { tally.inputs.isListed(index) }

    /// Adds a line of a journal.
    ///
    /// - Parameters:
    ///   - line: the line; `nil` for one that is too long. An empty one is passed over.
    ///   - position: where it is.
    /// - Returns: what is wrong with it; a line that was cut off when its process was killed is passed over.
    package mutating func add(_ line: [UInt8]?, at position: Position) -> String? {
        guard let line else { return "this line is longer than \(Self.longestLine >> 20) MB" }
        guard !line.isEmpty else { return nil }
        guard let outcome = Self.outcome(line) else { return "this line is no outcome of a store" }
        if let command = outcome.command { commands.insert(command) }
        tally.add(outcome.counted, of: Int(position.file), at: position)
        return nil
    }

    /// The position of the outcome of a store that counts.
    package func position(_ index: Int) -> Position { tally.position(index) }

    /// Whether nothing is left to do for a store.
    package func isDone(_ index: Int) -> Bool { tally.isDone(index) }

    /// Reads the outcome in a line; `nil` when it is none.
    package static func outcome(_ line: [UInt8]) -> MigrationOutcome? {
        try? JSONDecoder().decode(MigrationOutcome.self, from: Data(line))
    }

    /// The command whose journal begins so; `nil` where it is not said, as in older ones.
    package static func command(_ start: [UInt8]) -> String? {
        let key = Array("{\"command\":\"".utf8)
        return start.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }.map {
            line in
            String(
                decoding: line.dropFirst(key.count).prefix { $0 != UInt8(ascii: "\"") },
                as: UTF8.self
            )
        }
    }

    /// What stands before and behind a number of outcomes in a joined report.
    package static func frame(of count: Int) -> (start: String, end: String) {
        let empty = json(MigrationOutcomes([]))
        guard count > 0, let open = empty.firstIndex(of: "["), let close = empty.lastIndex(of: "]")
        else { return (empty, "") }
        return (String(empty[...open]) + "\n", "\n  " + empty[close...])
    }

    /// An outcome as an element of a joined report.
    package static func element(_ outcome: MigrationOutcome) -> String {
        var outcome = outcome
        outcome.command = nil
        return plainJSON(outcome).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }
}

extension MigrationOutcome {
    /// What counts of it.
    var counted: CountedOutcome {
        CountedOutcome(
            store: store,
            isDone: isDone,
            wasDoneBefore: status == "done",
            result: result
        )
    }
}

/// Looks at the lines of a file to tell whether it is a journal.
///
/// It is when some line is a whole outcome by itself, or when all are torn ones, as of a process that was killed while it
/// wrote the first: that may be a single brace.
package struct JournalProbe: Sendable {
    /// Whether there is no line.
    package private(set) var isEmpty = true
    private var hasOutcome = false
    private var areAllTorn = true

    /// Creates a probe that has seen no line.
    package init() {}

    /// Whether the file is a journal, as far as was seen.
    package var isJournal: Bool { hasOutcome || !isEmpty && areAllTorn }

    /// Looks at the next line; `nil` for one that is too long.
    ///
    /// - Returns: whether another may change the answer.
    package mutating func look(_ line: [UInt8]?) -> Bool {
        if let line, line.isEmpty { return true }
        isEmpty = false
        guard let line, Self.mayBegin(line) else {
            areAllTorn = false
            return true
        }
        hasOutcome = JournalOutcomes.outcome(line) != nil
        if !hasOutcome, areAllTorn { areAllTorn = (try? JSONValue(parsing: line)) == nil }
        return !hasOutcome
    }

    /// Whether a file may be a journal by its first bytes: a line of one begins so, and no report that is written for
    /// people to read; a first line may have been cut off behind its first sign.
    package static func mayBegin(_ start: [UInt8]) -> Bool {
        var rest = start[...]
        while rest.starts(with: "{\n".utf8) { rest = rest.dropFirst(2) }
        return Array("{\"".utf8).starts(with: rest.prefix(2))
    }
}

import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import MomtoolReporting

/// The reports of earlier runs: journals line by line, whatever their size, all others in one piece.
final class ReportFiles {
    private let paths: [String]
    /// What is no regular file can be read only once.
    private var kept: [Int: LineFile] = [:]
    /// The file that was read last; thousands of them cannot be open at the same time.
    private var last: (index: Int, file: LineFile)?

    /// The most bytes of a report that is no journal.
    static let limit = 256 << 20

    /// Names the reports.
    init(_ paths: [String]) { self.paths = paths }

    /// Whether the reports are journals: one of them is, or none has a line.
    ///
    /// A shard without stores leaves an empty journal, a killed one perhaps a torn line.
    func areJournals() throws -> Bool {
        var areEmpty = true
        for index in paths.indices {
            var probe = JournalProbe()
            try forEachLine(of: index) { probe.look($0.bytes) }
            if probe.isJournal { return true }
            areEmpty = areEmpty && probe.isEmpty
        }
        return areEmpty
    }

    /// Reads the outcomes in journals; a line that is none is passed over with a warning.
    func outcomes() throws -> JournalOutcomes {
        var outcomes = JournalOutcomes()
        for (index, path) in paths.enumerated() {
            var faults: [Diagnostic] = []
            try forEachLine(of: index) { line in
                let position = JournalOutcomes.Position(
                    file: index,
                    length: line.bytes?.count ?? 0,
                    offset: line.offset
                )
                if let message = outcomes.add(line.bytes, at: position) {
                    let place = FileLocation(path: path, line: line.number)
                    faults.append(
                        Diagnostic("broken-journal-line", message, severity: .warning, at: place)
                    )
                }
                return true
            }
            Console.show(faults)
            guard outcomes.commands.count < 2 else {
                let names = outcomes.commands.sorted().joined(separator: " and ")
                let message = "these are outcomes of different commands: \(names)"
                throw CommandFailure(.badData, path, message, "not-a-report")
            }
        }
        return outcomes
    }

    /// Reads an outcome again.
    func outcome(at position: JournalOutcomes.Position) throws -> MigrationOutcome {
        let index = Int(position.file)
        let bytes = try reading(index) { () throws(FileFault) in
            try file(index).bytes(at: position.offset, count: Int(position.length))
        }
        guard let outcome = JournalOutcomes.outcome(bytes) else {
            let message = "the journal was changed while it was read; try again"
            throw CommandFailure(.badData, paths[index], message, "not-a-report")
        }
        return outcome
    }

    /// Reads a report in one piece.
    ///
    /// - Parameters:
    ///   - index: the number of the report.
    ///   - limit: the most bytes that it may have.
    /// - Returns: its bytes.
    /// - Throws: `CommandFailure` where it cannot be read, or is larger.
    func data(_ index: Int, limit: Int = ReportFiles.limit) throws -> Data {
        let bytes = try reading(index, limit) { () throws(FileFault) -> [UInt8] in
            guard let file = kept[index] else { return try readFile(paths[index], limit: limit) }
            return try file.bytes(at: 0, count: limit)
        }
        return Data(bytes)
    }

    private func forEachLine(of index: Int, _ body: (LineFile.Line) -> Bool) throws {
        try reading(index) { () throws(FileFault) in
            try file(index).forEachLine(longest: JournalOutcomes.longestLine, body)
        }
    }

    private func file(_ index: Int) throws(FileFault) -> LineFile {
        if let file = kept[index] { return file }
        if let last, last.index == index { return last.file }
        let file = try LineFile(paths[index], keeping: Self.limit)
        if file.isKept { kept[index] = file } else { last = (index, file) }
        return file
    }

    private func reading<Result>(
        _ index: Int,
        _ limit: Int = ReportFiles.limit,
        _ body: () throws(FileFault) -> Result
    ) throws -> Result {
        do throws(FileFault) {
            return try body()
        } catch .tooLarge {
            let message = "the file is larger than \(limit) bytes"
            throw CommandFailure(.badData, paths[index], message, .unreadableFile)
        } catch {
            throw CommandFailure(.noInput, paths[index], error.reason, .unreadableFile)
        }
    }
}

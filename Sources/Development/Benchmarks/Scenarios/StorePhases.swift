import Foundation
import Momtool
import StoreFormat
import StoreMigration

/// What each phase of the work on small stores costs, within a process that has read the models.
struct StorePhases {
    private static let names = [
        "open", "find the version", "work out the migration", "look for losses",
        "migrate in place", "verify",
    ]
    private var seconds = [Double](repeating: 0, count: names.count)

    /// Does the work on stores of the first of two versions, one after the other.
    init(of stores: [String], _ bundle: String) throws {
        let versions = try ModelPlace(bundle).read().value.versions
        guard versions.count == 2 else { throw BenchmarkError("the bundle cannot be read") }
        let plans = MigrationMemo(to: versions[1])
        for path in stores {
            let file = try measure(0) { try StoreFile(path: path) }
            let writer = try measure(1) { try StoreWriter(of: file, among: versions) }
            guard let writer else { throw BenchmarkError("\(path) is of no version") }
            let migration = try measure(2) {
                try plans.migration(of: file, from: versions[writer.place])
            }
            _ = try measure(3) { try migration.findings(in: file) }
            let options = MigrationOptions(acceptsLosses: true)
            _ = try measure(4) { try migration.runInPlace(path: path, options: options) }
            let findings = try measure(5) {
                try verify(StoreFile(path: path), against: versions[1].model)
            }
            guard findings.isEmpty else { throw BenchmarkError("\(path): \(findings[0])") }
        }
    }

    /// The lines of a table.
    func lines(stores count: Int) -> [String] {
        let rows = zip(Self.names, seconds).map { name, seconds in
            tableRow([name, String(format: "%.2f ms", 1000 * seconds / Double(count))])
        }
        return ["", "| phase, within a process | CPU per store |", "| --- | ---: |"] + rows
    }

    private mutating func measure<Result>(
        _ phase: Int,
        _ work: () throws -> Result
    ) rethrows -> Result {
        let start = Self.processorSeconds
        defer { seconds[phase] += Self.processorSeconds - start }
        return try work()
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}

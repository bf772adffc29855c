import Diagnostics
import Essentials
import FileSystem
import Momtool
package import SettingsFiles
import StoreFormat

/// What a migration cost.
///
/// The time of the processor counts, so that a busy machine fails nothing.
struct MigrationCost {
    /// The seconds of a processor.
    private(set) var seconds = 0.0
    /// The bytes of memory that were taken at most, beside what the process had; `nil` where nobody asked.
    private(set) var bytes: Int?

    /// Runs a migration, and counts what it costs.
    ///
    /// - Parameters:
    ///   - limits: what it may cost; memory is looked at where it is limited.
    ///   - body: the migration.
    /// - Returns: what the body gives.
    mutating func count<Result>(
        _ limits: MigrationLimits,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let memory = limits.megabytesPerThousandRows.map { _ in PeakMemory() }
        let start = processorSeconds()
        defer {
            seconds = processorSeconds() - start
            bytes = memory?.growth
        }
        return try body()
    }

    /// Says what a migration took beyond its limits.
    ///
    /// Fewer than a thousand rows may cost what a thousand may: much of it is spent whatever the number.
    func excess(over limits: MigrationLimits, of store: StoreFile) throws -> [String] {
        guard !limits.isEmpty else { return [] }
        let rows = try store.rowCounts(of: store.schema()).values.reduce(0, +)
        let thousands = max(1, Double(rows) / 1000)
        let title = "the migration of \(rows.counted("row")) took"
        var lines: [String] = []
        if let limit = limits.secondsPerThousandRows, seconds > limit * thousands {
            lines.append(
                "\(title) \(rounded(seconds)) s of a processor; the limit is \(limit) s per thousand rows"
            )
        }
        if let limit = limits.megabytesPerThousandRows, let bytes {
            let megabytes = Double(bytes) / 1_048_576
            if megabytes > limit * thousands {
                lines.append(
                    "\(title) \(rounded(megabytes)) MB of memory; the limit is \(limit) MB per thousand rows"
                )
            }
        }
        return lines
    }

    private func rounded(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }
}

extension MigrationCase {
    /// What the migration may cost: by the case, else by the configuration near its model.
    package var limits: MigrationLimits {
        let near = try? settings(for: url(of: file.model).path).limits
        return file.limits.completed(by: near ?? MigrationLimits())
    }
}

/// The seconds of a processor that this thread has taken until now.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

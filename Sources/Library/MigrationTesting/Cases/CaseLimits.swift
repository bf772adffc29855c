import Diagnostics
import Essentials
import SettingsFiles
import StoreFormat

extension MigrationCase {
    /// Says that a migration took longer than the case allows for the rows of its store.
    ///
    /// The time of the processor counts, so that a busy machine fails no case. Fewer than a thousand rows have the time
    /// of a thousand: much of it is spent whatever the number.
    func slowness(_ seconds: Double, of store: StoreFile) throws -> [String] {
        guard let limit = file.secondsPerThousandRows else { return [] }
        let rows = try store.rowCounts(of: store.schema()).values.reduce(0, +)
        guard seconds > limit * max(1, Double(rows) / 1000) else { return [] }
        let taken = (seconds * 10_000).rounded() / 10_000
        return [
            "the migration of \(rows.counted("row")) took \(taken) s of a processor; the limit is \(limit) s per thousand rows"
        ]
    }
}

/// The seconds of a processor that this thread has taken until now.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

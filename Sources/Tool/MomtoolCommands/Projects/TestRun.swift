import Diagnostics
import Essentials
import MigrationTesting
import Momtool

/// Runs tests, several at a time, with progress on a terminal.
func outcomes(of tests: [MigrationTest], jobs: Int) -> [CaseOutcome] {
    let display = WorkDisplay("test", unit: "cases")
    let done = Locked<[CaseOutcome]>([])
    inParallel(tests.count, jobs: jobs) { index in
        tests[index].run()
    } handle: { outcome in
        let count = done.withLock { outcomes in
            outcomes.append(outcome)
            return outcomes.count
        }
        display.show(count, of: tests.count, outcome.name)
    }
    display.clear()
    // Files are named as a reader of the log finds them.
    let here = Surroundings.current.folderPath + "/"
    return done.withLock(\.self).map { outcome in
        var outcome = outcome
        outcome.lines = outcome.lines.map { $0.replacing(here, with: "") }
        outcome.remarks = outcome.remarks.map { $0.replacing(here, with: "") }
        outcome.subject = outcome.subject.map { place in
            FileLocation(path: place.path.replacing(here, with: ""), line: place.line)
        }
        return outcome
    }
}

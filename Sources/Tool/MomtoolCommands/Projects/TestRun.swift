import Diagnostics
import Essentials
import MigrationTesting
import Momtool

/// Runs tests, several at a time, and says on a terminal how far it has come.
func outcomes(of tests: [MigrationTest], jobs: Int) -> [CaseOutcome] {
    let display = WorkDisplay("test", unit: "cases")
    let done = Locked(0)
    func run(_ places: [Int], jobs: Int) -> [(Int, CaseOutcome)] {
        let outcomes = inParallel(places.count, jobs: jobs) { index in
            tests[places[index]].run()
        } report: { outcome in
            let count = done.withLock { value in
                value += 1
                return value
            }
            display.show(count, of: tests.count, outcome.name)
        }
        return Array(zip(places, outcomes))
    }
    let alone = tests.indices.filter { tests[$0].isAlone }
    let others = tests.indices.filter { !tests[$0].isAlone }
    let outcomes = (run(others, jobs: jobs) + run(alone, jobs: 1)).sorted { $0.0 < $1.0 }.map(\.1)
    display.clear()
    // Files are named as a reader of the log finds them.
    let here = FileManager.default.currentDirectoryPath + "/"
    return outcomes.map { outcome in
        var outcome = outcome
        outcome.lines = outcome.lines.map { $0.replacing(here, with: "") }
        outcome.remarks = outcome.remarks.map { $0.replacing(here, with: "") }
        outcome.subject = outcome.subject.map { place in
            FileLocation(path: place.path.replacing(here, with: ""), line: place.line)
        }
        return outcome
    }
}

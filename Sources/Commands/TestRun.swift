import ArgumentParser
import Diagnostics
import Essentials
import MigrationTesting
import Momtool

/// Runs tests, several at a time, and says on a terminal how far it has come.
func outcomes(of tests: [MigrationTest], jobs: Int) -> [CaseOutcome] {
    let display = WorkDisplay("test", unit: "cases")
    let done = Locked(0)
    let outcomes = inParallel(tests.count, jobs: jobs) { place in
        tests[place].run()
    } report: { outcome in
        let count = done.withLock { value in
            value += 1
            return value
        }
        display.show(count, of: tests.count, outcome.name)
    }
    display.clear()
    return outcomes
}

/// Returns the paths that match a shell's pattern, sorted.
func matchingPaths(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let names = found.gl_pathv else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }
}

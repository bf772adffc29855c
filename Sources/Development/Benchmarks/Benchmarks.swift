import Foundation

/// Measures the tool against its peers on this machine and prints figures and ratios.
///
/// Without arguments every scenario runs, else those that are named. `--rows N` sets the size of stores.
/// `table` measures every kind of change against its peers, and with `--write` writes the page of figures.
@main
enum Benchmarks {
    static let scenarios: [Scenario] = [
        .checking, .houseRules, .export, .create, .compile, .customSQL,
        .customClosure, .rings, .oneMapped, .versions, .cases, .history, .sourceHistory,
        .counts, .care,
    ]

    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "table" {
            return try TableCommand(Array(arguments.dropFirst())).run()
        }
        if arguments.first == "engine" {
            return try EngineBench(Array(arguments.dropFirst())).run()
        }
        var rows = 1_000_000
        if let place = arguments.firstIndex(of: "--rows"), arguments.indices.contains(place + 1) {
            rows = Int(arguments[place + 1]) ?? rows
            arguments.removeSubrange(place...(place + 1))
        }
        let chosen = scenarios.filter { arguments.isEmpty || arguments.contains($0.name) }
        guard !chosen.isEmpty else {
            print("scenarios: " + scenarios.map(\.name).joined(separator: ", "))
            return
        }
        for scenario in chosen {
            print("\(scenario.name): \(scenario.summary)")
            for figure in try scenario.run(rows) { print("  \(figure)") }
        }
    }
}

/// One thing that is measured.
struct Scenario: Sendable {
    /// The name that chooses it.
    var name: String
    /// What is measured, against what.
    var summary: String
    /// Measures at a number of rows and returns lines of figures.
    var run: @Sendable (_ rows: Int) throws -> [String]
}

/// Returns the seconds that a piece of work takes, the least of several runs, each with a preparation of its own.
func leastSeconds<Input>(
    runs: Int = 5,
    prepare: () throws -> Input,
    _ work: (Input) throws -> Void
) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<runs {
        let input = try prepare()
        let clock = ContinuousClock()
        let time = try clock.measure { try work(input) }
        least = min(least, time / .seconds(1))
    }
    return least
}

extension Double {
    /// The seconds as milliseconds, to a tenth.
    var milliseconds: String { String(format: "%.1f ms", self * 1000) }

    /// The ratio to two decimals.
    var ratio: String { String(format: "%.2f", self) }
}

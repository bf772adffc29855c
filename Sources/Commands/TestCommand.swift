import ArgumentParser
import Diagnostics
import Dispatch
import Foundation
import MigrationTesting
import ModelLoading
import Reporting
import Synchronization

/// `momtool test`: runs fixture cases old-to-new.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run fixture cases: rows at an old version, and what must become of them.",
        discussion: """
            A case is a folder with case.yml (model, from, to, expect), before.json or before.sqlite, and after.json.
            Objects are compared by their values and links, whatever their keys. Ends with status 1 when a case fails.

            EXAMPLE
              momtool test Fixtures/Cases
              momtool test Fixtures/Cases --jobs 4 --format junit=report.xml
              momtool test --matrix Shop.xcdatamodeld
              momtool test --model Shop.xcdatamodeld --stores Field/*.sqlite
            """
    )

    @Argument(help: "The folders of cases.")
    var folders: [String] = []

    @Option(help: "A model: generated objects go from every version to the current one.")
    var matrix: String?

    @Option(help: "The number of generated objects of each entity.")
    var rows = 20

    @Option(
        parsing: .upToNextOption,
        help: "Real stores: copies of them are migrated and accounted for."
    )
    var stores: [String] = []

    @Option(help: "The model of the stores.")
    var model: String?

    @Flag(help: "Write down what is found where an expectation is missing or different.")
    var record = false

    @Option(help: "How many cases run at a time.")
    var jobs = 2

    @Option(help: "Run one part of the cases, as 2/5: every fifth, from the second.")
    var shard: String?

    @Option(
        help: "A folder for what failing cases leave: both stores and the rows that were found."
    )
    var artifacts: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !folders.isEmpty || matrix != nil || !stores.isEmpty else {
            throw ValidationError("name folders of cases, --matrix or --stores")
        }
        guard stores.isEmpty || model != nil else {
            throw ValidationError("--stores needs --model")
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64") }
        guard (1...100_000).contains(rows) else {
            throw ValidationError("--rows takes 1 to 100000")
        }
        if let shard, Self.part(shard) == nil {
            throw ValidationError("--shard takes K/N, as 2/5")
        }
    }

    func run() throws {
        try Commands.run {
            var outcomes = folders.isEmpty ? [] : outcomes(of: try cases())
            if let matrix {
                let bundle = try ModelArgument(matrix).load()
                let target = try bundle.chosenVersion(nil)
                outcomes += matrixOutcomes(from: bundle.versions, to: target, rows: rows)
            }
            if let model, !stores.isEmpty {
                let bundle = try ModelArgument(model).load()
                outcomes += fieldOutcomes(
                    ofStores: stores,
                    among: bundle.versions,
                    to: try bundle.chosenVersion(nil)
                )
            }
            let report = TestReport(outcomes)
            try output.deliver(
                in: [.text, .json, .junit, .github, .markdown],
                report.rendered
            )
            guard report.failed == 0 else { throw CommandFailure(.findings, []) }
        }
    }

    private func cases() throws -> [MigrationCase] {
        var cases: [MigrationCase] = []
        for folder in folders {
            do throws(MigrationCaseError) {
                cases += try MigrationCase.all(in: URL(fileURLWithPath: folder))
            } catch {
                throw CommandFailure(.badData, error.path, error.reason, "broken-case")
            }
        }
        if let part = shard.flatMap(Self.part) {
            cases = cases.enumerated().filter { $0.offset % part.count == part.index }.map(
                \.element
            )
        }
        guard !cases.isEmpty else {
            throw CommandFailure(.noInput, folders[0], "there are no cases", "no-cases")
        }
        return cases
    }

    private func outcomes(of cases: [MigrationCase]) -> [CaseOutcome] {
        let options = CaseRunOptions(
            records: record,
            artifacts: artifacts.map { URL(fileURLWithPath: $0) }
        )
        let outcomes = Mutex<[Int: CaseOutcome]>([:])
        let next = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: min(jobs, cases.count)) { _ in
            while true {
                let place = next.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard place < cases.count else { return }
                let outcome = cases[place].run(options)
                outcomes.withLock { $0[place] = outcome }
            }
        }
        return outcomes.withLock { done in cases.indices.compactMap { done[$0] } }
    }

    /// Reads `K/N` as the index of a part, from 0, and the number of parts.
    private static func part(_ text: String) -> (index: Int, count: Int)? {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count > 0,
            (1...count).contains(index)
        else { return nil }
        return (index - 1, count)
    }
}

import ArgumentParser
import Diagnostics
import Essentials
import Momtool
import ObjectModel
import Reporting
import StoreFormat

/// `momtool verify`: what is wrong with a store.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check stores against their model: file, tables and rows.",
        discussion: """
            Ends with status 1 when there are errors or warnings. Notes do not count.
            Of persistent history and CloudKit mirroring, tables, keys and transactions
            are checked.

            EXAMPLE
              momtool verify Shop.sqlite
              momtool verify *.sqlite --model Shop.xcdatamodeld --format json
              momtool verify Shop.sqlite --validate
              momtool verify *.sqlite --shard 2/5 --format junit=verify-2.xml
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(help: "The model; the ones in the stores when left out.", completion: .model)
    var model: String?

    @Flag(
        name: .customLong("validate"),
        help:
            "Also check values against the limits, lengths and patterns in the model, as saving does."
    )
    var checksRules = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func run() throws {
        try Commands.run {
            var batch = Batch()
            let stores = try list.all().map(\.path)
            let paths = stores.filter(list.contains)
            var extent = Extent()
            let diagnostics = try zip(paths, results(paths)).flatMap { path, result in
                let found = try batch.attempt { try result.get() }
                if let found { extent.add(found.extent) }
                return found?.diagnostics ?? [unverified(path)]
            }
            var report = FindingReport(
                command: "verify",
                subjects: paths,
                diagnostics: diagnostics
            )
            report.extent = extent.words
            let inputs = InputFiles(stores + [model].compactMap(\.self))
            try output.deliver(
                sparing: inputs,
                report.rendered
            )
            if diagnostics.contains(where: { $0.severity != .note }) { batch.note(.findings) }
            try batch.finish()
        }
    }

    /// Verifies stores beside each other, with the model read once.
    private func results(_ paths: [String]) -> [Result<Verified, any Error>] {
        let models = StoreModels(named: model, swift.settings)
        let checksRules = checksRules
        let isAlone = paths.count == 1
        let display = WorkDisplay("verify", unit: isAlone ? "checks" : "stores")
        defer { display.clear() }
        let jobs = ProcessInfo.processInfo.activeProcessorCount
        return inParallel(paths.count, jobs: jobs) { place in
            Result {
                let store = try StoreFile(path: paths[place])
                let model = try models.model(of: store)
                var extent: RowExtent? = RowExtent()
                let findings = try verify(
                    store,
                    against: model,
                    counting: &extent,
                    notesJoinTables: true,
                    notesOwnerless: ownerlessLimit,
                    progress: isAlone ? display.progress : nil
                )
                let further = checksRules ? try StoreFormat.validate(store, against: model) : []
                return Verified(
                    diagnostics: (findings + further).map { $0.at(paths[place]) },
                    extent: extent ?? RowExtent()
                )
            }
        } report: { _ in
            if !isAlone { display.showNext(of: paths.count) }
        }
    }

    /// What was found in a store, and how much was looked at.
    private struct Verified: Sendable {
        var diagnostics: [Diagnostic]
        var extent: RowExtent
    }

    /// How much of all stores was looked at.
    private struct Extent {
        private var rows = 0
        private var entities = 0
        private var hasStores = false

        mutating func add(_ other: RowExtent) {
            rows += other.rows
            entities = max(entities, other.entities)
            hasStores = true
        }

        /// What was looked at; empty where no store could be.
        var words: String {
            hasStores ? "\(rows.counted("row")) of \(entities.counted("entity"))" : ""
        }
    }

    /// What the report says of a store that cannot be verified.
    private func unverified(_ path: String) -> Diagnostic {
        Diagnostic(
            "unverified-store",
            "the store cannot be verified",
            at: SourceLocation(path: path)
        )
    }
}

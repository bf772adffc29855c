import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import Momtool
import MomtoolReporting
import StoreFormat

struct VerifyCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check stores against their model: file, tables and rows.",
        discussion: """
            Ends with status 1 when there are errors or warnings. Notes do not count.
            Of persistent history and CloudKit mirroring, only tables, keys and
            transactions are checked.

            EXAMPLE
              momtool verify Shop.sqlite
              momtool verify *.sqlite --model Shop.xcdatamodeld --format json
              momtool verify Shop.sqlite --validate
              momtool verify --from-list stores.txt --format junit=verify.xml
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(help: "The model; the ones in the stores when left out.", completion: .model)
    var model: String?

    @Flag(
        name: .customLong("validate"),
        help:
            "Also check values against the limits, lengths and patterns in the model, as Core Data does when saving."
    )
    var checksRules = false

    @OptionGroup var fleet: FleetOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<FindingFormats>

    func run() throws {
        let paths = try list.all()
        let files = FleetFiles(inputs: paths + [model].compactMap(\.self), list: list.fromList)
        let journal = try fleet.openJournal(of: "verify", among: files, besides: output)
        let all = results(paths, journal: journal)
        var extent = Extent()
        for case let part? in all.reports.map(\.extent) { extent.add(part) }
        let diagnostics = all.reports.flatMap(\.diagnostics)
        var report = FindingReport(command: "verify", subjects: paths, diagnostics: diagnostics)
        report.extent = extent.words
        try output.deliver(sparing: files.spared, report.rendered)
        try Batch(ending: all.statuses).finish()
    }

    /// Verifies stores in parallel, with the model read once.
    private func results(_ paths: [String], journal: AppendedFile?) -> Fleet<Verified>.All {
        let models = StoreModels(named: model, swift.settings, asRequired: checksRules)
        let isAlone = paths.count == 1
        let display = WorkDisplay("verify", unit: "checks", isWanted: isAlone)
        defer { display.clear() }
        let work = Fleet<Verified>(
            command: "verify",
            options: fleet,
            isOneOfSeveral: !isAlone,
            keepsReports: true
        )
        let isShown =
            output.format.isEmpty || output.format.contains { $0.format == .text && $0.path == nil }
        return work.run(paths.map { MigrationTarget(store: $0) }, journal: journal) { target in
            var result = result(of: target.store, models, isAlone ? display.progress : nil)
            // The report that is shown has the reason.
            if isShown, result.failure?.status != .failed { result.failure?.messages = [] }
            return result
        } handle: { _ in
        }
    }

    private func result(
        of store: String,
        _ models: StoreModels,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) -> StoreResult<Verified> {
        StoreResult.of(store, failing: { Verified(unverified: $0) }) {
            let file = try StoreFile(path: store)
            let model = try models.model(of: file)
            var extent = RowExtent()
            let findings = try verify(
                file,
                against: model,
                counting: { extent = $0 },
                notesJoinTables: true,
                notesOwnerless: ownerlessLimit,
                notesContents: true,
                progress: progress
            )
            let further = checksRules ? try StoreFormat.validate(file, against: model) : []
            let diagnostics = (findings + further).map { $0.at(store) }
            let isSound = diagnostics.allSatisfy { $0.severity == .note }
            let outcome = MigrationOutcome(
                isSound ? "sound" : "ill",
                of: store,
                summary: "\(store): \(isSound ? "sound" : "something is wrong")",
                messages: diagnostics.map(\.commandWords)
            )
            return StoreResult(
                outcome: outcome,
                report: Verified(diagnostics: diagnostics, extent: extent),
                failure: isSound ? nil : CommandFailure(.findings, [])
            )
        }
    }

    private struct Verified {
        var diagnostics: [Diagnostic]
        /// `nil` for a store that could not be verified.
        var extent: RowExtent?

        init(diagnostics: [Diagnostic], extent: RowExtent) {
            (self.diagnostics, self.extent) = (diagnostics, extent)
        }

        init(unverified outcome: MigrationOutcome) {
            let place = FileLocation(path: outcome.store)
            let message = "the store cannot be verified: \(outcome.reasons)"
            diagnostics = [Diagnostic("unverified-store", message, at: place)]
        }
    }

    private struct Extent {
        private var rows = 0
        private var entities = 0
        private var hasStores = false

        mutating func add(_ other: RowExtent) {
            rows += other.rows
            entities = max(entities, other.entities)
            hasStores = true
        }

        /// Empty where no store could be verified.
        var words: String {
            hasStores ? "\(rows.counted("row")) of \(entities.counted("entity"))" : ""
        }
    }
}

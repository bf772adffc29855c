package import ModelLoading
package import Momtool

/// A corpus, and how the app migrates its stores.
package struct CorpusRun: Sendable {
    package let corpus: Corpus
    private let app: AppMigrations

    package init(
        at folder: String,
        _ bundle: ModelBundle,
        _ options: MatrixOptions,
        _ swift: SwiftSettings
    ) throws(MomtoolError) {
        app = try AppMigrations(of: bundle, options, swift)
        corpus = Corpus(at: folder, bundle, app.settings, swift)
    }

    /// A test of each store.
    package func tests() throws(MomtoolError) -> [MigrationTest] {
        try fieldTests(
            in: corpus.folder,
            ofStores: corpus.stores,
            among: corpus.bundle.versions,
            of: corpus.bundle.path,
            to: corpus.bundle.chosenVersion(nil),
            by: app.migrator,
            options: app.options,
            recorded: corpus.recordedRows
        )
    }

    /// Makes the stores that are missing, and records the rows of all; returns a line for each.
    package func record() throws -> [String] { try corpus.record(by: app.migrator, app.options) }

    /// Migrates the stores, and makes those that are missing where each older one arrives as it did.
    package func release() throws -> (lines: [String], isWhole: Bool) {
        let failed = try tests().map { $0.run() }.filter { $0.status == .failed }
        guard !failed.isEmpty else { return (try record(), true) }
        let lines = failed.flatMap { outcome in
            outcome.lines.map { "\(corpus.folder)/\(outcome.name): \($0)" }
        }
        return (lines + ["\(corpus.folder): no store is made before these arrive"], false)
    }
}

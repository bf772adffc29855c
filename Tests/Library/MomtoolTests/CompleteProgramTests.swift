import Foundation
import MigrationTesting
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct CompleteProgramTests {
    private static var bundles: [String] {
        let cases = Corpus.package.appending(path: "Fixtures/Cases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cases.path)) ?? []
        let models = names.map { cases.appending(path: $0 + "/Model.xcdatamodeld").path }
        return models.filter(FileManager.default.fileExists).sorted() + [
            Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        ]
    }

    /// The statements that change a database, without those on its version and compiled model.
    private static func writes(_ statements: [String]) -> [String] {
        let words = ["INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "REPLACE"]
        return statements.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { sql in
            words.contains { sql.uppercased().hasPrefix($0) }
                && !["Z_METADATA", "Z_MODELCACHE"].contains(where: sql.contains)
        }
    }

    @Test func `a migration writes what its plan prints, and nothing else`() async {
        await #expect(processExitsWith: .success) {
            var (count, statements) = (0, 0)
            for path in CompleteProgramTests.bundles {
                let bundle = readModelBundle(at: path).value
                for (index, source) in bundle.versions.enumerated() {
                    for target in bundle.versions[(index + 1)...] {
                        try withFolder { folder in
                            let store = folder.appending(path: "Store.sqlite").path
                            try makeSampleStore(at: store, model: source.model, rows: 4, seed: 1)
                            guard
                                let migration = try? Migrator(models: [bundle], to: target.name)
                                    .migration(of: StoreFile(path: store))
                            else { return }
                            let options = MigrationOptions(acceptsLosses: .all)
                            var findings: [RowFinding]?
                            let traced = StatementTrace.statements {
                                findings = try? migration.runInPlace(path: store, options: options)
                            }
                            guard let findings else { return }
                            let planned = migration.steps(after: findings).flatMap { step in
                                (step.program?.steps ?? []).map(\.sql)
                            }
                            let title = "\(path): \(source.name) → \(target.name)"
                            #expect(
                                CompleteProgramTests.writes(traced)
                                    == CompleteProgramTests.writes(planned),
                                "\(title)"
                            )
                            count += 1
                            statements += CompleteProgramTests.writes(traced).count
                        }
                    }
                }
            }
            #expect(count >= 40 && statements >= 400, "\(count), \(statements)")
        }
    }
}

import Foundation
import Momtool
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct CancelledWorkTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    private func cancelled<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> MomtoolError? {
        let task = Task {
            // The work begins after its cancellation.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await work()
        }
        return await #expect(throws: MomtoolError.self) { _ = try await task.value }
    }

    @Test func `whoever cancels gets nothing, and is told that`() async throws {
        let (model, store) = (try Model(Self.library), try Store(Self.fixture))
        let errors = [
            await cancelled { try await Migrator(model).losses(of: store) },
            await cancelled { try await Migrator(model, to: "V2").losses(of: store) },
            await cancelled { try await Doctor(model).examine(store.path) },
            await cancelled { try await store.verify(against: model) },
            await cancelled { try await Linter().findings(in: Self.library) },
            await cancelled { try await Store.create("/nowhere/Empty.sqlite", of: model) },
        ]
        for error in errors {
            #expect(error?.kind == .cancelled, "\(String(describing: error))")
            #expect(error?.diagnostics.first?.rule == "interrupted")
        }
    }

    @Test func `the question that is being asked is interrupted`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let versions = ["V1": textModel("Book", ["a", "b"]), "V2": textModel("Book", ["a"])]
            try writeBundle(versions, current: "V2", at: bundle)
            let (model, path) = (try Model(bundle.path), folder.appending(path: "S.sqlite").path)
            try Store.create(path, of: model, version: "V1")
            try SQLiteConnection(path: path, mode: .readWrite).execute(
                """
                INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZB) WITH RECURSIVE n(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, 1, 1, 'b' FROM n
                """
            )
            let file = try StoreFile(path: path)
            let migration = try Migrator(models: [model.bundle]).migration(of: file)
            #expect(try migration.findings(in: file).count == 1)
            let (cancellation, told) = (MigrationCancellation(), Locked<[Int]>([]))
            let error = #expect(throws: StoreMigrationError.self) {
                let options = MigrationOptions(cancellation: cancellation)
                _ = try migration.findings(in: file, options: options) { done, _ in
                    told.withLock { $0.append(done) }
                    cancellation.cancel()
                }
            }
            guard case .interrupted(_, isTimeout: false)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(told.withLock(\.first) == 0)
        }
    }

    @Test func `a rehearsal has the time limit that a migration has`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let versions = ["V1": textModel("Book", ["a"]), "V2": textModel("Book", ["a", "b"])]
            try writeBundle(versions, current: "V2", at: bundle)
            try write(
                "stages:\n- custom: {from: V1, to: V2}\n  label: Slow\n  didMigrate: slow.sql\n",
                "Stages.yml",
                in: folder
            )
            let slow =
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                + "SELECT max(i) FROM n;\n"
            try write(slow, "slow.sql", in: folder)
            let model = try Model(bundle.path)
            let store = try Store.create(
                folder.appending(path: "S.sqlite").path,
                of: model,
                version: "V1"
            )
            let stages = folder.appending(path: "Stages.yml").path
            let migrator = try Migrator(model, stages: stages)
            let error = #expect(throws: MomtoolError.self) {
                try migrator.losses(of: store, timeout: .milliseconds(50))
            }
            #expect(error?.kind == .failed && error?.advice == [.allowTime], "\(error)")
        }
    }
}

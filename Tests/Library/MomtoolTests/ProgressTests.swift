import Diagnostics
import Foundation
import Momtool
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ProgressTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test func `a migration is done in the last call alone, and never goes backward`() throws {
        try withFolder { folder in
            let told = Locked<[WorkProgress]>([])
            try Migrator(Model(Self.library)).migrate(
                Store(Self.fixture),
                to: folder.appending(path: "New.sqlite").path,
                following: [.allowAllLosses]
            ) { progress in
                told.withLock { $0.append(progress) }
            }
            let fractions = told.withLock { $0.compactMap(\.fraction) }
            #expect(fractions.count == told.withLock(\.count) && fractions.count > 1)
            #expect(fractions == fractions.sorted())
            #expect(fractions.dropLast().allSatisfy { $0 < 1 } && fractions.last == 1)
            #expect(told.withLock { $0.last?.done ?? 0 } > 0)
        }
    }

    @Test func `changes of the schema are not told one by one`() throws {
        try withFolder { folder in
            let told = Locked((all: 0, changes: 0, passed: 0))
            // A second passes between two looks at the clock.
            let time = Locked(ContinuousClock.now)
            let progress = ProgressRelay { _ in
                told.withLock { $0.passed += 1 }
            } now: {
                time.withLock { time in
                    time += .seconds(1)
                    return time
                }
            }
            let relay = MigrationProgressRelay(progress)
            let store = try StoreFile(path: Self.fixture)
            let migration = try Migrator(models: [Model(Self.library).bundle]).migration(of: store)
            let options = MigrationOptions(acceptsLosses: .all) { progress in
                told.withLock { told in
                    told.all += 1
                    told.changes += progress.change == nil ? 0 : 1
                }
                relay.report(progress)
            }
            let output = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: output, options: options)
            let counts = told.withLock { $0 }
            #expect(counts.changes > 10)
            #expect(counts.passed == counts.all - counts.changes)
        }
    }

    @Test func `the first and the last of a work are told, and ten times a second what is between`()
    {
        let (time, told) = (Locked(ContinuousClock.now), Locked<[Int]>([]))
        let relay = ProgressRelay { progress in
            told.withLock { $0.append(progress.done) }
        } now: {
            time.withLock { $0 }
        }
        for done in 0..<1000 {
            relay.report(WorkProgress(title: "verify", done: done, of: 1000))
            time.withLock { $0 += .milliseconds(1) }
        }
        relay.finish()
        #expect(told.withLock { $0 } == Array(stride(from: 0, to: 1000, by: 100)) + [999])
        relay.finish()
        #expect(told.withLock(\.count) == 11)
    }

    @Test func `a check, an examination and an export tell of themselves`() throws {
        try withFolder { folder in
            let store = folder.appending(path: "S.sqlite")
            try FileManager.default.copyItem(atPath: Self.fixture, toPath: store.path)
            let (model, counts) = (try Model(Self.library), Locked<[String: Int]>([:]))
            let count: ProgressHandler = { progress in
                counts.withLock { $0[progress.title, default: 0] += 1 }
            }
            _ = try Store(store.path).verify(against: model, progress: count)
            _ = try Doctor(model).examine(store.path, progress: count)
            let output = folder.appending(path: "Rows.json").path
            try Rows(of: Store(store.path)).write(to: output, progress: count)
            let titles = counts.withLock { $0 }
            #expect(Set(titles.keys) == ["verify", "doctor", "export"])
        }
    }

    @Test func `a step is done by its rows and by its changes`() throws {
        let told = Locked<MigrationProgress?>(nil)
        try withFolder { folder in
            let store = try StoreFile(path: Self.fixture)
            let migration = try Migrator(models: [Model(Self.library).bundle]).migration(of: store)
            let options = MigrationOptions(acceptsLosses: .all) { progress in
                told.withLock { $0 = progress }
            }
            let output = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: output, options: options)
        }
        var half = try #require(told.withLock { $0 })
        #expect(half.stepFraction == 1)
        half.isFinished = false
        (half.stepRows, half.knownRows, half.changesMade, half.changeCount) = (200, 100, 1, 3)
        #expect(half.stepFraction == 0.625)
        (half.knownRows, half.changesMade) = (0, 3)
        #expect(half.stepFraction == 0.75)
        (half.changesMade, half.changeCount, half.knownRows) = (0, 0, 400)
        #expect(half.stepFraction == 0.45)
        #expect(!half.isChecking)
        (half.changesMade, half.changeCount) = (3, 3)
        #expect(half.isChecking)
    }
}

struct CancelledWorkTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    private func cancelled<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async -> MomtoolError? {
        let task = Task {
            // The work begins after its cancellation.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await inBackground(work)
        }
        return await #expect(throws: MomtoolError.self) { _ = try await task.value }
    }

    @Test func `whoever cancels gets nothing, and is told that`() async throws {
        let (model, store) = (try Model(Self.library), try Store(Self.fixture))
        let errors = [
            await cancelled { try Migrator(model).losses(of: store) },
            await cancelled { try Migrator(model, to: "V2").losses(of: store) },
            await cancelled { try Doctor(model).examine(store.path) },
            await cancelled { try store.verify(against: model) },
            await cancelled { try Linter().findings(in: Self.library) },
            await cancelled { try Store.create("/nowhere/Empty.sqlite", of: model) },
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

import Diagnostics
import Foundation
import MigrationPlanning
import ModelLoading
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

enum MigrationWay: String, CaseIterable, Sendable {
    case inPlace, newFile, backup, stagedInPlace, stagedNewFile

    var isInPlace: Bool { self != .newFile && self != .stagedNewFile }

    private var isStaged: Bool { self == .stagedInPlace || self == .stagedNewFile }

    static let script = "UPDATE Loan SET fine = fine * 2; INSERT INTO Author (name) VALUES ('New');"

    /// Migrates `Store.sqlite` of a folder by the library, to `New.sqlite` beside it or in place.
    func migrate(in folder: URL) throws {
        let path = folder.appending(path: "Store.sqlite").path
        let new = folder.appending(path: "New.sqlite").path
        let store = try StoreFile(path: path)
        guard !isStaged else {
            let migration = try Migration(of: store, by: Self.stages, works: Self.works)
            if isInPlace {
                try migration.runInPlace(path: path, options: Self.options)
            } else {
                try migration.run(from: store, toNewFile: new, options: Self.options)
            }
            return
        }
        let versions = StoreFixture.versions
        let migration = try Migration(
            of: store,
            from: versions[0],
            to: versions[versions.count - 1]
        )
        guard isInPlace else {
            try migration.run(from: store, toNewFile: new, options: Self.options)
            return
        }
        let backup = self == .backup ? folder.appending(path: "Backup.sqlite").path : nil
        try migration.runInPlace(path: path, backup: backup, options: Self.options)
    }

    private static let options = MigrationOptions(acceptsLosses: true)

    func arguments(in folder: URL) throws -> [String] {
        let path = folder.appending(path: "Store.sqlite").path
        let target: [String] =
            switch self {
            case .inPlace, .stagedInPlace: ["--in-place"]
            case .backup: ["--in-place", "--backup", folder.appending(path: "Backups").path]
            case .newFile, .stagedNewFile: ["-o", folder.appending(path: "New.sqlite").path]
            }
        guard isStaged else {
            return [
                "migrate", path, "--allow-data-loss", "--model", StoreFixture.modelPath, "--quiet",
            ] + target
        }
        let stages = folder.appending(path: "Stages.yml")
        let text = """
            model: \(StoreFixture.modelPath)
            stages:
              - lightweight: [V1]
              - custom: {from: V2, to: V3}
                label: do it
                willMigrate: work.sql
              - lightweight: [V4, V5, V6]
            """
        try Data(text.utf8).write(to: stages)
        try write(Self.script, "work.sql", in: folder)
        return [
            "migrate", path, "--allow-data-loss", "--stages", stages.path, "--quiet",
            "--allow-outside",
        ] + target
    }

    private static let stages: StagedMigrationManager = {
        let versions = StoreFixture.versions.map {
            ManagedObjectModelReference(model: $0.model, name: $0.name)
        }
        let custom = CustomMigrationStage(
            migratingFrom: versions[1],
            to: versions[2],
            label: "do it"
        )
        return StagedMigrationManager([
            .lightweight(LightweightMigrationStage([versions[0]])),
            .custom(custom),
            .lightweight(LightweightMigrationStage(Array(versions[3...]))),
        ])
    }()

    private static let works = [1: CustomStageWork(willMigrate: .script(script, path: "work.sql"))]
}

extension StoreFixture {
    private static let expected = Locked<[String: String]>([:])

    func expectedRows(_ way: MigrationWay, in work: URL) throws -> String {
        let key = "\(condition) \(way)"
        if let rows = Self.expected.withLock({ $0[key] }) { return rows }
        let path = try fresh(in: work)
        try way.migrate(in: work)
        let result = way.isInPlace ? path : work.appending(path: "New.sqlite").path
        let rows = try Self.rows(of: result, Self.versions.count - 1)
        Self.expected.withLock { $0[key] = rows }
        return rows
    }

    /// Checks what a failed migration left behind; returns whether there is a new version.
    ///
    /// `hasFailed` is nil when it was killed.
    @discardableResult
    func expectWhole(
        _ way: MigrationWay,
        in work: URL,
        hasFailed: Bool?,
        new: String,
        _ title: String
    ) throws -> Bool {
        let store = work.appending(path: "Store.sqlite").path
        let result = work.appending(path: "New.sqlite").path
        let isOld = try isOld(store, new: new, title)
        var isDone = !isOld
        if !way.isInPlace {
            #expect(isOld, "\(title): the store itself was changed")
            isDone = FileManager.default.fileExists(atPath: result)
            if isDone {
                let isOldResult = try self.isOld(result, new: new, title)
                #expect(!isOldResult, "\(title): the new file is of the old version")
            }
        }
        if let hasFailed { #expect(hasFailed == !isDone, "\(title): done is \(isDone)") }
        for backup in ["Backup.sqlite", "Backups/Store.sqlite"] {
            let path = work.appending(path: backup).path
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let isOldBackup = try self.isOld(path, new: new, title)
            #expect(isOldBackup, "\(title): the backup is of the new version")
        }
        return isDone
    }

    func expectNoLeftovers(in work: URL, _ title: String) throws {
        let expected: Set = [
            "Store.sqlite", ".Store_SUPPORT", "New.sqlite", ".New_SUPPORT", "Backup.sqlite",
            ".Backup_SUPPORT", "Backups", "Stages.yml", "work.sql", "Temporary",
            "Store.sqlite-wal", "Store.sqlite-shm", "Store.sqlite-journal",
        ]
        var names = try FileManager.default.contentsOfDirectory(atPath: work.path)
        for folder in [".New_SUPPORT", ".Store_SUPPORT", "Temporary", "Backups"] {
            let path = work.appending(path: folder).path
            let inside = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            names += inside.filter {
                !["_EXTERNAL_DATA", "Store.sqlite", ".Store_SUPPORT"].contains($0)
            }
        }
        let surplus = Set(names).subtracting(expected).sorted()
        #expect(surplus == [], "\(title): left behind")
        let support = work.appending(path: ".New_SUPPORT").path
        let result = work.appending(path: "New.sqlite").path
        if FileManager.default.fileExists(atPath: support) {
            #expect(FileManager.default.fileExists(atPath: result), "\(title): \(support)")
        }
    }
}

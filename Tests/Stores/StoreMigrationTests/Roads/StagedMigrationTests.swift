import Diagnostics
import Foundation
import MigrationPlanning
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct StagedMigrationTests {
    static let manager = StagedMigrationManager([
        .lightweight(LightweightMigrationStage([StageModels.reference(1)])),
        StageModels.custom(2, 3, "split the name"),
        StageModels.custom(3, 4, "keep the order"),
        StageModels.custom(4, 5, "people"),
    ])

    static let scripts: [Int: CustomStageWork] = [
        1: """
        -- everything before the first space is the first name
        UPDATE Member SET first = split(name, ' ', 0), last = split_rest(name, ' ', 1);
        UPDATE Guest SET first = split(name, ' ', 0), last = split_rest(name, ' ', 1)
        """,
        2: """
        INSERT INTO Playlist_tracks (source, destination, position)
        SELECT source, destination, position FROM Playlist_songs;
        """,
        3: """
        -- the cities that are not there yet, in the order in which they are named
        INSERT INTO City (name) SELECT city FROM Member
            WHERE city NOT NULL AND city NOT IN (SELECT name FROM City)
            GROUP BY city ORDER BY min(objectID);
        INSERT INTO City (name) SELECT city FROM Guest
            WHERE city NOT NULL AND city NOT IN (SELECT name FROM City)
            GROUP BY city ORDER BY min(objectID);
        INSERT INTO Person (first, last, isGuest, home)
        SELECT first, last, 0, (SELECT objectID FROM City WHERE name = city) FROM Member;
        INSERT INTO Person (first, last, isGuest, home)
        SELECT first, last, 1, (SELECT objectID FROM City WHERE name = city) FROM Guest;
        """,
    ].mapValues { .before($0) }

    static let handlers: [Int: CustomStageWork] = [
        1: .before { context in
            for entity in ["Member", "Guest"] {
                try context.fetch(entity) { object in
                    guard let name = try object.value("name").text else { return }
                    let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
                    let last: SQLiteValue = parts.count > 1 ? .text(parts[1]) : .null
                    let first = SQLiteValue.text(parts[0])
                    try context.update(entity, object.id, ["first": first, "last": last])
                }
            }
        },
        2: .before { context in
            for list in try context.objects("Playlist") {
                for song in try context.destinations("Playlist", "songs", of: list.id) {
                    try context.link("Playlist", "tracks", from: list.id, to: song)
                }
            }
        },
        3: .before { context in
            for (entity, isGuest) in [("Member", Int64(0)), ("Guest", 1)] {
                try context.fetch(entity) { object in
                    var values = ["isGuest": SQLiteValue.integer(isGuest)]
                    for name in ["first", "last"] { values[name] = try object.value(name) }
                    let name = try object.value("city")
                    if name != .null {
                        let city = try context.findOrCreate("City", ["name": name])
                        values["home"] = .integer(city)
                    }
                    try context.insert("Person", values)
                }
            }
        },
    ]

    /// The same work as value expressions, which go from version to version at once.
    static let maps: [Int: CustomStageWork] = [
        1: """
        entities:
          - from: Member
            to: Member
            set: &name
              first: {split: [$source.name, ' ', 0]}
              last: {rest: [$source.name, ' ', 1]}
          - {from: Guest, to: Guest, set: *name}
        """,
        2: """
        entities:
          - {from: Playlist, to: Playlist, set: {tracks: $source.songs}}
        """,
        3: """
        entities:
          - {from: Member, to: City, findOrCreate: name, copyRest: false, set: {name: $source.city}}
          - {from: Guest, to: City, findOrCreate: name, copyRest: false, set: {name: $source.city}}
          - from: Member
            to: Person
            set: {isGuest: false, home: {find: {entity: City, key: name, equals: $source.city}}}
          - from: Guest
            to: Person
            set: {isGuest: true, home: {find: {entity: City, key: name, equals: $source.city}}}
        """,
    ].mapValues { .mapped($0) }

    /// The stages for value expressions: each goes directly to the version that the next one starts from.
    static let mapManager = StagedMigrationManager([
        StageModels.custom(1, 2, "columns"), StageModels.custom(2, 3, "split the name"),
        StageModels.custom(3, 4, "keep the order"), StageModels.custom(4, 5, "people"),
    ])

    static let ways = [
        ("scripts", scripts, manager), ("handlers", handlers, manager), ("maps", maps, mapManager),
    ]

    @Test(arguments: ways.indices)
    func `a store goes through five versions with work in between`(index: Int) throws {
        try StageModels.with { store in
            let (_, works, manager) = Self.ways[index]
            let migration = try Migration(of: store.file(), by: manager, works: works)
            let stages = store.place("Stages")
            var options = MigrationOptions(acceptsLosses: .all, stagesFolder: stages)
            let result = try store.result(of: migration, options)
            #expect(try StageModels.summary(of: result.path) == StageModels.expected)
            #expect(try verify(result, against: StageModels.v5).map(\.description) == [])
            let kept = try FileManager.default.contentsOfDirectory(atPath: stages).sorted()
            #expect(kept.count == migration.route.steps.count)
            for (name, step) in zip(kept, migration.route.steps) {
                let file = try StoreFile(path: stages + "/" + name)
                let findings = try verify(file, against: step.destination.model)
                #expect(findings.map(\.description) == [], "\(name)")
            }
            options.stagesFolder = store.place("Again")
            try migration.runInPlace(path: store.path, options: options)
            #expect(try StageModels.summary(of: store.path) == StageModels.expected)
        }
    }

    typealias Refusal = (script: String, reason: String, line: Int)

    static let refusals: [Refusal] = [
        ("ATTACH 'x.db' AS x", "ATTACH", 1), ("SELECT 1;\n  PRAGMA user_version = 3", "PRAGMA", 2),
        ("DROP TABLE ZSONG", "schema", 1), ("CREATE TEMP TABLE x (a)", "schema", 1),
        ("DROP VIEW Song", "schema", 1), ("COMMIT", "one transaction", 1),
        ("DELETE FROM Z_METADATA", "writing to Z_METADATA", 1),
        ("UPDATE ZSONG SET ZTITLE = 'x'", "writing to ZSONG", 1),
        ("SELECT load_extension('x')", "load_extension", 1),
        ("SELECT readfile('/etc/passwd')", "readfile", 1),
        ("UPDATE Song SET titel = 1", "titel", 1),
        ("UPDATE Song SET objectID = 99", "cannot change", 1),
        ("INSERT INTO Nothing VALUES (1)", "Nothing", 1), ("VACUUM", "VACUUM", 1),
        ("VACUUM INTO 'copy.db'", "VACUUM", 1),
        ("UPDATE Song SET playlist = 77", "dangling-reference", 1),
        ("INSERT INTO Playlist_songs (source, destination) VALUES (1, 77)", "no such object", 1),
        ("UPDATE Playlist_songs SET destination = 77", "no such object", 1),
        ("UPDATE Song SET title = 'x' WHERE 0) OR (1", "syntax error", 1),
        ("UPDATE Song SET title = 'x', Z_ENT = 1", "Z_ENT", 1),
        ("UPDATE Song SET title = 1 WHERE 0\0; DROP", "zero character", 1),
        ("SELECT fts3_tokenizer('simple')", "fts3_tokenizer", 1),
        ("SELECT writefile('/tmp/x', 1)", "writefile", 1), ("SELECT * FROM fsdir('/')", "fsdir", 1),
        ("SELECT * FROM pragma_journal_mode('off')", "schema", 1),
        ("SELECT * FROM pragma_table_info('ZSONG')", "not use", 1),
        ("UPDATE sqlite_master SET sql = ''", "sqlite_master", 1),
        ("DELETE FROM temp.sqlite_master", "sqlite_", 1),
        ("CREATE VIRTUAL TABLE temp.x USING fts5(a)", "schema", 1),
        (
            "CREATE TEMP TRIGGER t INSTEAD OF DELETE ON Song BEGIN DELETE FROM Z_METADATA; END",
            "schema", 1
        ),
        ("ALTER TABLE ZSONG RENAME TO x", "schema", 1),
        ("DROP TRIGGER temp.momtool_insert_Song", "schema", 1), ("REINDEX", "schema", 1),
        ("ANALYZE", "schema", 1), ("DETACH main", "ATTACH", 1),
        ("SAVEPOINT x", "one transaction", 1),
        ("EXPLAIN DELETE FROM Z_METADATA", "writing to Z_METADATA", 1),
        ("WITH Song AS (SELECT 1) DELETE FROM main.Z_PRIMARYKEY", "writing to Z_PRIMARYKEY", 1),
        ("INSERT INTO main.ZSONG (Z_PK) VALUES (9)", "writing to ZSONG", 1),
        ("REPLACE INTO Z_METADATA VALUES (1, 2, 3)", "writing to", 1),
    ]

    private func outcome(
        _ script: String,
        timeout: Duration? = nil,
        cancellation: MigrationCancellation? = nil
    ) throws -> (error: StoreMigrationError?, isUnchanged: Bool) {
        try outcome(.before(script), MigrationOptions(timeout: timeout, cancellation: cancellation))
    }

    private func outcome(
        _ work: CustomStageWork,
        _ options: MigrationOptions
    ) throws -> (error: StoreMigrationError?, isUnchanged: Bool) {
        try StageModels.with { store in
            let migration = try Migration(of: store, StageModels.custom(1, 2, "stage"), work)
            var failure: StoreMigrationError?
            do throws(StoreMigrationError) {
                try migration.runInPlace(path: store.path, options: options)
            } catch {
                failure = error
            }
            let checksum = try store.file().metadata().hashes.checksum
            return (failure, checksum == StageModels.versions[0].checksum)
        }
    }

    @Test(arguments: refusals.indices)
    func `a script is confined to the store that it was given`(index: Int) throws {
        let refusal = Self.refusals[index]
        let (error, isUnchanged) = try outcome(refusal.script)
        let text = try #require(error).description
        #expect(text.contains(refusal.reason), "\(text)")
        if case .script(_, let line, _, _) = try #require(error) { #expect(line == refusal.line) }
        #expect(isUnchanged)
    }

    @Test func `a handler that does not end is stopped at its next call`() throws {
        let endless: [@Sendable (StoreContext) throws -> Void] = [
            { while true { _ = try $0.count("Song") } },
            { context in
                try context.fetch("Song") { _ in Thread.sleep(forTimeInterval: 0.1) }
                Issue.record("all songs were seen")
            },
            { context in
                while true { try context.fetch("Song") { try context.update("Song", $0.id, [:]) } }
            },
            { try $0.fetch("Song") { _ in Thread.sleep(forTimeInterval: 1) } },
        ]
        for handler in endless {
            let options = MigrationOptions(timeout: .milliseconds(150))
            let (error, isUnchanged) = try outcome(.before(handler), options)
            #expect(error?.isInterruption(isTimeout: true) == true, "\(String(describing: error))")
            #expect(isUnchanged)
        }
    }

    @Test func `progress tells stages, rows and the time that is left`() throws {
        let all = try told(Self.manager, Self.scripts)
        let done = all.filter(\.isStageFinished)
        #expect(done.map(\.stage) == [0, 1, 2, 3])
        #expect(done.allSatisfy { $0.stageCount == 4 && $0.timeLeft == nil })
        let labels = ["lightweight V1 → V2", "split the name", "keep the order", "people"]
        #expect(done.map(\.label) == labels)
        // Two members and two guests are split, then two tables are rebuilt without the name.
        let split = all.filter { $0.title.hasPrefix("split the name: before") }
        #expect(split.first?.knownRows == 11)
        #expect(split.last?.stepRows == 4)
        #expect(all.map(\.rows) == all.map(\.rows).sorted())

        let stage = StagedMigrationManager([StageModels.custom(1, 2, "stage")])
        var half = try #require(try told(stage, [:]).last)
        (half.stepRows, half.knownRows, half.isFinished) = (250, 1000, false)
        half.stepTime = .seconds(2)
        #expect(half.timeLeft == .seconds(6))
        (half.stageRows, half.stageTime) = (500, .seconds(4))
        #expect(half.rate == 125)
    }

    private func told(
        _ stages: StagedMigrationManager,
        _ works: [Int: CustomStageWork]
    ) throws -> [MigrationProgress] {
        try StageModels.with { store in
            let migration = try Migration(of: store.file(), by: stages, works: works)
            let told = Locked<[MigrationProgress]>([])
            let options = MigrationOptions(acceptsLosses: .all) { progress in
                told.withLock { $0.append(progress) }
            }
            try migration.runInPlace(path: store.path, options: options)
            let all = told.withLock { $0 }
            #expect(all.filter(\.isFinished).count == migration.route.steps.count)
            return all
        }
    }

    @Test func `a script that does not end is stopped`() throws {
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        let (error, isUnchanged) = try outcome(endless, timeout: .milliseconds(50))
        #expect(error?.isInterruption(isTimeout: true) == true, "\(String(describing: error))")
        #expect(isUnchanged)
        let cancellation = MigrationCancellation()
        cancellation.cancel()
        let (cancelled, isStillUnchanged) = try outcome(endless, cancellation: cancellation)
        #expect(cancelled?.isInterruption(isTimeout: false) == true)
        #expect(isStillUnchanged)
    }
}

extension StoreMigrationError {
    fileprivate func isInterruption(isTimeout: Bool) -> Bool {
        if case .interrupted(_, isTimeout) = self { true } else { false }
    }
}

import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct StoreCreationTests {
    @Test func `a created store has the layout, keys and metadata of its model`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/new.sqlite"
            let archive = Data("a model".utf8)
            let options = StoreCreationOptions(keepsHistory: true, modelCache: .archive(archive))
            try createStore(at: path, model: .library, options: options)
            let file = try StoreFile(path: path)
            let metadata = try file.metadata()
            #expect(metadata.hashes == versionHashes(of: .library))
            #expect(metadata.digest == metadata.hashes.digest)
            #expect(metadata.checksum == metadata.hashes.checksum)
            #expect(metadata.uuid == options.uuid.uuidString)
            #expect(metadata.applicationKeys == [])
            #expect(try Comparison(of: file, metadata, .library).differences == [])
            #expect(try file.modelArchive() == archive)
            #expect(try file.integrityFaults() == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["new.sqlite"])
        }
    }

    @Test func `the model cache of a created store holds its model`() throws {
        try withTemporaryFolder { folder in
            try createStore(at: folder + "/new.sqlite", model: .library)
            let file = try StoreFile(path: folder + "/new.sqlite")
            let archive = try #require(try file.modelArchive())
            let cached = readCompiledModel(archive, path: file.path)
            #expect(cached.diagnostics == [])
            #expect(versionHashes(of: cached.value) == versionHashes(of: .library))
            #expect(StoreLayout(model: cached.value) == StoreLayout(model: .library))
        }
    }

    @Test(arguments: [("page_size", 4096), ("auto_vacuum", 2), ("user_version", 0)])
    func `a created store has Core Data's file settings`(pragma: String, value: Int64) throws {
        try withTemporaryFolder { folder in
            try createStore(at: folder + "/new.sqlite", model: .library)
            let file = try StoreFile(path: folder + "/new.sqlite")
            #expect(try file.connection.value("PRAGMA \(pragma)") == .integer(value))
            let header = try Data(contentsOf: URL(fileURLWithPath: folder + "/new.sqlite"))
            #expect(Array(header[18...19]) == [2, 2])
        }
    }

    @Test func `a file in the way is left alone`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/new.sqlite"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: StoreError.alreadyExists(path: path)) {
                try createStore(at: path, model: .library)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        }
    }

    @Test func `a failure leaves nothing behind`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/new.sqlite"
            #expect(throws: Self.failure) { try Self.createAndFail(at: path) }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left == [])
        }
    }

    private static let failure = StoreError.damagedMetadata(path: "", reason: "")

    private static func createAndFail(at path: String) throws(StoreError) {
        try createStore(at: path, model: .library) { _, _ throws(StoreError) in throw failure }
    }

    /// Entities with what makes tables, join tables, indexes and triggers.
    private static func wide(_ count: Int) -> ManagedObjectModel {
        let names = (0..<count).map { "E\($0)" }
        return ManagedObjectModel(
            entities: names.map { name in
                func relationship(_ own: String, _ inverse: String) -> Relationship {
                    Relationship(
                        name: own,
                        isToMany: true,
                        destinationEntity: name,
                        inverseName: inverse
                    )
                }
                return Entity(
                    name,
                    [Attribute(name: "a", type: .string, isIndexed: true)],
                    relationships: [relationship("r", "s"), relationship("s", "r")],
                    uniquenessConstraints: [UniquenessConstraint(properties: ["a"])]
                )
            }
        )
    }

    @Test func `a schema of thousands of objects is the same however it is written`() throws {
        try withTemporaryFolder { folder in
            let layout = StoreLayout(model: Self.wide(40))
            func schema(stride: Int) throws -> [[SQLiteValue]] {
                let path = "\(folder)/\(stride).sqlite"
                let connection = try SQLiteConnection(path: path, mode: .create)
                try connection.execute("PRAGMA auto_vacuum = 2")
                try connection.execute("BEGIN IMMEDIATE")
                try SchemaBuilding.run(
                    (layout.tables.map(\.createSQL) + layout.joinTables.map(\.createSQL))
                        .map { .table($0) },
                    on: connection,
                    stride: stride
                )
                try connection.execute(
                    "INSERT INTO ZE7 (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 8, 1, 'x')"
                )
                let indexes = layout.indexes.map { ($0.table, $0.sql) }
                let triggers = (0..<30).map { number in
                    let sql =
                        "CREATE TRIGGER t\(number) AFTER INSERT ON ZE\(number) BEGIN SELECT 1; END"
                    return ("ZE\(number)", sql)
                }
                for objects in [indexes, triggers] {
                    try SchemaBuilding.run(
                        objects.map { .object(of: $0.0, $0.1) },
                        on: connection,
                        stride: stride
                    )
                }
                try connection.execute("COMMIT")
                #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
                #expect(
                    try connection.rows("SELECT Z_PK FROM ZE7 WHERE ZA = 'x'") == [[.integer(1)]]
                )
                return try connection.rows("SELECT rowid, * FROM sqlite_master ORDER BY rowid")
            }
            let plain = try schema(stride: 10_000)
            #expect(plain.count > 200)
            #expect(try schema(stride: 7) == plain)
            #expect(try schema(stride: 1) == plain)
        }
    }

    /// The processor time of this thread alone: other tests run beside it.
    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// SQLite reads its whole schema for each `CREATE`, and 16 times the entities once took 200 times as long.
    @Test func `the time of a creation grows as the entities do`() throws {
        try withTemporaryFolder { folder in
            func time(_ count: Int) throws -> Double {
                let start = Self.threadTime
                try createStore(at: "\(folder)/\(count).sqlite", model: Self.wide(count))
                return Self.threadTime - start
            }
            let few = try time(250)
            let many = try time(4_000)
            #expect(many < 64 * few, "\(many / few)")
        }
    }

    @Test func `names that are no plain SQL make a store too`() throws {
        try withTemporaryFolder { folder in
            let odd = "x\"; DROP TABLE Z_METADATA; --"
            let model = ManagedObjectModel([
                Entity(
                    odd,
                    [
                        Attribute("a b'c", .string),
                        Attribute(name: odd, type: .integer16, isIndexed: true),
                    ],
                    uniquenessConstraints: [UniquenessConstraint(properties: ["a b'c"])]
                )
            ])
            try createStore(at: folder + "/odd.sqlite", model: model)
            let file = try StoreFile(path: folder + "/odd.sqlite")
            #expect(try file.primaryKeys().map(\.name) == [odd])
            #expect(try file.schema().filter { $0.kind == .table }.count == 4)
        }
    }
}

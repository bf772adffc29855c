import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct StoreFileTests {
    @Test func `a path without a file is refused`() {
        #expect(throws: StoreError.noSuchFile(path: "/nowhere/at/all.sqlite")) {
            try StoreFile(path: "/nowhere/at/all.sqlite")
        }
    }

    @Test(arguments: [
        ("", false), ("SQLite", false), (String(repeating: "plain text ", count: 500), false),
    ])
    func `a file that is no database is refused`(content: String, mayBeEncrypted: Bool) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: StoreError.notADatabase(path: path, mayBeEncrypted: mayBeEncrypted)) {
                try StoreFile(path: path)
            }
        }
    }

    @Test func `pages of random bytes are taken for an encrypted database`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(throws: StoreError.notADatabase(path: path, mayBeEncrypted: true)) {
                try StoreFile(path: path)
            }
        }
    }

    @Test(arguments: [
        (
            "<?xml version=\"1.0\"?><!DOCTYPE database SYSTEM \"file:///CoreData.dtd\">",
            OtherStore.xml
        ),
        ("core\0\0\0\u{10}bplist00", .binary),
        ("core dumped", nil), (String(repeating: "\0", count: 16) + "T-DB\t\t\0\0", .realm),
        ("<?xml version=\"1.0\"?><plist/>", nil),
    ])
    func `a file of another kind of store is known by its first bytes`(
        content: String,
        kind: OtherStore?
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.store"
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            #expect(OtherStore(at: path) == kind)
        }
    }

    @Test(arguments: [
        ("ecdBook", OtherStore.encrypted), ("grdb_migrations", .grdb), ("Book", nil),
    ])
    func `a database of another library is known by its tables`(
        table: String,
        kind: OtherStore?
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try SQLiteConnection(path: path, mode: .create).execute("CREATE TABLE \(table) (id)")
            #expect(OtherStore(at: path) == kind)
        }
    }

    @Test func `a folder is no database`() throws {
        try withTemporaryFolder { folder in
            #expect(throws: StoreError.notADatabase(path: folder, mayBeEncrypted: false)) {
                try StoreFile(path: folder)
            }
        }
    }

    @Test func `a pipe is no database`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/pipe.sqlite"
            try #require(mkfifo(path, 0o600) == 0)
            #expect(throws: StoreError.notADatabase(path: path, mayBeEncrypted: false)) {
                try StoreFile(path: path)
            }
        }
    }

    @Test func `a store behind a symbolic link is read with its write-ahead log`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            let writer = try SQLiteConnection(path: path, mode: .readWrite)
            try writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_ENT = 1")
            let link = folder + "/link.sqlite"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            #expect(try StoreFile(path: link).primaryKeys().first?.maximumKey == 5)
        }
    }

    @Test func `a database without metadata is no store`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let connection = try SQLiteConnection(path: path, mode: .create)
            try connection.execute("CREATE TABLE T (A)")
            #expect(throws: StoreError.notAStore(path: path, missing: "Z_METADATA")) {
                try StoreFile(path: path)
            }
        }
    }

    @Test func `a view in the place of the metadata is not run`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let connection = try SQLiteConnection(path: path, mode: .create)
            try connection.execute("CREATE VIEW Z_METADATA AS SELECT 1 AS Z_VERSION")
            #expect(throws: StoreError.notAStore(path: path, missing: "Z_METADATA")) {
                try StoreFile(path: path)
            }
        }
    }

    @Test func `a store that was cut off is refused`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            try whole.dropLast(4096).write(to: URL(fileURLWithPath: path))
            let error = StoreError.truncated(
                path: path,
                expected: Int64(whole.count),
                actual: Int64(whole.count - 4096)
            )
            #expect(throws: error) { try StoreFile(path: path) }
        }
    }

    @Test func `a store with any page overwritten never brings the reader down`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            var refused = 0
            for offset in stride(from: 0, to: whole.count, by: 512) {
                var damaged = whole
                for index in offset..<min(offset + 64, whole.count) { damaged[index] = 0xA5 }
                try damaged.write(to: URL(fileURLWithPath: path))
                if (try? readAll(path)) == nil { refused += 1 }
            }
            #expect(refused > 0)
        }
    }

    @Test func `rows in the write-ahead log are read and nothing is left or changed beside it`()
        throws
    {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            let writer = try SQLiteConnection(path: path, mode: .readWrite)
            try writer.execute("PRAGMA wal_autocheckpoint = 0")
            try writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 77 WHERE Z_ENT = 1")
            let copy = folder + "/copy"
            try FileManager.default.createDirectory(
                atPath: copy,
                withIntermediateDirectories: false
            )
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: path + suffix,
                    toPath: copy + "/a.sqlite" + suffix
                )
            }
            let before = try contents(of: copy)
            let file = try StoreFile(path: copy + "/a.sqlite")
            #expect(try file.primaryKeys().first?.maximumKey == 77)
            let after = try contents(of: copy)
            #expect(before == after)
        }
    }

    @Test func `a good write-ahead log that took the metadata is not to blame`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            let writer = try SQLiteConnection(path: path, mode: .readWrite)
            try writer.execute("PRAGMA wal_autocheckpoint = 0")
            try writer.execute("DELETE FROM Z_METADATA")
            let file = try StoreFile(path: path)
            #expect(try file.connection.value("SELECT count(*) FROM Z_METADATA") == .integer(0))
            withExtendedLifetime(writer) {}
        }
    }

    @Test func `a write that was cut short is undone in a copy, not in place`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            let writer = try SQLiteConnection(path: path, mode: .readWrite)
            try writer.execute("PRAGMA journal_mode = DELETE")
            try writer.execute("PRAGMA cache_size = 1")
            try writer.execute("BEGIN")
            try writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 99")
            for _ in 0..<50 {
                try writer.execute("INSERT INTO ZTAG (ZLABEL) VALUES (hex(randomblob(2000)))")
            }
            let copy = folder + "/copy.sqlite"
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: copy))
            let file = try StoreFile(path: copy)
            #expect(try file.primaryKeys().map(\.maximumKey) == [0, 0, 0, 0])
            #expect(try file.rowCounts(of: try file.schema()) == [:])
            let after = try Data(contentsOf: URL(fileURLWithPath: copy))
            #expect(before == after)
        }
    }

    @Test(arguments: [("", 0x4000_0001), ("-shm", 120)])
    func `a store that another process writes is refused`(suffix: String, offset: Int) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            if !suffix.isEmpty {
                try Data(count: 32768).write(to: URL(fileURLWithPath: path + suffix))
            }
            let descriptor = open(path + suffix, O_RDWR)
            defer { close(descriptor) }
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            lock.l_start = off_t(offset)
            lock.l_len = 1
            // A lock of the open file rather than of the process, so that it blocks this process too.
            try #require(fcntl(descriptor, 37, &lock) == 0)
            #expect(throws: StoreError.inUse(path: path)) { try StoreFile(path: path) }
            lock.l_type = Int16(F_UNLCK)
            try #require(fcntl(descriptor, 37, &lock) == 0)
            #expect(throws: Never.self) { try StoreFile(path: path) }
        }
    }

    @Test func `a store in a folder that cannot be written is read`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library)
            for (name, mode) in [(path, 0o400), (folder, 0o500)] {
                let attributes = [FileAttributeKey.posixPermissions: mode]
                try FileManager.default.setAttributes(attributes, ofItemAtPath: name)
            }
            let count = try StoreFile(path: path).primaryKeys().count
            #expect(count == 4)
            let attributes = [FileAttributeKey.posixPermissions: 0o700]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: folder)
        }
    }

    @Test func `a row with the number of another table's entity is not that entity's`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .library) { connection, _ throws(StoreError) in
                try connection.execute("INSERT INTO ZTAG (Z_ENT, ZLABEL) VALUES (4, 'x'), (1, 'y')")
            }
            let file = try StoreFile(path: path)
            #expect(try file.rowCounts(of: file.schema()) == [4: 1])
        }
    }

    @Test func `a snapshot says what is in a store`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let options = StoreCreationOptions(keepsHistory: true)
            try createStore(at: path, model: .library, options: options) {
                connection,
                _ throws(StoreError) in
                try connection.execute("INSERT INTO ZTAG (Z_ENT, ZLABEL) VALUES (4, 'x'), (4, 'y')")
                try connection.execute("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
            }
            let file = try StoreFile(path: path)
            let snapshot = try StoreSnapshot(of: file)
            #expect(snapshot.rowCounts == [4: 2])
            #expect(snapshot.hasHistory)
            #expect(snapshot.cloudKitTables == ["ANSCKEVENT"])
            #expect(snapshot.pageSize == 4096)
            #expect(try file.setting("auto_vacuum") == 2)
            #expect(snapshot.systemName == "iOS 26 / macOS 26")
        }
    }

    @Test(arguments: [
        (1, nil), (241, "iPhone OS 3 / Mac OS X 10.6"), (851, "iOS 11 / macOS 10.13"),
        (1526, "iOS 26 / macOS 26"),
    ])
    func `a framework version has the name of its system`(version: Int, name: String?) {
        #expect(FrameworkVersion.systemName(version) == name)
    }

    @Test func `a compressed model that unpacks beyond the limit is refused`() throws {
        let bomb = deflate(Data(count: 1 << 20))
        #expect(throws: InflatingError.tooLarge(limit: 1000)) { try inflate(bomb, limit: 1000) }
        #expect(try inflate(bomb, limit: 1 << 20) == Data(count: 1 << 20))
        #expect(throws: InflatingError.truncated) { try inflate(bomb.dropLast(20), limit: 1 << 20) }
        #expect(throws: InflatingError.damaged) {
            try inflate(Data(repeating: 0xFF, count: 99), limit: 1 << 20)
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `every model cache of the corpus is a property list`() throws {
        var count = 0
        for path in CorpusStores.paths {
            guard let archive = try StoreFile(path: Corpus.path(path)).modelArchive() else {
                continue
            }
            #expect(archive.starts(with: Data("bplist00".utf8)), "\(path)")
            count += 1
        }
        #expect(count >= 30)
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `the digest and checksum of a store are those of its hashes`() throws {
        for path in CorpusStores.paths {
            let metadata = try StoreFile(path: Corpus.path(path)).metadata()
            #expect(metadata.hashesVersion == 3)
            if let digest = metadata.digest { #expect(digest == metadata.hashes.digest) }
            if let checksum = metadata.checksum { #expect(checksum == metadata.hashes.checksum) }
        }
    }

    private func readAll(_ path: String) throws {
        let file = try StoreFile(path: path)
        _ = try file.metadata()
        _ = try file.primaryKeys()
        _ = try file.rowCounts(of: try file.schema())
        _ = try file.modelArchive()
        if let fault = try file.integrityFaults().first { throw Fault(text: fault) }
    }

    private struct Fault: Error { var text: String }

    private func contents(of folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
            }
        )
    }
}

import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// `momtool create --like`: a new store with the layout of another.
struct LikeStoreTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    /// Makes a store with what an old framework and a migration left in it.
    private func oldStore(in folder: URL) throws -> URL {
        let old = folder.appending(path: "Old.sqlite")
        let made = try momtool("create", old.path, "--model", Self.model, "--version", "V1", "-q")
        try #require(made.status == 0, "\(made.errors)")
        let connection = try SQLiteConnection(path: old.path, mode: .readWrite)
        try connection.execute("ALTER TABLE ZBOOK ADD COLUMN ZLATER VARCHAR")
        try connection.execute("CREATE INDEX ZBOOK_ZTITLE_INDEX ON ZBOOK (ZTITLE)")
        return old
    }

    private func schema(_ store: URL) throws -> Set<String> {
        let connection = try SQLiteConnection(path: store.path, mode: .immutable)
        let rows = try connection.rows("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        return Set(rows.compactMap { $0[0].text })
    }

    @Test func `a store is laid out like another, rows and all`() throws {
        try withFolder { folder in
            let old = try oldStore(in: folder)
            let rows = folder.appending(path: "Rows.json")
            let library = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            let exported = try momtool("export", library, "-o", rows.path, "--model", Self.model)
            try #require(exported.status == 0, "\(exported.errors)")
            let new = folder.appending(path: "New.sqlite")
            let version = ["--model", Self.model, "--version", "V1"]
            let arguments = ["create", new.path, "--rows", rows.path, "--like", old.path]
            let result = try momtool(arguments + version)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try schema(new) == schema(old))
            let again = folder.appending(path: "Again.json")
            let back = try momtool("export", new.path, "-o", again.path)
            #expect(back.status == 0, "\(back.errors)")
            #expect(try Data(contentsOf: again) == Data(contentsOf: rows))
        }
    }

    @Test func `a model that is read from a store brings its layout`() throws {
        try withFolder { folder in
            let old = try oldStore(in: folder)
            let new = folder.appending(path: "New.sqlite")
            let result = try momtool("create", new.path, "--model", old.path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try schema(new) == schema(old))
        }
    }

    @Test func `a store of another version, and what is no store, are refused`() throws {
        try withFolder { folder in
            let old = try oldStore(in: folder)
            let new = folder.appending(path: "New.sqlite")
            let version = ["--model", Self.model, "--version", "V2"]
            let other = try momtool(["create", new.path, "--like", old.path] + version)
            #expect(other.status == 64)
            #expect(other.errors.contains("the store is of another version than 'V2'"))
            let missing = folder.appending(path: "Missing.sqlite").path
            let none = try momtool(["create", new.path, "--like", missing] + version)
            #expect(none.status == 66)
            #expect(!FileManager.default.fileExists(atPath: new.path))
        }
    }
}

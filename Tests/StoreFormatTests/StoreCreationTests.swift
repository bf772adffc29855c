import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import Testing

@testable import StoreFormat

@Suite(.timeLimit(.minutes(30)))
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

    @Test func `names that are no plain SQL make a store too`() throws {
        try withTemporaryFolder { folder in
            let odd = "x\"; DROP TABLE Z_METADATA; --"
            let model = ManagedObjectModel(entities: [
                Entity(
                    name: odd,
                    attributes: [
                        Attribute(name: "a b'c", type: .string),
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

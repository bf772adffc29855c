import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import SwiftDataReading
import TestSupport
import Testing

@Suite(.enabled(if: readsSwiftSources && Corpus.isPresent))
struct VectorTests {
    struct Vector: Decodable {
        var repo: String
        var files: [String]
        var schema: String
        var store: String?
        var version_identifier: String
        var entity: String
        var hash: String
        var model_checksum: String?

        func models() throws -> Diagnosed<SwiftModels> {
            let folder = repo.replacing("/", with: "+")
            let sources = try files.map { file in
                let data = try Data(contentsOf: Corpus.folder.appending(path: "\(folder)/\(file)"))
                return SwiftSource(path: file, bytes: Array(data))
            }
            return readSwiftModels(sources)
        }

        func version(_ models: SwiftModels) -> SwiftModelVersion? {
            models.version(named: schema == "top level" ? "unversioned" : schema)
        }
    }

    struct Prediction: Decodable {
        var `case`: String
        var schema: String?
        var source: String
        var hashes: [String: String]
        var checksum: String
    }

    @Test func `real sources give the hashes that Apple's framework wrote`() throws {
        let vectors = try Corpus.lines("swiftdata_vectors.jsonl", as: Vector.self)
        #expect(vectors.count >= 23)
        for vector in vectors {
            let models = try vector.models()
            #expect(models.messages == [])
            let version = try #require(vector.version(models.value))
            #expect(version.hashes[vector.entity] == vector.hash, "\(vector.entity)")
            #expect(version.identifier == vector.version_identifier)
            if let checksum = vector.model_checksum {
                #expect(versionHashes(of: version.model).checksum == checksum)
            }
        }
    }

    @Test func `invented sources give what the rules give`() throws {
        let predictions = try Corpus.lines("../spec/swiftdata-predicted.jsonl", as: Prediction.self)
        #expect(predictions.count >= 23)
        for prediction in predictions {
            let models = read(prediction.source)
            #expect(models.messages == [], "\(prediction.case)")
            let name = prediction.schema ?? SwiftModelVersion.unversionedName
            let version = try #require(models.value.version(named: name))
            #expect(version.hashes == prediction.hashes, "\(prediction.case)")
            #expect(versionHashes(of: version.model).checksum == prediction.checksum)
        }
    }

    @Test func `every entity of a large model is understood, and its checksum stays`() throws {
        let vectors = try Corpus.lines("swiftdata_vectors.jsonl", as: Vector.self)
        let vector = try #require(vectors.first { $0.repo == "dashpay/platform" })
        let version = try #require(vector.version(try vector.models().value))
        #expect(version.model.entities.count == 34)
        #expect(version.spoiledEntities == [])
        let checksum = versionHashes(of: version.model).checksum
        #expect(checksum == "wOm/tD2jkxoKsyP7GFXVNeebjqpLZbKZZ4EqYLkwlMk=")
    }

    @Test func `the model in a store is the one that its sources give`() throws {
        let vectors = try Corpus.lines("swiftdata_vectors.jsonl", as: Vector.self)
        let vector = try #require(vectors.first { $0.store != nil })
        let version = try #require(vector.version(try vector.models().value))
        let folder = vector.repo.replacing("/", with: "+")
        let store = try StoreFile(path: Corpus.path("\(folder)/\(try #require(vector.store))"))
        #expect(try store.metadata().hashes == versionHashes(of: version.model))
        let archive = try #require(try store.modelArchive())
        let cached = readCompiledModel(archive, path: store.path).value
        let read = version.model
        #expect(cached.entities.count == read.entities.count)
        for entity in read.entities {
            #expect(cached.entities.first { $0.name == entity.name } == entity, "\(entity.name)")
        }
        #expect(cached.composites == read.composites)
        #expect(cached.versionIdentifiers == read.versionIdentifiers)
        #expect(cached.configurations == read.configurations)
    }
}

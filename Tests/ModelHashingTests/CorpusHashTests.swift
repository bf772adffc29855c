import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusHashTests {
    struct Vector: Decodable {
        var model: String
        var entity: String
        var hash: String
    }

    struct Checksum: Decodable {
        var model: String?
        var hashes: [String: String]
        var checksum: String?
        var digest: String?
        var written_by: String
    }

    @Test func `every recorded entity hash is computed from the model's source`() throws {
        let vectors = try Corpus.lines("vectors.jsonl", as: Vector.self)
        var hashes: [String: ModelHashes] = [:]
        for vector in vectors {
            if hashes[vector.model] == nil {
                let bundle = readModelBundle(at: Corpus.path(vector.model))
                let model = try #require(bundle.value.currentVersion?.model)
                hashes[vector.model] = versionHashes(of: model)
            }
            let hash = hashes[vector.model]?.entities[vector.entity]?.hex
            #expect(hash == vector.hash, "\(vector.entity) of \(vector.model)")
        }
        #expect(vectors.count >= 444)
    }

    @Test func `every recorded checksum and digest is computed from the recorded hashes`() throws {
        let lines = try Corpus.lines("checksums.jsonl", as: Checksum.self)
        var strangers: [String] = []
        for line in lines {
            let hashes = ModelHashes(
                entities: line.hashes.compactMapValues { VersionHash(hex: $0) }
            )
            if let checksum = line.checksum { #expect(hashes.checksum == checksum) }
            if let digest = line.digest { #expect(hashes.digest == digest) }
            guard let path = line.model else { continue }
            let bundle = readModelBundle(at: Corpus.path(path))
            let model = try #require(bundle.value.currentVersion?.model)
            if versionHashes(of: model) != hashes { strangers.append(line.written_by) }
        }
        #expect(lines.count >= 38)
        // Written by a version of the model that the corpus does not hold: the model was edited in place.
        #expect(strangers.filter { !$0.contains("cb4e6cd0da") } == [])
    }

    @Test func `no model of the corpus is reported as broken`() {
        let contents = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        for path in contents {
            let model = readModelBundle(at: Corpus.path(path))
            #expect(model.diagnostics.map(\.description) == [], "\(path)")
        }
        #expect(!contents.isEmpty)
    }
}

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

    static let known: [(model: String, message: String, reason: String)] = [
        (
            "ArtsyPartner.xcdatamodeld", "the inverse 'thumbnail' points back to 'thumbnail'",
            "up to 1.5 'Image.artist' names the inverse of 'Image.thumbnail'"
        )
    ]

    @Test func `no model of the corpus is reported as broken`() {
        let contents = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        var told = 0
        for path in contents {
            let model = readModelBundle(at: Corpus.path(path))
            let unknown = model.diagnostics.filter { diagnostic in
                !Self.known.contains { path.contains($0.model) && diagnostic.message == $0.message }
            }
            #expect(unknown.map(\.description) == [], "\(path)")
            told += model.diagnostics.count
        }
        #expect(told == 7)
        #expect(contents.count >= 180)
    }
}

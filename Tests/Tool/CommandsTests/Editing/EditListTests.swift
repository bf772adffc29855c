import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct EditListTests {
    private struct Pair {
        var path: String
        var old: String
        var new: String
    }

    private static let pairs: [Pair] =
        Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }).flatMap { path -> [Pair] in
            let read = readModelBundle(at: Corpus.path(path))
            let names = read.hasErrors ? [] : read.value.versions.map(\.name)
            let isWhole = names.allSatisfy { name in
                let file = "\(Corpus.path(path))/\(name).xcdatamodel/contents"
                return FileManager.default.fileExists(atPath: file)
            }
            guard isWhole else { return [] }
            return zip(names, names.dropFirst()).map { Pair(path: path, old: $0, new: $1) }
        }

    @Test(.enabled(if: Corpus.isPresent))
    func `the edits between versions of real models give the newer one byte for byte`() throws {
        let pairs = Sweep.part(of: Self.pairs, every: 12)
        #expect(pairs.count > 5)
        try withFolder { folder in
            for (number, pair) in pairs.enumerated() {
                let place = folder.appending(path: "\(number)")
                try makeFolder(place)
                let model = place.appending(path: "M.xcdatamodeld")
                try FileManager.default.copyItem(atPath: Corpus.path(pair.path), toPath: model.path)
                let title = "\(pair)"
                let diff = ["diff", "M.xcdatamodeld", "--from", pair.old, "--to", pair.new]
                try expectRun(diff + ["--format", "edits=e.yml"], in: place, 0)
                let apply = ["model", "apply", "M.xcdatamodeld#\(pair.old)", "e.yml", "--force"]
                try expectRun(apply, in: place, 0)
                let texts = try [pair.old, pair.new].map {
                    try Data(contentsOf: model.appending(path: "\($0).xcdatamodel/contents"))
                }
                let (result, expected) = (Array(texts[0]), Array(texts[1]))
                let isSame =
                    result == expected || result + [0x0A] == expected || result == expected + [0x0A]
                #expect(isSame, "\(title)")
            }
        }
    }
}

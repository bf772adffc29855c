import Diagnostics
import Foundation
import ModelEditing
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct ReplayTests {
    private struct Pair {
        var name: String
        var old: [UInt8]
        var new: [UInt8]
    }

    private static let pairs: [Pair] = Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") })
        .flatMap { path in
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            let texts = versions.compactMap { version in
                let file = "\(Corpus.path(path))/\(version.name).xcdatamodel/contents"
                return FileManager.default.contents(atPath: file).map { [UInt8]($0) }
            }
            return texts.count == versions.count
                ? zip(texts, texts.dropFirst()).map { Pair(name: path, old: $0, new: $1) } : []
        }

    /// Files that end with a newline in only one of two versions; Xcode writes none, and no edit concerns it.
    private static let newlines = [
        "kmitj+JivoSDK-iOS/JivoSDK/Sources/Shared/Models/JVDatabase.xcdatamodeld": 2,
        "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld": 1,
    ]

    /// A file with `renamingIdentifier`, written by hand, which Xcode does not know and has no place for: it was
    /// second, and comes last when it is restored.
    private static let strange = "nextcloud+notes-ios/Source/CoreData/Notes.xcdatamodeld"

    private func checksum(_ text: [UInt8]) -> String {
        let model = readModel(contents: Data(text), path: "contents").value
        return ModelVersion(name: "V", model: model).checksum
    }

    private func withoutFinalNewline(_ text: [UInt8]) -> [UInt8] {
        text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the edits between two versions give the newer one byte for byte`() throws {
        var (equal, withoutNewline): (Int, [String: Int]) = (0, [:])
        for pair in Self.pairs {
            let found = try edits(from: pair.old, to: pair.new, path: "contents")
            let read = try ModelEdit.read(ModelEdit.text(of: found))
            #expect(read == found, "\(pair.name)")
            let result = try edited(pair.old, read, path: "contents")
            if result == pair.new {
                equal += 1
            } else if withoutFinalNewline(result) == withoutFinalNewline(pair.new) {
                withoutNewline[pair.name, default: 0] += 1
            }
            #expect(checksum(result) == checksum(pair.new), "\(pair.name)")
        }
        print("\(equal) of \(Self.pairs.count) versions byte for byte")
        #expect(withoutNewline == Self.newlines)
        #expect(equal + withoutNewline.values.reduce(0, +) == Self.pairs.count)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `edits can be taken back, to the first byte`() throws {
        for pair in Sweep.part(of: Self.pairs, every: 3) {
            let there = try edits(from: pair.old, to: pair.new, path: "contents")
            let newer = try edited(pair.old, there, path: "contents")
            let back = try edits(from: newer, to: pair.old, path: "contents")
            let undone = try edited(newer, back, path: "contents")
            if pair.name == Self.strange {
                #expect(
                    undone.sorted() == pair.old.sorted() && checksum(undone) == checksum(pair.old)
                )
            } else {
                #expect(undone == pair.old, "\(pair.name)")
            }
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `no edits change no byte`() throws {
        for pair in Self.pairs {
            #expect(try edits(from: pair.new, to: pair.new, path: "contents") == [])
            #expect(try edited(pair.new, [], path: "contents") == pair.new)
        }
    }
}

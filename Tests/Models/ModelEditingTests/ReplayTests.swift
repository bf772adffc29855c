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

struct EditMessageTests {
    private static let source = """
        <model><entity name="Book">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="pages" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Page" inverseName="book" inverseEntity="Page"/>
        </entity><entity name="Page">
        <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="pages" inverseEntity="Book"/>
        </entity></model>
        """

    private func fault(_ list: String) -> String {
        do throws(EditFault) {
            _ = try EditedSource(
                Array(Self.source.utf8),
                ModelEdit.read(list),
                path: "contents",
                knowsAll: true
            )
            return ""
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        (
            "[{set: relationship Book.pages, with: {deletionRule: cascade}}]",
            "'Cascade'"
        ),
        (
            "[{set: attribute Book.title, with: {renamingIdentifier: name}}]",
            "'elementID'"
        ),
        ("[{set: attribute Book.title, with: {type: String}}]", "'attributeType'"),
        ("[{set: relationship Book.pages, with: {min: 1}}]", "'minCount'"),
        ("[{move: attribute Book.title, to: Page}]", "entity Page"),
        ("[{move: attribute Book.title}]", "entity Order"),
    ])
    func `what was meant is named`(_ list: String, _ message: String) {
        #expect(fault(list).contains(message), "\(fault(list))")
    }

    @Test func `a delete rule that there is, and edits with it, are taken`() {
        #expect(fault("[{set: relationship Book.pages, with: {deletionRule: No Action}}]") == "")
        #expect(fault("[{move: attribute Book.title, to: entity Page}]") == "")
    }

    @Test func `the edit that is wrong is named in a list, by its line where it has one`() {
        let first = "{add: entity Tag}"
        let applied = fault("[\(first), {set: attribute Book.nope, with: {optional: true}}]")
        #expect(
            applied.hasPrefix("edit 2 (set attribute Book.nope): "),
            "\(applied)"
        )
        let read = fault("[\(first), {move: attribute Book.title, to: Page}]")
        #expect(read.hasPrefix("edit 2 (move attribute Book.title): "), "\(read)")
        let lines = fault("- \(first)\n- \(first)\n- move: attribute Book.title\n  to: Page\n")
        #expect(lines.hasPrefix("edit 3 (move attribute Book.title), line 3: "), "\(lines)")
        let alone = fault("[{set: attribute Book.nope, with: {optional: true}}]")
        #expect(alone.contains("Book.nope") && !alone.hasPrefix("edit "), "\(alone)")
    }
}

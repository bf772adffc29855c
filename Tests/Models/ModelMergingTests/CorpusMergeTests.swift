import Diagnostics
import Foundation
import ModelDiffing
import ModelHashing
import ModelLoading
import ModelMerging
import ObjectModel
import TestSupport
import Testing

struct CorpusMergeTests {
    private static let histories: [(path: String, texts: [[UInt8]])] =
        Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }).compactMap { path in
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            let texts = versions.compactMap { version in
                let file = "\(Corpus.path(path))/\(version.name).xcdatamodel/contents"
                return FileManager.default.contents(atPath: file).map { [UInt8]($0) }
            }
            return texts.count > 1 && texts.count == versions.count ? (path, texts) : nil
        }

    /// The texts of so many successive versions; every third of them on a push.
    private static func successions(of length: Int) -> [(path: String, texts: [[UInt8]])] {
        let all = histories.flatMap { path, texts in
            texts.indices.dropLast(length - 1).map { (path, Array(texts[$0..<$0 + length])) }
        }
        return Sweep.part(of: all, every: 3)
    }

    /// All of a number, or a stride's share of it.
    private static func share(_ count: Int) -> Int { Sweep.count(count, every: 3) }

    private func model(_ text: [UInt8]) -> ManagedObjectModel {
        readModel(contents: Data(text), path: "contents").value
    }

    private func checksum(_ text: [UInt8]) -> String {
        ModelVersion(name: "V", model: model(text)).checksum
    }

    /// The elements that an edit changed; what the next one reverts is unknown to the merge.
    private func changed(_ from: [UInt8], _ to: [UInt8]) -> Set<String?> {
        Set(diff(from: model(from), to: model(to)).changes.map(\.subject.path))
    }

    /// The same model as another Xcode would have left it: entities in another order, other tools, other lines.
    private func noise(_ text: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
        for index in lines.indices {
            if let tools = lines[index].firstRange(of: /lastSavedToolsVersion="[0-9]+"/) {
                lines[index].replaceSubrange(tools, with: "lastSavedToolsVersion=\"99999\"")
            }
        }
        let isPlain = !text.contains(0x0D)
        let starts = lines.indices.filter { lines[$0].hasPrefix("    <entity ") }
        var blocks: [[String]] = []
        if isPlain, let first = starts.first {
            // Entities are in sequence; each ends on its own line, or has a line of its own to end on.
            var end = first
            for start in starts where start == end {
                let isWhole = lines[start].hasSuffix("/>")
                end =
                    isWhole
                    ? start + 1 : (lines[start...].firstIndex(of: "    </entity>") ?? start) + 1
                blocks.append(Array(lines[start..<end]))
            }
            lines.replaceSubrange(first..<end, with: blocks.shuffled(using: &random).joined())
        }
        let text = lines.joined(separator: isPlain && Bool.random(using: &random) ? "\r\n" : "\n")
        return Array(text.utf8)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a branch that only saved the model gives the edit of the other`() throws {
        var random = SeededGenerator(seed: 31)
        var count = 0
        for (path, texts) in Self.successions(of: 2) {
            let (base, edited) = (texts[0], texts[1])
            let saved = noise(base, using: &random)
            #expect(checksum(saved) == checksum(base), "\(path)")
            let expected = checksum(edited)
            for given in [
                MergeSides(base: base, ours: saved, theirs: edited),
                MergeSides(base: base, ours: edited, theirs: saved),
            ] {
                let merged = try merge(given, path: "contents")
                #expect(merged.conflicts == [], "\(path)")
                #expect(checksum(merged.bytes) == expected, "\(path)")
            }
            count += 1
        }
        #expect(count > Self.share(40))
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `an edit and the next one merge into the model that has both`() throws {
        var random = SeededGenerator(seed: 32)
        var (merges, conflicting) = (0, 0)
        for (path, texts) in Self.successions(of: 3) {
            let (base, one, both) = (texts[0], texts[1], texts[2])
            // The second edit alone: what it did to the first one's model, done to the base.
            let picked = try merge(
                MergeSides(base: one, ours: base, theirs: both),
                path: "contents"
            )
            guard picked.conflicts.isEmpty else {
                #expect(picked.conflicts.allSatisfy { !$0.message.isEmpty })
                conflicting += 1
                continue
            }
            let two = noise(picked.bytes, using: &random)
            let expected = checksum(both)
            for (ours, theirs) in [(one, two), (two, one)] {
                let merged = try merge(
                    MergeSides(base: base, ours: ours, theirs: theirs),
                    path: "contents"
                )
                #expect(merged.conflicts == [], "\(path)")
                guard checksum(merged.bytes) != expected else { continue }
                let isTakenBack = !changed(base, one).intersection(changed(one, both))
                    .isSubset(of: changed(base, both))
                #expect(isTakenBack, "\(path)")
            }
            merges += 1
        }
        print("\(merges) pairs of edits merged, \(conflicting) edits build on each other")
        #expect(merges > Self.share(30))
        #expect(conflicting < merges)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `edits of different versions merge the same both ways, or conflict by name`() throws {
        for (path, texts) in Self.successions(of: 3) {
            let (one, base, two) = (texts[0], texts[1], texts[2])
            let there = try merge(MergeSides(base: base, ours: one, theirs: two), path: "contents")
            let back = try merge(MergeSides(base: base, ours: two, theirs: one), path: "contents")
            #expect(there.conflicts.isEmpty == back.conflicts.isEmpty, "\(path)")
            #expect(there.conflicts.count == back.conflicts.count, "\(path)")
            let read = readModel(contents: Data(there.bytes), path: "contents")
            #expect(!read.diagnostics.contains { $0.rule == "malformed-xml" }, "\(path)")
            if there.conflicts.isEmpty {
                #expect(checksum(there.bytes) == checksum(back.bytes), "\(path)")
            }
        }
    }
}

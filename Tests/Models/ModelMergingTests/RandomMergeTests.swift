import Diagnostics
import Foundation
import ModelLoading
import ModelMerging
import TestSupport
import Testing

struct RandomMergeTests {
    @Test func `edits of different entities all arrive`() throws {
        var random = SeededGenerator(seed: 19)
        for _ in 0..<400 {
            let base = SketchedModel.random(using: &random)
            var (ours, theirs, both) = (base, base, base)
            for index in base.entities.indices {
                var edited = base.entities[index]
                edited.edit(using: &random)
                both.entities[index] = edited
                if Bool.random(using: &random) {
                    ours.entities[index] = edited
                } else {
                    theirs.entities[index] = edited
                }
            }
            ours.entities.append(.named("OfOurs", using: &random))
            theirs.entities.append(.named("OfTheirs", using: &random))
            both.entities += [ours.entities.last, theirs.entities.last].compactMap(\.self)
            theirs.entities.shuffle(using: &random)
            let merged = try merge(sides(base, ours, theirs), path: "contents")
            #expect(merged.conflicts == [])
            #expect(lines(merged.bytes) == lines(both.bytes))
        }
    }

    @Test func `edits of anything merge the same both ways`() throws {
        var random = SeededGenerator(seed: 20)
        var conflicting = 0
        let count = Sweep.count(800, every: 4)
        for _ in 0..<count {
            let base = SketchedModel.random(using: &random)
            let ours = base.edited(using: &random)
            let theirs = base.edited(using: &random)
            let one = try merge(sides(base, ours, theirs), path: "contents")
            let two = try merge(sides(base, theirs, ours), path: "contents")
            #expect(elements(one) == elements(two))
            let rules = readModel(contents: Data(one.bytes), path: "").diagnostics.map(\.rule)
            #expect(!rules.contains("malformed-xml"))
            if one.conflicts.isEmpty {
                #expect(lines(one.bytes) == lines(two.bytes))
            } else {
                conflicting += 1
                #expect(one.conflicts.allSatisfy { $0.location?.line != nil })
            }
        }
        #expect((count / 8..<count * 15 / 16).contains(conflicting))
    }

    @Test func `a branch that changed nothing gives the other one byte for byte`() throws {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<200 {
            let base = SketchedModel.random(using: &random)
            let edited = base.edited(using: &random)
            for given in [
                sides(base, base, edited), sides(base, edited, base), sides(base, edited, edited),
            ] {
                let merged = try merge(given, path: "contents")
                #expect(merged.bytes == edited.bytes && merged.conflicts.isEmpty)
            }
        }
    }

    @Test func `a branch that was only saved by a later Xcode takes over the other`() throws {
        var random = SeededGenerator(seed: 22)
        for _ in 0..<200 {
            let base = SketchedModel.random(using: &random)
            var saved = base
            saved.tools = "24299"
            var edited = base.edited(using: &random)
            let merged = try merge(sides(base, saved, edited), path: "contents")
            edited.tools = "24299"
            #expect(merged.conflicts.isEmpty)
            #expect(lines(merged.bytes) == lines(edited.bytes))
        }
    }

    @Test func `damaged texts are refused or merged, and nothing else`() throws {
        var random = SeededGenerator(seed: 23)
        for _ in 0..<600 {
            let base = SketchedModel.random(using: &random)
            var texts = [base, base.edited(using: &random), base.edited(using: &random)]
                .map(\.bytes)
            for index in texts.indices where !texts[index].isEmpty {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let place = Int.random(in: texts[index].indices, using: &random)
                    texts[index][place] =
                        Array("<>/\"-! a&=\u{0}".utf8)
                        .randomElement(using: &random) ?? 0
                }
            }
            let given = MergeSides(base: texts[0], ours: texts[1], theirs: texts[2])
            do throws(MergeFault) {
                _ = try merge(given, path: "contents")
            } catch {
                #expect(!error.diagnostics.isEmpty)
            }
        }
    }

    private func sides(
        _ base: SketchedModel,
        _ ours: SketchedModel,
        _ theirs: SketchedModel
    ) -> MergeSides {
        MergeSides(base: base.bytes, ours: ours.bytes, theirs: theirs.bytes)
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n").sorted()
    }

    private func elements(_ merged: MergedFile) -> [String] {
        merged.conflicts.map { $0.element ?? "" }.sorted()
    }
}

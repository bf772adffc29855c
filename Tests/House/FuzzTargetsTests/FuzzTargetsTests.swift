import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Feeds a few inputs to every target; `swift run -c release Fuzz` feeds as many as one likes.
struct FuzzTargetsTests {
    static let malformed = Corpus.package.appending(path: "Fixtures/Malformed")

    static let files: [String] = {
        let walker = FileManager.default.enumerator(atPath: malformed.path)
        let paths = walker?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains("/") && !$0.hasSuffix(".md") }.sorted()
    }()

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `the samples of a target are good`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let samples = target.samples()
        #expect(!samples.isEmpty)
        for sample in samples {
            #expect(target.run(sample) == .accepted, "\(String(decoding: sample, as: UTF8.self))")
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `mutated inputs come to a verdict`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let mutator = Mutator(seeds: target.samples(), tokens: target.tokens)
        var refused = 0
        let count = Sweep.count(100, every: 4)
        for number in 0..<count {
            if case .refused = target.run(mutator.input(number, seed: 7)) { refused += 1 }
        }
        #expect((1..<count).contains(refused))
    }

    @Test func `classes written for mutated sources have the hashes of these`() throws {
        let target = try #require(FuzzTarget.named("swift"))
        let seeds = target.samples()
        let mutator = Mutator(seeds: seeds, tokens: target.tokens, lengthLimit: 3_000)
        for number in 0..<Sweep.count(150, every: 3) {
            let input = mutator.input(number, seed: 11)
            let verdict = target.run(input)
            #expect(
                verdict != .refused(FuzzTarget.otherHashes),
                "\(String(decoding: input, as: UTF8.self))"
            )
        }
    }

    @Test func `the same number gives the same input`() {
        let mutator = Mutator(seeds: [Data("one two".utf8), Data("three".utf8)], tokens: ["four"])
        let inputs = (0..<50).map { mutator.input($0, seed: 3) }
        #expect(inputs == (0..<50).map { mutator.input($0, seed: 3) })
        #expect(Set(inputs).count > 25)
    }

    @Test func `there are malformed files for every target`() {
        let folders = Set(Self.files.map { $0.prefix { $0 != "/" } }.map(String.init))
        #expect(folders == Set(FuzzTarget.all.map(\.name)))
    }

    @Test(arguments: files)
    func `a malformed file is refused`(path: String) throws {
        let name = String(path.prefix { $0 != "/" })
        let target = try #require(FuzzTarget.named(name))
        let bytes = try Data(contentsOf: Self.malformed.appending(path: path))
        #expect(target.run(bytes) != .accepted)
    }
}

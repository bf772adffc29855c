import Diagnostics
import ModelDiffing
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct CorpusDiffTests {
    @Test(.enabled(if: Corpus.isPresent))
    func `changes agree with the hashes over all real versions`() {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
        var count = 0
        for path in paths {
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            for (from, to) in zip(versions, versions.dropFirst()) {
                let result = diff(from: from.model, to: to.model)
                let moves = versionHashes(of: from.model) != versionHashes(of: to.model)
                #expect(
                    result.changes.contains(where: \.movesVersionHash) == moves,
                    "\(path): \(from.name) → \(to.name)"
                )
                count += 1
            }
        }
        #expect(count > 20)
    }
}

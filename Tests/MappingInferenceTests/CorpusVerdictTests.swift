import Diagnostics
import MappingInference
import ModelDiffing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct CorpusVerdictTests {
    @Test(.enabled(if: Corpus.isPresent))
    func `every real step has a mapping for each entity`() {
        var counts: [Verdict: Int] = [:]
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }) {
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            for (from, to) in zip(versions, versions.dropFirst()) {
                let mapping = inferMapping(from: from.model, to: to.model)
                counts[mapping.verdict, default: 0] += 1
                let names = mapping.entityMappings.compactMap(\.destinationEntity)
                #expect(names == to.model.entities.map(\.name).sorted())
                print("\(path.suffix(60)): \(from.name) → \(to.name): \(mapping.verdict)")
                for refusal in mapping.refusals {
                    print("    \(refusal.diagnostic.description.suffix(300))")
                }
                for risk in mapping.risks { print("    \(risk)") }
            }
        }
        #expect(counts.values.reduce(0, +) > 20)
    }
}

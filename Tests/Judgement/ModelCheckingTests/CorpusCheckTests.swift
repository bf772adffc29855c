import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct CorpusCheckTests {
    @Test(.enabled(if: Corpus.isPresent))
    func
        `no version that shipped has an error, but for renames that Apple's compiler does not see`()
    {
        let bundles = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
        var counts: [String: Int] = [:]
        var versions = 0
        for path in bundles {
            let bundle = readModelBundle(at: Corpus.path(path))
            let findings = check(
                bundle.value.versions,
                path: path,
                reading: bundle.diagnostics,
                mappingModel: { _, _ in "A.xcmappingmodel" },
                options: CheckOptions(scope: .all)
            )
            versions += bundle.value.versions.count
            for finding in findings {
                counts[finding.diagnostic.rule.rawValue, default: 0] += 1
                let isError = finding.diagnostic.severity == .error
                let isRename = finding.diagnostic.rule == "literal-renaming-identifier"
                #expect(!isError || isRename, "\(finding.diagnostic)")
            }
        }
        for (rule, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) \(rule)") }
        print("\(versions) versions in \(bundles.count) bundles")
        #expect(versions >= 40)
    }
}

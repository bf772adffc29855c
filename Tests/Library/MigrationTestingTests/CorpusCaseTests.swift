import Foundation
import MigrationTesting
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusCaseTests {
    static let counts = [("objc.io", 5), ("CoreDataPlus", 4), ("Apptentive", 12)]

    @Test(arguments: counts)
    func `each step of a project's model is a case that passes`(name: String, count: Int) throws {
        try withFolder { folder in
            // The cases name files of the corpus by a link beside them.
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "corpus"),
                withDestinationURL: URL(fileURLWithPath: Corpus.path(""))
            )
            let copy = folder.appending(path: name)
            let cases = Corpus.package.appending(path: "Fixtures/CorpusCases/\(name)")
            try FileManager.default.copyItem(at: cases, to: copy)
            let outcomes = try MigrationCase.cases(at: copy).map { $0.run() }
            #expect(outcomes.count == count)
            for outcome in outcomes {
                #expect(outcome.status == .passed, "\(outcome.name): \(outcome.lines)")
            }
        }
    }
}

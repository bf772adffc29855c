import Foundation
import TestSupport
import Testing

@testable import Mutations

struct MutationListTests {
    @Test(arguments: Mutation.all)
    func `a mutation still finds its text exactly once`(mutation: Mutation) throws {
        let file = Corpus.package.appending(path: "Sources/\(mutation.file)")
        let source = try String(contentsOf: file, encoding: .utf8)
        #expect(throws: Never.self) { try Mutation.apply([mutation], to: source) }
        let folder = Corpus.package.appending(path: "Fixtures/Cases/\(mutation.caughtBy)")
        let isProbe = Probe.all.contains { $0.name == mutation.caughtBy }
        #expect(
            isProbe || FileManager.default.fileExists(atPath: folder.path),
            "\(mutation.caughtBy)"
        )
    }

    @Test(arguments: Probe.all.map(\.name))
    func `a probe passes where nothing is mutated`(name: String) throws {
        let probe = try #require(Probe.all.first { $0.name == name })
        #expect(try probe.passes(commandURL))
    }

    @Test func `mutations of one file do not get into each other's way`() throws {
        for (file, mutations) in Dictionary(grouping: Mutation.all, by: \.file) {
            let url = Corpus.package.appending(path: "Sources/\(file)")
            let source = try String(contentsOf: url, encoding: .utf8)
            let mutated = try Mutation.apply(mutations, to: source)
            for mutation in mutations {
                #expect(mutated.contains("isMutated(\"\(mutation.name)\")"))
            }
        }
    }

    @Test func `no two mutations have one name`() {
        #expect(Set(Mutation.all.map(\.name)).count == Mutation.all.count)
    }

    @Test func `a mutation whose text has changed is named`() throws {
        let mutation = Mutation("a", in: "F.swift", "x + 1", becomes: "x", caughtBy: "c")
        #expect(throws: StaleMutation.self) { try Mutation.apply([mutation], to: "x + 2") }
        #expect(throws: StaleMutation.self) { try Mutation.apply([mutation], to: "x + 1, x + 1") }
        let other = Mutation("b", in: "F.swift", "+ 1", becomes: "+ 2", caughtBy: "c")
        #expect(throws: StaleMutation.self) {
            try Mutation.apply([mutation, other], to: "let y = x + 1")
        }
        let mutated = try Mutation.apply([mutation], to: "let y = x + 1")
        #expect(mutated == "let y = (isMutated(\"a\") ? (x) : (x + 1))")
    }
}

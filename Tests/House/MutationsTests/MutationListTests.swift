import Foundation
import TestSupport
import Testing

@testable import Mutations

struct MutationListTests {
    @Test func `all mutations of a file find their places, together`() throws {
        for (file, mutations) in Dictionary(grouping: Mutation.all, by: \.file) {
            let url = Corpus.package.appending(path: "Sources/\(file)")
            let source = try fileText(url)
            let mutated = try mutatedSource(source, mutations)
            for mutation in mutations {
                #expect(mutated.ranges(of: "isMutated(\"\(mutation.name)\")").count == 1)
            }
        }
    }

    @Test func `no two mutations are one`() {
        #expect(Set(Mutation.all.map(\.name)).count == Mutation.all.count)
    }

    private static let source = """
        var isOld: Bool { age > 9 }
        func f(_ a: [Int]) -> Int {
            guard !a.isEmpty else { return 0 }
            var sum = 1
            sum += a.contains { $0 == 2 } ? 3 : 4
            call("x")
            return sum
        }
        """

    @Test(
        arguments: [
            ("isOld", .negate(1), #"{ (isMutated("NAME") != (age > 9)) }"#),
            ("f", .negate(1), #"guard (isMutated("NAME") != (!a.isEmpty)) else"#),
            ("f", .negate(2), #"sum += (isMutated("NAME") != (a.contains { $0 == 2 })) ? 3 : 4"#),
            ("f", .negate(3), #"a.contains { (isMutated("NAME") != ($0 == 2)) } ?"#),
            ("f", .drop(2), #"if !isMutated("NAME") { call("x") }"#),
            ("f", .change(2), #"var sum = (isMutated("NAME") ? 1 + 1 : 1)"#),
            ("f", .change(6), #"call((isMutated("NAME") ? "" : "x"))"#),
        ] as [(String, Mutation.Operation, String)]
    )
    func `an operation changes one place of a function`(
        function: String,
        operation: Mutation.Operation,
        text: String
    ) throws {
        let mutation = Mutation(
            file: "F.swift",
            function: function,
            operation: operation,
            caughtBy: ""
        )
        let mutated = try mutatedSource(Self.source, [mutation])
        let wanted = text.replacing("NAME", with: mutation.name)
        #expect(mutated.contains(wanted), "\(mutated)")
    }

    @Test(arguments: [("f", .negate(4)), ("g", .drop(1))] as [(String, Mutation.Operation)])
    func `a place that is not there is named`(function: String, operation: Mutation.Operation) {
        let mutation = Mutation(
            file: "F.swift",
            function: function,
            operation: operation,
            caughtBy: ""
        )
        #expect(throws: StaleMutation.self) { try mutatedSource(Self.source, [mutation]) }
    }
}

import Diagnostics
import Foundation
import ObjectModel
import SwiftDataReading
import Testing

@testable import SwiftDataReading

@Suite(.enabled(if: readsSwiftSources))
struct EnumCaseTests {
    private func cases(_ declaration: String, _ property: String) throws -> [String: [String]] {
        let models = read("\(declaration)\n@Model class Item { var \(property) }")
        let entity = try #require(models.value.versions.first?.entity("Item"))
        var found: [String: [String]] = [:]
        for attribute in entity.attributes {
            for path in attribute.enumCases.paths {
                found[([attribute.name] + path).joined(separator: ".")] =
                    attribute.enumCases[path]?.map { "\($0.name)=\($0.text)" }
            }
        }
        return found
    }

    @Test func `texts and numbers are written or follow from the cases before`() throws {
        #expect(
            try cases("enum M: String, Codable { case a, b = \"B\", `default` }", "m: M")
                == ["m.m": ["a=a", "b=B", "default=default"]]
        )
        #expect(
            try cases("enum M: Int, Codable { case a, b = 1_0, c, d = -3, e }", "m: M?")
                == ["m.m": ["a=0", "b=10", "c=11", "d=-3", "e=-2"]]
        )
        #expect(
            try cases(
                "struct P: Codable { var k: K; var x: Int }\nenum K: Int16, Codable { case one = 0x10, two }",
                "p: P"
            ) == ["p.k": ["one=16", "two=17"]]
        )
    }

    @Test(arguments: [
        "enum M: Int, Codable { case a = 9223372036854775807, b }",
        "enum M: Double, Codable { case a = 1.5 }",
        "enum M: Codable { case a, b }",
        // It may read what no case has.
        "enum M: String, Codable { case a; init(from decoder: any Decoder) throws { self = .a } }",
        "enum M: String, Codable { case a }\nextension M { init?(rawValue: String) { self = .a } }",
    ])
    func `values that are not known are not said`(declaration: String) throws {
        #expect(try cases(declaration, "m: M") == [:])
    }

    @Test func `cases take no part in hashes, and models that differ in them alone are equal`() {
        let (one, two) = (
            "enum M: String, Codable { case a, b }", "enum M: String, Codable { case a }"
        )
        let models = [one, two].map { read("\($0)\n@Model class Item { var m: M }").value.versions }
        #expect(models[0].first?.hashes == models[1].first?.hashes)
        #expect(models[0].first?.model == models[1].first?.model)
    }
}

@Suite struct DeepThreadsTests {
    @Test func `a thread that waits is waited for`() {
        let hasEnded = Locked(false)
        let threads = DeepThreads(stackSize: 1 << 20, patience: 0.05).run(1) {
            usleep(500_000)
            hasEnded.withLock { $0 = true }
        }
        #expect(threads == 1)
        #expect(hasEnded.withLock { $0 })
    }

    @Test func `a thread that works on and on is left to itself`() {
        let isEnough = Locked(false)
        let threads = DeepThreads(stackSize: 1 << 20, patience: 0.05).run(1) {
            while !isEnough.withLock({ $0 }) {}
        }
        #expect(threads == 1)
        isEnough.withLock { $0 = true }
    }
}

import Diagnostics
import Foundation
import MappingInference
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// `Fixtures/Rulings.xcdatamodeld` has a change for each row of the tables of verdicts; `diff-rulings.txt` records which it is.
struct RulingCoverageTests {
    private static func models() throws -> (old: ManagedObjectModel, new: ManagedObjectModel) {
        let path = Corpus.package.appending(path: "Fixtures/Rulings.xcdatamodeld").path
        let bundle = readModelBundle(at: path)
        #expect(bundle.diagnostics.isEmpty, "\(bundle.diagnostics)")
        let versions = bundle.value.versions
        return (try #require(versions.first).model, try #require(versions.last).model)
    }

    /// Changes of attributes whose defaults are code, which only sources of SwiftData have.
    private static let ofSwiftData: [Judgement] = {
        let entity = Entity("Item", [Attribute("duty", .string)])
        var moment = Attribute("moment", .date, isOptional: false, defaultValue: .date(0))
        moment.unstatedDefault = .moment("Date.now")
        var code = Attribute("code", .string, isOptional: false)
        code.unstatedDefault = .expression("make()")
        var duty = Attribute("duty", .string, isOptional: false)
        duty.unstatedDefault = .expression("make()")
        let new = Entity("Item", [duty, moment, code])
        return inferMapping(from: ManagedObjectModel([entity]), to: ManagedObjectModel([new]))
            .judgements
    }()

    @Test func `each row of the table of verdicts decides a change`() throws {
        let (old, new) = try Self.models()
        let judgements = inferMapping(from: old, to: new).judgements + Self.ofSwiftData
        let idle = Ruling.table.flatMap(\.rows).filter { row in
            // A judgement puts names and values into the effect.
            let effect = row.effect.prefix { $0 != "{" }
            return !judgements.contains { $0.rule == row.rule && $0.effect.hasPrefix(effect) }
        }
        #expect(idle.map(\.change) == [])
    }

    @Test func `each row of the table for CloudKit decides a change`() throws {
        let (old, new) = try Self.models()
        // A type that no attribute of a file may have.
        var untyped = new
        for index in untyped.entities.indices {
            untyped.entities[index].attributes.append(Attribute("untyped", .undefined))
        }
        let judgements = [(old, new), (new, old), (new, untyped)]
            .flatMap { inferMapping(from: $0, to: $1).judgements }
        let judged = Set(judgements.compactMap(\.cloudKit?.change))
        #expect(CloudKitRuling.table.map(\.change).filter { !judged.contains($0) } == [])
    }
}

import Foundation
import ModelLoading
import Momtool
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct TextInNumberTests {
    private static let types: [(old: String, new: String, misfit: String)] = [
        ("Integer 32", "Integer 16", "70000"), ("Integer 32", "Boolean", "7"),
        ("Double", "Float", "0.1"), ("Double", "Integer 64", "0.5"),
    ]

    enum Road: CaseIterable { case inferred, map, mappingModel }

    /// The first row has a text, and the second a number that does not fit the new type.
    private func withStore(
        _ old: String,
        _ new: String,
        _ misfit: String,
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let versions = ["V1": old, "V2": new].mapValues {
                "<model><entity name='A'><attribute name='q' optional='YES' attributeType='\($0)'/>"
                    + "</entity></model>"
            }
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(versions, current: "V2", at: bundle)
            let read = try ModelPlace(bundle.path).read().value
            let models = try ["V1", "V2"].map { try #require(read.version(named: $0)).model }
            try createStore(
                at: folder.appending(path: "S.sqlite").path,
                model: models[0]
            ) { connection, _ throws(StoreError) in
                let values = ["'abc'", misfit, "1", "NULL"].enumerated()
                for (key, value) in values {
                    try connection.execute("INSERT INTO ZA VALUES (\(key + 1), 1, 1, \(value))")
                }
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 4")
            }
            let map = "entities:\n  - from: A\n    to: A\n    set: {q: $source.q}\n"
            try Data(map.utf8).write(to: folder.appending(path: "map.yml"))
            let stages =
                "model: M.xcdatamodeld\nstages:\n  - custom: {from: V1, to: V2}\n    map: map.yml\n"
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            try writeMapping(
                of: ["q": "$source.q"],
                from: models[0],
                to: models[1],
                at: folder.appending(path: "Map.cdm")
            )
            try body(folder)
        }
    }

    private func migrate(_ store: String, _ road: Road, _ more: [String]) -> [String] {
        let way =
            switch road {
            case .inferred: ["--model", "M.xcdatamodeld"]
            case .map: ["--stages", "Stages.yml"]
            case .mappingModel: ["--model", "M.xcdatamodeld", "--mapping-models", "Map.cdm"]
            }
        return ["migrate", store] + way + more
    }

    @Test(arguments: types.indices, Road.allCases)
    func `it is counted once, and cured once`(index: Int, road: Road) throws {
        let (old, new, misfit) = Self.types[index]
        try withStore(old, new, misfit) { folder in
            let text =
                "A.q: 1 value at stake (Z_PK 1): the store is damaged: the values are not numbers"
            let loss = "A.q: 1 value at stake (Z_PK 2): "
            let refused = try momtool(migrate("S.sqlite", road, ["-o", "N.sqlite"]), in: folder)
            #expect(refused.status == 3)
            #expect(refused.errors.components(separatedBy: "at stake").count == 3)
            #expect(refused.errors.contains(text), "\(refused.errors)")
            #expect(refused.errors.contains(loss), "\(refused.errors)")
            let agreed = ["--allow-data-loss", "A.q", "-o", "N.sqlite"]
            let damaged = try momtool(migrate("S.sqlite", road, agreed), in: folder)
            #expect(damaged.status == 3)
            #expect(damaged.errors.contains(text) && !damaged.errors.contains(loss))
            let repair = try momtool(
                ["repair", "S.sqlite", "--model", "M.xcdatamodeld", "--set", "A.q=0"]
                    + ["-o", "R.sqlite"],
                in: folder
            )
            #expect(repair.status == 0, "\(repair.errors)")
            let done = try momtool(migrate("R.sqlite", road, agreed), in: folder)
            #expect(done.status == 0, "\(done.errors)")
            #expect(done.output.contains("lost as agreed: A.q (1 value)\n"), "\(done.output)")
        }
    }

    @Test func `a cast to a date counts it once`() throws {
        try withStore("Integer 32", "Date", "70000") { folder in
            let map = "entities:\n  - from: A\n    to: A\n    set: {q: {cast: [$source.q, date]}}\n"
            try Data(map.utf8).write(to: folder.appending(path: "map.yml"))
            let refused = try momtool(migrate("S.sqlite", .map, ["-o", "N.sqlite"]), in: folder)
            #expect(refused.status == 3)
            #expect(refused.errors.components(separatedBy: "at stake").count == 2)
            let text = "A.q: 1 value at stake (Z_PK 1): "
            #expect(refused.errors.contains(text), "\(refused.errors)")
            let agreed = migrate("S.sqlite", .map, ["--allow-data-loss", "A.q", "-o", "N.sqlite"])
            let done = try momtool(agreed, in: folder)
            #expect(done.status == 0, "\(done.errors)")
            #expect(done.output.contains("lost as agreed: A.q (1 value)\n"), "\(done.output)")
        }
    }
}

import Foundation
import MigrationPlanning
import ModelLoading
import Momtool
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

private struct Super: EntityMigrationPolicy {}

private struct Making: EntityMigrationPolicy {
    var make: @Sendable (StoreObject, StageMap.EntityMap, MigrationManager) throws -> Void

    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws { try make(source, mapping, manager) }
}

struct PolicyLossTests {
    /// The mapping copies the attribute `a` of two objects nowhere.
    private static let codes: [(code: any EntityMigrationPolicy, losses: [String])] = [
        (Super(), ["A.a: 2 values"]),
        (
            Making { source, mapping, manager in
                _ = try source.value("a")
                try manager.createDestinationInstance(forSource: source.id, in: mapping)
            }, []
        ),
        (
            Making { source, mapping, manager in
                _ = try manager.sourceContext.object("A", source.id)?.value("a")
                try manager.createDestinationInstance(forSource: source.id, in: mapping)
            }, []
        ),
        (
            Making { source, mapping, manager in
                try manager.sourceContext.rows("SELECT a FROM A WHERE objectID = \(source.id)")
                try manager.createDestinationInstance(forSource: source.id, in: mapping)
            }, []
        ),
        (Making { _, _, _ in }, ["A: 2 rows"]),
        (
            Making { source, mapping, manager in
                guard source.id == 1 else { return }
                try manager.createDestinationInstance(forSource: 1, in: mapping)
            }, ["A: 1 row", "A.a: 2 values"]
        ),
        (
            Making { source, mapping, manager in
                let text = try source.value("a")
                let id = try manager.destinationContext.insert("A", ["b": text])
                try manager.associate(source: source.id, withDestination: id, for: mapping)
            }, []
        ),
        (
            Making { source, _, manager in
                try manager.destinationContext.insert("A", ["b": source.value("a")])
            }, ["A: 2 rows"]
        ),
    ]

    @Test(arguments: codes.indices)
    func `what code neither reads nor associates is lost, and is refused unless it is named`(
        place: Int
    ) throws {
        let (code, expected) = Self.codes[place]
        try withMappedStore(
            of: ["b": "\"new\""],
            policy: "Fill",
            rows: #"{"A": [{"@id": "p1", "a": "x"}, {"@id": "p2", "a": "y"}]}"#
        ) { folder, model, store in
            let migrator = try Migrator(model, policies: ["Fill": code])
            let losses = try migrator.losses(of: store)
            #expect(losses.compactMap(\.loss) == expected.map { String($0.prefix { $0 != ":" }) })
            for (loss, expected) in zip(losses, expected) {
                #expect(loss.message.hasPrefix("\(expected) at stake"), "\(loss)")
            }
            let result = folder.appending(path: "New.sqlite").path
            if !expected.isEmpty {
                let error = #expect(throws: MomtoolError.self) {
                    try migrator.migrate(store, to: result)
                }
                #expect(error?.advice == losses.flatMap(\.advice))
                #expect(!FileManager.default.fileExists(atPath: result))
            }
            let told = try migrator.migrate(store, to: result, following: losses.flatMap(\.advice))
            #expect(told.compactMap(\.loss) == losses.compactMap(\.loss))
            let found = try Store(result).verify(against: model)
            #expect(found.filter { $0.severity > .note } == [])
        }
    }
}

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
            try write(map, "map.yml", in: folder)
            let stages =
                "model: M.xcdatamodeld\nstages:\n  - custom: {from: V1, to: V2}\n    map: map.yml\n"
            try write(stages, "Stages.yml", in: folder)
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
            let text = "A.q: 1 value at stake (Z_PK 1): "
            let loss = "A.q: 1 value at stake (Z_PK 2): "
            let refused = try momtool(migrate("S.sqlite", road, ["-o", "N.sqlite"]), in: folder)
            #expect(refused.status == 3)
            #expect(refused.errors.components(separatedBy: "at stake").count == 3)
            #expect(refused.errors.contains(text), "\(refused.errors)")
            #expect(refused.errors.contains(loss), "\(refused.errors)")
            let agreed = ["--allow-data-loss", "A.q", "-o", "N.sqlite"]
            let damaged = try expectRun(migrate("S.sqlite", road, agreed), in: folder, 3)
            #expect(damaged.errors.contains(text) && !damaged.errors.contains(loss))
            let repair = try momtool(
                ["repair", "S.sqlite", "--model", "M.xcdatamodeld", "--set", "A.q=0"]
                    + ["-o", "R.sqlite"],
                in: folder
            )
            #expect(repair.status == 0, "\(repair.errors)")
            let done = try momtool(migrate("R.sqlite", road, agreed), in: folder)
            #expect(done.status == 0, "\(done.errors)")
            #expect(done.output.contains("allowed losses: A.q (1 value)\n"), "\(done.output)")
        }
    }

    @Test func `a cast to a date counts it once`() throws {
        try withStore("Integer 32", "Date", "70000") { folder in
            let map = "entities:\n  - from: A\n    to: A\n    set: {q: {cast: [$source.q, date]}}\n"
            try write(map, "map.yml", in: folder)
            let refused = try momtool(migrate("S.sqlite", .map, ["-o", "N.sqlite"]), in: folder)
            #expect(refused.status == 3)
            #expect(refused.errors.components(separatedBy: "at stake").count == 2)
            let text = "A.q: 1 value at stake (Z_PK 1): "
            #expect(refused.errors.contains(text), "\(refused.errors)")
            let agreed = migrate("S.sqlite", .map, ["--allow-data-loss", "A.q", "-o", "N.sqlite"])
            try expectRun(agreed, in: folder, 0, "allowed losses: A.q (1 value)\n")
        }
    }
}

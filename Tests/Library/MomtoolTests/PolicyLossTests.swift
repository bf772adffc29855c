import Foundation
import MigrationPlanning
import ModelLoading
import Momtool
import ObjectModel
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
            let told = try migrator.migrate(
                store,
                to: result,
                following: losses.flatMap(\.advice)
            )
            #expect(told.compactMap(\.loss) == losses.compactMap(\.loss))
            let found = try Store(result).verify(against: model)
            #expect(found.filter { $0.severity > .note } == [])
        }
    }
}

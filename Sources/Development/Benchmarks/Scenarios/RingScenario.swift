import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration

extension Scenario {
    /// Many entities, each with a link to the next one.
    static let rings = Scenario(
        name: "rings",
        summary:
            "rings of entities that all get an attribute; seconds of planning and of migrating, "
            + "and how they grow against n·log n from one size to the next"
    ) { _ in
        var lines: [String] = []
        var last: (count: Int, planning: Double, migrating: Double)?
        for count in [250, 500, 1000, 2000] {
            let (planning, migrating) = try ringSeconds(count)
            var line =
                "\(count) entities: planning \(planning.milliseconds), "
                + "migrating \(migrating.milliseconds)"
            if let last {
                let expected = growth(from: last.count, to: count)
                line +=
                    "; growth \((planning / last.planning / expected).ratio) and "
                    + "\((migrating / last.migrating / expected).ratio) of n·log n"
            }
            lines.append(line)
            last = (count, planning, migrating)
        }
        return lines
    }
}

private func growth(from old: Int, to new: Int) -> Double {
    func cost(_ count: Int) -> Double { Double(count) * log2(Double(count)) }
    return cost(new) / cost(old)
}

/// A ring of entities: each leads to the next one, which leads back.
private func ring(_ count: Int, further: [Attribute] = []) -> ManagedObjectModel {
    func name(_ place: Int) -> String { "Station\((place + count) % count)" }
    func link(_ name: String, to destination: String, inverse: String) -> Relationship {
        Relationship(
            name: name,
            maxCount: 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: destination
        )
    }
    let entities = (0..<count).map { place in
        Entity(
            name: name(place),
            attributes: [
                Attribute(name: "count", type: .integer32), Attribute(name: "title", type: .string),
            ] + further,
            relationships: [
                link("next", to: name(place + 1), inverse: "previous"),
                link("previous", to: name(place - 1), inverse: "next"),
            ]
        )
    }
    return ManagedObjectModel(entities: entities)
}

private func ringSeconds(_ count: Int) throws -> (planning: Double, migrating: Double) {
    let old = ModelVersion(name: "1", model: ring(count))
    let further = [Attribute(name: "note", type: .string)]
    let new = ModelVersion(name: "2", model: ring(count, further: further))
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("momtool-ring-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("Ring.sqlite").path
    try createStore(at: path, model: old.model)
    let clock = ContinuousClock()
    var migration: Migration?
    let planning = try clock.measure {
        migration = try Migration(of: StoreFile(path: path), from: old, to: new)
    }
    let migrating = try clock.measure { try migration?.runInPlace(path: path) }
    return (planning / .seconds(1), migrating / .seconds(1))
}

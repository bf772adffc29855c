import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import MigrationTesting
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ShapeTests {
    struct Shape: Sendable, CustomStringConvertible {
        var isToMany: Bool
        var isOrdered = false
        /// `nil` for no inverse.
        var inverse: (isToMany: Bool, isOrdered: Bool)?

        var description: String {
            let own = isToMany ? (isOrdered ? "ordered" : "many") : "one"
            let other = inverse.map { $0.isToMany ? ($0.isOrdered ? "ordered" : "many") : "one" }
            return "\(own)/\(other ?? "none")"
        }

        var model: ManagedObjectModel {
            let value = Attribute(name: "value", type: .string)
            var own = Relationship(
                name: "a",
                isToMany: isToMany,
                isOrdered: isOrdered,
                maxCount: isToMany ? nil : 1,
                destinationEntity: "B"
            )
            var b = Entity(name: "B", attributes: [value])
            if let inverse {
                (own.inverseName, own.inverseEntity) = ("b", "B")
                b.relationships = [
                    Relationship(
                        name: "b",
                        isToMany: inverse.isToMany,
                        isOrdered: inverse.isOrdered,
                        maxCount: inverse.isToMany ? nil : 1,
                        destinationEntity: "A",
                        inverseName: "a",
                        inverseEntity: "A"
                    )
                ]
            }
            let a = Entity(name: "A", attributes: [value], relationships: [own])
            return ManagedObjectModel(entities: [a, b])
        }
    }

    static let shapes: [Shape] = {
        let sides: [(Bool, Bool)] = [(false, false), (true, false), (true, true)]
        return sides.flatMap { own in
            [Shape(isToMany: own.0, isOrdered: own.1)]
                + sides.map { Shape(isToMany: own.0, isOrdered: own.1, inverse: $0) }
        }
    }()

    @Test(arguments: shapes)
    func `links survive every change of shape, or their loss is announced`(_ source: Shape) throws {
        for target in Self.shapes {
            let title = "\(source) → \(target)"
            let mapping = inferMapping(from: source.model, to: target.model)
            #expect(mapping.isInferable, "\(title)")
            try withFolder { folder in
                let path = folder.appending(path: "Old.sqlite").path
                try makeSampleStore(at: path, model: source.model)
                let store = try StoreFile(path: path)
                let migration = try Migration(
                    of: store,
                    from: ModelVersion(model: source.model),
                    to: ModelVersion(model: target.model)
                )
                let findings = try migration.findings(in: store)
                let result = folder.appending(path: "New.sqlite").path
                let options = MigrationOptions(acceptsLosses: true)
                try migration.run(from: store, toNewFile: result, options: options)
                if findings.isEmpty {
                    try expectWhole(result, from: store, migration, title)
                } else {
                    let left = try verify(StoreFile(path: result), against: target.model)
                    #expect(left.map(\.description) == [], "\(title)")
                    let dump = try StoreDump(StoreFile(path: result), model: target.model)
                    #expect(dump.links.values.contains { !$0.isEmpty }, "\(title)")
                }
            }
        }
    }
}

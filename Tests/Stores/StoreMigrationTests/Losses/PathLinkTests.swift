import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Links along a path that a map joins to one: of each hop, those are lost that lead no further, or that no object
/// leads to.
struct PathLinkTests {
    private typealias Shape = WrittenLinkTests.Shape

    private static let shapes = [(false, true), (true, false), (true, true), (false, false)].map {
        Shape(isToMany: $0, isInverseToMany: $1)
    }

    private static let paths: [[Shape]] = {
        let two = shapes.flatMap { first in shapes.map { [first, $0] } }
        return two + two.flatMap { path in shapes.map { path + [$0] } }
    }()

    private static func links(_ shape: Shape) -> [(Int64, Int64)] {
        WrittenLinkTests.links(shape).filter { $0.0 < 5 }
    }

    /// Entities E0, E1 and so on, each linked to the next one; the new version links the first with the last.
    private static func models(
        _ path: [Shape]
    ) -> (old: ManagedObjectModel, new: ManagedObjectModel) {
        func arrow(_ isToMany: Bool) -> String { isToMany ? ">>" : ">" }
        let old = (0...path.count).map { place in
            let next =
                place < path.count
                ? "r\(place)\(arrow(path[place].isToMany))E\(place + 1).i\(place)" : ""
            let back =
                place > 0
                ? "i\(place - 1)\(arrow(path[place - 1].isInverseToMany))E\(place - 1).r\(place - 1)"
                : ""
            return entityOf("E\(place): code \(next) \(back)")
        }
        let new = (0...path.count).map { place in
            entityOf(
                place == 0
                    ? "E0: code p>>E\(path.count).q"
                    : "E\(place): code \(place == path.count ? "q>>E0.p" : "")"
            )
        }
        return (ManagedObjectModel(old), ManagedObjectModel(new))
    }

    private static func rows(_ path: [Shape], _ layout: StoreLayout) -> [String] {
        (0...path.count).flatMap { inserts("E\($0)", "ZCODE", "'a'", "'b'", "'c'", "'d'") }
            + path.indices.flatMap { hop in
                WrittenLinkTests.links(
                    layout,
                    ("E\(hop)", "r\(hop)"),
                    ("E\(hop + 1)", "i\(hop)"),
                    links(path[hop])
                )
            }
    }

    /// Counts the links of a hop that are on no whole path, from the pairs alone.
    private static func lost(_ hop: Int, of path: [Shape]) -> String {
        let tables = path.enumerated().map { place, shape in
            let pairs = links(shape).map { "(\($0.0), \($0.1))" }.joined(separator: ", ")
            return "h\(place)(a, b) AS (VALUES \(pairs))"
        }
        let whole = path.indices.dropFirst().reduce("h0") { sql, place in
            "\(sql) JOIN h\(place) ON h\(place).a = h\(place - 1).b"
        }
        return
            "WITH \(tables.joined(separator: ", ")) SELECT count(*) FROM h\(hop) WHERE (a, b) NOT IN "
            + "(SELECT h\(hop).a, h\(hop).b FROM \(whole))"
    }

    @Test func `what a joined path leaves out is counted for each hop`() throws {
        for path in Sweep.part(of: Self.paths, every: 5) {
            let (old, new) = Self.models(path)
            let way = path.indices.map { "r\($0)" }.joined(separator: ".")
            let others = (1...path.count).map { ", {from: E\($0), to: E\($0)}" }.joined()
            let map = "entities: [{from: E0, to: E0, set: {p: $source.\(way)}}\(others)]"
            let rows = Self.rows(path, StoreLayout(model: old))
            try MapRun.with(map, from: old, to: new, rows: rows) { run in
                let told = try run.migration.findings(in: run.store.file())
                for hop in path.indices {
                    let names = ["E\(hop).r\(hop)", "E\(hop + 1).i\(hop)"]
                    let count = told.filter { $0.risk.unit == .links && names.contains($0.name) }
                        .map(\.count).reduce(0, +)
                    let lost = try run.store.value(Self.lost(hop, of: path))?.integer
                    #expect(count == lost.map { Int($0) }, "hop \(hop) of \(path): \(told)")
                }
                _ = try run.result()
            }
        }
    }
}

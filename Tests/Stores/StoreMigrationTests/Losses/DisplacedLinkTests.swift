import Diagnostics
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Links that a program takes from objects, on every shape of a relationship: as many as a query of the test finds.
struct DisplacedLinkTests {
    typealias Shape = WrittenLinkTests.Shape

    struct Example: Sendable {
        var shape: Shape
        var line: String
        /// The end of the links that the line replaces on purpose, such as `2|` for those of X 2.
        var replaced: String
        var isAfter: Bool

        func replaces(_ link: String) -> Bool {
            !replaced.isEmpty && "|\(link)|".contains(replaced)
        }
    }

    private static let shapes: [Shape] = [false, true].flatMap { own -> [Shape] in
        [false, true].flatMap { other -> [Shape] in
            (own ? [false, true] : [false]).map {
                Shape(isToMany: own, isInverseToMany: other, isOrdered: $0)
            }
        }
    }

    static let examples: [Example] = shapes.flatMap { shape -> [Example] in
        let own = shape.isToMany ? #"["T/p1", "T/p4"]"# : #""T/p1""#
        let other = shape.isInverseToMany ? #"["X/p1", "X/p3"]"# : #""X/p1""#
        let lines: [(String, String)] = [
            (#"{"@id": "X/p2", "p": \#(own)}"#, shape.isToMany ? "" : "|2|"),
            (#"{"@id": "T/p4", "q": \#(other)}"#, shape.isInverseToMany ? "" : "-4|"),
            (#"{"@insert": "X/new", "p": \#(own)}"#, ""),
            (#"{"@insert": "T/new", "q": \#(other)}"#, ""),
        ]
        return lines.flatMap { line, replaced -> [Example] in
            [false, true].map {
                Example(shape: shape, line: line, replaced: replaced, isAfter: $0)
            }
        }
    }

    private static func model(_ shape: Shape, _ more: String = "") -> ManagedObjectModel {
        let arrow = shape.isOrdered ? ">>>" : shape.isToMany ? ">>" : ">"
        return modelOf(
            "T: code\(more) q\(shape.isInverseToMany ? ">>" : ">")X.p",
            "X: code p\(arrow)T.q"
        )
    }

    /// The links as `1|-2`, from X to T.
    private static func links(_ store: StoreFile, _ model: ManagedObjectModel) throws -> [String] {
        let links = try #require(StoreLayout(model: model).links("p", of: "X"))
        let (source, destination) = (links.source, links.destination)
        return try store.texts(
            "SELECT \(source), -\(destination) FROM \(links.table) WHERE \(source) + \(destination) NOT NULL"
        )
    }

    private static func taken(by findings: [RowFinding]) -> Int {
        findings.reduce(0) { sum, finding in
            if finding.risk.kind == .orderLost { return sum }
            return sum + (finding.risk.unit == .links && !finding.isMeant ? finding.count : 0)
        }
    }

    private func staged(
        of store: TestStore,
        to new: ManagedObjectModel,
        _ line: String,
        isAfter: Bool
    ) throws -> Migration {
        let work = StageWork.shell("cat >/dev/null; echo '\(line)'", "X")
        let stage =
            isAfter ? CustomStageWork(didMigrate: work) : CustomStageWork(willMigrate: work)
        return try store.migration(to: new, by: stage)
    }

    @Test(arguments: Sweep.part(of: examples, every: 5))
    func `links that a program takes are counted`(_ example: Example) throws {
        let (old, new) = (Self.model(example.shape), Self.model(example.shape, " m"))
        let rows =
            inserts("T", "ZCODE", "'1'; '2'; '3'; '4'")
            + inserts("X", "ZCODE", "'1'; '2'; '3'; '4'; '5'")
            + WrittenLinkTests.links(
                StoreLayout(model: old),
                ("X", "p"),
                ("T", "q"),
                WrittenLinkTests.links(example.shape)
            )
        try withStore(old, rows) { store in
            let before = try Self.links(store.file(), old)
            let migration = try staged(
                of: store,
                to: new,
                example.line,
                isAfter: example.isAfter
            )
            var options = MigrationOptions.agreed
            options.allowsPrograms = true
            let path = store.place("New.sqlite")
            let findings = try migration.run(from: store.file(), toNewFile: path, options: options)
            let result = try StoreFile(path: path)
            let after = try Set(Self.links(result, new))
            let lost = before.filter { !after.contains($0) && !example.replaces($0) }
            #expect(Self.taken(by: findings) == lost.count, "\(findings)")
            #expect(try verify(result, against: new).map(\.description) == [])
            guard !lost.isEmpty else { return }
            var strict = options
            strict.acceptsLosses = .none
            let refused = try? store.result(of: migration, strict, "No.sqlite")
            #expect(refused == nil)
        }
    }

    private static let (mandatory, mutual) = (["q>X.p", "p>T.q!"], ["q>X.p", "p>T.q"])
    /// An end, the program, and the links that it takes; `nil` where it may not.
    private static let takings: [(ends: [String], lines: String, lost: Int?)] = [
        (mandatory, #"{"@id": "X/p1", "p": "T/p2"}"#, nil),
        (mandatory, #"{"@insert": "X/new", "p": "T/p1"}"#, nil),
        (mandatory, #"{"@insert": "T/new", "q": "X/p1"}"#, 1),
        (["q>>X.p!", "p>T.q"], #"{"@id": "X/p1", "p": "T/p2"}"#, nil),
        (["q>>X.p!", "p>T.q"], #"{"@id": "X/p1", "p": null}"#, nil),
        (["q>>X.p!", "p>T.q"], #"{"@id": "T/p2", "q": ["X/p1"]}"#, nil),
        (
            mutual,
            "{\"@id\": \"X/p2\", \"p\": \"T/p1\"}\n{\"@insert\": \"T/new\", \"q\": \"X/p1\"}", 1
        ),
        (mutual, "{\"@id\": \"X/p1\", \"p\": \"T/p2\"}\n{\"@id\": \"X/p2\", \"p\": \"T/p1\"}", 0),
        (mutual, "{\"@id\": \"T/p1\", \"q\": \"X/p2\"}\n{\"@id\": \"T/p2\", \"q\": \"X/p1\"}", 0),
    ]

    @Test(arguments: takings.indices)
    func `a required link is taken from no object`(_ index: Int) throws {
        let (ends, lines, lost) = Self.takings[index]
        let models = ["", " m"].map { more in
            var model = modelOf("T: code\(more) \(ends[0])", "X: code \(ends[1])")
            if ends[0].hasSuffix("!") { model.entities[0].relationships[0].minCount = 1 }
            return model
        }
        let other = ends[0].hasPrefix("q>>") ? "ZCODE" : "ZQ"
        let rows = inserts("T", other, "1; 2") + inserts("X", "ZP", "1; 2")
        try withStore(models[0], rows) { store in
            var options = MigrationOptions.agreed
            options.allowsPrograms = true
            for isAfter in [false, true] {
                let migration = try staged(of: store, to: models[1], lines, isAfter: isAfter)
                let path = store.place("\(isAfter).sqlite")
                let file = try store.file()
                let findings = try? migration.run(from: file, toNewFile: path, options: options)
                #expect(findings.map(Self.taken) == lost)
            }
        }
    }
}

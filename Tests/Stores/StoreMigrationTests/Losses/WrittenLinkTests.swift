import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ModelLanguage
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Links through maps: those missing when all rows are written are counted, and need agreement before anything is kept.
struct WrittenLinkTests {
    struct Shape: Sendable, Hashable {
        var isToMany: Bool
        var isInverseToMany: Bool
        var isOrdered = false
    }

    enum Road: Sendable, CaseIterable {
        case plain, findOrCreate, twoIntoOne, last, lastOfSome, split
    }

    /// How the map is given; the code of a policy does what its mapping says.
    enum Route: Sendable, CaseIterable {
        case map, mappingModel, policy
    }

    struct Example: Sendable {
        var old: Shape
        var new: Shape
        var sides: [String]
        var road: Road
        var route = Route.map
        var isRequired = false
    }

    private static let lasts: [Road] = [.last, .lastOfSome]

    static let examples: [Example] = {
        let flags = [false, true]
        let shapes = flags.flatMap { own in
            flags.map { Shape(isToMany: own, isInverseToMany: $0) }
        }
        var all: [Example] = []
        for old in shapes + shapes.filter(\.isToMany).map(ordered) {
            for new in shapes + shapes.filter(\.isToMany).map(ordered) {
                for sides in [["X"], ["T"], ["X", "T"]] {
                    for road in Road.allCases
                    where (road != .twoIntoOne || sides == ["X"])
                        && (!lasts.contains(road) || !new.isToMany && sides == ["X"])
                    {
                        for route in Route.allCases
                        where route == .map || road != .findOrCreate && !lasts.contains(road) {
                            all.append(
                                Example(old: old, new: new, sides: sides, road: road, route: route)
                            )
                        }
                    }
                }
            }
        }
        return all
            + shapes.filter { !$0.isToMany }.map {
                Example(old: shapes[1], new: $0, sides: ["X"], road: .plain, isRequired: true)
            }
    }()

    private static func ordered(_ shape: Shape) -> Shape {
        Shape(isToMany: true, isInverseToMany: shape.isInverseToMany, isOrdered: true)
    }

    private static func model(
        _ shape: Shape,
        _ name: String,
        _ inverse: String,
        isOld: Bool,
        isRequired: Bool = false
    ) -> ManagedObjectModel {
        let arrow = shape.isOrdered ? ">>>" : shape.isToMany ? ">>" : ">"
        let back = shape.isInverseToMany ? ">>" : ">"
        return modelOf(
            "T: code \(inverse)\(back)X.\(name) \(isOld ? "v\(back)Z.u" : "")",
            "X: code \(name)\(arrow)T.\(inverse)\(isRequired ? "!" : "")",
            isOld ? "Z: code u\(arrow)T.v" : "Y: code"
        )
    }

    /// Links that a shape has room for, from objects 1 to 5 to objects 1 to 4.
    static func links(_ shape: Shape, ofX isX: Bool = true) -> [(Int64, Int64)] {
        guard isX else { return [(1, 1), (2, 2)] }
        return switch (shape.isToMany, shape.isInverseToMany) {
        case (true, true): [(1, 2), (1, 1), (2, 1), (3, 3), (3, 2), (4, 1), (4, 4), (5, 3)]
        case (false, true): [(1, 1), (2, 1), (3, 2), (4, 1), (5, 3)]
        case (true, false): [(1, 2), (1, 1), (3, 4), (3, 3)]
        case (false, false): [(1, 1), (3, 2), (5, 3)]
        }
    }

    private static func rows(_ example: Example) -> [String] {
        let layout = StoreLayout(model: model(example.old, "r", "s", isOld: true))
        func objects(_ entity: String, _ codes: String) -> [String] {
            zip(1..., codes).map { key, code in
                "INSERT INTO Z\(entity) (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(key), \(layout.number(of: entity) ?? 0), 1, '\(code)')"
            }
        }
        return objects("T", "1234") + objects("Z", "yz")
            + objects("X", example.road == .findOrCreate ? "abcabd" : "abcdef")
            + links(layout, ("X", "r"), ("T", "s"), links(example.old, ofX: true))
            + links(layout, ("Z", "u"), ("T", "v"), links(example.old, ofX: false))
            + ["UPDATE Z_PRIMARYKEY SET Z_MAX = 9"]
    }

    /// The statements that write links of a relationship and its inverse.
    static func links(
        _ layout: StoreLayout,
        _ own: (entity: String, name: String),
        _ inverse: (entity: String, name: String),
        _ links: [(Int64, Int64)]
    ) -> [String] {
        links.enumerated().flatMap { place, link in
            let order = 2048 + 1024 * place
            return [(own, link.0, link.1), (inverse, link.1, link.0)].compactMap {
                end,
                key,
                value -> String? in
                guard let links = layout.links(end.name, of: end.entity) else { return nil }
                switch links.form {
                case .key:
                    let further = links.orderKey.map { ", \($0) = \(order)" } ?? ""
                    return "UPDATE \(links.table) SET \(links.key) = \(value)\(further) "
                        + "WHERE Z_PK = \(key)"
                case .join where end == own:
                    let columns =
                        [links.source, links.destination] + [links.orderKey].compactMap(\.self)
                    let values = [key, value] + (links.orderKey == nil ? [] : [Int64(order)])
                    return "INSERT INTO \(links.table) (\(columns.joined(separator: ", "))) VALUES "
                        + "(\(values.map(String.init).joined(separator: ", ")))"
                default: return nil
                }
            }
        }
    }

    private static func links(
        _ store: StoreFile,
        _ layout: StoreLayout,
        _ entity: String,
        _ name: String
    ) throws -> [(key: String, code: String, end: String)] {
        let links = try #require(layout.links(name, of: entity))
        let order = links.form == .key ? nil : links.orderKey
        return try store.texts(
            "SELECT x.Z_PK, x.ZCODE, t.ZCODE FROM \(links.table) AS l JOIN Z\(entity) AS x ON x.Z_PK = "
                + "l.\(links.source) JOIN ZT AS t ON t.Z_PK = l.\(links.destination) ORDER BY x.Z_PK, \(order.map { "l.\($0)" } ?? "t.Z_PK")"
        ).map { text in
            let parts = text.split(separator: "|").map(String.init)
            return (entity + parts[0], parts[1], parts[2])
        }
    }

    private static func map(_ example: Example) -> String {
        let link = lasts.contains(example.road) ? "{last: $source.r}" : "$source.r"
        let own = example.sides.contains("X") ? "p: \(link)" : ""
        let other = example.sides.contains("T") ? "q: $source.s" : ""
        var (condition, second) = ("", "")
        switch example.road {
        case .findOrCreate: condition = ", findOrCreate: code"
        case .twoIntoOne:
            second = "\n  - {from: Z, to: X, set: {code: $source.code, p: $source.u}}"
        case .split:
            condition = ", where: code < 'd'"
            second = "\n  - {from: X, to: Y, where: code >= 'd', set: {code: $source.code}}"
        case .lastOfSome: condition = ", where: code < 'c'"
        case .plain, .last: break
        }
        return """
            entities:
              - {from: X, to: X\(condition), set: {\(own)}}
              - {from: T, to: T, set: {\(other)}}\(second)
            """
    }

    /// The mapping model that says the same as the map.
    private static func mappingModel(_ example: Example) throws -> CustomStageWork {
        let isSplit = example.road == .split
        func mapping(
            _ names: (String, String),
            _ link: (String, String)?,
            where condition: String? = nil
        ) throws -> MappingModelSource.EntityMapping {
            MappingModelSource.EntityMapping(
                sourceName: names.0,
                destinationName: names.1,
                sourcePredicate: try condition.map { try ModelLanguage.Predicate(parsing: $0) },
                policyClassName: example.route == .policy && names.1 == "X" ? "Own" : nil,
                attributes: [MappingModelSource.PropertyMapping(name: "code")],
                relationships: link.map {
                    [MappingModelSource.PropertyMapping(name: $0, sourceKeyPath: "$source.\($1)")]
                } ?? []
            )
        }
        let isOwn = example.sides.contains("X")
        var mappings = [
            try mapping(("X", "X"), isOwn ? ("p", "r") : nil, where: isSplit ? "code < 'd'" : nil),
            try mapping(("T", "T"), example.sides.contains("T") ? ("q", "s") : nil),
        ]
        if isSplit { mappings.append(try mapping(("X", "Y"), nil, where: "code >= 'd'")) }
        if example.road == .twoIntoOne { mappings.append(try mapping(("Z", "X"), ("p", "u"))) }
        let source = MappingModelSource(entityMappings: mappings)
        let map = stageMap(of: source, path: "m.cdm", policyNames: ["Own"])
        #expect(map.diagnostics == [])
        return CustomStageWork(map: map.value)
    }

    @Test(arguments: Sweep.part(of: examples, every: 7))
    func `what is not written is counted`(_ example: Example) throws {
        let old = Self.model(example.old, "r", "s", isOld: true)
        let new = Self.model(example.new, "p", "q", isOld: false, isRequired: example.isRequired)
        try withStore(old, Self.rows(example)) { store in
            let work =
                try example.route == .map
                ? .mapped(Self.map(example)) : Self.mappingModel(example)
            let policies = MigrationPolicies(["Own": PlainPolicy()])
            let migration = try store.migration(to: new, by: work, policies)
            guard !example.isRequired else {
                #expect(throws: StoreMigrationError.self) { try store.result(of: migration) }
                return
            }
            let path = store.place("Agreed.sqlite")
            let findings = try migration.run(
                from: store.file(),
                toNewFile: path,
                options: .agreed
            )
            if example.route == .map {
                #expect(try migration.findings(in: store.file()) == findings)
            }
            if findings.contains(where: { !$0.isMeant }) {
                #expect(throws: StoreMigrationError.self) {
                    try store.result(of: migration, MigrationOptions())
                }
            }
            let result = try StoreFile(path: path)
            #expect(try verify(result, against: new).map(\.description) == [])
            try Self.check(example, findings, store.file(), old, result, new)
        }
    }

    private static func check(
        _ example: Example,
        _ findings: [RowFinding],
        _ store: StoreFile,
        _ old: ManagedObjectModel,
        _ result: StoreFile,
        _ new: ManagedObjectModel
    ) throws {
        var before = try links(store, StoreLayout(model: old), "X", "r")
        if example.road == .twoIntoOne {
            before += try links(store, StoreLayout(model: old), "Z", "u")
        }
        let after = try links(result, StoreLayout(model: new), "X", "p")
        let arrived = Set(after.map { [$0.code, $0.end] })
        let lost = before.filter { !arrived.contains([$0.code, $0.end]) }.count
        func count(ofOrder isOrder: Bool) -> Int {
            findings.filter {
                let isOfOrder = $0.risk.kind == .orderLost
                let names = ["X.r", "Z.u", "T.s", "T.v"]
                return $0.risk.unit == .links && isOfOrder == isOrder && !$0.isMeant
                    && names.contains($0.name)
                    && (example.road == .twoIntoOne || !["Z.u", "T.v"].contains($0.name))
            }.map(\.count).reduce(0, +)
        }
        #expect(count(ofOrder: false) == lost)
        guard example.old.isOrdered else { return #expect(count(ofOrder: true) == 0) }
        var disordered = 0
        for (code, own) in Dictionary(grouping: after, by: \.code) where own.count > 1 {
            let lists = Dictionary(grouping: before.filter { $0.code == code }, by: \.key)
                .mapValues { list in list.map(\.end).filter { arrived.contains([code, $0]) } }
                .filter { !$0.value.isEmpty }
            let isKept =
                example.new.isOrdered && lists.count == 1
                && lists.values.allSatisfy { $0 == own.map(\.end) }
            if !isKept { disordered += own.count }
        }
        #expect(count(ofOrder: true) == disordered)
    }

    /// What is looked for: values of objects, of a single one, of none, and nothing.
    private static let wants = "'1' '1' '2' '9' NULL '3' ''"

    @Test(arguments: [">", ">>"], ["", ", findOrCreate: code", ", where: code <> 'c'"])
    func `what a find leaves without a link is counted`(back: String, condition: String) throws {
        let old = modelOf("T: code", "X: code want")
        let new = modelOf("T: code q\(back)X.p", "X: code p>T.q")
        let rows =
            inserts("T", "ZCODE", "'1'", "'2'", "'3'")
            + zip("abcdefg", Self.wants.split(separator: " ")).enumerated().map { place, row in
                "INSERT INTO ZX (Z_PK, Z_ENT, Z_OPT, ZCODE, ZWANT) VALUES (\(place + 1), 2, 1, '\(row.0)', \(row.1))"
            }
        let find = "{find: {entity: T, key: code, equals: $source.want}}"
        let map = "entities: [{from: X, to: X\(condition), set: {p: \(find)}}, {from: T, to: T}]"
        try MapRun.with(map, from: old, to: new, rows: rows) { run in
            let findings = try run.migration.findings(in: run.store.file())
            let result = try run.result()
            let links = try result.connection.value("SELECT count(ZP) FROM ZX")?.integer ?? -1
            let wants =
                try run.store.value(
                    "SELECT count(ZWANT) FROM ZX WHERE \(condition.contains("where") ? "ZCODE <> 'c'" : "1")"
                )?.integer ?? -1
            let told = findings.filter { $0.risk.unit != .rows }.map(\.count).reduce(0, +)
            #expect(told == Int(wants - links), "\(findings)")
        }
    }
}

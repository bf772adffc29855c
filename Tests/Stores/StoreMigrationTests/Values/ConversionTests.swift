import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ModelCompiling
import ModelLoading
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import SettingsFiles
import Testing

struct PlainPolicy: EntityMigrationPolicy {}

struct ConversionTableTests {
    struct Form: Sendable, Hashable, CustomTestStringConvertible {
        var type: AttributeType
        var isExternal = false

        var testDescription: String { "\(type)\(isExternal ? " in files" : "")" }
    }

    static let forms =
        [
            AttributeType.integer16, .integer32, .integer64, .decimal, .double, .float, .string,
            .boolean, .date, .binary, .uuid, .uri, .transformable,
        ].map { Form(type: $0) } + [Form(type: .binary, isExternal: true)]

    enum Route: CaseIterable {
        case inferred, map, computed, renamed, mappingModel, policyAsMapped, swiftPolicy
    }

    private enum Outcome: Equatable {
        case refused
        case values([SQLiteValue], lost: Int)
    }

    private static func values(of form: Form) -> [SQLiteValue] {
        let numbers: [SQLiteValue] = [.integer(0), .integer(1), .integer(-1)]
        return switch form.type {
        case .integer16: numbers + [.integer(32767), .integer(-32768)]
        case .integer32:
            numbers + [.integer(70000), .integer(-70000), .integer(16_777_217)]
        case .integer64:
            numbers + [70000, 16_777_217, 9_007_199_254_740_993, .max, .min].map { .integer($0) }
        case .boolean: [.integer(0), .integer(1)]
        case .double:
            [0, 1, 0.5, 0.1, -2.5, 70000, 3e9, 1e300, -1e300, 1e-40, .infinity].map { .real($0) }
        case .float: [0, 1, 0.5, 16_777_216, 3e9, 1e30, .infinity].map { .real(Double(Float($0))) }
        case .decimal: [.real(0.5), .integer(12), .real(-1.25)]
        case .date: [.real(0.25), .real(694_224_000.5)]
        case .string: ["abc", "12", "", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"].map { .text($0) }
        case .uri: [.text("https://example.com/a"), .text("x:1")]
        case .uuid: [.blob(Data(0..<16))]
        case .binary where form.isExternal:
            [.blob(Data([1, 8, 9])), ExternalFile.marker]
        default: [.blob(Data([8, 9])), .blob(ExternalFile.large)]
        }
    }

    private static func model(_ form: Form, _ name: String = "value") -> ManagedObjectModel {
        let attribute = Attribute(
            name: name,
            type: form.type,
            allowsExternalBinaryDataStorage: form.isExternal
        )
        return ManagedObjectModel([Entity("Thing", [attribute])])
    }

    /// The new version, which differs in any case.
    private static func newModel(_ form: Form, _ name: String = "value") -> ManagedObjectModel {
        var model = model(form, name)
        model.entities[0].attributes.append(Attribute("added", .string))
        return model
    }

    private func withThings(_ form: Form, _ body: (TestStore) throws -> Void) throws {
        let files = form.isExternal ? [ExternalFile.name: ExternalFile.large] : [:]
        try withStore(Self.model(form), files: files) { store in
            let insert = "INSERT INTO ZTHING (Z_ENT, Z_OPT, ZVALUE) VALUES (1, 1, ?)"
            for value in Self.values(of: form) + [.null] { try store.execute([insert], [value]) }
            try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZTHING)")
            try body(store)
        }
    }

    /// The expected value, by Swift's own numbers; `nil` where the type stays.
    private static func converted(_ value: SQLiteValue, _ to: AttributeType) -> SQLiteValue {
        let number: Double
        switch (value, to) {
        case (.integer(let whole), .boolean): return .integer(whole == 0 ? 0 : 1)
        case (.integer(let whole), .integer16): return .integer(Int64(Int16(clamping: whole)))
        case (.integer(let whole), .integer32): return .integer(Int64(Int32(clamping: whole)))
        case (.integer(let whole), .double): return .real(Double(whole))
        case (.integer(let whole), .float): return .real(Double(Float(Double(whole))))
        case (.real(let real), _): number = real
        default: return value
        }
        switch to {
        case .boolean: return .integer(number == 0 ? 0 : 1)
        case .integer16, .integer32, .integer64:
            let whole = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
            return converted(.integer(whole), to)
        case .float:
            guard number.isFinite else { return value }
            let greatest = Double(Float.greatestFiniteMagnitude)
            return .real(Double(Float(max(-greatest, min(greatest, number)))))
        case .decimal:
            guard abs(number) < 1e200 else { return .null }
            return Int64(exactly: number).map { .integer($0) } ?? value
        default: return value
        }
    }

    private static let numbers: Set<AttributeType> = [
        .integer16, .integer32, .integer64, .double, .float, .boolean,
    ]

    /// The expected result of inference and every other route; only Decimal, of which no record shows what Core Data
    /// infers, is a number in maps.
    private func expected(_ from: Form, _ to: Form, _ route: Route) -> Outcome {
        let numbers = route == .inferred ? Self.numbers : Self.numbers.union([.decimal])
        let isConverted = numbers.isSuperset(of: [from.type, to.type])
        guard from.type == to.type || isConverted || (from.type == .uri && to.type == .string)
        else { return .refused }
        let plain = Self.values(of: Form(type: from.type))
        guard from.type != to.type else { return .values(plain + [.null], lost: 0) }
        let new = plain.map { Self.converted($0, to.type) }
        let lost = zip(plain, new).count { !$0.isSame(as: $1) }
        return .values(new + [.null], lost: lost)
    }

    private func map(_ route: Route, _ from: Form, _ to: Form) throws -> StageMap? {
        let source = MappingModelSource(entityMappings: [
            MappingModelSource.EntityMapping(
                sourceName: "Thing",
                destinationName: "Thing",
                policyClassName: [.policyAsMapped, .swiftPolicy].contains(route) ? "Own" : nil,
                attributes: [MappingModelSource.PropertyMapping(name: "value")]
            )
        ])
        let expression: String
        switch route {
        case .inferred: return nil
        case .map: expression = "value: $source.value"
        case .computed: expression = "value: {coalesce: [$source.value, $source.value]}"
        case .renamed: expression = "other: $source.value"
        case .mappingModel:
            let compiled = compileMappingModel(
                source,
                from: Self.model(from),
                to: Self.newModel(to)
            )
            let read = readCompiledMappingModel(compiled.value.binaryData, path: "m.cdm")
            return stageMap(of: read.value, path: "m.cdm").value
        case .policyAsMapped:
            return stageMap(of: source, path: "m.cdm", declaring: ["Own": .copy]).value
        case .swiftPolicy:
            return stageMap(of: source, path: "m.cdm", policyNames: ["Own"]).value
        }
        return CustomStageWork.mapped("entities: [{from: Thing, to: Thing, set: {\(expression)}}]")
            .map
    }

    private func outcome(
        _ route: Route,
        _ from: Form,
        _ to: Form,
        _ store: TestStore
    ) throws -> Outcome {
        let name = route == .renamed ? "other" : "value"
        let new = Self.newModel(to, name)
        let work = try map(route, from, to).map { CustomStageWork(map: $0) }
        let policies = MigrationPolicies(["Own": PlainPolicy()])
        do {
            let migration = try store.migration(to: new, by: work, policies)
            let path = store.place("\(route).sqlite")
            let losses = try migration.run(from: store.file(), toNewFile: path, options: .agreed)
            let file = try StoreFile(path: path)
            #expect(try verify(file, against: new) == [], "\(route)")
            let query = "SELECT Z\(name.uppercased()) FROM ZTHING ORDER BY Z_PK"
            let values = try file.connection.rows(query).map { row in
                to.isExternal ? try ExternalFile.plain(row[0], in: file) : row[0]
            }
            return .values(values, lost: losses.map(\.count).reduce(0, +))
        } catch StoreMigrationError.map {
            return .refused
        } catch StoreMigrationError.notInferable {
            return .refused
        }
    }

    @Test(arguments: forms)
    func `a type becomes another one on all ways alike`(_ from: Form) throws {
        // On every push a third of the pairs.
        let place = Self.forms.firstIndex(of: from) ?? 0
        for (number, to) in Self.forms.enumerated()
        where Sweep.isWhole || (place + number) % 3 == 0 {
            try withThings(from) { store in
                for route in Route.allCases {
                    let expected = expected(from, to, route)
                    // A policy's code may provide what has no conversion; it is not refused for that.
                    if route == .swiftPolicy, expected == .refused { continue }
                    // Without an inferred pair a renamed attribute is another one.
                    let found = try outcome(route, from, to, store)
                    let title = "\(from.testDescription) → \(to.testDescription): \(route)"
                    #expect(found == expected, "\(title)")
                }
            }
        }
    }
}

struct NarrowestNumbersTests {
    private static func model(_ type: String) -> ManagedObjectModel {
        modelOf("Thing: data:binary real:\(type) x")
    }

    private static let numbers: [Double] =
        [
            .infinity, -.infinity, 1e300, -1e300, 0, 0.5, 0.1, 1e-46, 1e-45, 1e-44, 3e-40, -3e-40,
            1.1754943508222875e-38, 1.1754942106924411e-38, Double(Float.leastNonzeroMagnitude),
            Double(Float.leastNonzeroMagnitude) * 3, Double(Float.leastNonzeroMagnitude) * 2.5,
            Double(Float.leastNonzeroMagnitude) * 0.5, Double(Float.leastNonzeroMagnitude) * 1.5,
            Double(Float.leastNormalMagnitude), Double(Float.greatestFiniteMagnitude), 3.4028235e38,
            3.5e38, -3.5e38, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]

    private func withNumbers(_ body: (TestStore) throws -> Void) throws {
        try withStore(Self.model("double")) { store in
            let insert = "INSERT INTO ZTHING (Z_ENT, Z_OPT, ZREAL) VALUES (1, 1, ?)"
            for number in Self.numbers { try store.execute([insert], [.real(number)]) }
            try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.numbers.count)")
            try body(store)
        }
    }

    private static func nearest(_ number: Double) -> Double {
        guard number.isFinite else { return number }
        let greatest = Double(Float.greatestFiniteMagnitude)
        return Double(Float(max(-greatest, min(greatest, number))))
    }

    @Test(arguments: [nil, "$source.real", "$source.real * 1"])
    func `a Float gets the nearest number, and changes are counted`(_ expression: String?) throws {
        let work = expression.map {
            CustomStageWork.mapped("entities: [{from: Thing, to: Thing, set: {real: \($0)}}]")
        }
        try withNumbers { store in
            let new = Self.model("float")
            let migration = try store.migration(to: new, by: work ?? CustomStageWork())
            let findings = try migration.findings(in: store.file())
            let expected = Self.numbers.map(Self.nearest)
            let changed = zip(Self.numbers, expected).count { $0 != $1 }
            #expect(findings.map(\.count) == [changed])
            #expect(findings.map(\.name) == ["Thing.real"])
            let rows = try store.result(of: migration).connection.rows(
                "SELECT ZREAL FROM ZTHING ORDER BY Z_PK"
            )
            #expect(rows.map { $0[0] } == expected.map { .real($0) })
        }
    }

    @Test func `a blob in a script is no attribute of that letter`() throws {
        try withNumbers { store in
            let script =
                "UPDATE Thing SET data = x'00ff', x = 'q' WHERE real = 0.5 AND X'00' <> x'01'"
            try store.migrate(to: Self.model("float"), by: .before(script))
            let rows = try store.rows("SELECT ZDATA, ZX FROM ZTHING WHERE ZDATA NOT NULL")
            #expect(rows == [[.blob(Data([0, 255])), .text("q")]])
        }
    }
}

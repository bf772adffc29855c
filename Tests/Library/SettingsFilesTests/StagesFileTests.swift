import Diagnostics
import MigrationPlanning
import ModelLanguage
import ObjectModel
import SettingsFiles
import TestSupport
import Testing

struct StagesFileTests {
    private static let whole = """
        model: Models/Shop.xcdatamodeld
        stages:
          - lightweight: [V1, {V2: uCEw}]
          - custom: {from: V2, to: V3}
            label: Split name
            willMigrate: V2-V3.will.sql
            map: V2-V3.map.yml
            didMigrate: V2-V3.did.sql
        """

    @Test func `a whole file is read with its versions, checksums and scripts`() {
        let file = readStagesFile(Self.whole, path: "stages.yml")
        #expect(file.diagnostics == [])
        #expect(file.value.model == "Models/Shop.xcdatamodeld")
        #expect(
            file.value.stages.map { $0.versions.map(\.name) } == [["V1", "V2"], ["V2", "V3"]]
        )
        #expect(file.value.stages[0].versions.map(\.checksum) == [nil, "uCEw"])
        #expect(file.value.stages[1].label == "Split name")
        #expect(file.value.stages[1].scripts[.map]?.path == "V2-V3.map.yml")
        #expect(file.value.stages[1].scripts.count == 3)
        #expect(file.value.stages[1].location.line == 4)
    }

    @Test func `versions are looked up by name, and unknown ones stay unresolved`() {
        let file = readStagesFile(Self.whole, path: "stages.yml").value
        let model = ManagedObjectModel([Entity("E")])
        let manager = file.manager { $0.name == "V3" ? nil : ModelVersion(model: model) }
        #expect(manager.stages.count == 2)
        #expect(manager.stages[0].versions[1].versionChecksum == "uCEw")
        #expect(manager.stages[1].versions[1].found == nil)
        guard case .custom(let stage) = manager.stages[1] else {
            Issue.record("no custom stage")
            return
        }
        #expect(stage.parts == [.willMigrate, .map, .didMigrate])
    }

    typealias Fault = (text: String, line: Int?, column: Int?)

    static let faults: [Fault] = [
        ("", nil, nil), ("stages: [", 2, 1), ("model: A", 1, 1), ("stages:\n  - light: [V1]", 2, 5),
        ("stages:\n  - custom: {from: V1}", 2, 5), ("stages:\n  - lightweight: V1", 2, 18),
        ("stages:\n  - lightweight: [V1]\n    map: a.yml", 2, 5),
        ("stages:\n  - lightweight: [{V1: a, V2: b}]", 2, 19), ("other: 1\nstages: []", 1, 1),
        (String(repeating: "[", count: 100_000), nil, nil),
        (String(repeating: "- ", count: 100_000), nil, nil),
        (String(repeating: "a", count: 2 << 20), nil, nil),
    ]

    @Test(arguments: faults.indices)
    func `what is not understood is an error at its place`(index: Int) {
        let fault = Self.faults[index]
        let file = readStagesFile(fault.text, path: "s.yml")
        #expect(file.hasErrors)
        #expect(file.diagnostics.first?.location?.line == fault.line)
        #expect(file.diagnostics.first?.location?.column == fault.column)
    }

    @Test func `a file whose aliases multiply without end is read in no time`() {
        var lines = ["a0: &a0 [x, x]"]
        for level in 1..<40 {
            lines.append("a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]")
        }
        #expect(readStagesFile(lines.joined(separator: "\n"), path: "s.yml").hasErrors)
    }

    @Test func `a map is read with its functions`() {
        let map = readStageMap(
            """
            entities:
              - from: Person
                to: Person
                where: age > 3
                set:
                  first: {split: [$source.name, ' ', 0]}
                  id: uuid()
                  kind: {constant: adult}
                  rank: 7
                  city: {find: {entity: City, key: name, equals: $source.city}}
              - from: Person
                to: City
                name: cities
                findOrCreate: name
                copyRest: false
              - delete: Draft
            """,
            path: "m.yml"
        )
        #expect(map.diagnostics == [])
        let entities = map.value.entities
        #expect(entities.map(\.name) == ["PersonToPerson", "cities", "Draft"])
        #expect(entities[0].values["kind"] == .constant(.string("adult")))
        #expect(entities[0].values["rank"] == .constant(.integer(7)))
        let name = PredicateExpression.keyPath(.variable("source"), "name")
        #expect(
            entities[0].values["first"]
                == .function(
                    operand: nil,
                    selector: StageMap.Function.split,
                    arguments: [name, .constant(.string(" ")), .constant(.integer(0))]
                )
        )
        #expect(entities[0].condition != nil)
        #expect(entities[1].findOrCreateKeys == ["name"])
        #expect(!entities[1].copiesRest)
        #expect(entities[2].destination == nil)
    }

    static let mapFaults = [
        "entities:\n  - from: A",
        "entities:\n  - from: A\n    to: B\n    set: {x: '$source.('}",
        "entities:\n  - from: A\n    to: B\n    set: {x: {explode: [1]}}",
        "entities:\n  - from: A\n    to: B\n    set: {x: {split: [1]}}",
        "entities:\n  - from: A\n    to: B\n    where: age >",
        "entities:\n  - delete: A\n    to: B",
        "entities:\n  - from: A\n    to: B\n    set: {x: {find: {entity: A}}}",
        "entities:\n  - from: A\n    to: B\n    set: {x: {'@moon': 1}}",
        "entities:\n  - from: A\n    to: B\n    set: {x: {'@uuid': [1]}}",
        "entities:\n  - from: A\n    to: B\n    set: {x: {join: [1]}}",
    ]

    @Test(arguments: mapFaults)
    func `a map that is not understood is an error`(text: String) {
        let map = readStageMap(text, path: "m.yml")
        #expect(map.hasErrors)
        #expect(map.diagnostics.allSatisfy { $0.location?.line != nil })
    }

    /// The line and the column of each error.
    @Test(arguments: [
        ("{delete: A, where: x > 1}", ["2:17"]), ("{delete: A, name: n}", []),
        ("{delete: A, set: {x: 1}, copyRest: false}", ["2:17", "2:30"]),
        ("{delete: A, findOrCreate: x}", ["2:17"]), ("{from: B, delete: A}", ["2:6"]),
        ("{delete: A, wherre: x}", ["2:17"]), ("{delete: A}\n  - {from: A, to: B}", ["2:14"]),
        ("{from: A, to: A, where: x > 1}\n  - {delete: A}", ["3:14"]),
        ("{from: B, to: A}\n  - {delete: A}", []),
    ])
    func `what 'delete' would ignore is an error at its place`(_ item: String, _ places: [String]) {
        let map = readStageMap("entities:\n  - \(item)", path: "m.yml")
        let found = map.diagnostics.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0)" }
        #expect(found == places)
    }

    @Test func `the files of the guide are understood`() throws {
        let guide = try guideBlocks("MigratingInStages.md", "yaml")
        #expect(guide.count == 6)
        #expect(readStagesFile(guide[0], path: "s.yml").diagnostics == [])
        #expect(readStagesFile("stages:\n" + guide[1], path: "s.yml").diagnostics == [])
        #expect(readStageMap(guide[2], path: "m.yml").diagnostics == [])
        #expect(readStageMap(guide[3], path: "m.yml").diagnostics == [])
        #expect(readConfiguration(guide[4], path: "c.yml").diagnostics == [])
        let settings = try [
            #require(guideBlocks("CheckingModels.md", "yaml").first),
            #require(guideBlocks("SwiftData.md", "yaml").first),
        ]
        for text in settings {
            #expect(readConfiguration(text, path: "c.yml").diagnostics == [], "\(text)")
        }
        let cases = try guideBlocks("TestingMigrations.md", "yaml")
        #expect(cases.count == 6)
        for text in cases {
            let whole = text.hasPrefix("model:") ? text : "model: M\nfrom: V1\n" + text
            #expect(readCaseFile(whole, path: "case.yml").diagnostics == [], "\(text)")
        }
    }
}

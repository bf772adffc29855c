import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import Testing

struct HierarchyTests {
    /// Entities `E0` to `E…`, each with its parent by number.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var count: Int
        var isReversed = false
        var rule: RuleID?
        var names: [String] = []
        var elements: [String] = []
        var parent: @Sendable (Int) -> Int?

        var text: String {
            let order = isReversed ? Array((0..<count).reversed()) : Array(0..<count)
            let entities = order.map { number in
                let parent = parent(number).map { " parentEntity='E\($0)'" } ?? ""
                return "<entity name='E\(number)'\(parent)/>"
            }
            return "<model>\n\(entities.joined(separator: "\n"))\n</model>"
        }
    }

    static let limit = ModelGraph.depthLimit

    static let cases: [Case] = [
        Case(testDescription: "a chain as deep as may be", count: limit) { chain($0) },
        Case(testDescription: "the same, children first", count: limit, isReversed: true) {
            chain($0)
        },
        Case(
            testDescription: "one level more",
            count: limit + 1,
            rule: .hierarchyTooDeep,
            names: ["level 65"],
            elements: ["E64"]
        ) { chain($0) },
        Case(
            testDescription: "a chain of thousands",
            count: 5_000,
            rule: .hierarchyTooDeep,
            names: ["level 65"],
            elements: ["E64"]
        ) { chain($0) },
        Case(
            testDescription: "a chain of thousands, children first",
            count: 5_000,
            isReversed: true,
            rule: .hierarchyTooDeep,
            names: ["level 5000"],
            elements: ["E4999"]
        ) { chain($0) },
        Case(
            testDescription: "many entities below a chain, and a second chain",
            count: 600,
            rule: .hierarchyTooDeep,
            names: [
                "level 65",
                "level 65",
            ],
            elements: ["E64", "E564"]
        ) { number in
            number.isMultiple(of: 500) ? nil : min(number, number < 500 ? limit : number) - 1
        },
        Case(
            testDescription: "many small circles",
            count: 6,
            rule: "parent-cycle",
            names: [
                "E0 → E1 → E0",
                "E2 → E3 → E2",
                "E4 → E5 → E4",
            ],
            elements: ["E0", "E2", "E4"]
        ) { $0 ^ 1 },
        Case(
            testDescription: "a circle of eight, below which others stand",
            count: 1_000,
            rule: "parent-cycle",
            names: [
                "E0 → E1 → E2 → E3 → E4 → E5 → E6 → E7 → E0"
            ],
            elements: ["E0"]
        ) { $0 < 8 ? ($0 + 1) % 8 : $0 - 1 },
        Case(
            testDescription: "a circle of nine, met from below",
            count: 1_000,
            isReversed: true,
            rule: "parent-cycle",
            names: [
                "E8 → E7 → E6 → E5 → E4 → E3 → E2 → E1 → … (1 more) → E8"
            ],
            elements: ["E8"]
        ) { $0 < 9 ? ($0 + 8) % 9 : $0 - 1 },
        Case(
            testDescription: "a circle of thousands",
            count: 5_000,
            rule: "parent-cycle",
            names: [
                "E0 → E1 → E2 → E3 → E4 → E5 → E6 → E7 → … (4992 more) → E0"
            ],
            elements: ["E0"]
        ) { ($0 + 1) % 5_000 },
    ]

    static func chain(_ number: Int) -> Int? { number > 0 ? number - 1 : nil }

    @Test(arguments: cases)
    func `a hierarchy is faulted once, in few words`(_ example: Case) {
        let model = readModel(contents: Data(example.text.utf8), path: "m")
        #expect(model.value.entities.count == example.count)
        let named = zip(model.diagnostics, example.names)
        #expect(named.allSatisfy { $0.message.contains($1) }, "\(model.diagnostics)")
        #expect(model.diagnostics.map(\.element) == example.elements)
        #expect(model.diagnostics.allSatisfy { $0.rule == example.rule && $0.severity == .error })
        let lines = model.diagnostics.compactMap { $0.location?.line }
        let numbers = example.elements.compactMap { Int($0.dropFirst()) }
        #expect(lines == numbers.map { example.isReversed ? example.count + 1 - $0 : $0 + 2 })
    }

    @Test(arguments: cases)
    func `no lineage is longer than the limit, and none holds an entity twice`(_ example: Case) {
        let graph = ModelGraph(readModel(contents: Data(example.text.utf8), path: "m").value)
        for entity in graph.model.entities {
            let names = graph.lineage(of: entity).map(\.name)
            #expect(names.count <= Self.limit && Set(names).count == names.count)
            #expect(names.first == entity.name)
            #expect(zip(names, names.dropFirst()).allSatisfy { graph.isParent($1, of: $0) })
        }
    }

    @Test func `references to what a hierarchy inherits are no faults where it is cut`() {
        let entities = (0...(2 * Self.limit)).map { number in
            number == 0
                ? """
                <entity name='E0'><relationship name='r' destinationEntity='E128' inverseEntity='E128'
                inverseName='r'/></entity>
                """ : "<entity name='E\(number)' parentEntity='E\(number - 1)'/>"
        }
        let text = "<model>\(entities.joined())</model>"
        let model = readModel(contents: Data(text.utf8), path: "m")
        #expect(model.diagnostics.map(\.rule) == [.hierarchyTooDeep])
    }

    @Test func `a property is inherited from the nearest entity that declares it`() {
        let text = """
            <model><entity name='A'><attribute name='x' attributeType='Date'/>
            <attribute name='y' attributeType='Date'/></entity>
            <entity name='B' parentEntity='A'><attribute name='x' attributeType='Date'/></entity>
            <entity name='C' parentEntity='B'/>
            <entity name='D' parentEntity='C'><attribute name='x' attributeType='Date'/>
            <attribute name='y' attributeType='Date'/><attribute name='z' attributeType='Date'/></entity>
            </model>
            """
        let model = readModel(contents: Data(text.utf8), path: "m")
        #expect(
            zip(model.diagnostics, [("'x'", "'A'"), ("'x'", "'B'"), ("'y'", "'A'")]).allSatisfy {
                $0.message.contains($1.0) && $0.message.contains($1.1)
            } && model.diagnostics.count == 3
        )
    }
}

extension ModelGraph {
    fileprivate func isParent(_ parent: String, of name: String) -> Bool {
        entity(name)?.parentEntity == parent
    }
}

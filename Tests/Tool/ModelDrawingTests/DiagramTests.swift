import Diagnostics
import Foundation
import ModelDiffing
import ModelLoading
import ObjectModel
import TestSupport
import Testing
@testable import ModelDrawing

private func model(_ body: String) -> ManagedObjectModel {
    readModel(contents: Data("<model>\(body)</model>".utf8), path: "m").value
}

private let old = model(
    """
    <entity name='Base' isAbstract='YES'/>
    <entity name='Order' parentEntity='Base'>
    <attribute name='number' attributeType='Integer 32' optional='YES'/>
    <attribute name='note' attributeType='String' optional='YES'/>
    <relationship name='lines' toMany='YES' optional='YES' destinationEntity='Line' inverseName='order' inverseEntity='Line'/>
    </entity>
    <entity name='Line'>
    <relationship name='order' maxCount='1' destinationEntity='Order' inverseName='lines' inverseEntity='Order'/>
    </entity>
    """
)

private let new = model(
    """
    <entity name='Base' isAbstract='YES'/>
    <entity name='Purchase' elementID='Order' parentEntity='Base'>
    <attribute name='number' attributeType='Integer 64' optional='YES'/>
    <attribute name='date' attributeType='Date' optional='YES'/>
    </entity>
    <entity name='Shop'/>
    """
)

struct DiagramTests {
    @Test func `a relationship and its inverse are one line with both counts`() {
        let diagram = Diagram(old)
        #expect(diagram.boxes.map(\.name) == ["Base", "Order", "Line"])
        #expect(diagram.lines.count == 2)
        #expect(diagram.lines[0].kind == .inheritance)
        #expect(
            diagram.lines[1].kind
                == .relationship(
                    Diagram.Line.Ties(
                        name: "lines",
                        inverse: "order",
                        count: .many,
                        inverseCount: .exactlyOne
                    )
                )
        )
    }

    @Test func `a comparison marks what was added, removed and changed`() throws {
        let diagram = Diagram(from: old, to: new, diff: diff(from: old, to: new))
        let marks = Dictionary(uniqueKeysWithValues: diagram.boxes.map { ($0.name, $0.mark) })
        #expect(marks == ["Base": .same, "Purchase": .changed, "Shop": .added, "Line": .removed])
        let purchase = try #require(diagram.boxes.first { $0.name == "Purchase" })
        let rows = Dictionary(uniqueKeysWithValues: purchase.rows.map { ($0.name, $0.mark) })
        #expect(rows == ["number": .changed, "date": .added, "note": .removed, "lines": .removed])
    }

    @Test func `what was removed leads to the new names of what is left`() throws {
        let link = "<relationship name='r' optional='YES' maxCount='1' destinationEntity='B'/>"
        let from = model(
            "<entity name='A'>\(link)</entity><entity name='B'/><entity name='D' parentEntity='B'/>"
        )
        let to = model("<entity name='A'/><entity name='C' elementID='B'/>")
        let diagram = Diagram(from: from, to: to, diff: diff(from: from, to: to))
        #expect(diagram.boxes.map(\.name) == ["A", "C", "D"])
        let ends = diagram.lines.map { [$0.from, $0.to].map { diagram.boxes[$0].name } }
        #expect(ends.sorted { $0[0] < $1[0] } == [["A", "C"], ["D", "C"]], "\(diagram.lines)")
    }

    @Test(arguments: [(16, 16), (17, 0)])
    func `a parent of many is named in the boxes alone`(children: Int, lines: Int) {
        let all = (0..<children).map { "<entity name='C\($0)' parentEntity='P'/>" }
        #expect(Diagram(model("<entity name='P'/>" + all.joined())).lines.count == lines)
    }

    @Test func `every form names every entity and property`() {
        let diagram = Diagram(from: old, to: new, diff: diff(from: old, to: new))
        for text in [diagram.mermaid, diagram.dot] {
            for name in ["Base", "Purchase", "Shop", "Line", "number", "date", "note", "lines"] {
                #expect(text.contains(name))
            }
        }
    }

    @Test func `names that mean something to a form are no harm`() throws {
        let odd = model(
            """
            <entity name='A"]; &lt;b>'><attribute name='x}"\\' attributeType='Date'/></entity>
            <entity name='class'/><entity name=''/><entity name='class'/><entity name='style'/>
            <entity name='direction TB'/><entity name='o'/><entity name='Stop'/>
            """
        )
        let diagram = Diagram(odd)
        #expect(!diagram.mermaid.contains("x}\""))
        #expect(!diagram.dot.contains("<b>>"))
        for word in ["class class", "class style", "class o[", "direction TB"] {
            #expect(!diagram.mermaid.contains(word), "\(word)")
        }
        #expect(diagram.mermaid.contains("class Stop[\"Stop\"]"))
        #expect(!diagram.mermaid.contains("[\"\"]"))
        #expect(Diagram(ManagedObjectModel()).mermaid == "classDiagram")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `real models are drawn`() throws {
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodel") }) {
            guard let version = readModelBundle(at: Corpus.path(path)).value.versions.first else {
                continue
            }
            let diagram = Diagram(version.model)
            #expect(diagram.mermaid.hasPrefix("classDiagram\n") || diagram.boxes.isEmpty)
            let model = version.model
            #expect(diagram.boxes.count == model.entities.count + model.composites.count)
        }
    }
}

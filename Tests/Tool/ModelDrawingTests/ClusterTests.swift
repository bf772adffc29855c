import Diagnostics
import Foundation
import ModelDrawing
import ModelLoading
import ObjectModel
import TestSupport
import Testing
import XMLReading

/// What boxes of large pictures stand together.
struct ClusterTests {
    /// Circles of entities of which each has a link to the next but one too, and one link to the next circle.
    private func model(
        _ names: [String],
        _ size: Int,
        configurations: String = ""
    ) -> ManagedObjectModel {
        let entities = names.enumerated().flatMap { index, name in
            (0..<size).map { number in
                var ends = [(number + 1) % size, (number + 2) % size].map { "\(name)\($0)" }
                if number == 0 { ends.append("\(names[(index + 1) % names.count])0") }
                let links = ends.enumerated().map {
                    "<relationship name='r\($0)' maxCount='1' destinationEntity='\($1)'/>"
                }
                return "<entity name='\(name)\(number)'>\(links.joined())</entity>"
            }
        }
        let text =
            "<model>\(entities.joined())<entity name='X'/><entity name='Y'/>\(configurations)</model>"
        return readModel(contents: Data(text.utf8), path: "m").value
    }

    private func names(_ diagram: Diagram) -> [String: Set<String>] {
        Dictionary(
            diagram.clusters.map { cluster in
                (cluster.title ?? "", Set(cluster.boxes.map { diagram.boxes[$0].name }))
            },
            uniquingKeysWith: { $0.union($1) }
        )
    }

    @Test func `a large model is divided where its links are few`() {
        let names = names(Diagram(model(["Shop", "Pay", "Mail", "Stock"], 9)))
        #expect(Set(names.keys) == ["Shop…", "Pay…", "Mail…", "Stock…", "without links"])
        #expect(names["Pay…"] == Set((0..<9).map { "Pay\($0)" }))
        #expect(names["without links"] == ["X", "Y"])
    }

    @Test func `a small model, and one that shall not be, is not divided`() {
        #expect(Diagram(model(["Shop", "Pay"], 9)).clusters.isEmpty)
        var diagram = Diagram(model(["Shop", "Pay", "Mail", "Stock"], 9))
        diagram.grouping = .none
        #expect(diagram.clusters.isEmpty)
        #expect(!diagram.svg.contains("class=\"cluster\""))
        diagram = Diagram(model(["Shop", "Pay"], 9))
        diagram.grouping = .links
        #expect(diagram.clusters.count == 3)
    }

    @Test func `configurations divide a model when nearly each entity has one`() {
        func configuration(_ name: String, _ numbers: Range<Int>, _ kinds: [String]) -> String {
            let members = kinds.flatMap { kind in
                numbers.map { "<memberEntity name='\(kind)\($0)'/>" }
            }
            return "<configuration name='\(name)'>\(members.joined())</configuration>"
        }
        let both =
            configuration("Cloud", 0..<5, ["A", "B", "C"])
            + configuration("Local", 5..<12, ["A", "B", "C"])
        let divided = names(Diagram(model(["A", "B", "C"], 12, configurations: both)))
        #expect(divided["Cloud"]?.count == 15)
        #expect(divided["Local"]?.count == 21)
        let few = configuration("Cloud", 0..<2, ["A"]) + configuration("Local", 2..<4, ["A"])
        #expect(names(Diagram(model(["A", "B", "C"], 12, configurations: few)))["Cloud"] == nil)
    }

    @Test func `an overview has a box for each cluster and a line for all links between two`()
        throws
    {
        let diagram = Diagram(model(["Shop", "Pay", "Mail", "Stock"], 9))
        let overview = try #require(diagram.overview)
        #expect(overview.boxes.map(\.name).contains("Pay… (9)"))
        let pay = try #require(overview.boxes.first { $0.name == "Pay… (9)" })
        #expect(pay.rows.count == 9)
        #expect(pay.rows.last?.name == "…" && pay.rows.last?.kind == "1 more")
        // Each circle has one link to the next.
        #expect(overview.lines.map(\.kind) == Array(repeating: .bundle(1), count: 4))
        let page = overview.svg(as: "overview") { "#cluster-\($0)" }
        for number in overview.boxes.indices {
            #expect(page.contains("href=\"#cluster-\(number)\""))
            #expect(diagram.svg.contains("id=\"cluster-\(number)\""))
        }
        #expect(Diagram(model(["Shop", "Pay"], 9)).overview == nil)
        var changed = diagram
        changed.boxes[0].mark = .changed
        let first = try #require(changed.overview)
        #expect(first.boxes.map(\.mark).filter { $0 == .changed }.count == 1)
        #expect(first.boxes.first { $0.mark == .changed }?.rows.first?.mark == .changed)
    }

    @Test func `every form shows the clusters, and each box once`() throws {
        let diagram = Diagram(model(["Shop", "Pay", "Mail", "Stock"], 9))
        #expect(diagram.dot.split(separator: "subgraph cluster_").count == 6)
        #expect(diagram.dot.contains("label=\"Pay…\""))
        #expect(diagram.mermaid.split(separator: "    namespace g").count == 6)
        let titles = try readXML(Data(diagram.svg.utf8), path: "svg").root.children
            .first { $0["class"] == "diagram" }?.children.filter { $0["class"] == "cluster" }
        #expect(titles?.count == 5)
        #expect(diagram.dot.components(separatedBy: "<b>Pay3</b>").count == 2)
        #expect(diagram.mermaid.components(separatedBy: "[\"Pay3\"]").count == 2)
    }

    @Test func `the same model gives the same picture, and names of clusters are no harm`() {
        let one = model(["A\"]&lt;", "Pay", "Mail", "Stock"], 9)
        #expect(Diagram(one).svg == Diagram(one).svg)
        #expect(Diagram(one).mermaid == Diagram(one).mermaid)
        #expect(!Diagram(one).mermaid.contains("A\"]"))
    }

    @Test func `a star of a thousand and a chain of two thousand are divided soon`() {
        let star = (0..<1000).map {
            "<entity name='E\($0)'><relationship name='r' maxCount='1' destinationEntity='E0'/></entity>"
        }
        let chain = (0..<1000).map {
            "<entity name='C\($0)'><relationship name='r' maxCount='1' destinationEntity='C\($0 + 1)'/></entity>"
        }
        let text = "<model>\((star + chain).joined())</model>"
        let diagram = Diagram(readModel(contents: Data(text.utf8), path: "m").value)
        let clusters = diagram.clusters
        #expect(clusters.flatMap(\.boxes).sorted() == Array(0..<2000))
        #expect(clusters.allSatisfy { $0.boxes.count <= 250 })
    }
}

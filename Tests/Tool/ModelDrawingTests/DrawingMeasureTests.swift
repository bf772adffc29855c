import Diagnostics
import Foundation
import ModelDrawing
import ModelLoading
import ObjectModel
import TestSupport
import Testing
import XMLReading

/// A drawn picture, measured from its text.
private struct MeasuredPicture {
    var boxes: [CGRect] = []
    /// The corners of each line.
    var lines: [[CGPoint]] = []
    /// The frames of clusters.
    var clusters: [CGRect] = []
    /// The counts at the ends of lines.
    var labels: [CGRect] = []

    init(_ svg: String) throws {
        let root = try readXML(Data(svg.utf8), path: "svg").root
        let diagram = try #require(root.children.first { $0["class"] == "diagram" })
        for part in diagram.children {
            if part["class"] == "cluster" {
                let place = Self.numbers(part["transform"])
                let frame = try #require(part.children.first { $0.name == "rect" })
                let size = [frame["width"], frame["height"]].compactMap { $0.flatMap(Double.init) }
                clusters.append(CGRect(x: place[0], y: place[1], width: size[0], height: size[1]))
            } else if part["class"]?.hasPrefix("box") == true {
                let place = Self.numbers(part["transform"])
                // Boxes of an overview are links.
                let parts = part.children + (part.children.first { $0.name == "a" }?.children ?? [])
                let frame = try #require(parts.first { $0["class"] == "frame" })
                let size = [frame["width"], frame["height"]].compactMap { $0.flatMap(Double.init) }
                boxes.append(CGRect(x: place[0], y: place[1], width: size[0], height: size[1]))
            } else if let way = part.children.first(where: { $0["class"] == "way" }) {
                let numbers = Self.numbers(way["d"])
                lines.append(
                    stride(from: 0, to: numbers.count, by: 2).map {
                        CGPoint(x: numbers[$0], y: numbers[$0 + 1])
                    }
                )
                labels += part.children.filter { $0.name == "text" }.map(Self.label)
            }
        }
    }

    /// Where a count is drawn: figures are as wide as those of the font, and go from the baseline up.
    private static func label(_ text: XMLElement) -> CGRect {
        let place = numbers(text["x"]) + numbers(text["y"])
        let width = 6.62 * Double(text.text.count)
        let left = text["text-anchor"] == "end" ? place[0] - width : place[0]
        return CGRect(x: left, y: place[1] - 8, width: width, height: 8)
    }

    private static func numbers(_ text: String?) -> [Double] {
        (text ?? "").split { !"0123456789.-".contains($0) }.compactMap { Double($0) }
    }

    /// How much of the lines lies behind boxes, or behind what stands above clusters.
    var hiddenLength: Double {
        let titles = clusters.map { CGRect(x: $0.minX, y: $0.minY, width: $0.width, height: 40) }
        let inner = (boxes + titles).map { $0.insetBy(dx: 1, dy: 1) }
        return lines.reduce(0) { sum, line in
            sum
                + zip(line, line.dropFirst()).reduce(0) { part, ends in
                    let (one, two) = ends
                    let length = hypot(two.x - one.x, two.y - one.y)
                    let steps = max(1, Int(length / 2))
                    let hidden = (0...steps).count { step in
                        let share = Double(step) / Double(steps)
                        let point = CGPoint(
                            x: one.x + (two.x - one.x) * share,
                            y: one.y + (two.y - one.y) * share
                        )
                        return inner.contains { $0.contains(point) }
                    }
                    return part + Double(hidden) * 2
                }
        }
    }

    var overlaps: Int { overlaps(among: boxes) + overlaps(among: clusters) }

    /// How many counts lie on another one, on a box, or on a line.
    var hiddenLabels: Int {
        var strips: [Int: [CGRect]] = [:]
        for frame in lines.flatMap(Self.strokes) + boxes {
            for strip in Self.strips(frame) { strips[strip, default: []].append(frame) }
        }
        return overlaps(among: labels)
            + labels.count { label in
                Self.strips(label).contains { strip in
                    strips[strip, default: []].contains { $0.intersects(label) }
                }
            }
    }

    /// The strips of the picture that a frame lies in: there are many of boxes and lines.
    private static func strips(_ frame: CGRect) -> ClosedRange<Int> {
        Int(frame.minY / 100)...Int(frame.maxY / 100)
    }

    /// The pieces of a line as they are drawn.
    private static func strokes(_ line: [CGPoint]) -> [CGRect] {
        zip(line, line.dropFirst()).map { one, two in
            let (width, height) = (abs(one.x - two.x), abs(one.y - two.y))
            let (x, y) = (min(one.x, two.x), min(one.y, two.y))
            return CGRect(x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1)
        }
    }

    private func overlaps(among frames: [CGRect]) -> Int {
        frames.indices.reduce(0) { sum, index in
            sum + frames[(index + 1)...].count { $0.intersects(frames[index]) }
        }
    }

    /// The boxes that stand partly in a cluster and partly out of it.
    var straddlers: Int {
        boxes.count { box in
            clusters.contains { cluster in
                cluster.intersects(box)
                    && (box.minX < cluster.minX || box.minY < cluster.minY
                        || box.maxX > cluster.maxX || box.maxY > cluster.maxY)
            }
        }
    }

    /// How often level pieces of lines cross upright ones of others.
    var crossings: Int {
        var level: [(line: Int, y: Double, from: Double, to: Double)] = []
        var upright: [(line: Int, x: Double, from: Double, to: Double)] = []
        for (index, line) in lines.enumerated() {
            for (one, two) in zip(line, line.dropFirst()) {
                if one.y == two.y {
                    level.append((index, one.y, min(one.x, two.x), max(one.x, two.x)))
                } else if one.x == two.x {
                    upright.append((index, one.x, min(one.y, two.y), max(one.y, two.y)))
                }
            }
        }
        return level.reduce(0) { sum, piece in
            sum
                + upright.count { other in
                    other.line != piece.line && other.x > piece.from && other.x < piece.to
                        && piece.y > other.from && piece.y < other.to
                }
        }
    }

    /// Lines that have no end at a box, and so seem to end in nothing.
    var looseEnds: Int {
        lines.reduce(0) { sum, line in
            sum
                + [line.first, line.last].compactMap(\.self).count { end in
                    !boxes.contains { box in
                        end.y > box.minY && end.y < box.maxY
                            && min(abs(end.x - box.minX), abs(end.x - box.maxX)) < 0.6
                    }
                }
        }
    }
}

/// Measures pictures: no line behind a box, no box on another, few crossings.
struct DrawingMeasureTests {
    private func check(_ diagram: Diagram, _ name: String) throws -> Int {
        let picture = try MeasuredPicture(diagram.svg)
        #expect(picture.boxes.count == diagram.boxes.count, "\(name)")
        #expect(picture.lines.count == diagram.lines.count, "\(name)")
        #expect(picture.hiddenLength == 0, "\(name)")
        #expect(picture.overlaps == 0, "\(name)")
        #expect(picture.looseEnds == 0, "\(name)")
        #expect(picture.straddlers == 0, "\(name)")
        #expect(picture.hiddenLabels == 0, "\(name)")
        if let overview = diagram.overview {
            let few = try MeasuredPicture(overview.svg(as: "overview") { "#cluster-\($0)" })
            #expect(few.boxes.count == diagram.clusters.count, "\(name)")
            #expect(few.lines.count == overview.lines.count, "\(name)")
            #expect(few.hiddenLength == 0 && few.overlaps == 0, "\(name): overview")
        }
        let framed = diagram.clusters.filter { $0.title != nil }
        #expect(picture.clusters.count == framed.count, "\(name)")
        return picture.crossings
    }

    @Test(arguments: ["Library", "Everything"])
    func `our own models are drawn without hiding anything`(name: String) throws {
        let path = Corpus.package.appending(path: "Models/\(name).xcdatamodeld").path
        for version in readModelBundle(at: path).value.versions {
            _ = try check(Diagram(version.model), "\(name) \(version.name)")
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every model of the corpus is drawn without hiding anything`() throws {
        var (pictures, lines, crossings) = (0, 0, 0)
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }) {
            for version in readModelBundle(at: Corpus.path(path)).value.versions {
                var diagram = Diagram(version.model)
                let found = try check(diagram, "\(path) \(version.name)")
                for grouping in [Diagram.Grouping.links, .configurations] {
                    diagram.grouping = grouping
                    _ = try check(diagram, "\(path) \(version.name) \(grouping)")
                }
                (pictures, lines, crossings) = (
                    pictures + 1, lines + diagram.lines.count, crossings + found
                )
            }
        }
        print("\(pictures) pictures, \(lines) lines, \(crossings) crossings")
        #expect(pictures > 40)
        #expect(crossings <= 3 * lines)
    }

    @Test func `random models of any size are drawn without hiding anything`() throws {
        var random = SeededGenerator(seed: 3)
        for count in [1, 2, 5, 12, 30, 90, 200] {
            let entities = (0..<count).map { number in
                let ends = (0..<Int.random(in: 0...3, using: &random)).map { index in
                    let end = Int.random(in: 0..<count, using: &random)
                    return
                        "<relationship name='r\(index)' maxCount='1' destinationEntity='E\(end)'/>"
                }
                let parent =
                    number > 0 && Int.random(in: 0..<4, using: &random) == 0
                    ? " parentEntity='E\(Int.random(in: 0..<number, using: &random))'" : ""
                return "<entity name='E\(number)'\(parent)>\(ends.joined())</entity>"
            }
            let text = "<model>\(entities.joined())</model>"
            let model = readModel(contents: Data(text.utf8), path: "m").value
            for grouping in [Diagram.Grouping.none, .links] {
                var diagram = Diagram(model)
                diagram.grouping = grouping
                _ = try check(diagram, "\(count) \(grouping)")
            }
        }
    }

    @Test func `counts at a title with little room are left out, others are written`() throws {
        func links(_ end: String) -> String {
            (0..<12).map {
                "<relationship name='r\($0)' optional='YES' maxCount='1' destinationEntity='\(end)' "
                    + "inverseName='r\($0)' inverseEntity='\(end)'/>"
            }.joined()
        }
        let text = """
            <model><entity name='Hub'>\(links("End"))</entity><entity name='End'>\(links("Hub"))</entity></model>
            """
        let diagram = Diagram(readModel(contents: Data(text.utf8), path: "m").value)
        _ = try check(diagram, "rows")
        #expect(try MeasuredPicture(diagram.svg).labels.count == 24)
        let titles = diagram.rows(of: [])
        _ = try check(titles, "titles")
        let few = try MeasuredPicture(titles.svg).labels.count
        #expect(few >= 2 && few < 10, "\(few)")
    }

    @Test func `the legend has room for its words`() throws {
        let text = """
            <model><entity name='A'><relationship name='bs' toMany='YES' deletionRule='Cascade' destinationEntity='B' inverseName='a' inverseEntity='B'/></entity>
            <entity name='B'><relationship name='a' maxCount='1' optional='YES' deletionRule='Deny' destinationEntity='A' inverseName='bs' inverseEntity='A'/></entity></model>
            """
        let svg = Diagram(readModel(contents: Data(text.utf8), path: "m").value).svg
        let root = try readXML(Data(svg.utf8), path: "svg").root
        let legend = try #require(root.children.first { $0["class"] == "legend" })
        let items = legend.children.map { item in
            let words = item.children.first { $0["class"] == "means" }?.text ?? ""
            let x = (item["transform"] ?? "").split { "( )".contains($0) }.compactMap { Double($0) }
            return (start: x[0], end: x[0] + 44 + 6.62 * Double(words.count), y: x[1])
        }
        #expect(items.count == 4)
        for (one, two) in zip(items, items.dropFirst()) where one.y == two.y {
            #expect(one.end + 6 < two.start)
        }
    }

    @Test func `the part around an entity grows with its depth`() {
        let chain = (0..<6).map {
            "<entity name='E\($0)'><relationship name='r' maxCount='1' destinationEntity='E\($0 + 1)'/></entity>"
        }
        let text = "<model>\(chain.joined())<entity name='E6'/><entity name='X'/></model>"
        let diagram = Diagram(readModel(contents: Data(text.utf8), path: "m").value)
        #expect(diagram.around(["E3"], depth: 0).boxes.map(\.name) == ["E3"])
        #expect(diagram.around(["E3"], depth: 1).boxes.map(\.name) == ["E2", "E3", "E4"])
        #expect(diagram.around(["E3"], depth: 1).lines.count == 2)
        #expect(diagram.around(["E3"], depth: 99).boxes.count == 7)
        #expect(diagram.around(["none"], depth: 9).boxes.isEmpty)
        #expect(diagram.changedPart().boxes.isEmpty)
        #expect(diagram.changedPart(depth: 9).boxes.isEmpty)
    }

    @Test func `what changed has a few boxes beside it, and the number of the others`() throws {
        let spokes = (0..<40).map { number in
            let end = number < 3 ? "Other" : "Hub"
            return
                "<entity name='S\(number)'><relationship name='r' maxCount='1' destinationEntity='Hub'/>"
                + "<relationship name='o' maxCount='1' destinationEntity='\(end)'/></entity>"
        }
        let text = "<model><entity name='Hub'/><entity name='Other'/>\(spokes.joined())</model>"
        var diagram = Diagram(readModel(contents: Data(text.utf8), path: "m").value)
        diagram.boxes[0].mark = .changed
        diagram.boxes[1].mark = .changed
        let part = diagram.changedPart().changedRows()
        #expect(part.boxes.count == 10 && part.clusters.isEmpty)
        // Those that lead to both come first.
        #expect(Set(part.boxes.map(\.name)).isSuperset(of: ["Hub", "Other", "S0", "S1", "S2"]))
        #expect(part.boxes[0].rows.map(\.kind) == ["linked to 32 more"])
        #expect(part.boxes[1].rows.isEmpty)
        #expect(part.boxes.dropFirst(2).allSatisfy { $0.rows.isEmpty })
        #expect(diagram.changedPart(depth: 1).boxes.count == 42)
        for index in 0..<28 { diagram.boxes[index].mark = .changed }
        #expect(diagram.changedPart().boxes.count == 30)
        for index in 0..<35 { diagram.boxes[index].mark = .changed }
        #expect(diagram.changedPart().boxes.count == 35)
    }

    @Test func `signs of deletion, counts, kinds and composites are drawn and explained`() throws {
        let text = """
            <model><entity name='A'><attribute name='c' attributeType='Composite' composite='C'/>
            <relationship name='bs' toMany='YES' deletionRule='Cascade' destinationEntity='B' inverseName='a' inverseEntity='B'/>
            <relationship name='x' maxCount='1' deletionRule='Deny' destinationEntity='B'/></entity>
            <entity name='B'><relationship name='a' maxCount='1' optional='YES' deletionRule='No Action' destinationEntity='A' inverseName='bs' inverseEntity='A'/></entity>
            <entity name='D' parentEntity='B'/>
            <composite name='C'><attribute name='v' attributeType='Double'/></composite></model>
            """
        let diagram = Diagram(readModel(contents: Data(text.utf8), path: "m").value)
        _ = try check(diagram, "signs")
        for words in [
            "deletes the others too", "cannot be deleted", "leaves dangling links", "any number",
            "exactly one", "at most one", "no way back", "is a kind of", "composite attribute",
            "«C»",
        ] {
            #expect(diagram.svg.contains(words), "\(words)")
        }
        #expect(!Diagram(ManagedObjectModel()).svg.contains("legend\">"))
    }
}

import ObjectModel

/// What the signs of a picture mean, those that it uses.
struct Legend {
    private let items: [(sign: String, text: String)]
    private let itemWidth: Double
    /// Where the words of an item begin.
    private static let textStart = 44.0
    private static let lineHeight = 22.0
    private static let perLine = 4

    init(_ diagram: Diagram) {
        let start = LineEnd(.init(x: 0, y: 0), towards: .init(x: 1, y: 0))
        var counts: Set<Diagram.Count> = []
        var rules: Set<Relationship.DeleteRule> = []
        var (inherits, composes, isOneWay) = (false, false, false)
        for line in diagram.lines {
            switch line.kind {
            case .inheritance: inherits = true
            case .composite: composes = true
            case .bundle: continue
            case .relationship(let ties):
                counts.formUnion([ties.count, ties.inverseCount].compactMap(\.self))
                rules.formUnion([ties.rule, ties.inverseRule].compactMap(\.self))
                isOneWay = isOneWay || ties.inverse == nil
            }
        }
        func shown(_ isUsed: Bool, _ sign: String, _ text: String) -> [(String, String)] {
            isUsed ? [("<path class=\"way\" d=\"M0 0L36 0\"/>" + sign, text)] : []
        }
        func counted(_ count: Diagram.Count, _ text: String) -> [(String, String)] {
            let figure = start.texts(of: count).first?.drawn ?? ""
            return shown(counts.contains(count), start.count(count) + figure, text)
        }
        let marks = Set(diagram.boxes.map(\.mark) + diagram.boxes.flatMap { $0.rows.map(\.mark) })
        items =
            counted(.many, "any number") + counted(.exactlyOne, "exactly one")
            + counted(.one, "at most one")
            + shown(rules.contains(.cascade), start.rule(.cascade), "deletes the others too")
            + shown(rules.contains(.deny), start.rule(.deny), "cannot be deleted")
            + shown(rules.contains(.noAction), start.rule(.noAction), "leaves dangling links")
            + shown(isOneWay, start.tip, "no way back")
            + shown(inherits, start.triangle, "is a kind of")
            + shown(composes, start.diamond(from: 0, isFull: false), "composite attribute")
            + [Diagram.Mark.added, .removed, .changed].filter(marks.contains).map { mark in
                (
                    "<text class=\"\(mark.rawValue)\" x=\"12\" y=\"4\">\(mark.sign)</text>",
                    mark.rawValue
                )
            }
        let longest = items.map { $0.text.count }.max() ?? 0
        itemWidth = Self.textStart + Double(longest) * 6.7 + 16
    }

    /// How wide it is.
    var width: Double { Double(min(items.count, Self.perLine)) * itemWidth }

    /// How high it is, with the room below.
    var height: Double {
        items.isEmpty
            ? 0
            : Double((items.count + Self.perLine - 1) / Self.perLine) * Self.lineHeight
                + BoxLayout.margin
    }

    func drawing(at origin: (x: Double, y: Double)) -> String {
        guard !items.isEmpty else { return "" }
        let drawn = items.enumerated().map { index, item in
            let x = origin.x + Double(index % Self.perLine) * itemWidth
            let y = origin.y + 10 + Double(index / Self.perLine) * Self.lineHeight
            return
                "<g class=\"line\" transform=\"translate(\(length(x)) \(length(y)))\">\(item.sign)"
                + "<text class=\"means\" x=\"\(length(Self.textStart))\" y=\"4\">\(item.text)</text></g>"
        }
        return (["<g class=\"legend\">"] + drawn + ["</g>"]).joined(separator: "\n")
    }
}

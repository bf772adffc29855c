import Diagnostics

extension Diagram {
    /// The diagram in Mermaid's language, as a class diagram.
    package var mermaid: String {
        let identifiers = identifiers
        var text = ["classDiagram"]
        text += boxes.indices.flatMap { mermaidClass($0, identifiers) }
        for (index, box) in boxes.enumerated() where box.mark != .same {
            text.append("    cssClass \"\(identifiers[index])\" \(box.mark.rawValue)")
        }
        text += lines.map { mermaidLine($0, identifiers) }
        if boxes.contains(where: { $0.mark != .same }) {
            text += [
                "    classDef added stroke:#1a7f37,stroke-width:3px",
                "    classDef removed stroke:#cf222e,stroke-width:3px,stroke-dasharray:4",
                "    classDef changed stroke:#9a6700,stroke-width:3px",
            ]
        }
        return text.joined(separator: "\n")
    }

    private func mermaidClass(_ index: Int, _ identifiers: [String]) -> [String] {
        let box = boxes[index]
        let label = box.name.isEmpty ? "" : "[\"\(quoted(box.name))\"]"
        let head = "    class \(identifiers[index])\(label)"
        let rows = box.rows.map { row in
            // Mermaid shows these characters before a member as they are.
            let sign =
                switch row.mark {
                case .same: ""
                case .added: "+"
                case .removed: "-"
                case .changed: "~"
                }
            return "        \(sign)\(member(row.name)) \(member(row.kind))"
        }
        let inner = (box.isAbstract ? ["        <<abstract>>"] : []) + rows
        // Not every version of Mermaid reads braces around nothing.
        return inner.isEmpty ? [head] : ["\(head) {"] + inner + ["    }"]
    }

    private func mermaidLine(_ line: Line, _ identifiers: [String]) -> String {
        let (from, to) = (identifiers[line.from], identifiers[line.to])
        switch line.kind {
        case .inheritance: return "    \(to) <|-- \(from)"
        case .composite(let attribute): return "    \(from) *-- \(to) : \(quoted(attribute))"
        case .relationship(let ties):
            let names = [ties.name, ties.inverse].compactMap(\.self)
            let label = names.map(quoted).joined(separator: " / ")
            let start = ties.inverseCount.map { " \"\($0.rawValue)\"" } ?? ""
            let stroke = ties.inverse == nil ? "-->" : "--"
            return "    \(from)\(start) \(stroke) \"\(ties.count.rawValue)\" \(to) : \(label)"
        }
    }

    /// Unique identifiers: names of entities may be anything, Mermaid's may not.
    ///
    /// All of its keywords begin with a lowercase letter.
    private var identifiers: [String] {
        var taken: Set<String> = []
        return boxes.enumerated().map { index, box in
            let isPlain = box.name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
            let isName = isPlain && box.name.first?.isUppercase == true
            return isName && taken.insert(box.name).inserted ? box.name : "e\(index)_"
        }
    }

    /// A name on a line of its own, in which `direction TB` would be a statement.
    private func quoted(_ text: String) -> String {
        plain(text, without: "\"\\;`:#{}[]<>").split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isWhitespace
        ).joined(separator: "_")
    }

    private func member(_ text: String) -> String { plain(text, without: "\"\\;`:#{}[]<>()~$*%") }

    /// A text without characters with a meaning in Mermaid, by scalars: a combining mark hides one in a letter.
    private func plain(_ text: String, without signs: String) -> String {
        var plain = ""
        for scalar in text.escaping(\.isObeyed, as: { _ in "_" }).unicodeScalars {
            let isSign =
                scalar.properties.generalCategory == .control
                || signs.unicodeScalars.contains(scalar)
            plain.unicodeScalars.append(isSign ? "_" : scalar)
        }
        return plain
    }
}

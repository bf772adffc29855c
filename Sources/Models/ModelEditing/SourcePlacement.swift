import ModelCompiling
import XMLReading

extension SourceTree {
    func makeNode(_ name: String, _ settings: [ElementSetting]) -> SourceNode {
        let present = settings.filter { $0.value != nil }
        let sorted = SourceOrder.sorted(present, of: name, name: \.name)
        return SourceNode(
            name,
            gap: "",
            attributes: sorted.map { attribute($0.name, $0.value ?? "") }
        )
    }

    /// Writes an attribute as Xcode does, or in the quotes of the attribute that it replaces or follows.
    private func attribute(
        _ name: String,
        _ value: String,
        after blanks: String = " ",
        like neighbour: SourceNode.Attribute? = nil
    ) -> SourceNode.Attribute {
        let plain = markup(value, in: .attribute)
        let escaped = escapesGreater ? plain : plain.replacing("&gt;", with: ">")
        let isSingle = neighbour?.text.utf8.last == UInt8(ascii: "'")
        let written = isSingle ? escaped.replacing("'", with: "&apos;") : escaped
        let quote = isSingle ? "'" : "\""
        return .init(name: name, value: value, text: "\(blanks)\(name)=\(quote)\(written)\(quote)")
    }

    /// Sets an attribute at Xcode's position, or removes it; all others stay as they are.
    package func set(_ name: String, _ value: String?, of node: SourceNode) {
        let place = node.attributes.firstIndex { $0.name == name }
        guard let value else {
            if let place { node.attributes.remove(at: place) }
            return
        }
        if let place {
            let old = node.attributes[place]
            guard old.value != value else { return }
            let blanks = String(old.text.prefix { $0.isWhitespace })
            node.attributes[place] = attribute(name, value, after: blanks, like: old)
            return
        }
        let order = Self.order(of: node)
        let rank = order.firstIndex(of: name) ?? .max
        let before = node.attributes.lastIndex { (order.firstIndex(of: $0.name) ?? .max) <= rank }
        let written = attribute(name, value, like: before.map { node.attributes[$0] })
        node.attributes.insert(written, at: before.map { $0 + 1 } ?? 0)
    }

    /// Renames an attribute in place; its value and the blanks around it stay.
    func renameAttribute(_ old: String, to new: String, of node: SourceNode) {
        guard let place = node.attributes.firstIndex(where: { $0.name == old }),
            let range = node.attributes[place].text.firstRange(of: old)
        else { return }
        node.attributes[place].text.replaceSubrange(range, with: new)
        node.attributes[place].name = new
    }

    private static func order(of node: SourceNode) -> [String] {
        guard node.name == "model" else { return SourceOrder.attributes[node.name] ?? [] }
        let version = Int((node["lastSavedToolsVersion"] ?? "").prefix { $0.isNumber }) ?? .max
        return version < 11_147 ? oldModelOrder : modelOrder
    }

    private static let modelOrder = [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
        "minimumToolsVersion", "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData",
        "userDefinedModelVersionIdentifier",
    ]
    private static let oldModelOrder = [
        "name", "userDefinedModelVersionIdentifier", "type", "documentVersion",
        "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "macOSVersion",
        "iOSVersion",
    ]

    static let modelSettings = modelOrder + oldModelOrder.filter { !modelOrder.contains($0) }

    /// Orders the attributes of the model like the Xcode that saved it last.
    func arrangeModelAttributes() {
        let order = Self.order(of: root)
        let isKnown = { (attribute: SourceNode.Attribute) in order.contains(attribute.name) }
        guard root.attributes.allSatisfy(isKnown) else { return }
        root.attributes.sort {
            (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0)
        }
    }

    // The order of kinds within their parents.
    private static let ranks: [String: [String]] = [
        "model": ["entity", "composite", "fetchRequest", "configuration", "userInfo", "elements"],
        "entity": [
            "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
            "uniquenessConstraints", "userInfo",
        ], "fetchedProperty": ["fetchRequest", "userInfo"], "composite": ["attribute", "userInfo"],
    ]

    /// Inserts an element at Xcode's position: sorted by name, or after its like.
    func insert(_ node: SourceNode, into parent: SourceNode, depth: Int, sortedBy key: String?) {
        let likes = parent.children.indices.filter { parent.children[$0].name == node.name }
        let place: Int
        if let last = likes.last {
            let mine = key.map { SourceNameOrder(node[$0] ?? "") }
            let next = likes.first { index in
                guard let key, let mine else { return false }
                return SourceNameOrder(parent.children[index][key] ?? "") > mine
            }
            place = next ?? last + 1
        } else {
            let order = Self.ranks[parent.name] ?? []
            let rank = order.firstIndex(of: node.name) ?? .max
            let before = parent.children.lastIndex {
                (order.firstIndex(of: $0.name) ?? .max - 1) < rank
            }
            place = before.map { $0 + 1 } ?? 0
        }
        insert(node, into: parent, depth: depth, at: place)
    }

    /// Inserts an element at an index, on its own line if its neighbours are.
    package func insert(_ node: SourceNode, into parent: SourceNode, depth: Int, at place: Int) {
        let neighbour = parent.children.isEmpty ? nil : parent.children[max(place - 1, 0)]
        node.gap = neighbour.map { blanks(of: $0.gap) } ?? line(depth)
        if parent.endTag.isEmpty {
            parent.close = ">"
            parent.endTag = "</\(parent.name)>"
            parent.tail = line(depth - 1)
        } else if parent.children.isEmpty, parent.tail.isEmpty {
            parent.tail = line(depth - 1)
        }
        parent.children.insert(node, at: place)
    }

    /// Removes an element; comments before it stay.
    package func remove(_ node: SourceNode, from parent: SourceNode) {
        guard let place = parent.children.firstIndex(where: { $0 === node }) else { return }
        parent.children.remove(at: place)
        if node.gap.contains("<") {
            let rest = String(node.gap.dropLast(blanks(of: node.gap).count))
            if place < parent.children.count {
                parent.children[place].gap = rest + parent.children[place].gap
            } else {
                parent.tail = rest + parent.tail
            }
        }
        guard parent.children.isEmpty, parent.tail.allSatisfy(\.isWhitespace) else { return }
        (parent.close, parent.tail, parent.endTag) = ("/>", "", "")
    }

    /// The line end before an element with the blanks after it, without comments.
    private func blanks(of gap: String) -> String {
        let scalars = gap.unicodeScalars
        guard let end = scalars.lastIndex(of: "\n") else {
            return gap.allSatisfy(\.isWhitespace) ? gap : ""
        }
        var start = end
        if start > scalars.startIndex, scalars[scalars.index(before: start)] == "\r" {
            start = scalars.index(before: start)
        }
        return String(scalars[start...])
    }

    private func line(_ depth: Int) -> String {
        lineEnd + String(repeating: indent, count: max(depth, 0))
    }
}

/// The content of an element, independent of its writing and order.
struct ElementContent: Hashable {
    private let name: String
    private let former: String?
    private let attributes: [String: String]
    private let text: String
    private let children: [ElementContent]

    /// Takes the content of an element; `isStrict` includes what Xcode adds automatically.
    init(_ element: SourceElement, isStrict: Bool = true) {
        name = element.name
        former = element.formerName
        var attributes: [String: String] = [:]
        for attribute in element.attributes where !Vocabulary.tools.contains(attribute.name) {
            guard isStrict || !Vocabulary.incidental.contains(attribute.name) else { continue }
            attributes[attribute.name] = Vocabulary.meaning(of: attribute.value, of: attribute.name)
        }
        self.attributes = attributes
        text = element.text
        let parts = element.children.filter { child in
            !Vocabulary.layout.contains(child.name)
                && !(Vocabulary.transparent.contains(child.name) && child.children.isEmpty)
        }
        let ordered =
            Vocabulary.lists.contains(element.name)
            ? parts : keyed(parts).sorted { $0.key < $1.key }.map(\.element)
        children = ordered.map { ElementContent($0, isStrict: isStrict) }
    }
}

/// Returns elements with their keys, each key once.
func keyed(_ elements: [SourceElement]) -> [(key: String, element: SourceElement)] {
    var counts: [String: Int] = [:]
    return elements.map { element in
        let key = Vocabulary.key(of: element)
        let count = counts[key, default: 0]
        counts[key] = count + 1
        return (count == 0 ? key : "\(key)\u{0}\(count)", element)
    }
}

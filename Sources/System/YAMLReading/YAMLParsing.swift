import CYAML

package struct YAMLFault: Error {
    /// What is wrong; lower case, no final period.
    package var reason: String
    package var mark: YAMLNode.Mark?
}

/// Parses a text with one document, with libyaml; `nil` if it has none.
///
/// Aliases are followed, as long as the result stays small.
package func parseYAML(_ text: String) throws(YAMLFault) -> YAMLNode? {
    let bytes = Array(text.utf8)
    try withParser(of: bytes, requireFlat)
    return try withParser(of: bytes) { (parser) throws(YAMLFault) in
        guard let document = try YAMLTree(&parser) else { return nil }
        let root = try document.node(document.root, depth: 0)
        if let second = try YAMLTree(&parser) {
            throw YAMLFault(reason: "a second document begins here", mark: second.rootMark)
        }
        return root
    }
}

private func withParser<Result>(
    of bytes: [UInt8],
    _ body: (inout yaml_parser_t) throws(YAMLFault) -> Result
) throws(YAMLFault) -> Result {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { throw YAMLFault(reason: "out of memory") }
    defer { yaml_parser_delete(&parser) }
    // The parser keeps the address as long as it lives.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
    defer { buffer.deallocate() }
    _ = buffer.initialize(from: bytes)
    yaml_parser_set_input_string(&parser, buffer.baseAddress, bytes.count)
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    return try body(&parser)
}

/// Refuses a text whose nodes are nested too deeply, before it is composed.
///
/// For each token libyaml looks at all open brackets: 20,000 take ten seconds. Composing reports a syntax error.
private func requireFlat(_ parser: inout yaml_parser_t) throws(YAMLFault) {
    var depth = 0
    while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { return }
        defer { yaml_event_delete(&event) }
        switch event.type {
        case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: depth += 1
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: depth -= 1
        case YAML_STREAM_END_EVENT: return
        default: break
        }
        guard depth <= YAMLTree.depthLimit else {
            let mark = YAMLNode.Mark(event.start_mark)
            throw YAMLFault(reason: "a node contains itself, or far too much", mark: mark)
        }
    }
}

private final class YAMLTree {
    private var document = yaml_document_t()
    private var count = 0
    let root: UnsafeMutablePointer<yaml_node_t>

    /// Limits that no human-written file reaches: nodes, with referenced ones counted each time, and levels.
    private static let countLimit = 200_000
    static let depthLimit = 200

    /// Reads the next document; `nil` when there is none.
    init?(_ parser: inout yaml_parser_t) throws(YAMLFault) {
        guard yaml_parser_load(&parser, &document) == 1 else { throw YAMLFault(parser) }
        guard let root = yaml_document_get_root_node(&document) else {
            yaml_document_delete(&document)
            return nil
        }
        self.root = root
    }

    deinit { yaml_document_delete(&document) }

    var rootMark: YAMLNode.Mark { YAMLNode.Mark(root.pointee.start_mark) }

    func node(_ node: UnsafeMutablePointer<yaml_node_t>, depth: Int) throws(YAMLFault) -> YAMLNode {
        let mark = YAMLNode.Mark(node.pointee.start_mark)
        count += 1
        guard count <= Self.countLimit, depth <= Self.depthLimit else {
            throw YAMLFault(reason: "a node contains itself, or far too much", mark: mark)
        }
        switch node.pointee.type {
        case YAML_SEQUENCE_NODE:
            let items = node.pointee.data.sequence.items
            var nodes: [YAMLNode] = []
            var item = items.start
            while let place = item, place != items.top {
                nodes.append(try self.node(numbered: place.pointee, depth, mark))
                item = place + 1
            }
            return .sequence(nodes, mark)
        case YAML_MAPPING_NODE: return .mapping(try mapping(node, depth, mark), mark)
        default: return .scalar(scalar(node, mark))
        }
    }

    private func node(
        numbered number: Int32,
        _ depth: Int,
        _ mark: YAMLNode.Mark
    ) throws(YAMLFault) -> YAMLNode {
        guard let node = yaml_document_get_node(&document, number) else {
            throw YAMLFault(reason: "a node is missing", mark: mark)
        }
        return try self.node(node, depth: depth + 1)
    }

    private func mapping(
        _ node: UnsafeMutablePointer<yaml_node_t>,
        _ depth: Int,
        _ mark: YAMLNode.Mark
    ) throws(YAMLFault) -> YAMLNode.Mapping {
        let pairs = node.pointee.data.mapping.pairs
        var entries: [(key: YAMLNode, value: YAMLNode)] = []
        var names: Set<String> = []
        var pair = pairs.start
        while let place = pair, place != pairs.top {
            let key = try self.node(numbered: place.pointee.key, depth, mark)
            if let name = key.string, !names.insert(name).inserted {
                throw YAMLFault(
                    reason: "the key '\(name)' occurs twice here: put both under one '\(name):'",
                    mark: key.mark
                )
            }
            entries.append((key, try self.node(numbered: place.pointee.value, depth, mark)))
            pair = place + 1
        }
        return YAMLNode.Mapping(entries: entries)
    }

    private func scalar(
        _ node: UnsafeMutablePointer<yaml_node_t>,
        _ mark: YAMLNode.Mark
    ) -> YAMLNode.Scalar {
        let scalar = node.pointee.data.scalar
        let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        // The composer gives a scalar without a type that of texts, in quotation marks or not.
        let tag = node.pointee.tag.map { String(cString: UnsafePointer<UInt8>($0)) }
        let isText = tag == nil || tag == YAML_STR_TAG
        return YAMLNode.Scalar(
            string: String(decoding: bytes, as: UTF8.self),
            isPlain: isText && scalar.style == YAML_PLAIN_SCALAR_STYLE,
            mark: mark
        )
    }
}

extension YAMLNode.Mark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}

extension YAMLFault {
    fileprivate init(_ parser: yaml_parser_t) {
        reason = parser.problem.map { String(cString: $0) } ?? "it cannot be read"
        let hasMark = parser.error != YAML_READER_ERROR && parser.error != YAML_MEMORY_ERROR
        mark = hasMark ? YAMLNode.Mark(parser.problem_mark) : nil
    }
}

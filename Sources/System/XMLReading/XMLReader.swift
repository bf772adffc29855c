import CLibXML2
package import Diagnostics
package import Essentials

extension RuleID { package static let malformedXML: RuleID = "malformed-xml" }

/// Reads an XML document into a tree with locations, through libxml2.
///
/// Nothing outside the given bytes is ever read: external subsets and entities are not followed, a document that declares
/// entities is refused, and libxml2's limits on depth and length apply. Locations name `path`; an error has the location
/// where reading stopped.
package func readXML(_ bytes: Data, path: String) throws(XMLFault) -> XMLDocument {
    try readXML([UInt8](bytes), path: path)
}

package func readXML(_ bytes: [UInt8], path: String) throws(XMLFault) -> XMLDocument {
    guard bytes.count <= Int32.max, !bytes.isEmpty else {
        let message = bytes.isEmpty ? "the file is empty" : "the file is larger than 2 GB"
        throw XMLFault(diagnostic: Diagnostic(.malformedXML, message, at: FileLocation(path: path)))
    }
    let source = XMLSource(path: path, bytes: bytes)
    let builder = TreeBuilder(bytes)
    let fault = bytes.withUnsafeBytes { buffer in parse(buffer, with: builder, path: path) }
    if let fault { throw XMLFault(diagnostic: fault) }
    guard let root = builder.root else {
        throw XMLFault(
            diagnostic: Diagnostic(
                .malformedXML,
                "the file has no root element",
                at: FileLocation(path: path)
            )
        )
    }
    return XMLDocument(root: root, source: source)
}

private func parse(
    _ buffer: UnsafeRawBufferPointer,
    with builder: TreeBuilder,
    path: String
) -> Diagnostic? {
    _ = isLibraryReady
    guard let context = xmlNewParserCtxt() else {
        return Diagnostic(.malformedXML, "libxml2 is out of memory")
    }
    defer { xmlFreeParserCtxt(context) }
    builder.context = context
    context.pointee._private = Unmanaged.passUnretained(builder).toOpaque()
    context.pointee.sax.pointee = treeBuildingHandler()
    let options =
        XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        | XML_PARSE_BIG_LINES.rawValue
    let document = xmlCtxtReadMemory(
        context,
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(buffer.count),
        nil,
        nil,
        Int32(options)
    )
    xmlFreeDoc(document)
    if let refusal = builder.refusal {
        return Diagnostic(
            refusal.rule,
            refusal.message,
            at: FileLocation(path: path, line: refusal.line)
        )
    }
    guard context.pointee.wellFormed == 0 else { return nil }
    let error = xmlCtxtGetLastError(context)
    let text = error?.pointee.message.map { String(cString: $0) } ?? "the file is not well formed"
    return Diagnostic(
        .malformedXML,
        text.trimmingNewlines().lowercasingFirstLetter(),
        at: FileLocation(
            path: path,
            line: (error?.pointee.line).map(Int.init),
            column: (error?.pointee.int2).flatMap { $0 > 0 ? Int($0) : nil }
        )
    )
}

/// libxml2 initializes itself on first use, which is not safe from two threads at once.
private let isLibraryReady: Bool = {
    xmlInitParser()
    return true
}()

/// Builds the tree while libxml2 reads; lives for one call of `readXML`.
private final class TreeBuilder {
    struct Refusal {
        var rule: RuleID
        var message: String
        var line: Int
    }

    var context: xmlParserCtxtPtr?
    var root: XMLElement?
    var refusal: Refusal?
    private let bytes: [UInt8]
    /// As deep as libxml2 goes, which counts differently from version to version.
    private static let depthLimit = 256
    private var open: [XMLElement] = []
    private var texts: [[UInt8]] = []
    /// libxml2 keeps one copy of each name, so its address identifies it.
    private var names: [UnsafePointer<xmlChar>: String] = [:]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func start(
        _ name: UnsafePointer<xmlChar>,
        attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
        count: Int
    ) {
        guard open.count < Self.depthLimit else {
            return refuse(
                .malformedXML,
                "elements are nested more deeply than \(Self.depthLimit) levels"
            )
        }
        let offset = startOfTag()
        var list: [XMLAttribute] = []
        list.reserveCapacity(count)
        for index in 0..<count {
            // Five pointers each: name, prefix, namespace, begin and end of the value.
            guard let attributes, let key = attributes[5 * index],
                let begin = attributes[5 * index + 3], let end = attributes[5 * index + 4]
            else { continue }
            let value = UnsafeBufferPointer(start: begin, count: end - begin)
            var attributeName = string(key)
            if let prefix = attributes[5 * index + 1] {
                attributeName = string(prefix) + ":" + attributeName
            }
            // libxml2 passes the ampersand of a value as a reference, to be resolved in a second pass.
            var text = String(decoding: value, as: UTF8.self)
            if value.contains(UInt8(ascii: "&")) {
                text = text.replacingBytes(of: "&#38;", with: "&")
            }
            list.append(XMLAttribute(name: attributeName, value: text))
        }
        open.append(
            XMLElement(
                name: string(name),
                attributes: list,
                children: [],
                text: "",
                range: offset..<offset
            )
        )
        texts.append([])
    }

    func end() {
        guard var element = open.popLast(), let text = texts.popLast() else { return }
        if element.children.isEmpty || !text.allSatisfy(\.isXMLSpace) {
            element.text = String(decoding: text, as: UTF8.self)
        }
        let end = consumedBytes()
        if end > element.range.lowerBound { element.range = element.range.lowerBound..<end }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func append(_ characters: UnsafeBufferPointer<xmlChar>) {
        guard !texts.isEmpty else { return }
        texts[texts.count - 1].append(contentsOf: characters)
    }

    func refuse(_ rule: RuleID, _ message: String) {
        guard let context, refusal == nil else { return }
        refusal = Refusal(rule: rule, message: message, line: Int(xmlSAX2GetLineNumber(context)))
        xmlStopParser(context)
    }

    /// Whether byte offsets count the file's bytes: libxml2 counts them cheaply only without a decoder.
    private var countsBytes: Bool {
        guard let input = context?.pointee.input, let buffer = input.pointee.buf else {
            return false
        }
        return buffer.pointee.encoder == nil
    }

    private func consumedBytes() -> Int { countsBytes ? Int(xmlByteConsumed(context)) : 0 }

    /// `<` cannot occur in an attribute value, so the last one before the tag's end begins the tag.
    private func startOfTag() -> Int {
        var offset = min(consumedBytes(), bytes.count) - 1
        while offset > 0, bytes[offset] != UInt8(ascii: "<") { offset -= 1 }
        return max(offset, 0)
    }

    private func string(_ name: UnsafePointer<xmlChar>) -> String {
        if let known = names[name] { return known }
        let text = String(cString: name)
        names[name] = text
        return text
    }
}

private func builder(_ context: UnsafeMutableRawPointer?) -> TreeBuilder? {
    let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self)
    return parser?.pointee._private.map {
        Unmanaged<TreeBuilder>.fromOpaque($0).takeUnretainedValue()
    }
}

private func treeBuildingHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    xmlSAXVersion(&handler, 2)
    handler.startElementNs = { context, name, _, _, _, _, count, _, attributes in
        guard let name else { return }
        builder(context)?.start(name, attributes: attributes, count: Int(count))
    }
    handler.endElementNs = { context, _, _, _ in builder(context)?.end() }
    handler.characters = { context, text, length in
        builder(context)?.append(UnsafeBufferPointer(start: text, count: Int(length)))
    }
    handler.cdataBlock = handler.characters
    handler.ignorableWhitespace = { _, _, _ in }
    handler.comment = { _, _ in }
    handler.processingInstruction = { _, _, _ in }
    handler.entityDecl = { context, _, _, _, _, _ in
        builder(context)?.refuse(
            "xml-entity-declaration",
            "the file declares entities; write their text out"
        )
    }
    handler.reference = { context, name in
        let text = name.map { String(cString: $0) } ?? ""
        builder(context)?.refuse(.malformedXML, "the entity '\(text)' is not declared")
    }
    return handler
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}

extension String {
    fileprivate func trimmingNewlines() -> String {
        String(reversed().drop(while: \.isNewline).reversed())
    }

    fileprivate func lowercasingFirstLetter() -> String { prefix(1).lowercased() + dropFirst() }
}

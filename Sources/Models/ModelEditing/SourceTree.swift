package import Diagnostics
package import XMLReading

/// A model source, parsed so that it can be edited and written again.
package struct SourceTree {
    private let mark: String
    package let root: SourceNode
    private let end: String
    package let lineEnd: String
    package let indent: String
    /// Whether `>` is written as a reference, as Xcode does since version 6.
    let escapesGreater: Bool

    /// Parses a source; throws if it is not XML, or not UTF-8, which Xcode writes.
    init(_ bytes: [UInt8], path: String) throws(EditFault) {
        do throws(SourceFault) { try self.init(source: bytes, path: path) } catch {
            switch error {
            case .malformed(let fault): throw EditFault(fault.diagnostic.message)
            case .strange(let fault): throw fault
            }
        }
    }

    /// Parses a source, and reports where it is not XML.
    package init(source bytes: [UInt8], path: String) throws(SourceFault) {
        let byteOrder: [UInt8] = [0xEF, 0xBB, 0xBF]
        let hasMark = bytes.starts(with: byteOrder)
        let bytes = hasMark ? Array(bytes.dropFirst(byteOrder.count)) : bytes
        let document: XMLDocument
        do throws(XMLFault) { document = try readXML(bytes, path: path) } catch {
            throw .malformed(error)
        }
        // The offsets of elements count UTF-8, regardless of the file's encoding.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw .strange(EditFault("the file is not UTF-8, the encoding of Xcode's models"))
        }
        do throws(EditFault) { try self.init(document, bytes, hasMark: hasMark) } catch {
            throw .strange(error)
        }
    }

    private init(_ document: XMLDocument, _ bytes: [UInt8], hasMark: Bool) throws(EditFault) {
        mark = hasMark ? "\u{FEFF}" : ""
        let range = document.root.range
        guard document.root.name == "model", range.upperBound <= bytes.count else {
            throw EditFault("this is not a model source")
        }
        let gap = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        guard let root = SourceNode(document.root, in: document.source, gap: gap) else {
            throw EditFault("the file is not UTF-8, the encoding of Xcode's models")
        }
        self.root = root
        end = String(decoding: bytes[range.upperBound...], as: UTF8.self)
        let all = String(decoding: bytes, as: UTF8.self)
        lineEnd = bytes.contains(0x0D) && all.utf8.contains(0x0A) ? "\r\n" : "\n"
        let blanks = root.children.first.map { Self.blanks(of: $0.gap) } ?? ""
        indent = blanks.isEmpty ? "    " : blanks
        let version = Int((root["lastSavedToolsVersion"] ?? "").prefix { $0.isNumber }) ?? .max
        escapesGreater = all.contains("&gt;") || version > 5041
        guard Array(text.utf8) == Array(mark.utf8) + bytes else {
            throw EditFault("the file has a form that cannot be rewritten unchanged")
        }
    }

    package var text: String { source(of: root) }

    package func source(of root: SourceNode) -> String {
        var text = mark
        root.write(to: &text)
        return text + end
    }

    /// The element whose tag began at an offset in the original bytes; `nil` where none did.
    func node(at offset: Int) -> SourceNode? {
        func find(_ node: SourceNode, _ offset: Int) -> SourceNode? {
            if node.offset == offset { return node }
            // Children are in order: only the last that begins before the offset can contain it.
            return node.children.last { ($0.offset ?? .max) <= offset }.flatMap { find($0, offset) }
        }
        return find(root, offset - mark.utf8.count)
    }

    /// The number of the tools that saved the file last; `nil` for files that are not from Xcode.
    var toolsVersion: Int? {
        let digits = (root["lastSavedToolsVersion"] ?? "").prefix { $0.isNumber }
        return Int(digits).flatMap { $0 > 1 ? $0 : nil }
    }

    /// The blanks after the last line end.
    private static func blanks(of gap: String) -> String {
        guard let end = gap.utf8.lastIndex(of: 0x0A) else { return "" }
        let rest = gap.utf8[gap.utf8.index(after: end)...]
        return rest.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? String(Substring(rest)) : ""
    }
}

package enum SourceFault: Error, Sendable, Hashable {
    case malformed(XMLFault)
    /// It is not a model, or has a form that Xcode does not write.
    case strange(EditFault)
}

package struct EditFault: Error, Sendable, Hashable {
    package var wording: Wording

    package init(_ message: String) { self.init(saying: Wording(message)) }

    package init(saying wording: Wording) { self.wording = wording }

    /// What is wrong, in the words of code; lower case, no final period.
    package var message: String { wording.text(in: .code) }
}

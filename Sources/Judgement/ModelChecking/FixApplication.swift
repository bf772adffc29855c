import Diagnostics
import ModelCompiling
import XMLReading

/// Carries out fixes in the bytes of one XML file; every byte that no fix names stays.
///
/// A fix whose place no longer holds what it names is left out, as in a file that is not UTF-8.
///
/// - Parameters:
///   - fixes: the fixes; those of one file, in any order.
///   - text: the bytes of the file.
/// - Returns: the bytes afterwards, and how many fixes were carried out.
public func applying(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], count: Int) {
    var starts = [0]
    for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
        starts.append(offset + 1)
    }
    var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    for fix in fixes {
        guard let line = fix.location.line, let column = fix.location.column,
            starts.indices.contains(line - 1), column > 0
        else { continue }
        let tag = starts[line - 1] + column - 1
        guard let edit = TagEditor(text: text, tag: tag).edit(fix.edit) else { continue }
        edits.append(edit)
    }
    edits.sort {
        ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var result: [UInt8] = []
    var position = 0
    var count = 0
    for edit in edits where edit.range.lowerBound >= position {
        result += text[position..<edit.range.lowerBound] + edit.bytes
        position = edit.range.upperBound
        count += 1
    }
    result += text[position...]
    guard let rewriting = fixes.first(where: { $0.edit == .rewrite }),
        let form = xcodeForm(of: result, path: rewriting.location.path), form != result
    else { return (result, count) }
    return (form, count + 1)
}

/// Finds the attributes of one start tag.
private struct TagEditor {
    let text: [UInt8]
    let tag: Int

    func edit(_ edit: Fix.Edit) -> (range: Range<Int>, bytes: [UInt8])? {
        guard text.indices.contains(tag), text[tag] == UInt8(ascii: "<") else { return nil }
        let attributes = attributes()
        func find(_ name: String) -> Place? {
            attributes.first { text[$0.name].elementsEqual(name.utf8) }
        }
        switch edit {
        case .rewrite: return nil
        case .rename(let attribute, let name):
            guard let place = find(attribute), find(name) == nil else { return nil }
            return (place.name, Array(name.utf8))
        case .remove(let attribute):
            return find(attribute).map { ($0.begin..<$0.end, []) }
        case .add(let attribute, let value, let after):
            guard let place = find(after), find(attribute) == nil else { return nil }
            let quote = text[place.end - 1] == UInt8(ascii: "'") ? "'" : "\""
            let text = markup(value, in: .attribute).replacing("'", with: "&apos;")
            let bytes = " \(attribute)=\(quote)\(text)\(quote)".utf8
            return (place.end..<place.end, Array(bytes))
        }
    }

    private struct Place {
        /// Where the white space before the attribute begins.
        var begin: Int
        var name: Range<Int>
        /// Behind the closing quote.
        var end: Int
    }

    private func attributes() -> [Place] {
        var position = tag + 1
        func skip(while condition: (UInt8) -> Bool) {
            while position < text.count, condition(text[position]) { position += 1 }
        }
        var places: [Place] = []
        skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        while true {
            let begin = position
            skip(while: Self.isSpace)
            let name = position
            skip {
                !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">")
                    && $0 != UInt8(ascii: "/")
            }
            let nameEnd = position
            skip(while: Self.isSpace)
            guard nameEnd > name, position < text.count, text[position] == UInt8(ascii: "=") else {
                return places
            }
            position += 1
            skip(while: Self.isSpace)
            guard position < text.count else { return places }
            let quote = text[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return places }
            position += 1
            skip { $0 != quote }
            guard position < text.count else { return places }
            position += 1
            places.append(Place(begin: begin, name: name..<nameEnd, end: position))
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

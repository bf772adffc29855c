import Diagnostics
package import Essentials
import XMLReading

/// Reads an XML property list; messages name `path`.
package func readXMLPropertyList(
    _ bytes: Data,
    path: String = ""
) throws(PropertyListError) -> PropertyList {
    let document: XMLDocument
    do throws(XMLFault) { document = try readXML(bytes, path: path) } catch {
        throw .malformedXML(error.diagnostic)
    }
    let reader = XMLListReader(source: document.source)
    guard document.root.name == "plist", document.root.children.count == 1 else {
        throw reader.fault("the file is not a property list", document.root)
    }
    return try reader.value(document.root.children[0])
}

private struct XMLListReader {
    let source: XMLSource

    func value(_ element: XMLElement) throws(PropertyListError) -> PropertyList {
        switch element.name {
        case "dict": return try dictionary(element)
        case "array":
            var values: [PropertyList] = []
            for child in element.children { values.append(try value(child)) }
            return .array(values)
        case "string": return .string(element.text)
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        let text = element.text.trimmed
        switch element.name {
        case "integer": if let number = integer(text) { return number }
        case "real": if let number = Double(text) { return .real64(number) }
        case "date": if let seconds = seconds(text) { return .date(seconds) }
        case "data":
            let digits = text.filter { !$0.isWhitespace }
            if let bytes = Data(base64Encoded: digits) { return .data(bytes) }
        default: throw fault("'\(element.name)' is not a property list element", element)
        }
        throw fault("'\(text.prefix(40))' is not a valid \(element.name)", element)
    }

    private func dictionary(_ element: XMLElement) throws(PropertyListError) -> PropertyList {
        guard element.children.count.isMultiple(of: 2) else {
            throw fault("a dictionary has a key without a value", element)
        }
        var values: [String: PropertyList] = [:]
        for index in stride(from: 0, to: element.children.count, by: 2) {
            let key = element.children[index]
            guard key.name == "key" else {
                throw fault("a dictionary has '\(key.name)' where a key is expected", key)
            }
            let value = try value(element.children[index + 1])
            if values[key.text] == nil { values[key.text] = value }
        }
        return .dictionary(values)
    }

    func fault(_ message: String, _ element: XMLElement) -> PropertyListError {
        let place = source.location(atOffset: element.range.lowerBound)
        return .malformedXML(Diagnostic(.malformedXML, message, at: place))
    }
}

private func integer(_ text: String) -> PropertyList? {
    if text.hasPrefix("0x") || text.hasPrefix("0X") {
        guard let number = UInt64(text.dropFirst(2), radix: 16) else { return nil }
        return number > UInt64(Int64.max) ? .largeInteger(number) : .integer(Int64(number))
    }
    return Int64(text).map { .integer($0) } ?? UInt64(text).map { .largeInteger($0) }
}

/// Returns the seconds since 2001 of a date such as `2026-11-21T10:55:00Z`, the only form.
private func seconds(_ text: String) -> Double? {
    let parts = text.split(whereSeparator: { "-T:Z".contains($0) }).map { Int($0) }
    guard text.utf8.count == 20, text.hasSuffix("Z"), parts.count == 6,
        let year = parts[0], let month = parts[1], let day = parts[2],
        let hour = parts[3], let minute = parts[4], let second = parts[5],
        (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
        (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    // Days since 0000-03-01, so that the leap day ends a year.
    func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthIndex = (month + 9) % 12
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
            + (monthIndex * 306 + 5) / 10 + day - 1
    }
    let elapsed = days(year, month, day) - days(2001, 1, 1)
    return Double(elapsed * 86_400 + hour * 3_600 + minute * 60 + second)
}

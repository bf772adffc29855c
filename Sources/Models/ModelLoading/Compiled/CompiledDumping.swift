import Essentials
import PropertyLists

extension ArchiveReader {
    /// Returns an archived object as text: the class with its keys, entities and properties by name.
    func dump(_ reference: Reference) -> String { dump(.reference(reference)) }

    func dump(_ value: KeyedArchive.Value) -> String {
        var allowance = 1000
        return dump(value, depth: 0, allowance: &allowance)
    }

    private func dump(_ value: KeyedArchive.Value, depth: Int, allowance: inout Int) -> String {
        allowance -= 1
        guard allowance >= 0, depth <= 16 else { return "…" }
        switch value {
        case .plain(let value): return dump(value)
        case .references(let references):
            var parts: [String] = []
            for reference in references where allowance > 0 {
                parts.append(dump(.reference(reference), depth: depth + 1, allowance: &allowance))
            }
            return "[\(parts.joined(separator: ", "))]"
        case .reference(let reference):
            switch archive[reference] {
            case .null: return "nil"
            case .classRecord(let record): return record.name
            case .plain(let value): return dump(value)
            case .instance(let instance):
                if depth > 0, let name = entityName(reference) ?? propertyName(reference) {
                    return "\(instance.className) \(name)"
                }
                var parts: [String] = []
                for key in instance.keys where allowance > 0 {
                    guard let value = instance.values[key] else { continue }
                    let text = dump(value, depth: depth + 1, allowance: &allowance)
                    parts.append("\(key): \(text)")
                }
                return "\(instance.className) {\(parts.joined(separator: ", "))}"
            }
        }
    }

    private func dump(_ value: PropertyList) -> String {
        switch value {
        case .string(let text): "\"\(text)\""
        case .integer(let number): String(number)
        case .largeInteger(let number): String(number)
        case .real32(let number): String(number)
        case .real64(let number): String(number)
        case .boolean(let flag): String(flag)
        case .date(let seconds): "date \(seconds)"
        case .data(let bytes): "data \(bytes.base64EncodedString())"
        case .uid(let number): "object \(number)"
        case .null: "null"
        case .array(let values): "array of \(values.count)"
        case .set(let values): "set of \(values.count)"
        case .dictionary(let values): "dictionary of \(values.count)"
        }
    }
}

import Essentials
import ObjectModel

extension EntityReader {
    func setDefault(
        of attribute: inout Attribute,
        _ property: PropertyDeclaration,
        _ form: AttributeForm
    ) {
        guard let value = property.value, value != .null else { return }
        // Composites have no default in the model, regardless of the source.
        if case .composite = form {
            attribute.unstatedDefault = .expression(property.valueText ?? "")
        } else if case .scalar(let type) = form, let known = knownValue(value, type) {
            attribute.defaultValue = known
        } else if let bytes = storedEmptiness(value, form) {
            // Models hold the collection, stores its bytes; only the text of the former is kept.
            attribute.defaultValue = .binary(bytes)
            attribute.unstatedDefault = .expression(property.valueText ?? "")
        } else if isMoment(value, attribute.type) {
            attribute.unstatedDefault = .moment(property.valueText ?? "")
        } else {
            attribute.unstatedDefault = .expression(property.valueText ?? "")
        }
    }

    /// The bytes in stores of an empty collection; `nil` for any other value.
    ///
    /// Arrays of plain values are archived, others are JSON (page SwiftData, "Attribute types").
    private func storedEmptiness(_ value: Expression, _ form: AttributeForm) -> Data? {
        let json: String
        switch value {
        case .array(let elements) where elements.isEmpty: json = "[]"
        case .dictionary(let pairs) where pairs.isEmpty: json = "{}"
        case .call(.array, let arguments) where arguments.isEmpty: json = "[]"
        case .call(.dictionary, let arguments) where arguments.isEmpty: json = "{}"
        default: return nil
        }
        switch form {
        case .transformable: return json == "[]" ? AttributeValue.emptyArray : nil
        case .binary: return Data(json.utf8)
        case .scalar, .composite: return nil
        }
    }

    private func knownValue(
        _ value: Expression,
        _ type: AttributeType,
        depth: Int = 0
    ) -> AttributeValue? {
        switch (value, type) {
        case (.boolean(let value), .boolean): return .boolean(value)
        case (.string(let text?), .string): return .string(text)
        case (.integer(let text), _) where type.isInteger: return integer(text).map { .integer($0) }
        case (.integer(let text), .double): return integer(text).map { .double(Double($0)) }
        case (.integer(let text), .float): return integer(text).map { .float(Float($0)) }
        case (.integer(let text), .decimal):
            return integer(text).flatMap { DecimalValue(String($0)) }.map { .decimal($0) }
        case (.float(let text), .double): return Double(plain(text)).map { .double($0) }
        case (.float(let text), .float): return Float(plain(text)).map { .float($0) }
        case (.float(let text), .decimal): return DecimalValue(plain(text)).map { .decimal($0) }
        case (.call(let callee, let arguments), _) where arguments.isEmpty:
            return emptyValue(callee, type)
        case (.call(let callee, let arguments), .date) where arguments.count == 1:
            return madeName(callee).flatMap { _ in date(arguments[0]) }
        case (.unwrapped(.call(let callee, let arguments)), _) where arguments.count == 1:
            return madeName(callee).flatMap { _ in madeValue(arguments[0], type) }
        case (.member(_, "distantPast"), .date): return .date(AttributeValue.distantPast)
        case (.member(_, "distantFuture"), .date): return .date(AttributeValue.distantFuture)
        case (.member(let base?, let name), _): return constant(name, of: base, type, depth)
        default: return nil
        }
    }

    /// The date that a call gives in seconds.
    private func date(_ argument: Expression.Argument) -> AttributeValue? {
        let seconds: Double?
        switch argument.value {
        case .integer(let text): seconds = integer(text).map(Double.init)
        case .float(let text): seconds = Double(plain(text))
        default: seconds = nil
        }
        guard let seconds, seconds.isFinite else { return nil }
        switch argument.label {
        case "timeIntervalSinceReferenceDate": return .date(seconds)
        case "timeIntervalSince1970": return .date(seconds - 978_307_200)
        default: return nil
        }
    }

    /// The value that a failable initializer makes from a text.
    private func madeValue(
        _ argument: Expression.Argument,
        _ type: AttributeType
    ) -> AttributeValue? {
        guard case .string(let text?) = argument.value else { return nil }
        switch (argument.label, type) {
        case ("uuidString", .uuid): return UUID(uuidString: text).map { .uuid($0) }
        case ("base64Encoded", .binary): return Data(base64Encoded: text).map { .binary($0) }
        case ("string", .decimal): return DecimalValue(text).map { .decimal($0) }
        case ("string", .uri): return .uri(text)
        default: return nil
        }
    }

    /// The value of a static constant, or of `Kind.name.rawValue`, in types of the sources.
    private func constant(
        _ name: String,
        of base: Expression,
        _ type: AttributeType,
        _ depth: Int
    ) -> AttributeValue? {
        guard depth < 8 else { return nil }
        let scope = index.nodes[draft.id].scope
        if name == "rawValue", case .member(let owner?, let caseName) = base {
            guard let form = owner.typeForm,
                case .declared(let id) = index.resolve(form, in: scope),
                case .raw(let scalar)? = try? index.enumForm(id), scalar.type == type
            else { return nil }
            return index.storedCases(of: id, scalar)?.first { $0.name == caseName }?.value
        }
        guard let form = base.typeForm, case .declared(let id) = index.resolve(form, in: scope),
            let found = index.nodes[id].properties.first(where: {
                $0.property.name == name && $0.property.isStatic && $0.property.isConstant
            }), let value = found.property.value
        else { return nil }
        return knownValue(value, type, depth: depth + 1)
    }

    private func emptyValue(_ callee: Expression, _ type: AttributeType) -> AttributeValue? {
        guard madeName(callee) != nil else { return nil }
        switch type.values {
        case .string: return .string("")
        case .binary: return .binary(Data())
        case .boolean: return .boolean(false)
        case .integer: return .integer(0)
        case .double: return .double(0)
        case .float: return .float(0)
        default: return nil
        }
    }

    /// Whether a value differs each time that the schema is built.
    private func isMoment(_ value: Expression, _ type: AttributeType) -> Bool {
        guard type == .uuid || type == .date else { return false }
        switch value {
        case .call(let callee, let arguments): return arguments.isEmpty && madeName(callee) != nil
        case .member(_, "now"): return type == .date
        default: return false
        }
    }

    /// The name of the type that a call makes a value of, empty for `.init()`.
    private func madeName(_ callee: Expression) -> String? {
        switch callee {
        case .name(let name, _): name
        case .member(let base?, "init"): base.typeForm?.path?.last
        case .member(nil, "init"): ""
        case .member(let base?, let name)
        where base.typeForm != nil && name.first?.isUppercase == true: name
        default: nil
        }
    }

    private func plain(_ text: String) -> String { text.filter { $0 != "_" } }

    private func integer(_ text: String) -> Int64? {
        var digits = plain(text)
        let isNegative = digits.hasPrefix("-")
        if isNegative { digits.removeFirst() }
        var radix = 10
        for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            radix = base
            digits.removeFirst(2)
        }
        return Int64((isNegative ? "-" : "") + digits, radix: radix)
    }
}

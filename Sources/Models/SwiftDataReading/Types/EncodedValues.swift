import ObjectModel

/// The values of Codable types stored as data: arrays and dictionaries of structs and enums.
struct EncodedValues: Sendable {
    private static let limit = 2_000

    private(set) var members: [EncodedShape.Member] = []
    private(set) var cases: [String: [EnumCases.Case]] = [:]
    private var open: Set<Int> = []

    mutating func add(_ type: TypeMeaning, at path: String, _ index: TypeIndex) {
        guard members.count < Self.limit else { return }
        members.append(EncodedShape.Member(name: path, type: index.encodedType(type)))
        addParts(of: type, at: path, index)
    }

    private mutating func addParts(of type: TypeMeaning, at path: String, _ index: TypeIndex) {
        switch type {
        case .optional(let wrapped): addParts(of: wrapped, at: path, index)
        case .array(let element), .dictionary(_, let element):
            addParts(of: element, at: path + "[]", index)
        case .declared(let id):
            guard !index.nodes[id].decodesByCode, open.insert(id).inserted else { return }
            defer { open.remove(id) }
            switch index.nodes[id].declaration?.kind {
            case .struct?: addMembers(of: id, at: path, index)
            case .enum?: cases[path] = index.encodedCases(of: id)
            default: return
            }
        case .scalar, .resolvedColor, .foreign, .unknown: return
        }
    }

    private mutating func addMembers(of id: Int, at path: String, _ index: TypeIndex) {
        let node = index.nodes[id]
        let keys = index.codingKeys(of: id)
        for case .property(let property) in node.members where property.isEncoded {
            guard let name = property.name, let key = keys.map({ $0[name] }) ?? name else {
                continue
            }
            let place = "\(node.name).\(name)"
            let type =
                (try? index.meaning(of: property, in: node.scope, named: place))
                ?? .unknown(property.type?.text ?? "_", .notSeen)
            add(type, at: path.followed(by: key), index)
        }
    }
}

extension PropertyDeclaration {
    /// Whether Codable encodes it: it skips a constant with an initial value.
    fileprivate var isEncoded: Bool {
        if case .computed = accessors { return false }
        return !isStatic && !isLazy && !(isConstant && value != nil)
    }
}

extension TypeIndex {
    /// The type of an encoded value; enums are kept as their raw values.
    fileprivate func encodedType(_ type: TypeMeaning) -> String {
        switch type {
        case .optional(let wrapped): return encodedType(wrapped) + "?"
        case .array(let element): return "[\(encodedType(element))]"
        case .dictionary(let key, let value): return "[\(encodedType(key)):\(encodedType(value))]"
        case .declared(let id):
            let node = nodes[id]
            guard !node.decodesByCode else { return "coded" }
            switch node.declaration?.kind {
            case .struct?: return "struct"
            case .enum?:
                switch try? enumForm(id) {
                case .raw(let scalar)?, .rawByHand(let scalar)?: return scalar.name
                case .plain?: return "enum"
                case .payload?, nil: return node.name
                }
            default: return node.name
            }
        case .scalar, .resolvedColor, .foreign, .unknown: return text(type)
        }
    }

    /// The cases of an enum; `nil` where they are not known.
    fileprivate func encodedCases(of id: Int) -> [EnumCases.Case]? {
        switch try? enumForm(id) {
        case .raw(let scalar)?: storedCases(of: id, scalar)
        case .plain(let cases)?:
            cases.map { EnumCases.Case(name: $0.name, value: .string($0.name)) }
        case .rawByHand?, .payload?, nil: nil
        }
    }

    /// The coding keys of a struct's properties; `nil` where they are the names.
    fileprivate func codingKeys(of id: Int) -> [String: String]? {
        guard case .type(let keys)? = nodes[id].children["CodingKeys"]?.first else { return nil }
        var names: [String: String] = [:]
        for case .enumCase(let declaration) in nodes[keys].members {
            if case .string(let text?)? = declaration.rawValue {
                names[declaration.name] = text
            } else {
                names[declaration.name] = declaration.name
            }
        }
        return names
    }
}

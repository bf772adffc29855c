import Essentials

/// The shape of the JSON in reports, which JSON Schema describes.
indirect enum JSONShape: Sendable {
    case string, integer, number, boolean
    case values([String])
    case anything
    case list(JSONShape)
    /// An object with any keys, whose values have one shape.
    case map(JSONShape)
    case object([JSONMember])
    case either([JSONShape])
    /// A shape in ``JSONShapes/definitions``.
    case named(String)

    /// The shape as JSON Schema.
    ///
    /// Objects stay open: a key added by a later version does not break validation with an older schema.
    var schema: JSONValue {
        switch self {
        case .string: ["type": "string"]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .values(let values): ["enum": .list(values.map(JSONValue.string))]
        case .anything: [:]
        case .list(let shape): ["type": "array", "items": shape.schema]
        case .map(let shape): ["type": "object", "additionalProperties": shape.schema]
        case .either(let shapes): ["anyOf": .list(shapes.map(\.schema))]
        case .named(let name): ["$ref": .string("#/$defs/\(name)")]
        case .object(let members): Self.schema(of: members)
        }
    }

    private static func schema(of members: [JSONMember]) -> JSONValue {
        let properties = members.map { member in
            var schema = member.shape.schema
            if !member.about.isEmpty, case .object(var keywords) = schema {
                keywords["description"] = .string(member.about)
                schema = .object(keywords)
            }
            return (member.name, schema)
        }
        let required = members.filter { !$0.isOptional }.map { JSONValue.string($0.name) }
        return [
            "type": "object", "properties": .object(Dictionary(properties) { $1 }),
            "required": .list(required),
        ]
    }

    /// The names of the definitions that the shape refers to directly.
    var references: Set<String> {
        switch self {
        case .string, .integer, .number, .boolean, .values, .anything: []
        case .named(let name): [name]
        case .list(let shape), .map(let shape): shape.references
        case .either(let shapes): shapes.reduce(into: []) { $0.formUnion($1.references) }
        case .object(let members): members.reduce(into: []) { $0.formUnion($1.shape.references) }
        }
    }
}

struct JSONMember: Sendable {
    var name: String
    var shape: JSONShape
    var isOptional = false
    var about: String
}

import ObjectModel

/// A type of the standard library or Foundation that is stored as one value.
struct ScalarType: Sendable, Hashable {
    /// Its name in Swift, with aliases resolved.
    var name: String
    var type: AttributeType
    /// Whether a store has shown it.
    var isSeen = true

    /// A value that a transformer makes bytes of.
    static let transformable = ScalarType(name: "Transformable", type: .transformable)

    static let table = others.merging(
        AttributeType.allCases.compactMap { type in
            type.row.swiftData.map { ($0, ScalarType(name: $0, type: type)) }
        }
    ) { other, _ in other }

    /// The types besides those that attributes have.
    private static let others: [String: ScalarType] = [
        "UInt8": ScalarType(name: "UInt8", type: .integer16),
        "UInt16": ScalarType(name: "UInt16", type: .integer16),
        "UInt32": ScalarType(name: "UInt32", type: .integer32),
        "Int64": ScalarType(name: "Int64", type: .integer64),
        "UInt": ScalarType(name: "UInt", type: .integer64, isSeen: false),
        "UInt64": ScalarType(name: "UInt64", type: .integer64),
        "Float32": ScalarType(name: "Float", type: .float),
        "Float64": ScalarType(name: "Double", type: .double),
        "TimeInterval": ScalarType(name: "Double", type: .double),
        "CGFloat": ScalarType(name: "CGFloat", type: .double, isSeen: false),
    ]

    /// The names of known types whose form no store has shown.
    static let unseen: Set<String> = [
        "Int8", "Set", "Range", "ClosedRange", "AttributedString", "Locale", "Measurement",
        "Character", "Int128", "UInt128", "Float16", "Float80", "DateComponents", "DateInterval",
        "TimeZone", "Calendar", "IndexSet", "IndexPath", "CharacterSet", "URLComponents", "Any",
        "AnyObject", "PersonNameComponents", "Result", "Substring", "CGPoint", "CGSize", "CGRect",
    ]
}

/// The parsed user's definition of a type of another module.
enum ForeignForm: Sendable {
    case alias(TypeForm)
    case rawValues(TypeForm)
    case fields([(name: String, type: TypeForm)])
}

extension TypeIndex {
    static let libraries: Set<String> = [
        "Swift", "Foundation", "CoreFoundation", "SwiftUI", "SwiftData",
    ]

    /// Resolves a name that no declaration in the sources has.
    func standard(
        _ components: [TypeForm.Component],
        _ text: String,
        in scope: Scope,
        depth: Int
    ) -> TypeMeaning {
        let meaning = ofLibrary(components, text, in: scope, depth: depth)
        switch meaning {
        case .scalar(let scalar) where scalar.isSeen: return meaning
        case .scalar, .unknown: break
        default: return meaning
        }
        // What is said of a generic type holds for all its arguments, unless these are named too.
        let name = components.map(\.name).joined(separator: ".")
        let key = foreign[text] == nil ? name : text
        guard let form = foreign[key] else { return meaning }
        return stated(form, at: key, in: Scope(file: scope.file), depth: depth + 1)
    }

    private func ofLibrary(
        _ components: [TypeForm.Component],
        _ text: String,
        in scope: Scope,
        depth: Int
    ) -> TypeMeaning {
        var components = components
        if components.count > 1, Self.libraries.contains(components[0].name) {
            components.removeFirst()
        }
        guard let first = components.first else { return .unknown(text, .notDeclared) }
        if components.map(\.name) == ["Color", "Resolved"] { return .resolvedColor }
        guard components.count == 1 else {
            return ofModule(components, text, in: scope, depth: depth)
        }
        func argument(_ index: Int) -> TypeMeaning {
            resolve(first.arguments[index], in: scope, depth: depth + 1)
        }
        switch (first.name, first.arguments.count) {
        case ("Optional", 1): return .optional(argument(0))
        case ("Array", 1): return .array(argument(0))
        case ("Dictionary", 2): return .dictionary(argument(0), argument(1))
        case (let name, 0):
            if let scalar = ScalarType.table[name] { return .scalar(scalar) }
            return .unknown(text, ScalarType.unseen.contains(name) ? .notSeen : .notDeclared)
        case (let name, _):
            return .unknown(text, ScalarType.unseen.contains(name) ? .notSeen : .notDeclared)
        }
    }

    /// Finds a type qualified by its module, which is the folder of its file.
    private func ofModule(
        _ components: [TypeForm.Component],
        _ text: String,
        in scope: Scope,
        depth: Int
    ) -> TypeMeaning {
        let module = components[0].name
        let found = (top[components[1].name] ?? []).filter { child in
            guard case .type(let id) = child else { return false }
            return folders[nodes[id].file].contains { $0 == module }
        }
        // It is looked up where it is declared: the own module may have another of its name.
        guard case .type(let id)? = nearest(found, to: scope.file).first else {
            return .unknown(text, .notDeclared)
        }
        return resolve(
            .named(Array(components[1...])),
            in: Scope(file: nodes[id].file),
            depth: depth + 1
        )
    }
}

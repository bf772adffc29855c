/// A position in the sources: a file, by its number, and a byte.
///
/// Any two positions are equal, so that declarations that differ only in their positions are equal values.
struct Place: Sendable, Hashable {
    var file = 0
    var offset = 0

    static func == (left: Place, right: Place) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

indirect enum TypeForm: Sendable, Hashable {
    /// A name with its qualifiers, outermost first, each with its generic arguments.
    case named([Component])
    case optional(TypeForm)
    case array(TypeForm)
    case dictionary(TypeForm, TypeForm)
    case other(String)

    struct Component: Sendable, Hashable {
        var name: String
        var arguments: [TypeForm] = []
    }

    init(_ names: String...) { self = .named(names.map { Component(name: $0) }) }

    var text: String {
        switch self {
        case .named(let components): components.map(\.text).joined(separator: ".")
        case .optional(let type): type.text + "?"
        case .array(let type): "[\(type.text)]"
        case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
        case .other(let text): text
        }
    }

    /// The names without generic arguments; `nil` when the type is more than a name.
    var path: [String]? {
        guard case .named(let components) = self,
            components.allSatisfy(\.arguments.isEmpty)
        else { return nil }
        return components.map(\.name)
    }
}

extension TypeForm.Component {
    fileprivate var text: String {
        guard !arguments.isEmpty else { return name }
        return name + "<" + arguments.map(\.text).joined(separator: ", ") + ">"
    }
}

/// The part of an expression that models depend on.
indirect enum Expression: Sendable, Hashable {
    /// A text; `nil` when something is interpolated.
    case string(String?)
    case integer(String)
    case float(String)
    case boolean(Bool)
    case null
    case array([Expression])
    case dictionary([Pair])
    case name(String, [TypeForm])
    /// A member; without a base in `.member`.
    case member(Expression?, String)
    case call(Expression, [Argument])
    /// A key path; the components are `nil` when some are more than names.
    case keyPath(TypeForm?, [String]?)
    /// A type in place of a value, such as `Int?`.
    case type(TypeForm)
    case unwrapped(Expression)
    case cast(Expression, TypeForm)
    /// Operands and the operators between them, in the order of the source.
    case operators([Expression], [String])
    case closure(FunctionBody)
    /// One of two values, by a condition.
    case choice(Expression, Expression)
    case other

    struct Pair: Sendable, Hashable {
        var key: Expression
        var value: Expression
    }

    struct Argument: Sendable, Hashable {
        var label: String?
        var value: Expression
    }

    /// The type that the expression names; `nil` when it can name none.
    var typeForm: TypeForm? {
        switch self {
        case .name(let name, let arguments):
            return .named([TypeForm.Component(name: name, arguments: arguments)])
        case .member(let base?, let name):
            guard case .named(let path)? = base.typeForm else { return nil }
            return .named(path + [TypeForm.Component(name: name)])
        case .array(let elements):
            guard elements.count == 1 else { return nil }
            return elements[0].typeForm.map { .array($0) }
        case .dictionary(let pairs):
            guard pairs.count == 1, let key = pairs[0].key.typeForm,
                let value = pairs[0].value.typeForm
            else { return nil }
            return .dictionary(key, value)
        case .type(let form): return form
        default: return nil
        }
    }

    /// The type and the property in a key path, such as `\SchemaV2.Item.folder`; `nil` for other values.
    ///
    /// The parser cannot distinguish types from properties: the last name is the property.
    var memberOfType: (root: TypeForm, name: String)? {
        switch self {
        case .keyPath(.named(let components)?, let names?):
            guard let name = names.last else { return nil }
            let types = names.dropLast().map { TypeForm.Component(name: $0) }
            return (.named(components + types), name)
        case .cast(let value, _): return value.memberOfType
        default: return nil
        }
    }
}

/// One item, or several of which `#if` selects one.
enum Conditional<Item: Sendable & Hashable>: Sendable, Hashable {
    case item(Item)
    case choice([Branch])

    struct Branch: Sendable, Hashable {
        /// The condition; `nil` for `#else`.
        var condition: Condition?
        var items: [Conditional<Item>]
    }
}

indirect enum Condition: Sendable, Hashable {
    case constant(Bool)
    case flag(String)
    /// A platform condition with its argument, such as `os(iOS)`.
    case question(String, String)
    case not(Condition)
    case all(Condition, Condition)
    case any(Condition, Condition)
    /// A condition that is not understood, by its text.
    case unknown(String)
}

/// What a function or closure does with the classes of models.
struct FunctionBody: Sendable, Hashable {
    struct TypeUse: Sendable, Hashable {
        var form: TypeForm
        var place: Place
        /// Whether an initializer is called.
        var isMade = false
    }

    /// The types whose objects are fetched or made, or that are passed on.
    var fetched: [TypeUse] = []
    var called: [String] = []
}

/// An attribute or macro before a declaration, or a standalone macro.
struct AttributeUse: Sendable, Hashable {
    /// The name without a module, such as `Attribute`.
    var name: String
    var arguments: [Expression.Argument] = []
    var types: [TypeForm] = []
    var place = Place()
}

enum Statement: Sendable, Hashable {
    case value(Expression)
    case other
}

struct PropertyDeclaration: Sendable, Hashable {
    enum Accessors: Sendable, Hashable {
        case none
        case observers
        case computed([Conditional<Statement>])
    }

    /// The name; `nil` when several are bound by one pattern.
    var name: String?
    var type: TypeForm?
    var value: Expression?
    var valueText: String?
    var attributes: [Conditional<AttributeUse>] = []
    var isStatic = false
    var isLazy = false
    var isWeak = false
    /// Whether it is declared by `let`.
    var isConstant = false
    var accessors = Accessors.none
    var hasError = false
    var place = Place()
}

struct CaseDeclaration: Sendable, Hashable {
    var name: String
    var hasPayload: Bool
    var rawValue: Expression?
    /// The source text of the case, with its raw value or its associated values.
    var text = ""
    var place = Place()
}

struct AliasDeclaration: Sendable, Hashable {
    var name: String
    var type: TypeForm
    var isGeneric: Bool
    var isPrivate: Bool
    var place = Place()
}

struct TypeDeclaration: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable {
        case `class`, `struct`, `enum`, actor, `protocol`, `extension`
    }

    var kind: Kind
    /// The name; for an extension what it extends.
    var name: TypeForm
    var isGeneric: Bool
    var isPrivate: Bool
    var attributes: [Conditional<AttributeUse>]
    var inherited: [TypeForm]
    var members: [Conditional<Declaration>]
    /// Whether a class overrides or calls something of another, which it then inherits from.
    var usesSuper = false
    var hasError = false
    var place = Place()
}

/// The part of a declaration in a file or a type that models depend on.
indirect enum Declaration: Sendable, Hashable {
    case type(TypeDeclaration)
    case alias(AliasDeclaration)
    case property(PropertyDeclaration)
    case enumCase(CaseDeclaration)
    case macro(AttributeUse)
    /// A function of a file with a migration plan.
    case function(String, FunctionBody)
    case failableInitializer
    /// An initializer that computes the value from a stored one, such as `init(from:)`.
    case decodingInitializer
}

struct FileDeclarations: Sendable {
    var path: String
    var declarations: [Conditional<Declaration>]
    var imports: [String]
    var containers: [ContainerUse] = []
    var fault: Int?
    var places: SwiftPlaces
}

extension FileDeclarations {
    /// Represents a file that was not read.
    init(unreadAt path: String) {
        self.init(
            path: path,
            declarations: [],
            imports: [],
            places: SwiftPlaces(path: path, bytes: [])
        )
    }
}

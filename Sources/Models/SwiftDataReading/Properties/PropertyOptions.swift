import ObjectModel

/// The content of `@Attribute` and `@Relationship` of a property.
struct PropertyOptions {
    private(set) var isAttribute = false
    private(set) var isRelationship = false
    private(set) var isUnique = false
    /// Whether the value is kept as it encodes itself.
    private(set) var isCodable = false
    private(set) var flags = PropertyFlags()
    private(set) var transformerName: String?
    /// The type of the transformer as written, such as `App.ColorTransformer`.
    private(set) var transformerType: String?
    private(set) var originalName: String?
    private(set) var hashModifier: String?
    private(set) var deleteRule = Relationship.DeleteRule.nullify
    private(set) var inverse: (root: TypeForm, name: String)?
    /// Whether the written inverse is not a plain key path.
    private(set) var isInverseUnknown = false
    private(set) var minimumCount: Int?
    private(set) var maximumCount: Int?
    /// What is inferred, without evidence from a store.
    private(set) var doubts: [String] = []
    /// The first that is not understood; the rest is read all the same.
    private(set) var refusal: Refusal?

    init(_ uses: [AttributeUse]) {
        for use in uses {
            isRelationship = isRelationship || use.name == "Relationship"
            for argument in use.arguments {
                do throws(Refusal) {
                    switch use.name {
                    case "Attribute": try readAttribute(argument, at: use.place)
                    case "Relationship": try readRelationship(argument, at: use.place)
                    default: break
                    }
                } catch { refusal = refusal ?? error }
            }
        }
    }

    private mutating func readAttribute(
        _ argument: Expression.Argument,
        at place: Place
    ) throws(Refusal) {
        isAttribute = true
        switch (argument.label, argument.value) {
        case (nil, .member(_, let option)): try readOption(option, at: place)
        case (nil, .call(.member(_, "transformable"), let arguments)):
            transformerName = try transformer(arguments, at: place)
            doubts.append("the option .transformable")
        case ("originalName"?, .string(let name?)): originalName = name
        case ("hashModifier"?, .string(let text?)):
            hashModifier = text
            doubts.append("the option hashModifier")
        case ("hashModifier"?, .null), ("originalName"?, .null): break
        default: throw Refusal("an argument of @Attribute is not understood", at: place)
        }
    }

    private mutating func readOption(_ option: String, at place: Place) throws(Refusal) {
        if option == "unique" {
            isUnique = true
        } else if option == "codable" {
            isCodable = true
        } else if let flag = PropertyFlag.allCases.first(where: { $0.row.swiftDataOption == option }
        ) {
            flags[flag] = true
            if !flag.row.isSeenInSwiftData { doubts.append("the option .\(option)") }
        } else {
            let note = "no known store shows what it does"
            throw Refusal("the option .\(option) is not understood", [note], at: place)
        }
    }

    private mutating func transformer(
        _ arguments: [Expression.Argument],
        at place: Place
    ) throws(Refusal) -> String {
        guard arguments.count == 1, arguments[0].label == "by" else {
            throw Refusal("the option .transformable is not understood", at: place)
        }
        switch arguments[0].value {
        case .string(let name?): return name
        case .member(let type?, "self"):
            guard let path = type.typeForm?.path, let name = path.last else { break }
            transformerType = path.joined(separator: ".")
            return name
        default: break
        }
        throw Refusal("the transformer of .transformable is not understood", at: place)
    }

    private mutating func readRelationship(
        _ argument: Expression.Argument,
        at place: Place
    ) throws(Refusal) {
        switch (argument.label, argument.value) {
        case ("deleteRule"?, .member(_, let rule)): try readDeleteRule(rule, at: place)
        case ("inverse"?, .null), ("originalName"?, .null), ("hashModifier"?, .null),
            ("minimumModelCount"?, .null), ("maximumModelCount"?, .null):
            break
        case ("inverse"?, let value):
            inverse = value.memberOfType
            isInverseUnknown = inverse == nil
        case ("originalName"?, .string(let name?)): originalName = name
        case ("hashModifier"?, .string(let text?)):
            hashModifier = text
            doubts.append("the option hashModifier")
        case ("minimumModelCount"?, .integer(let text)):
            minimumCount = try count(text, at: place)
            doubts.append("the option minimumModelCount")
        case ("maximumModelCount"?, .integer(let text)):
            maximumCount = try count(text, at: place)
            doubts.append("the option maximumModelCount")
        case (nil, .member(_, let option)):
            let note = "no known store shows what it does"
            throw Refusal("the option .\(option) is not understood", [note], at: place)
        default: throw Refusal("an argument of @Relationship is not understood", at: place)
        }
    }

    private mutating func readDeleteRule(_ rule: String, at place: Place) throws(Refusal) {
        switch rule {
        case "nullify": deleteRule = .nullify
        case "cascade": deleteRule = .cascade
        case "deny":
            deleteRule = .deny
            doubts.append("the delete rule .deny")
        case "noAction":
            deleteRule = .noAction
            doubts.append("the delete rule .noAction")
        default: throw Refusal("the delete rule .\(rule) is not understood", at: place)
        }
    }

    private func count(_ text: String, at place: Place) throws(Refusal) -> Int {
        guard let number = Int32(text.filter { $0 != "_" }), number >= 0 else {
            throw Refusal("the count \(text) is not understood", at: place)
        }
        return Int(number)
    }
}

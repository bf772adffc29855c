import Diagnostics
import ObjectModel

/// What a class alone says about its entity: all but the inverses, which depend on the version.
struct EntityDraft: Sendable {
    /// An attribute, with its elements when it is a composite.
    struct AttributeDraft: Sendable {
        var attribute: Attribute
        var form: AttributeForm
    }

    /// A relationship, whose inverse the version decides.
    struct RelationshipDraft: Sendable {
        var relationship: Relationship
        /// The class of the destination, by its number.
        var destination: Int
        var isWritten: Bool
        var inverse: String?
        /// Whether the written inverse is not understood.
        var isInverseUnknown = false
        var place: Place
    }

    var id: Int
    var name: String
    var attributes: [AttributeDraft] = []
    var relationships: [RelationshipDraft] = []
    var constraints: [UniquenessConstraint] = []
    var indexes: [FetchIndex] = []
    var renamingIdentifier: String?
    /// The structs and enums whose shape takes part in the hash, by their numbers.
    var values: Set<Int> = []
    var refused: Set<String> = []
    /// Properties that are not understood and may be relationships.
    var open: [OpenProperty] = []
    /// Why the entity cannot have a hash.
    var refusals: [Remark] = []
    /// What is inferred, without evidence from a store.
    var doubts: [Remark] = []
    /// What is left out without an effect on the hash.
    var omissions: [Remark] = []

    struct OpenProperty: Sendable {
        var name: String
        /// The names of the entities that it may lead to; `nil` for any.
        var destinations: Set<String>?
    }

    /// A remark about an entity or one of its properties.
    struct Remark: Sendable {
        var element: String
        var message: String
        var notes: [Wording] = []
        var place: Place
        /// The stored property of a struct that is at fault.
        var field: Place?
        /// The question whose answer would settle it.
        var question: SwiftQuestion?
    }
}

struct EntityReader {
    let index: TypeIndex
    var draft: EntityDraft

    init(_ id: Int, _ index: TypeIndex) {
        self.index = index
        draft = EntityDraft(id: id, name: index.nodes[id].name)
    }

    static func read(_ id: Int, _ index: TypeIndex) -> EntityDraft {
        var reader = EntityReader(id, index)
        reader.readClass()
        for member in index.nodes[id].members {
            switch member {
            case .property(let property): reader.read(property)
            case .macro(let macro): reader.read(macro)
            default: break
            }
        }
        reader.checkNames()
        return reader.draft
    }

    private var node: TypeNode { index.nodes[draft.id] }

    private mutating func readClass() {
        guard let declaration = node.declaration else { return }
        if declaration.hasError { refuse("the class is not complete Swift", at: declaration.place) }
        if declaration.isGeneric {
            refuse("generic classes are not understood", at: declaration.place)
        }
        for (form, scope) in node.inherited {
            guard case .declared(let id) = index.resolve(form, in: scope),
                let parent = index.nodes[id].declaration, parent.kind == .class
            else { continue }
            let message = "a class that inherits from \(form.text) is not understood"
            let note = "no store has shown what SwiftData makes of inheritance between classes"
            refuse(message, [note], at: declaration.place)
        }
        for use in node.attributes where use.name == "Model" {
            for argument in use.arguments {
                guard argument.label == "originalName", case .string(let name?) = argument.value
                else {
                    refuse("an argument of @Model is not understood", at: use.place)
                    continue
                }
                draft.renamingIdentifier = name
                doubt("@Model(originalName:)", at: use.place)
            }
        }
    }

    /// Reads one property, unless it is not stored.
    private mutating func read(_ property: PropertyDeclaration) {
        if property.isStatic || property.isLazy { return }
        if case .computed = property.accessors { return }
        let uses = index.conditions.active(property.attributes)
        if uses.contains(where: { $0.name == "Transient" }) { return }
        guard let name = property.name else {
            let message = "several names bound by one pattern are not understood"
            return refuse(message, at: property.place)
        }
        do throws(Refusal) {
            try readStored(property, name, uses)
        } catch {
            draft.refused.insert(name)
            noteRelationship(property, name, uses)
            refuse(error.reason, error.notes, of: name, at: error.place ?? property.place)
            let last = draft.refusals.count - 1
            draft.refusals[last].field = error.field
            draft.refusals[last].question = SwiftQuestion(
                entity: draft.name,
                name: error.leaf ?? "\(draft.name).\(name)",
                kind: .type
            )
        }
    }

    private mutating func readStored(
        _ property: PropertyDeclaration,
        _ name: String,
        _ uses: [AttributeUse]
    ) throws(Refusal) {
        if property.hasError { throw Refusal("the declaration is not complete Swift") }
        if property.isWeak { throw Refusal("weak and unowned properties are not understood") }
        if case .observers = property.accessors {
            doubt("a property with willSet or didSet", of: name, at: property.place)
        }
        let known: Set<String> = ["Attribute", "Relationship"]
        let strange = uses.first {
            !known.contains($0.name) && !AttributeUse.harmless.contains($0.name)
        }
        if let strange {
            throw Refusal("@\(strange.name) is not understood", at: strange.place)
        }
        var options = PropertyOptions()
        for use in uses where use.name == "Attribute" { try options.readAttribute(use) }
        for use in uses where use.name == "Relationship" { try options.readRelationship(use) }
        let form = try form(of: property, name, options)
        draft.values.formUnion(form.values)
        for message in form.doubts + options.doubts {
            doubt(message, of: name, at: property.place)
        }
        switch form.kind {
        case .attribute(let attribute):
            guard !options.isRelationship else {
                throw Refusal(
                    "@Relationship on a property that is not a @Model class is not understood"
                )
            }
            add(attribute, form, property, name, options)
        case .relationship(let destination, let isToMany):
            guard !options.isAttribute else {
                throw Refusal("@Attribute on a relationship is not understood")
            }
            try add(to: destination, isToMany, form, property, name, options)
        }
    }

    /// Remembers a property that is not understood, as far as it may be a relationship: one that leads back from its
    /// destination may be its inverse.
    private mutating func noteRelationship(
        _ property: PropertyDeclaration,
        _ name: String,
        _ uses: [AttributeUse]
    ) {
        let isWritten = uses.contains { $0.name == "Relationship" }
        guard var meaning = try? index.meaning(of: property, in: node.scope, named: name) else {
            draft.open.append(.init(name: name, destinations: nil))
            return
        }
        while true {
            switch meaning {
            case .optional(let inner), .array(let inner):
                meaning = inner
                continue
            case .declared(let id):
                guard index.nodes[id].isModel else { return }
                draft.open.append(.init(name: name, destinations: [index.nodes[id].name]))
            case .unknown(let text, _):
                let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                draft.open.append(.init(name: name, destinations: Set(words.map(String.init))))
            case .dictionary, .scalar, .resolvedColor, .foreign:
                if isWritten { draft.open.append(.init(name: name, destinations: nil)) }
            }
            return
        }
    }

    private func form(
        of property: PropertyDeclaration,
        _ name: String,
        _ options: PropertyOptions
    ) throws(Refusal) -> PropertyForm {
        if options.transformerName != nil {
            // A transformer may turn any type into bytes.
            var isOptional = false
            if case .optional? = property.type { isOptional = true }
            if case .optional? = try? index.meaning(of: property, in: node.scope, named: name) {
                isOptional = true
            }
            return PropertyForm(kind: .attribute(.scalar(.transformable)), isOptional: isOptional)
        }
        let place = "\(draft.name).\(name)"
        let meaning = try index.meaning(of: property, in: node.scope, named: place)
        let text = property.type?.text ?? index.text(meaning)
        return try index.form(of: meaning, text: text, property: name)
    }

    private mutating func add(
        _ attribute: AttributeForm,
        _ form: PropertyForm,
        _ property: PropertyDeclaration,
        _ name: String,
        _ options: PropertyOptions
    ) {
        var result = Attribute(
            name: name,
            type: attribute.type,
            isOptional: form.isOptional,
            renamingIdentifier: options.originalName,
            versionHashModifier: options.hashModifier,
            source: index.mark(property.place)
        )
        result.flags = options.flags
        switch attribute {
        case .transformable(let className):
            result.valueTransformerName = "NSSecureUnarchiveFromData"
            result.customClassName = className
        case .composite(_, isEnum: true, let cases):
            result.userInfo = [UserInfoEntry(key: "EnumType", value: "true")]
            if !cases.isEmpty {
                let list = "[" + cases.joined(separator: ", ") + "]"
                result.userInfo.append(UserInfoEntry(key: "enum", value: list))
            }
        case .scalar, .binary, .composite: break
        }
        result.enumCases = EnumCases(
            attribute.cases.merging(form.encoded.cases) { first, _ in first }
        )
        result.encodedMembers = form.encoded.members
        result.memberPaths = attribute.memberPaths
        if let name = options.transformerName { result.valueTransformerName = name }
        setDefault(of: &result, property, attribute)
        if options.isUnique {
            draft.constraints.append(
                UniquenessConstraint(properties: [name], source: index.mark(property.place))
            )
        }
        draft.attributes.append(.init(attribute: result, form: attribute))
    }

    private mutating func add(
        to destination: Int,
        _ isToMany: Bool,
        _ form: PropertyForm,
        _ property: PropertyDeclaration,
        _ name: String,
        _ options: PropertyOptions
    ) throws(Refusal) {
        let target = index.nodes[destination]
        var inverse: String?
        if let written = options.inverse {
            guard index.names(written.root, class: target.name, in: node.scope) else {
                let inverse = "\\\(written.root.text).\(written.name)"
                throw Refusal("the inverse \(inverse) is not a property of \(target.name)")
            }
            inverse = written.name
        }
        let relationship = Relationship(
            name: name,
            isOptional: form.isOptional,
            isToMany: isToMany,
            minCount: options.minimumCount.flatMap { $0 == 0 ? nil : $0 },
            maxCount: options.maximumCount ?? (isToMany ? nil : 1),
            deleteRule: options.deleteRule,
            destinationEntity: target.name,
            renamingIdentifier: options.originalName,
            versionHashModifier: options.hashModifier,
            source: index.mark(property.place)
        )
        draft.relationships.append(
            .init(
                relationship: relationship,
                destination: destination,
                isWritten: options.isRelationship,
                inverse: inverse,
                isInverseUnknown: options.isInverseUnknown,
                place: property.place
            )
        )
    }

    /// Two properties of one name are invalid Swift; which of them counts is not for us to say.
    private mutating func checkNames() {
        let names =
            draft.attributes.map(\.attribute.name) + draft.relationships.map(\.relationship.name)
        guard names.holdsDuplicates, let declaration = node.declaration else { return }
        refuse("two properties have one name", at: declaration.place)
    }

    mutating func refuse(
        _ message: String,
        _ notes: [String] = [],
        of property: String? = nil,
        at place: Place
    ) {
        let element = property.map { "\(draft.name).\($0)" } ?? draft.name
        draft.refusals.append(
            .init(
                element: element,
                message: message,
                notes: notes.map { Wording($0) },
                place: place
            )
        )
    }

    private mutating func doubt(_ message: String, of property: String? = nil, at place: Place) {
        let element = property.map { "\(draft.name).\($0)" } ?? draft.name
        draft.doubts.append(.init(element: element, message: message, place: place))
    }
}

extension AttributeForm {
    /// The cases of its enums, by the names of the elements.
    fileprivate var cases: [String: [EnumCases.Case]] {
        guard case .composite(let elements, _, _) = self else { return [:] }
        let cases = zip(elements.map(\.name).distinctNames, elements).map { ($0, $1.cases) }
        return Dictionary(uniqueKeysWithValues: cases).compactMapValues { $0 }
    }

    /// The members that lead to the elements of a composite with nested structs.
    fileprivate var memberPaths: [[String]] {
        guard case .composite(let elements, _, _) = self,
            elements.contains(where: { !$0.members.isEmpty })
        else { return [] }
        return elements.map { $0.members + [$0.name] }
    }

    var type: AttributeType {
        switch self {
        case .scalar(let type): type
        case .transformable: .transformable
        case .binary: .binary
        case .composite: .composite
        }
    }
}

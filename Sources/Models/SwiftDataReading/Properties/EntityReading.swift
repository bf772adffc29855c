import Diagnostics
import ObjectModel

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
        reader.checkConstraints()
        return reader.draft
    }

    var node: TypeNode { index.nodes[draft.id] }

    private mutating func read(_ property: PropertyDeclaration) {
        if property.isStatic || property.isLazy || property.name.map(isInherited) == true { return }
        if case .computed = property.accessors { return }
        let uses = index.conditions.active(property.attributes)
        if uses.contains(where: { $0.name == "Transient" }) { return }
        guard let name = property.name else {
            let message = "several names bound by one pattern are not understood"
            return refuse(message, at: property.place)
        }
        do throws(Refusal) { try readStored(property, name, uses) } catch {
            draft.refused.insert(name)
            let type = noteRelationship(property, name, uses) ?? "Data"
            let question = error.leaf ?? "\(draft.name).\(name)"
            let answer =
                "under types: in .momtool.yml, declare how it is stored, such as \(question): \(type)"
            let notes = error.notes + (error.isFatal ? [] : [answer])
            refuse(error.reason, notes, of: name, at: error.place ?? property.place)
            let last = draft.refusals.count - 1
            draft.refusals[last].field = error.field
            draft.refusals[last].isFatal = error.isFatal
            draft.refusals[last].question = SwiftQuestion(
                entity: draft.name,
                name: question,
                kind: .type([])
            )
        }
    }

    private mutating func readStored(
        _ property: PropertyDeclaration,
        _ name: String,
        _ uses: [AttributeUse]
    ) throws(Refusal) {
        let options = PropertyOptions(uses)
        // The user's description of the property overrides what was not understood.
        let isStated = index.foreign["\(draft.name).\(name)"] != nil
        if !isStated {
            if property.hasError { throw Refusal("the declaration is not complete Swift") }
            if property.isWeak { throw Refusal("weak and unowned properties are not understood") }
            if let refusal = options.refusal { throw refusal }
        }
        let form = try form(of: property, name, options, isStated: isStated)
        if case .observers = property.accessors {
            doubt("a property with willSet or didSet", of: name, at: property.place)
        }
        let known = AttributeUse.harmless.union(["Attribute", "Relationship"])
        for use in uses where !known.contains(use.name) {
            doubt("the macro @\(use.name)", of: name, about: "@\(use.name)", at: use.place)
        }
        draft.values.formUnion(form.values)
        for message in form.doubts + options.doubts {
            doubt(message, of: name, at: property.place)
            guard !form.candidates.isEmpty else { continue }
            draft.doubts[draft.doubts.count - 1].question = SwiftQuestion(
                entity: draft.name,
                name: "\(draft.name).\(name)",
                kind: .type(form.candidates)
            )
        }
        switch form.kind {
        case .attribute(let attribute):
            guard !options.isRelationship || isStated else {
                throw Refusal(
                    "@Relationship on a property that is not a @Model class is not understood"
                )
            }
            add(attribute, form, property, name, options)
        case .relationship(let destination, let isToMany):
            guard !options.isAttribute || isStated else {
                throw Refusal("@Attribute on a relationship is not understood")
            }
            add(to: destination, isToMany, form, property, name, options)
        }
    }

    /// Remembers a property that may be a relationship: one of its destination that leads back may be its inverse.
    ///
    /// Returns the class that it surely leads to, as an entry under `types:` names it.
    private mutating func noteRelationship(
        _ property: PropertyDeclaration,
        _ name: String,
        _ uses: [AttributeUse]
    ) -> String? {
        let isWritten = uses.contains { $0.name == "Relationship" }
        guard var meaning = try? index.meaning(of: property, in: node.scope, named: name) else {
            draft.open.append(.init(name: name, destinations: nil))
            return nil
        }
        var isMany = false
        while true {
            switch meaning {
            case .optional(let inner):
                meaning = inner
                continue
            case .array(let inner):
                (meaning, isMany) = (inner, true)
                continue
            case .declared(let id):
                guard index.nodes[id].isModel else { return nil }
                draft.open.append(.init(name: name, destinations: [index.nodes[id].name]))
                let path = index.nodes[id].path.joined(separator: ".")
                return isMany ? "\"[\(path)]\"" : path
            case .unknown(let text, _):
                let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                draft.open.append(.init(name: name, destinations: Set(words.map(String.init))))
            case .dictionary, .scalar, .resolvedColor, .foreign:
                if isWritten { draft.open.append(.init(name: name, destinations: nil)) }
            }
            return nil
        }
    }

    private func form(
        of property: PropertyDeclaration,
        _ name: String,
        _ options: PropertyOptions,
        isStated: Bool
    ) throws(Refusal) -> PropertyForm {
        if options.transformerName != nil || options.isCodable, !isStated {
            // A value that is turned into bytes may have any type.
            let meaning = try? index.meaning(of: property, in: node.scope, named: name)
            var isOptional = false
            if case .optional? = property.type { isOptional = true }
            if case .optional? = meaning { isOptional = true }
            var form = PropertyForm(kind: .attribute(.binary), isOptional: isOptional)
            if options.transformerName != nil {
                form.kind = .attribute(.scalar(.transformable))
            } else {
                form.doubts = ["the option .codable, whose values are read as Binary"]
                form.candidates = ["Data", "Transformable"]
                if let meaning { form.encoded.add(meaning, at: "", index) }
            }
            return form
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
            attribute.cases.merging(form.encoded.cases) { first, _ in first },
            required: form.isOptional ? [] : attribute.required
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
    ) {
        let target = index.nodes[destination]
        var fault = options.isInverseUnknown ? "the inverse is not understood" : nil
        if let written = options.inverse,
            !index.lineage(of: destination).contains(where: {
                index.names(written.root, class: index.nodes[$0].name, in: node.scope)
            })
        {
            let inverse = "\\\(written.root.text).\(written.name)"
            fault = "the inverse \(inverse) is not a property of \(target.name)"
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
                inverse: options.inverse?.name,
                inverseFault: fault,
                place: property.place
            )
        )
    }

    /// Two properties with the same name do not compile; momtool does not decide which of them counts.
    private mutating func checkNames() {
        let names =
            draft.attributes.map(\.attribute.name) + draft.relationships.map(\.relationship.name)
        guard names.holdsDuplicates, let declaration = node.declaration else { return }
        refuse("two properties have the same name", at: declaration.place)
    }

    /// A property that `.unique` and `#Unique` both name is in the hash once or twice.
    private mutating func checkConstraints() {
        var known: Set<[String]> = []
        for constraint in draft.constraints where !known.insert(constraint.properties).inserted {
            let names = constraint.properties.joined(separator: ".")
            let place = node.place
            doubt("the same uniqueness constraint twice", of: names, at: place)
            draft.doubts[draft.doubts.count - 1].question = SwiftQuestion(
                entity: draft.name,
                name: "\(draft.name).\(names)",
                kind: .uniqueness
            )
        }
    }

    /// Refuses a property, whose notes say what settles it, or the class.
    mutating func refuse(
        _ message: String,
        _ notes: [String] = [],
        of property: String? = nil,
        at place: Place
    ) {
        let element = property.map { "\(draft.name).\($0)" } ?? draft.name
        let leaveOut = "leave its source out with exclude: under swift: in .momtool.yml"
        let notes = notes + (property == nil ? [leaveOut] : [])
        draft.refusals.append(
            .init(
                element: element,
                message: message,
                notes: notes.map { Wording($0) },
                place: place
            )
        )
    }

    mutating func doubt(
        _ message: String,
        of property: String? = nil,
        about subject: String? = nil,
        at place: Place
    ) {
        let element = property.map { "\(draft.name).\($0)" } ?? draft.name
        draft.doubts.append(
            .init(element: element, message: message, place: place, subject: subject)
        )
    }
}

extension AttributeForm {
    /// The cases of the enums in it, by the names of the elements.
    fileprivate var cases: [String: [EnumCases.Case]] {
        guard case .composite(let elements, _, _) = self else { return [:] }
        let cases = zip(elements.map(\.name).distinctNames, elements).map { ($0, $1.cases) }
        return Dictionary(uniqueKeysWithValues: cases).compactMapValues { $0 }
    }

    /// The elements of which a value that is not optional needs one: a case of the enum, or of each enum in a struct.
    fileprivate var required: [[String]] {
        guard case .composite(let elements, let isEnum, _) = self else { return [] }
        let names = elements.map(\.name).distinctNames
        return isEnum ? [names] : zip(names, elements).filter(\.1.isRequired).map { [$0.0] }
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

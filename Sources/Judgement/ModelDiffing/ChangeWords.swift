package import ObjectModel

package struct ChangeWords: Sendable, Hashable {
    /// Such as `type` or `entity added`.
    package var what: String
    package var from: String?
    package var to: String?
    /// The XML attribute of the change; `nil` where it is an element.
    var attribute: String?

    init(_ what: String, _ from: String? = nil, _ to: String? = nil, xml attribute: String? = nil) {
        (self.what, self.from, self.to, self.attribute) = (what, from, to, attribute)
    }

    init(_ what: String, _ from: Int?, _ to: Int?, xml attribute: String) {
        self.init(what, from.map(String.init), to.map(String.init), xml: attribute)
    }

    init(_ what: String, _ from: Bool, _ to: Bool, xml attribute: String) {
        self.init(what, from ? "yes" : "no", to ? "yes" : "no", xml: attribute)
    }

    package var line: String {
        switch (from, to) {
        case (nil, nil): what
        case (let from?, nil): "\(what): \(from) → none"
        case (nil, let to?): "\(what): none → \(to)"
        case (let from?, let to?): "\(what): \(from) → \(to)"
        }
    }
}

extension ModelChange {
    package var words: ChangeWords {
        switch self {
        case .entityAdded: ChangeWords("entity added")
        case .entityRemoved: ChangeWords("entity removed")
        case .entityChanged(_, let change): change.words
        case .attributeAdded(let attribute, _): ChangeWords("\(attribute.typeWords) added")
        case .attributeRemoved(let attribute, _): ChangeWords("\(attribute.typeWords) removed")
        case .attributeChanged(_, let change): change.words
        case .relationshipAdded(let relationship, _):
            ChangeWords("relationship to \(relationship.destinationEntity ?? "nothing") added")
        case .relationshipRemoved(let relationship, _):
            ChangeWords("relationship to \(relationship.destinationEntity ?? "nothing") removed")
        case .relationshipChanged(_, let change): change.words
        case .part(let part): ChangeWords(part.words)
        case .setting(let setting, let from, let to): setting.words(from, to)
        }
    }

    /// The properties of an added entity, such as `name: optional String`; empty for any other change.
    package var addedProperties: [String] {
        guard case .entityAdded(let entity) = self else { return [] }
        return entity.attributes.map { attribute in
            let kind = attribute.isOptional ? "optional" : "mandatory"
            let value = attribute.defaultWords.map { ", default \($0)" } ?? ""
            let type = attribute.compositeName ?? attribute.type.words
            return "\(attribute.name): \(kind) \(type)\(value)"
        }
            + entity.relationships.map { relationship in
                let count = relationship.isToMany ? "to many" : "to one"
                return
                    "\(relationship.name): \(count) \(relationship.destinationEntity ?? "nothing")"
            }
    }
}

extension EntityChange {
    fileprivate var words: ChangeWords {
        switch self {
        case .name(let from, let to): ChangeWords("renamed", from, to, xml: "name")
        case .abstractness(let from, let to): ChangeWords("abstract", from, to, xml: "isAbstract")
        case .parent(let from, let to, _): ChangeWords("parent", from, to, xml: "parentEntity")
        case .uniquenessConstraintAdded(let constraint):
            ChangeWords("uniqueness constraint \(constraint.words) added")
        case .uniquenessConstraintRemoved(let constraint):
            ChangeWords("uniqueness constraint \(constraint.words) removed")
        case .fetchIndexAdded(let index): ChangeWords("fetch index '\(index.name)' added")
        case .fetchIndexRemoved(let index): ChangeWords("fetch index '\(index.name)' removed")
        case .fetchIndex(_, let to): ChangeWords("fetch index '\(to.name)' changed")
        case .compoundIndexes: ChangeWords("compound indexes changed")
        case .setting(let setting, let from, let to): setting.words(from, to)
        }
    }
}

extension AttributeChange {
    fileprivate var words: ChangeWords {
        switch self {
        case .name(let from, let to): ChangeWords("renamed", from, to, xml: "name")
        case .declaringEntity(let from, let to): ChangeWords("moved", from, to)
        case .type(let from, let to):
            ChangeWords("type", from.words, to.words, xml: "attributeType")
        case .optionality(let from, let to): ChangeWords("optional", from, to, xml: "optional")
        case .transience(let from, let to): ChangeWords("transient", from, to, xml: "transient")
        case .defaultValue(let from, let to):
            ChangeWords("default", from?.description, to?.description, xml: "defaultValueString")
        case .derivation(let from, let to):
            ChangeWords("derivation", from?.expression, to?.expression, xml: "derivationExpression")
        case .element(let path, let change):
            switch change {
            case .added: ChangeWords("element '\(path.joined(separator: "."))' added")
            case .removed: ChangeWords("element '\(path.joined(separator: "."))' removed")
            case .changed(_, _, let change):
                ChangeWords(
                    "element '\(path.joined(separator: "."))' \(change.words.what)",
                    change.words.from,
                    change.words.to,
                    xml: change.words.attribute
                )
            }
        case .flag(let flag, let from, let to):
            ChangeWords(flag.row.words, from, to, xml: flag.row.sourceName)
        case .setting(let setting, let from, let to): setting.words(from, to)
        }
    }
}

extension RelationshipChange {
    fileprivate var words: ChangeWords {
        switch self {
        case .name(let from, let to): ChangeWords("renamed", from, to, xml: "name")
        case .declaringEntity(let from, let to): ChangeWords("moved", from, to)
        case .destination(let from, let to, _):
            ChangeWords("destination", from, to, xml: "destinationEntity")
        case .inverse(let from?, let to, _) where from == to:
            ChangeWords("inverse: another relationship named \(from)", xml: "inverseName")
        case .inverse(let from, let to, _): ChangeWords("inverse", from, to, xml: "inverseName")
        case .inverseEntity(let from, let to, _):
            ChangeWords("entity of the inverse", from, to, xml: "inverseEntity")
        case .cardinality(let from, let to):
            ChangeWords(
                "cardinality",
                from ? "to-many" : "to-one",
                to ? "to-many" : "to-one",
                xml: "toMany"
            )
        case .order(let from, let to): ChangeWords("ordered", from, to, xml: "ordered")
        case .minimumCount(let from, let to):
            ChangeWords("minimum count", from, to, xml: "minCount")
        case .maximumCount(let from, let to):
            ChangeWords("maximum count", from, to, xml: "maxCount")
        case .optionality(let from, let to): ChangeWords("optional", from, to, xml: "optional")
        case .transience(let from, let to): ChangeWords("transient", from, to, xml: "transient")
        case .deleteRule(let from, let to):
            ChangeWords("delete rule", from.sourceName, to.sourceName, xml: "deletionRule")
        case .flag(let flag, let from, let to):
            ChangeWords(flag.row.words, from, to, xml: flag.row.sourceName)
        case .setting(let setting, let from, let to): setting.words(from, to)
        }
    }
}

extension UniquenessConstraint {
    fileprivate var words: String { "(\(properties.joined(separator: ", ")))" }
}

extension Attribute {
    fileprivate var typeWords: String {
        let kind = isOptional ? "optional" : "mandatory"
        let value = defaultWords.map { ", default \($0)," } ?? ""
        // The composites of Swift sources have names that no source has.
        let type =
            source.isOfSwift && type == .composite ? "composite" : compositeName ?? type.words
        return "\(kind) \(type) attribute\(value)"
    }
}

extension AttributeType { fileprivate var words: String { sourceName ?? "Undefined" } }

extension Attribute.Validation {
    package var words: String? {
        let parts = [
            minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" },
            regularExpression.map { "like \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

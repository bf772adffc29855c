import MappingInference
import ModelDiffing
import ObjectModel

indirect enum HouseRuleValue: Hashable {
    case null
    /// `YES` or `NO`.
    case flag(Bool)
    case number(Double)
    case text(String)
    case element(HouseRuleElement)
    case list([HouseRuleValue])
    /// Texts by key, as in user info.
    case texts([String: String])

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    init(_ number: Int?) { self = number.map { .number(Double($0)) } ?? .null }

    init(_ value: AttributeValue?) {
        guard let value else {
            self = .null
            return
        }
        switch value {
        case .string(let text), .uri(let text): self = .text(text)
        case .boolean(let flag): self = .flag(flag)
        case .uuid(let id): self = .text("\(id)")
        case .binary: self = .text("")
        case .integer, .double, .float, .decimal, .date:
            self = value.magnitude.map { .number($0) } ?? .null
        }
    }

    /// The approximate number of steps of a comparison of the whole value.
    var weight: Int {
        switch self {
        case .null, .flag, .number, .element: 1
        case .text(let text): 1 + text.utf8.count / 16
        case .list(let values): values.reduce(1) { $0 + $1.weight }
        case .texts(let texts): 1 + texts.count
        }
    }

    private static let namedCount = 20

    var words: String {
        switch self {
        case .null: "nothing"
        case .flag(let flag): flag ? "YES" : "NO"
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
        case .text(let text): text
        case .element(let element): element.path
        case .list(let values):
            values.prefix(Self.namedCount).map(\.words).joined(separator: ", ")
                + (values.count > Self.namedCount
                    ? " and \(values.count - Self.namedCount) more" : "")
        case .texts(let texts): texts.keys.sorted().joined(separator: ", ")
        }
    }
}

/// A type of value, by which keys are checked before anything is evaluated.
indirect enum HouseRuleType: Sendable, Hashable {
    case plain
    case word([String])
    case element(HouseRuleKind)
    case list(HouseRuleType)
    /// Texts by any key, as in user info.
    case texts
}

enum HouseRuleKind: String, Sendable, Hashable, CaseIterable {
    case version, entity, attribute, relationship, index, change
    /// The subject of a change: an entity, an attribute or a relationship.
    case item
}

struct HouseRuleElement: Hashable {
    enum Place: Sendable, Hashable {
        case version
        case entity(Int)
        case attribute(Int, Int)
        case relationship(Int, Int)
        case index(Int, Int)
        case change(Int)
    }

    let scope: HouseRuleScope
    let place: Place

    static func == (left: Self, right: Self) -> Bool {
        left.scope === right.scope && left.place == right.place
    }

    func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// The name with that of its entity, as `Order.number`.
    var path: String {
        func name(_ index: Int) -> String { scope.entities[index].name }
        return switch place {
        case .version: scope.version.name
        case .entity(let index): name(index)
        case .attribute(let entity, let index):
            "\(name(entity)).\(scope.entities[entity].attributes[index].name)"
        case .relationship(let entity, let index):
            "\(name(entity)).\(scope.entities[entity].relationships[index].name)"
        case .index(let entity, let index):
            "\(name(entity)).\(scope.entities[entity].fetchIndexes[index].name)"
        case .change(let index): scope.judgements[index].change.subject.path ?? "the model"
        }
    }

    func with(_ place: Place) -> HouseRuleValue {
        .element(HouseRuleElement(scope: scope, place: place))
    }
}

package struct HouseRuleKey: Sendable, Hashable {
    package let name: String
    package let summary: String
    let type: HouseRuleType

    static let length = "length"

    private init(_ name: String, _ summary: String, _ type: HouseRuleType = .plain) {
        (self.name, self.summary, self.type) = (name, summary, type)
    }

    /// In the order in which they are documented.
    package static func all(of subject: HouseRule.Subject) -> [HouseRuleKey] {
        switch subject {
        case .version: versionKeys
        case .entity: entityKeys
        case .attribute: attributeKeys + commonKeys
        case .relationship: relationshipKeys + commonKeys
        case .index: indexKeys + commonKeys
        case .change: changeKeys
        }
    }

    static func all(of kind: HouseRuleKind) -> [HouseRuleKey] {
        switch kind {
        case .item: attributeKeys + relationshipKeys + commonKeys + entityKeys
        case .version: all(of: .version as HouseRule.Subject)
        case .entity: all(of: .entity as HouseRule.Subject)
        case .attribute: all(of: .attribute as HouseRule.Subject)
        case .relationship: all(of: .relationship as HouseRule.Subject)
        case .index: all(of: .index as HouseRule.Subject)
        case .change: all(of: .change as HouseRule.Subject)
        }
    }

    static func key(_ name: String, of kind: HouseRuleKind) -> HouseRuleKey? {
        all(of: kind).first { $0.name == name }
    }

    private static let commonKeys = [
        HouseRuleKey("entity", "the entity that declares it", .element(.entity)),
        HouseRuleKey("new", "whether the previous version lacks it"),
        HouseRuleKey("version", "the version", .element(.version)),
    ]

    private static let versionKeys = [
        HouseRuleKey("name", "the name"), HouseRuleKey("current", "whether apps are built with it"),
        HouseRuleKey("shipped", "whether it has shipped, by the lock or by its position"),
        HouseRuleKey("entities", "the entities", .list(.element(.entity))),
        HouseRuleKey("changes", "what differs from the previous version", .list(.element(.change))),
        HouseRuleKey("previous", "the previous version", .element(.version)),
    ]

    private static let entityKeys = [
        HouseRuleKey("name", "the name"), HouseRuleKey("className", "the class"),
        HouseRuleKey("abstract", "whether it is abstract"),
        HouseRuleKey("parent", "the parent entity", .element(.entity)),
        HouseRuleKey("children", "the sub-entities", .list(.element(.entity))),
        HouseRuleKey("attributes", "the attributes that it declares", .list(.element(.attribute))),
        HouseRuleKey(
            "relationships",
            "the relationships that it declares",
            .list(.element(.relationship))
        ), HouseRuleKey("indexes", "the fetch indexes", .list(.element(.index))),
        HouseRuleKey("constraints", "the uniqueness constraints, as 'a,b'", .list(.plain)),
        HouseRuleKey("renamingIdentifier", "the renaming identifier"),
        HouseRuleKey("versionHashModifier", "the version hash modifier"),
        HouseRuleKey("userInfo", "the user info, as userInfo.owner", .texts),
        HouseRuleKey("new", "whether the previous version lacks it"),
        HouseRuleKey("version", "the version", .element(.version)),
    ]

    private static let attributeKeys = [
        HouseRuleKey("name", "the name"),
        HouseRuleKey(
            "type",
            "the type, as 'String' or 'Integer 64'",
            .word(AttributeType.allCases.compactMap(\.sourceName) + ["Undefined"])
        ), HouseRuleKey("optional", "whether it is optional"),
        HouseRuleKey("transient", "whether it is transient"),
        HouseRuleKey("derivation", "the expression of a derived attribute"),
        HouseRuleKey("defaultValue", "the default value"),
        HouseRuleKey("minimum", "the least value or length"),
        HouseRuleKey("maximum", "the greatest value or length"),
        HouseRuleKey("regularExpression", "the pattern of its values"),
        HouseRuleKey("externalStorage", "whether values may be stored in separate files"),
        HouseRuleKey("encrypted", "whether CloudKit encrypts it"),
        HouseRuleKey("preserved", "whether history keeps it after deletion"),
        HouseRuleKey("spotlight", "whether Spotlight indexes it"),
        HouseRuleKey("scalar", "whether its accessor has a scalar type"),
        HouseRuleKey("transformer", "the value transformer"),
        HouseRuleKey("className", "the class of a transformable value"),
        HouseRuleKey("composite", "the composite type"),
        HouseRuleKey("renamingIdentifier", "the renaming identifier"),
        HouseRuleKey("versionHashModifier", "the version hash modifier"),
        HouseRuleKey("userInfo", "the user info, as userInfo.owner", .texts),
    ]

    private static let relationshipKeys = [
        HouseRuleKey("name", "the name"), HouseRuleKey("optional", "whether it is optional"),
        HouseRuleKey("transient", "whether it is transient"),
        HouseRuleKey("toMany", "whether it is to-many"),
        HouseRuleKey("ordered", "whether it is ordered"),
        HouseRuleKey(
            "deleteRule",
            "'Nullify', 'Cascade', 'Deny' or 'No Action'",
            .word(Relationship.DeleteRule.allCases.map(\.sourceName))
        ), HouseRuleKey("minimumCount", "the least number of objects"),
        HouseRuleKey("maximumCount", "the greatest number of objects, 0 for any"),
        HouseRuleKey("destination", "the destination entity", .element(.entity)),
        HouseRuleKey("inverse", "the inverse", .element(.relationship)),
        HouseRuleKey("renamingIdentifier", "the renaming identifier"),
        HouseRuleKey("versionHashModifier", "the version hash modifier"),
        HouseRuleKey("userInfo", "the user info, as userInfo.owner", .texts),
    ]

    private static let indexKeys = [
        HouseRuleKey("name", "the name"),
        HouseRuleKey("elements", "the names of its properties", .list(.plain)),
        HouseRuleKey("predicate", "the condition of a partial index"),
        HouseRuleKey("spatial", "whether it is an R-tree"),
    ]

    private static let changeKeys = [
        HouseRuleKey(
            "kind",
            "'added', 'removed' or 'changed'",
            .word(["added", "removed", "changed"])
        ),
        HouseRuleKey(
            "subject",
            "'entity', 'attribute', 'relationship' or 'model'",
            .word(["entity", "attribute", "relationship", "model"])
        ), HouseRuleKey("element", "what changes, such as 'Order.number'"),
        HouseRuleKey(
            "verdict",
            "what it means for stores, such as 'loses-data'",
            .word(Verdict.allCases.map(\.identifier))
        ), HouseRuleKey("rule", "the identifier of the verdict"),
        HouseRuleKey(
            "cloudKit",
            "what it means for a CloudKit schema, such as 'refused'",
            .word(CloudKitVerdict.allCases.map(\.rawValue))
        ), HouseRuleKey("effect", "what happens to rows, in words"),
        HouseRuleKey("movesHash", "whether a version hash changes with it"),
        HouseRuleKey("from", "the element in the previous version", .element(.item)),
        HouseRuleKey("to", "the element in this version", .element(.item)),
        HouseRuleKey("version", "the version", .element(.version)),
    ]
}

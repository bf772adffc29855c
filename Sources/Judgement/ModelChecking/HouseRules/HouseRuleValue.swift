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

import ObjectModel

/// What people who make a model tend to do alike in all properties of an entity.
///
/// A developer who chooses Integer 32 once chooses it again. Guesses that are combined each for itself would go through all
/// mixtures before; under one habit after another, the likeliest combinations of each come first.
struct NamingHabit: Hashable {
    /// What is optional.
    enum Optionality: CaseIterable {
        /// As Xcode makes attributes.
        case all
        /// Numbers are not, as they have a default value.
        case allButNumbers
        /// Attributes are not, relationships are.
        case relationships
        /// As SwiftData makes properties.
        case none
    }

    var optionality: Optionality
    /// The type of whole numbers.
    var integer: AttributeType
    /// Whether abbreviations are in capitals: `imageURL`, not `imageUrl`.
    var isLoud: Bool

    /// The habits that make a difference to some draft, those that proven entities follow first.
    static func habits(of drafts: [RankedDraft], _ known: [NamingHabit: Int]) -> [NamingHabit] {
        let hasIntegers = drafts.contains(where: \.hasIntegers)
        let hasAbbreviations = drafts.contains(where: \.hasAbbreviations)
        let integers: [AttributeType] =
            hasIntegers ? [.integer16, .integer32, .integer64] : [.integer16]
        var habits: [NamingHabit] = []
        for isLoud in hasAbbreviations ? [true, false] : [true] {
            for integer in integers {
                for optionality in Optionality.allCases {
                    habits.append(
                        NamingHabit(optionality: optionality, integer: integer, isLoud: isLoud)
                    )
                }
            }
        }
        let likings = habits.map { habit in
            known.reduce(0) { $0 + $1.value * habit.likeness(to: $1.key, hasIntegers) }
        }
        return habits.indices.sorted { (-likings[$0], $0) < (-likings[$1], $1) }.map { habits[$0] }
    }

    private func likeness(to other: NamingHabit, _ hasIntegers: Bool) -> Int {
        (optionality == other.optionality ? 2 : 0) + (isLoud == other.isLoud ? 1 : 0)
            + (hasIntegers && integer == other.integer ? 1 : 0)
    }

    /// What a guess costs more, or less, under the habit.
    func surcharge(on guess: PropertyDraft.Guess, isLoud: Bool?) -> Int {
        // What a model of another version says comes before any habit.
        guard guess.cost >= 0 else { return 0 }
        var cost = 0
        switch guess.form {
        case .attribute(let attribute):
            let isOptional =
                switch optionality {
                case .all: true
                case .allButNumbers: !attribute.type.isNumber
                case .relationships, .none: false
                }
            cost += attribute.isOptional == isOptional ? 0 : 6
            if Self.integers.contains(attribute.type) {
                cost += attribute.type == integer ? -2 : 4
            }
        case .relationship(let relationship):
            cost += relationship.isOptional == (optionality != .none) ? 0 : 6
        case .absent: break
        }
        if let isLoud, isLoud != self.isLoud { cost += 4 }
        return cost
    }

    private static let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]
}

extension AttributeType {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        default: false
        }
    }
}

/// A draft whose guesses are sorted for each habit once, however often they are combined.
final class RankedDraft {
    let draft: PropertyDraft
    /// The different names among the guesses.
    let names: [String]
    let hasIntegers: Bool
    private let loudness: [Bool?]
    private var orders: [NamingHabit: [(place: Int, cost: Int)]] = [:]

    init(_ draft: PropertyDraft) {
        self.draft = draft
        names = Array(Set(draft.guesses.compactMap(\.name)))
        let loud = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.isLoud($0)) })
        loudness = draft.guesses.map { $0.name.flatMap { loud[$0] ?? nil } }
        hasIntegers =
            draft.guesses.count > 1
            && draft.guesses.contains { guess in
                if case .attribute(let attribute) = guess.form {
                    attribute.type == .integer16 || attribute.type == .integer64
                } else {
                    false
                }
            }
    }

    /// Whether its guesses differ in how abbreviations are written.
    var hasAbbreviations: Bool { loudness.contains(true) && loudness.contains(false) }

    /// The guesses by their costs under a habit, without those whose names a constraint spells otherwise.
    func order(
        by habit: NamingHabit,
        _ constraints: [[String]]
    ) -> [(place: Int, cost: Int)] {
        let order = order(by: habit)
        let spelled = Set(constraints.joined())
        guard !spelled.isEmpty else { return order }
        let capitals = Set(spelled.map { $0.uppercased() })
        guard names.contains(where: { capitals.contains($0.uppercased()) }) else { return order }
        return order.filter { place, _ in
            guard let name = draft.guesses[place].name else { return true }
            return spelled.contains(name) || !capitals.contains(name.uppercased())
        }
    }

    private func order(by habit: NamingHabit) -> [(place: Int, cost: Int)] {
        if let known = orders[habit] { return known }
        let order = draft.guesses.indices.map { place in
            let guess = draft.guesses[place]
            return (
                place: place, cost: guess.cost + habit.surcharge(on: guess, isLoud: loudness[place])
            )
        }
        .sorted { ($0.cost, $0.place) < ($1.cost, $1.place) }
        orders[habit] = order
        return order
    }

    /// Whether a name has an abbreviation in capitals behind its first word; `nil` when it has none.
    private static func isLoud(_ name: String) -> Bool? {
        let letters = Array(name)
        var (start, answer): (Int, Bool?) = (0, nil)
        for part in Vocabulary.parts(of: name) {
            while start < letters.count, !letters[start].isLetter { start += 1 }
            let end = min(start + part.count, letters.count)
            if start > 0, part.count > 1, Vocabulary.acronyms.contains(part) {
                answer = letters[(start + 1)..<end].allSatisfy(\.isUppercase)
            }
            start = end
        }
        return answer
    }
}

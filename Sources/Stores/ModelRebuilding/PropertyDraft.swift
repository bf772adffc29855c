import ModelHashing
import ObjectModel

/// A property that a store has, as it may be.
struct PropertyDraft {
    /// What the property may be.
    enum Form: Hashable {
        case attribute(Attribute)
        case relationship(Relationship)
        /// There is none: the inverse that is guessed of a relationship.
        case absent
    }

    /// One thing that it may be, and how unlikely that is.
    struct Guess {
        var form: Form
        var cost: Int
        var hash: [UInt8]

        init(_ form: Form, cost: Int, hash: [UInt8]? = nil) {
            self.form = form
            self.cost = cost
            self.hash = hash ?? Self.hash(of: form)
        }

        private static func hash(of form: Form) -> [UInt8] {
            let model = ManagedObjectModel()
            switch form {
            case .attribute(let attribute):
                return versionHash(of: attribute, declaredBy: "", in: model)?.bytes ?? []
            case .relationship(let relationship):
                let isOwn =
                    relationship.inverseName == relationship.name
                    ? relationship.destinationEntity ?? "" : ""
                return versionHash(of: relationship, declaredBy: isOwn, in: model)?.bytes ?? []
            case .absent: return []
            }
        }

        var name: String? {
            switch form {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            case .absent: nil
            }
        }

        var relationship: Relationship? {
            if case .relationship(let relationship) = form { relationship } else { nil }
        }
    }

    /// The entity that it belongs to.
    var owner: String
    /// Whether it is only thought to lead back along another relationship, and has no column or table.
    var isBack: Bool { source.hasPrefix("what leads back") }
    /// Where it was seen, as people are told.
    var source: String
    /// What it may be, the likeliest first.
    var guesses: [Guess]
    /// The drafts of the same relationship: its own direction, and what may lead back in each possible destination.
    var counterparts: [Int] = []
    /// Whether a hash has decided it.
    var isProven = false

    /// Keeps the likeliest guesses alone, since each further one multiplies the work.
    mutating func settle(limit: Int = 120) {
        guesses.sort { $0.cost < $1.cost }
        guesses = Array(guesses.prefix(limit))
    }
}

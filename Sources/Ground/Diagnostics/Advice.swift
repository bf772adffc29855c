/// A decision that permits refused work: one value, with words for code and for the command line.
///
/// An error says what it takes, and a caller that agrees passes that on to `following:` of the same call:
///
/// ```swift
/// do {
///     try migrator.migrate(store, to: "New.sqlite")
/// } catch {
///     guard error.advice.allSatisfy(\.isComplete) else { throw error }
///     try migrator.migrate(store, to: "New.sqlite", following: error.advice)
/// }
/// ```
///
/// Advice that is not ``isComplete`` has to be completed by a person: it says what to name, and its page which
/// parameter takes that. A call ignores advice for other calls.
///
/// ## Topics
///
/// ### For migrations
/// - ``allowLoss(_:)``
/// - ``allowAllLosses``
/// - ``allowBackward``
/// - ``allowTime``
/// - ``nameJoinTable(_:)``
///
/// ### For edits
/// - ``force``
/// - ``startVersion``
///
/// ### For repairs
/// - ``clearLinks``
/// - ``convertValues``
/// - ``createEmptyTables``
/// - ``setValue(of:to:)``
/// - ``clearValues(of:)``
/// - ``dropOwnerless(_:)``
/// - ``pruneHistory(olderThanDays:)``
/// - ``takeVersion(_:)``
/// - ``removeFiles``
/// - ``compact``
///
/// ### For people
/// - ``isComplete``
/// - ``nameValue(of:)``
/// - ``nameHistoryAge``
/// - ``nameModel``
/// - ``nameOlderModel``
/// - ``nameVersion``
/// - ``nameBothVersions``
public enum Advice: Sendable, Hashable {
    /// Accept the loss of an entity's rows or of a property's values, named as `Notice` or `Book.notes`.
    case allowLoss(String)
    /// Accept every loss.
    case allowAllLosses
    /// Allow a store to go to a version that is older than its own.
    case allowBackward
    /// Let stages take the time they need, regardless of `timeout:`.
    case allowTime
    /// Take this relationship, such as `Person.friends`, as the one that Core Data names a join table after.
    case nameJoinTable(String)

    /// Write what Xcode builds with only a warning, such as a relationship without an inverse.
    case force
    /// Make a new version first, and change that.
    case startVersion

    /// Remove links to objects that do not exist.
    case clearLinks
    /// Convert values of another type where that loses nothing, such as the text `12`, or a date in ISO 8601.
    case convertValues
    /// Create lost tables empty that had rows.
    case createEmptyTables
    /// Give this value to the rows whose value of an attribute, such as `Book.title`, is missing or of another type.
    ///
    /// The text is read by the type of the attribute; a date is written as `2024-02-29` or `2024-02-29T12:30:00Z`.
    case setValue(of: String, to: String)
    /// Set values of another type to nil for an optional attribute, such as `Book.pages`.
    case clearValues(of: String)
    /// Delete the objects of an entity that no longer have an owner, and what they own.
    case dropOwnerless(String)
    /// Remove persistent history that is older than a number of days, and changes without a transaction.
    case pruneHistory(olderThanDays: Double)
    /// Treat a store that does not say who wrote it as a store of this version of the model.
    case takeVersion(String)
    /// Delete files beside the store that no value names.
    case removeFiles
    /// Finally, rewrite the store without free pages.
    case compact

    /// Name a value for an attribute, such as `Book.title`: ``setValue(of:to:)``.
    case nameValue(of: String)
    /// Name an age of persistent history: ``pruneHistory(olderThanDays:)``.
    case nameHistoryAge
    /// Name the model of a store that does not contain one: `Doctor(model)`, or `against:` of a verification.
    case nameModel
    /// Name another model too, which holds the version of the store: `older:` of a `Migrator`.
    case nameOlderModel
    /// Name the version, which only the command line asks for, where it locks what a store says.
    case nameVersion
    /// Name both versions: `from:` and `to:` of a comparison.
    case nameBothVersions

    /// Whether it has everything that a call needs; otherwise a person must add a name, and the same call would be refused
    /// again.
    public var isComplete: Bool {
        switch self {
        case .nameValue, .nameHistoryAge, .nameModel, .nameOlderModel, .nameVersion,
            .nameBothVersions:
            false
        default: true
        }
    }
}

extension Advice: CustomStringConvertible {
    /// The advice in the words of Swift code.
    public var description: String {
        switch self {
        case .allowLoss(let name): "accept this with .allowLoss(\"\(name)\")"
        case .allowAllLosses: "accept this with .allowAllLosses"
        case .allowBackward: "migrate backwards with .allowBackward"
        case .allowTime: "allow more time with timeout:, or any with .allowTime"
        case .nameJoinTable(let name): "name the join table with .nameJoinTable(\"\(name)\")"
        case .force: "write it with .force"
        case .startVersion: "start a version first with .startVersion"
        case .clearLinks: "remove such links with .clearLinks"
        case .convertValues: ".convertValues"
        case .createEmptyTables: ".createEmptyTables"
        case .setValue(let name, let value): ".setValue(of: \"\(name)\", to: \"\(value)\")"
        case .clearValues(let name): ".clearValues(of: \"\(name)\")"
        case .nameValue(let name): ".setValue(of: \"\(name)\", to: VALUE)"
        case .dropOwnerless(let entity): ".dropOwnerless(\"\(entity)\")"
        case .pruneHistory(let days): ".pruneHistory(olderThanDays: \(days))"
        case .nameHistoryAge: ".pruneHistory(olderThanDays: DAYS)"
        case .takeVersion(let name): ".takeVersion(\"\(name)\")"
        case .removeFiles: ".removeFiles"
        case .compact: ".compact"
        case .nameModel: "name a model"
        case .nameOlderModel: "name the model with the version of the store with older:"
        case .nameVersion: "name the version"
        case .nameBothVersions: "name both versions with from: and to:"
        }
    }
}

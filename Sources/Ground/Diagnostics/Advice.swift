/// What lets something go on that was refused: a value, worded once for code and once for the command line.
///
/// An error says what it takes, and a caller that agrees passes that on:
///
/// ```swift
/// do {
///     try migrator.migrate(store, to: "New.sqlite")
/// } catch {
///     try migrator.migrate(store, to: "New.sqlite", following: error.advice)
/// }
/// ```
public enum Advice: Sendable, Hashable {
    /// Accept the loss of an entity's rows or of a property's values, named as `Notice` or `Book.notes`.
    case allowLoss(String)
    /// Accept every loss.
    case allowAllLosses
    /// Let a store go to a version that is older than its own.
    case allowBackward
    /// Give stages more time.
    case allowTime
    /// Write what Xcode builds with a warning only.
    case force
    /// Make a new version first, and change that.
    case startVersion
    /// Name the model.
    case nameModel
    /// Name another model too, which holds the version of the store, before the one that has the new version.
    case nameOlderModel
    /// Name the version.
    case nameVersion
    /// Name both versions.
    case nameBothVersions
    /// Name the relationship after which Core Data names a join table, such as `Person.friends`.
    case nameJoinTable(String)
}

extension Advice: CustomStringConvertible {
    /// The advice in the words of Swift code.
    public var description: String {
        switch self {
        case .allowLoss(let name): "accept this with .allowLoss(\"\(name)\")"
        case .allowAllLosses: "accept this with .allowAllLosses"
        case .allowBackward: "migrate backwards with .allowBackward"
        case .allowTime: "allow more time with timeout:"
        case .force: "write it with .force"
        case .startVersion: "call startVersion() first"
        case .nameModel: "name a model"
        case .nameOlderModel: "name the model that holds the version of the store, before the other"
        case .nameVersion: "name the version"
        case .nameBothVersions: "name both versions with from: and to:"
        case .nameJoinTable(let name): "name the join table with .nameJoinTable(\"\(name)\")"
        }
    }
}

import Diagnostics

/// Why a call of a ``StoreContext``, a ``StoreObject`` or a ``MigrationManager`` was not carried out.
///
/// Uncaught in the code of a stage, it ends the migration, and is the cause of the resulting error, which names the
/// stage.
///
/// ```swift
/// let rate = StageHandlers(didMigrate: { store in
///     for book in try store.objects("Book") {
///         do throws(StoreContextError) {
///             try store.update("Book", book.id, ["rating": .integer(3)])
///         } catch .unknownProperty {
///             return
///         }
///     }
/// })
/// ```
public enum StoreContextError: Error, Sendable, Hashable {
    /// The version has no entity with this name; `help` suggests one, and is empty if none is similar.
    case unknownEntity(String, help: String)
    /// The entity stores no attribute or to-one relationship with this name; `help` suggests one.
    case unknownProperty(entity: String, name: String, help: String)
    /// The entity stores no to-many relationship with this name; `help` suggests one.
    case unknownRelationship(entity: String, name: String, help: String)
    /// No entity mapping with this name creates objects that policies may request; `help` suggests one.
    case unknownMapping(String, help: String)
    /// Neither the entity nor its sub-entities have an object with this identifier.
    case noObject(entity: String, id: Int64)
    /// The request cannot be carried out: in SQLite's words, or because no script may do it, or the stage or its time
    /// is over.
    case refused(String)
}

extension StoreContextError: CustomStringConvertible {
    /// What is wrong on one line; lower case, no final period.
    public var description: String { words.onOneLine }

    private var words: String {
        switch self {
        case .unknownEntity(let name, let help): "there is no entity '\(name)'\(help)"
        case .unknownProperty(let entity, let name, let help):
            "'\(entity)' stores no attribute or to-one relationship '\(name)'\(help)"
        case .unknownRelationship(let entity, let name, let help):
            "'\(entity)' stores no to-many relationship '\(name)'\(help)"
        case .unknownMapping(let name, let help): "there is no entity mapping '\(name)'\(help)"
        case .noObject(let entity, let id): "there is no object \(id) of '\(entity)'"
        case .refused(let reason): reason
        }
    }
}

package import Diagnostics
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// A model that was rebuilt from a store which carries none.
package struct RebuiltModel: Sendable {
    /// The model; every entity of the store is there.
    package var model: ManagedObjectModel
    /// The entities whose hash is that of the store: everything that hashes say of them is as it was.
    package var provenEntities: [String]
    /// What is proven, and each guess that is not, one diagnostic for an entity.
    package var diagnostics: [Diagnostic]
    /// Whether the time was over before everything was tried.
    package var isCutShort = false
}

/// Rebuilds the model of a store from its metadata, its schema and its rows.
///
/// A store has the names of entities in their own spelling, those of properties in capitals, and neither optionality nor
/// the names of relationships that another entity's column keeps. These are guessed, the likeliest first, until an entity
/// has the hash that the store says it has; what no hash decides stays a guess and is said to be one. What takes no part
/// in hashes, as default values and delete rules, cannot be known.
///
/// - Parameters:
///   - store: the store.
///   - models: models that are like that of the store, as other versions of it; their names and settings come first.
///   - budget: how much is tried, and who is told how far it is.
/// - Returns: the model with what is known of it.
/// - Throws: `StoreError` when the store cannot be read.
package func rebuildModel(
    of store: StoreFile,
    resembling models: [ManagedObjectModel] = [],
    within budget: RebuildingBudget = RebuildingBudget()
) throws(StoreError) -> RebuiltModel {
    let evidence = try StoreEvidence(of: store)
    var rebuilding = try ModelRebuilding(evidence, models)
    rebuilding.proveAll(budget)
    var rebuilt = rebuilding.assembled()
    rebuilt.isCutShort =
        budget.isSpent && rebuilt.provenEntities.count < rebuilt.model.entities.count
    rebuilt.model.versionIdentifiers = try store.metadata().versionIdentifiers
    return rebuilt
}

extension RuleID {
    /// An entity of a rebuilt model has the hash that the store says it has.
    static let provenEntity: RuleID = "proven-entity"
    /// An entity of a rebuilt model is guessed.
    static let guessedEntity: RuleID = "guessed-entity"
    /// What no store tells of its model.
    static let untoldSettings: RuleID = "untold-settings"
}

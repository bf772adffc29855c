public import MigrationPlanning

/// Swift code that makes the objects of one entity mapping, in place of an `NSEntityMigrationPolicy`.
///
/// A mapping model names its policies; `Migrator` gets the code under such a name, with or without that of its module.
/// The hooks are called as Core Data calls them, with Apple's names.
///
/// Each mapping in turn makes its objects: ``begin(_:with:)``, ``createDestinationInstances(forSource:in:manager:)``
/// for every source object, ``endInstanceCreation(forMapping:manager:)``. Once all objects exist, each makes its links:
/// ``createRelationships(forDestination:in:manager:)`` for every object,
/// ``endRelationshipCreation(forMapping:manager:)``. Then come ``performCustomValidation(forMapping:manager:)`` of all,
/// and ``end(_:manager:)`` of all. Mappings without a policy have all of their objects before any policy runs. An error
/// of a hook ends the migration, and the store is as it was.
///
/// Source objects that nothing is associated with count as lost, and so do values and links that neither the mapping
/// takes over nor the code reads: a migration is refused unless that is agreed to.
///
/// Where Apple's subclasses call `super`, these call the manager. They also run where losses are counted, on a copy;
/// ``StoreContext/isRehearsal`` of the manager's contexts tells.
///
/// ```swift
/// struct SplitName: EntityMigrationPolicy {
///     func createDestinationInstances(
///         forSource source: StoreObject, in mapping: StageMap.EntityMap, manager: MigrationManager
///     ) throws {
///         guard let id = try manager.createDestinationInstance(forSource: source.id, in: mapping),
///             let name = try source.value("name").text else { return }
///         try manager.destinationContext.update("Person", id, ["first": .text(String(name.prefix(1)))])
///     }
/// }
/// ```
public protocol EntityMigrationPolicy: Sendable {
    /// Runs before anything else of the mapping.
    func begin(_ mapping: StageMap.EntityMap, with manager: MigrationManager) throws

    /// Makes the objects that come from a source object; by default one, with the values of the mapping.
    ///
    /// Associate objects that are made without the manager with their source.
    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws

    /// Runs when all objects of the mapping are made.
    func endInstanceCreation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws

    /// Creates the links of an object that was associated with a source; by default those of the mapping.
    func createRelationships(
        forDestination destination: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws

    /// Runs when all links of the mapping are made.
    func endRelationshipCreation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws

    /// Throws when the objects are not valid; the rules of the model are checked anyway.
    func performCustomValidation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws

    /// Runs after everything else of the mapping.
    func end(_ mapping: StageMap.EntityMap, manager: MigrationManager) throws
}

extension EntityMigrationPolicy {
    /// Does nothing.
    public func begin(_ mapping: StageMap.EntityMap, with manager: MigrationManager) throws {}

    /// Makes one object with the values of the mapping.
    public func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws { try manager.createDestinationInstance(forSource: source.id, in: mapping) }

    /// Does nothing.
    public func endInstanceCreation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {}

    /// Makes the links of the mapping.
    public func createRelationships(
        forDestination destination: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws { try manager.createRelationships(forDestination: destination.id, in: mapping) }

    /// Does nothing.
    public func endRelationshipCreation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {}

    /// Does nothing.
    public func performCustomValidation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {}

    /// Does nothing.
    public func end(_ mapping: StageMap.EntityMap, manager: MigrationManager) throws {}
}

package struct MigrationPolicies: Sendable {
    private let policies: [String: any EntityMigrationPolicy]

    /// Creates a registry; names are spelled as in the mapping model, such as `Shop.CustomerPolicy`.
    package init(_ policies: [String: any EntityMigrationPolicy] = [:]) { self.policies = policies }

    package subscript(_ name: String) -> (any EntityMigrationPolicy)? { policies[name] }
}

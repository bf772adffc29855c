package import ObjectModel

/// What the layout of a store depends on besides its model.
package struct LayoutOptions: Sendable, Hashable {
    /// The version of the framework that writes the store, such as `NSPersistenceFrameworkVersion`.
    package var frameworkVersion: Int
    /// Whether each attribute that is the only element of an ascending fetch index gets an index of its own, as those
    /// with the `indexed` flag do (SQLiteStores, "Indexes").
    ///
    /// The model compiler flags it for older systems, and some runtimes turn the flag into an index; others create just
    /// the declared index.
    package var synthesizesIndexes = true
    /// Self-referential many-to-many relationships that are known to name their join tables.
    ///
    /// Which side of such a pair names the table is not known (SQLiteStores, "Self-referential many-to-many
    /// relationships"), so it is read from an existing store: ``StoreLayout/namingRelationships(amongTables:)``.
    package var overrides: Set<PropertyReference>

    /// Creates options; the defaults are a store of a current system.
    package init(
        frameworkVersion: Int = FrameworkVersion.current,
        overrides: Set<PropertyReference> = []
    ) {
        (self.frameworkVersion, self.overrides) = (frameworkVersion, overrides)
    }

    /// Makes self-referential relationships, given as `Person.friends`, name their join tables.
    package mutating func choose(_ names: Set<String>, in model: ManagedObjectModel) {
        guard !names.isEmpty else { return }
        let graph = ModelGraph(model)
        for (reference, _) in graph.storedRelationships where names.contains("\(reference)") {
            if let inverse = graph.inverse(of: reference) { overrides.remove(inverse) }
            overrides.insert(reference)
        }
    }
}

/// The framework versions at which the layout changed.
///
/// Each is the first version seen with the new form; the change lies between it and the last version seen with the old
/// form (SQLiteStores, "Framework versions").
package enum FrameworkVersion {
    /// The newest version seen: iOS and macOS 26.
    package static let current = 1526
    /// Join tables have an index; not so in 519.
    static let joinIndexes = 637
    /// Stores have a model cache; not so in 519.
    package static let modelCache = 637
    /// Indexes have the names of fetch indexes; not so in 754.
    static let fetchIndexes = 836
    /// Uniqueness constraints are indexes; part of the table in 851.
    static let uniqueIndexes = 865
    /// History has a table of strings, and metadata a digest; not so in 851 (history), 866 (digest).
    static let historyStrings = 977
    /// Metadata has a checksum of the model; not so in 1251.
    static let checksum = 1333
    /// Metadata has the newest framework version; not so in 1345.
    static let maximum = 1513
}

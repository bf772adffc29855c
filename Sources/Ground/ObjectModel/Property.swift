package protocol Property: Sendable, Hashable {
    var name: String { get set }
    var isOptional: Bool { get set }
    var isTransient: Bool { get }
    var renamingIdentifier: String? { get set }
    var versionHashModifier: String? { get set }
    var userInfo: [UserInfoEntry] { get set }
    var source: SourceMark { get set }
}

extension Property {
    /// The key that matches versions: the renaming identifier, or the name.
    package var matchingIdentifier: String { renamingIdentifier ?? name }
}

/// A relationship to objects of another entity.
public struct Relationship: FlaggedProperty {
    /// What happens to the destination when the source object is deleted; raw values are Apple's.
    public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case noAction = 0
        /// The inverse is set to nil.
        case nullify = 1
        /// The destination is deleted too.
        case cascade = 2
        /// The deletion is refused while a destination exists.
        case deny = 3

        package var sourceName: String {
            switch self {
            case .noAction: "No Action"
            case .nullify: "Nullify"
            case .cascade: "Cascade"
            case .deny: "Deny"
            }
        }

        package init?(sourceName: String) {
            guard let rule = Self.allCases.first(where: { $0.sourceName == sourceName }) else {
                return nil
            }
            self = rule
        }
    }

    /// The name, unique in the entity and its parents.
    public var name: String
    /// Whether the property may be nil.
    public var isOptional: Bool
    /// Whether the property is not stored.
    public var isTransient: Bool
    /// Whether the relationship may hold more than one object.
    public var isToMany: Bool
    /// Whether a to-many relationship keeps an order.
    public var isOrdered: Bool
    /// The least number of objects as written; `nil` when absent.
    package var minCount: Int?
    /// The greatest number of objects as written, 0 for no limit; `nil` when absent.
    package var maxCount: Int?
    /// What happens to the destination when the source object is deleted.
    public var deleteRule: DeleteRule
    /// The name of the destination entity; `nil` in a broken model.
    public var destinationEntity: String?
    /// The name of the inverse relationship; `nil` when there is none.
    public var inverseName: String?
    /// The stated entity of the inverse; usually the destination, at times its parent.
    package var inverseEntity: String?
    package var flags = PropertyFlags()
    /// The renaming identifier (`elementID`) where one is written.
    public var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [UserInfoEntry] = []
    /// Further settings that do not affect the data, such as `syncable`, by XML attribute name.
    package var sourceSettings: [String: String] = [:]
    /// Unknown parts of the source, kept.
    package var unrecognized: [UnrecognizedItem] = []
    /// Its position in a file.
    package var source: SourceMark

    package init(
        name: String,
        isOptional: Bool = true,
        isTransient: Bool = false,
        isToMany: Bool = false,
        isOrdered: Bool = false,
        minCount: Int? = nil,
        maxCount: Int? = nil,
        deleteRule: DeleteRule = .nullify,
        destinationEntity: String?,
        inverseName: String? = nil,
        inverseEntity: String? = nil,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.isOptional, self.isTransient) = (name, isOptional, isTransient)
        (self.isToMany, self.isOrdered, self.minCount) = (isToMany, isOrdered, minCount)
        (self.maxCount, self.deleteRule) = (maxCount, deleteRule)
        (self.destinationEntity, self.inverseName) = (destinationEntity, inverseName)
        (self.inverseEntity, self.renamingIdentifier) = (inverseEntity, renamingIdentifier)
        (self.versionHashModifier, self.source) = (versionHashModifier, source)
    }

    /// The least number of objects in the compiled model and in hashes: absent is 0.
    package var compiledMinCount: Int { minCount ?? 0 }

    /// The greatest number of objects in the compiled model: absent is 1 for a to-one relationship, 0 for others.
    package var compiledMaxCount: Int { maxCount ?? (isToMany ? 0 : 1) }
}

/// A fetched property: a fetch request that is run when the property is read; never stored.
package struct FetchedProperty: Property {
    /// The name, unique in the entity and its parents.
    package var name: String
    package var isOptional: Bool
    package var fetchRequest: FetchRequest?
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [UserInfoEntry] = []
    /// Further settings that do not affect the data, such as `syncable`, by XML attribute name.
    package var sourceSettings: [String: String] = [:]
    package var unrecognized: [UnrecognizedItem] = []
    /// Its position in a file.
    package var source: SourceMark

    package var isTransient: Bool { true }

    package init(
        name: String,
        isOptional: Bool = true,
        fetchRequest: FetchRequest? = nil,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.isOptional, self.fetchRequest) = (name, isOptional, fetchRequest)
        self.source = source
    }
}

/// A fetch request: a template of the model, or that of a fetched property.
///
/// The Boolean settings are `nil` where the source omits them; Apple's defaults differ by setting (the pages
/// MigrationBehaviour and CompiledModels).
package struct FetchRequest: Sendable, Hashable {
    package var name: String
    package var entity: String?
    /// The predicate, in Apple's format language.
    package var predicate: String?
    /// The kind of result; raw numbers as in XML: 0 objects, 1 object IDs, 2 dictionaries.
    package var resultType: Int?
    /// The greatest number of results; 0 for no limit.
    package var fetchLimit: Int?
    /// The number of objects brought in at a time; 0 for all.
    package var fetchBatchSize: Int?
    package var includesSubentities: Bool?
    package var includesPropertyValues: Bool?
    package var returnsObjectsAsFaults: Bool?
    package var returnsDistinctResults: Bool?
    package var includesPendingChanges: Bool?
    package var unrecognized: [UnrecognizedItem] = []
    /// Its position in a file.
    package var source: SourceMark

    package init(
        name: String,
        entity: String?,
        predicate: String? = nil,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.entity, self.predicate, self.source) = (name, entity, predicate, source)
    }
}

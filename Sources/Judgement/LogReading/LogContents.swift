package import MappingInference

/// What a log, a crash report or a pasted message tells of a store and what went wrong with it.
package struct LogContents: Sendable, Hashable {
    /// The version hashes of entities, by the dictionaries that they were printed in.
    package var hashes: [LoggedHashes]
    /// Checksums, digests and hashes whose entity is not said.
    package var values: [LoggedValue]
    /// What went wrong, each kind with the same names once.
    package var symptoms: [LoggedSymptom]

    package init(
        hashes: [LoggedHashes] = [],
        values: [LoggedValue] = [],
        symptoms: [LoggedSymptom] = []
    ) {
        self.hashes = hashes
        self.values = values
        self.symptoms = symptoms
    }

    /// Whether nothing that is known was found.
    package var isEmpty: Bool { hashes.isEmpty && values.isEmpty && symptoms.isEmpty }
}

/// Version hashes that were printed together.
package struct LoggedHashes: Sendable, Hashable {
    /// The line of the first one.
    package var line: Int
    /// Whether they stand in the metadata of a store; else they may be those of a model.
    package var isOfStore: Bool
    /// What is shown of each entity's hash.
    package var entities: [String: HashFragment]
}

/// Bytes that stand for a version, or for an entity that is not named.
package struct LoggedValue: Sendable, Hashable {
    package var line: Int
    /// What stands before it, such as `NSStoreModelVersionHashesDigest`.
    package var name: String?
    package var bytes: HashFragment
}

/// Something that went wrong, and the line that says so.
package struct LoggedSymptom: Sendable, Hashable {
    /// What went wrong.
    package enum Kind: Sendable, Hashable {
        /// An error with a code of Core Data.
        case code(CoreDataErrorCode)
        /// An error with a code of SQLite.
        case sqlite(Int)
        /// A table is not there.
        case missingTable(String)
        /// A column is not there.
        case missingColumn(String)
        /// Rows share what a constraint keeps apart, in these columns.
        case duplicateValues(String)
        /// A mandatory attribute has no value and no default.
        case missingMandatoryValue(entity: String?, attribute: String?)
        /// A save lacks a value that the model requires.
        case requiredValue(String)
        /// No mapping is inferred for a property.
        case uninferableProperty(entity: String, property: String)
        /// Two versions of a plan have equal checksums.
        case duplicateChecksums
        /// Two models that were merged have an entity of one name.
        case mergedModels(entity: String?)
        /// Several root entities were to become one hierarchy.
        case mergedHierarchies
        /// An entity is asked for that the model at hand does not have.
        case unknownEntity(String?)
        /// Production of CloudKit has no such field.
        case missingCloudKitField(field: String, type: String)
        /// Production of CloudKit has no such record type.
        case missingCloudKitType(String)
        /// CloudKit does not take the model: the rule, if it is known, and the properties that the message names.
        case modelUnfitForCloudKit(CloudKitDemand?, properties: [String])
        /// A save breaks the uniqueness constraint on these attributes.
        case brokenConstraint([String])
        /// A message that means the same whatever names it has.
        case message(KnownMessage)
        /// The hash of an entity has characters that are no hexadecimal digits.
        case unreadableHash(entity: String)
        /// An object is used whose row is gone, such as `Book/p1`.
        case goneObject(String)
        /// A value was read by a transformer that does not allow its class.
        case insecureTransformer
    }

    /// What went wrong.
    package var kind: Kind
    /// The line, counted from 1.
    package var line: Int

    package init(_ kind: Kind, line: Int) {
        self.kind = kind
        self.line = line
    }
}

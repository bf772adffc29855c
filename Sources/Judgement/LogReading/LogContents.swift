package import MappingInference

/// The facts about a store and its errors in a log, a crash report or a pasted message.
package struct LogContents: Sendable, Hashable {
    /// The version hashes of entities, by the dictionaries that they were printed in.
    package var hashes: [LoggedHashes] = []
    /// Checksums, digests and hashes without an entity.
    package var values: [LoggedValue] = []
    /// Each kind with the same names once.
    package var symptoms: [LoggedSymptom]

    package init(symptoms: [LoggedSymptom]) { self.symptoms = symptoms }

    package var isEmpty: Bool { hashes.isEmpty && values.isEmpty && symptoms.isEmpty }
}

package struct LoggedHashes: Sendable, Hashable {
    package var line: Int
    /// Whether they are the metadata of a store; otherwise they may belong to a model.
    package var isOfStore: Bool
    package var entities: [String: HashFragment]
}

/// Bytes for a version, or for an entity that is not named.
package struct LoggedValue: Sendable, Hashable {
    package var line: Int
    /// The text before it, such as `NSStoreModelVersionHashesDigest`.
    package var name: String?
    package var bytes: HashFragment
}

package struct LoggedSymptom: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case code(CoreDataErrorCode)
        case sqlite(Int)
        case missingTable(String)
        case missingColumn(String)
        /// Rows share values in these columns, which a constraint forbids.
        case duplicateValues(String)
        case missingMandatoryValue(entity: String?, attribute: String?)
        case requiredValue(String)
        case uninferableProperty(entity: String, property: String)
        case duplicateChecksums
        case mergedModels(entity: String?)
        /// Several root entities would become one hierarchy.
        case mergedHierarchies
        case unknownEntity(String?)
        case missingCloudKitField(field: String, type: String)
        case missingCloudKitType(String)
        /// CloudKit does not accept the model: the rule, if it is known, and the properties in the message.
        case modelUnfitForCloudKit(CloudKitDemand?, properties: [String])
        case brokenConstraint([String])
        /// A message whose meaning does not depend on the names in it.
        case message(KnownMessage)
        /// The hash of an entity has characters that are not hexadecimal digits.
        case unreadableHash(entity: String)
        /// An object is used after its row was deleted, such as `Book/p1`.
        case goneObject(String)
        /// A value was read by a transformer that does not allow its class.
        case insecureTransformer
    }

    package var kind: Kind
    /// Counted from 1.
    package var line: Int

    package init(_ kind: Kind, line: Int) { (self.kind, self.line) = (kind, line) }
}

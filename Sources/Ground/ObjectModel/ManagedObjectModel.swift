/// One version of a Core Data model, as its source or its compiled form states it.
///
/// Everything that occurs in real files has a property here; the rest is kept in `unrecognized`. Arrays are in the
/// order of the source.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The entities, in source order.
    public var entities: [Entity]
    package var composites: [CompositeType]
    /// The named configurations; the default one is never among them.
    package var configurations: [Configuration]
    package var fetchRequestTemplates: [FetchRequest]
    /// The version identifiers; one string (often empty) from a source, any number from a store.
    public var versionIdentifiers: [String]
    /// Settings of the document that do not affect the data, such as `sourceLanguage`, by XML attribute name.
    package var documentSettings: [String: String] = [:]
    /// Unknown parts of the source, kept.
    package var unrecognized: [UnrecognizedItem] = []
    package var source: SourceMark

    package init(
        entities: [Entity] = [],
        composites: [CompositeType] = [],
        configurations: [Configuration] = [],
        fetchRequestTemplates: [FetchRequest] = [],
        versionIdentifiers: [String] = [""],
        source: SourceMark = SourceMark()
    ) {
        (self.entities, self.composites) = (entities, composites)
        (self.configurations, self.fetchRequestTemplates) = (configurations, fetchRequestTemplates)
        (self.versionIdentifiers, self.source) = (versionIdentifiers, source)
    }
}

/// A configuration: a named subset of a model's entities.
package struct Configuration: Sendable, Hashable {
    package var name: String
    /// The names of its entities, in source order.
    package var memberEntities: [String]
    /// Whether the source marks it for use with CloudKit.
    package var isUsedWithCloudKit: Bool
    /// Its position in a file.
    package var source: SourceMark

    package init(
        name: String,
        memberEntities: [String] = [],
        isUsedWithCloudKit: Bool = false,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.memberEntities) = (name, memberEntities)
        (self.isUsedWithCloudKit, self.source) = (isUsedWithCloudKit, source)
    }
}

/// One entry of a user-info dictionary.
package struct UserInfoEntry: Sendable, Hashable {
    package var key: String
    /// The value; real files hold strings only.
    package var value: String

    package init(key: String, value: String) { (self.key, self.value) = (key, value) }
}

/// Something in a model file that the reader does not know, kept verbatim.
package struct UnrecognizedItem: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// An XML element, or an archived object; `text` has all of it.
        case element
        /// An XML attribute, or an archived key; `text` holds its value.
        case attribute
    }

    package var kind: Kind
    package var name: String
    package var text: String
    package var source: SourceMark

    package init(kind: Kind, name: String, text: String, source: SourceMark = SourceMark()) {
        (self.kind, self.name, self.text, self.source) = (kind, name, text, source)
    }
}

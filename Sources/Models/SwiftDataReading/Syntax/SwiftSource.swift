/// A Swift source file as the reader takes it.
package struct SwiftSource: Sendable, Hashable {
    /// The path as the user gave it, or below what the user gave; findings name it.
    package var path: String
    /// The bytes of the file.
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// What a type is whose source is elsewhere, as the user says it.
package enum ForeignType: Sendable, Hashable {
    /// Another Swift type, as `Double` for `CGFloat`.
    case alias(String)
    /// An enum with raw values of a type.
    case rawValues(of: String)
    /// A struct with stored properties, in declaration order.
    case fields([Field])

    /// A stored property of a struct.
    package struct Field: Sendable, Hashable {
        package var name: String
        /// Its type, as Swift writes it.
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }
}

/// What a reader of Swift sources is told beside them.
package struct SwiftReadingOptions: Sendable, Hashable {
    /// The conditions of `#if` that hold, such as `DEBUG`.
    package var definitions: Set<String>
    /// The platform that `os(…)` asks for.
    package var platform: String
    /// What types of other modules are, by name, and properties whose types no store has shown, such as `Item.seats`.
    package var types: [String: ForeignType]
    /// The inverses that the sources leave open, as `Item.folder` to `Folder.items`; `none` says that there is none.
    package var inverses: [String: String]
    /// The folders and files that are read in place of the folder that is named; empty for all below that.
    package var sources: [String] = []
    /// The files and folders that are left out: paths, or names with `*` for any characters.
    package var excluded: [String] = []
    /// The classes of the schema where the list is made at run time; empty for all that no version has.
    package var modelTypes: [String]
    /// Whether the container is mirrored to CloudKit, which asks more of the classes; `nil` for what the sources say.
    package var isUsedWithCloudKit: Bool?
    /// The path by which commands name the sources; `nil` for sources that lie nowhere.
    package var place: String?
    /// The seconds of processor time that parsing may take; a parser that looks ahead again and again would take hours
    /// over some texts.
    package var patience = 30.0

    /// Creates options; without arguments, those of an app for iOS as it is released.
    package init(
        definitions: Set<String> = [],
        platform: String = "iOS",
        types: [String: ForeignType] = [:],
        modelTypes: [String] = [],
        inverses: [String: String] = [:],
        isUsedWithCloudKit: Bool? = nil
    ) {
        self.inverses = inverses
        self.isUsedWithCloudKit = isUsedWithCloudKit
        self.definitions = definitions
        self.platform = platform
        self.types = types
        self.modelTypes = modelTypes
    }
}

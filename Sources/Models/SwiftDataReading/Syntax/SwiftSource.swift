package struct SwiftSource: Sendable, Hashable {
    /// The path as the user gave it, or below what the user gave; findings name it.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

extension SwiftSource {
    /// Whether it may declare a class of a model.
    package var mentionsModels: Bool { mentions("@Model") || mentions("@SwiftData.Model") }

    /// Whether code in it declares a class with the macro of SwiftData; other libraries have one for structs.
    package var declaresModels: Bool {
        guard mentionsModels else { return false }
        #if SwiftData
            var tokens = SourceTokens(bytes)
            let signs = [UInt8(ascii: "@"), UInt8(ascii: ".")].map(SourceTokens.Token.sign)
            var (isAttribute, isMarked) = (false, false)
            while let token = tokens.next() {
                if isMarked, case .word(let word) = token, declaringWords.contains(word) {
                    if token == .named("class") { return true }
                    isMarked = false
                }
                isMarked = isMarked || isAttribute && token == .named("Model")
                let isModule = token == signs[1] || token == .named("SwiftData")
                isAttribute = token == signs[0] || isAttribute && isModule
            }
            return false
        #else
            return true
        #endif
    }

    /// Whether it imports a library for tests.
    package var importsTests: Bool {
        let mayImport = mentions("import XCTest") || mentions("import Testing")
        #if SwiftData
            return mayImport && SourceWords(bytes, keepsUsed: false).importsTests
        #else
            return mayImport
        #endif
    }

    func mentions(_ text: String) -> Bool {
        bytes.firstRange(of: Array(text.utf8)) != nil
    }
}

/// The user's definition of a type whose source is elsewhere.
package enum ForeignType: Sendable, Hashable {
    /// Another Swift type, such as `Double` for `CGFloat`.
    case alias(String)
    case rawValues(of: String)
    /// A struct with stored properties, in declaration order.
    case fields([Field])

    package struct Field: Sendable, Hashable {
        package var name: String
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }
}

package struct SwiftReadingOptions: Sendable, Hashable {
    /// The conditions of `#if` that hold, such as `DEBUG`.
    package var definitions: Set<String>
    package var platform: String
    /// The definitions of types of other modules, by name, and of properties whose types no store has shown, such as
    /// `Item.seats`.
    package var types: [String: ForeignType]
    /// The inverses that the sources leave open, such as `Item.folder` to `Folder.items`, or `none`.
    package var inverses: [String: String]
    /// The folders and files that are read in place of the named folder; empty for all below that.
    package var sources: [String] = []
    /// The files of other targets that may open or migrate the models, by their imports.
    package var importers: [String] = []
    /// The files and folders that are left out: paths, or names with `*` for any characters.
    package var excluded: [String] = []
    /// The classes of the schema where the list is made at run time; empty for all that no version has.
    package var modelTypes: [String]
    /// Whether the container is mirrored to CloudKit, which requires more of the classes; `nil` to read it from the sources.
    package var isUsedWithCloudKit: Bool?
    /// The path of the sources in commands; `nil` for sources that are not on disk.
    package var place: String?
    /// The groups of apps in which default stores are, by the folders of the sources.
    package var groups: [String: String] = [:]
    /// The limit of processor time for parsing, in seconds; some texts would take hours because of repeated lookahead.
    package var patience = 30.0

    /// Creates options; the defaults are those of a release build of an iOS app.
    package init(
        definitions: Set<String> = [],
        platform: String = "iOS",
        types: [String: ForeignType] = [:],
        modelTypes: [String] = [],
        inverses: [String: String] = [:]
    ) {
        self.inverses = inverses
        self.definitions = definitions
        self.platform = platform
        self.types = types
        self.modelTypes = modelTypes
    }
}

import Essentials
import FileSystem
import ModelLoading
import StoreFormat

/// The kind of file at a path, for error messages.
package enum InputKind: String {
    case mappingModel = "a mapping model (.xcmappingmodel)"
    case compiledMappingModel = "a compiled mapping model (.cdm)"
    case versionedModel = "a model (.xcdatamodeld)"
    case model = "a model (.xcdatamodel)"
    case modelContents = "the contents of a model"
    case compiledBundle = "a compiled model (.momd)"
    case compiledModel = "a compiled model (.mom)"
    case optimizedModel = "an optimized model (.omo)"
    case folder = "a folder"
    case device = "a device or a pipe"
    case emptyFile = "an empty file"
    case textFile = "a text file"
    case database = "an SQLite database"

    /// Looks at a path; `nil` for nothing, and for an unknown kind of file.
    package init?(at path: String) {
        switch fileURL(trimmedPath(path)).pathExtension {
        case "xcmappingmodel": self = .mappingModel
        case "cdm": self = .compiledMappingModel
        default:
            guard let kind = ModelFileKind(at: path).map(Self.init) ?? Self(ofOther: path) else {
                return nil
            }
            self = kind
        }
    }

    private init(_ kind: ModelFileKind) {
        self =
            switch kind {
            case .versionedSource: .versionedModel
            case .source: .model
            case .contents: .modelContents
            case .compiledBundle: .compiledBundle
            case .compiledVersion: .compiledModel
            }
    }

    private init?(ofOther path: String) {
        guard let identity = FileIdentity(of: path) else { return nil }
        if identity.isFolder {
            self = .folder
        } else if !identity.isRegular {
            self = .device
        } else if let start = fileStart(path, 4096) {
            if start.isEmpty {
                self = .emptyFile
            } else if start.starts(with: databaseSignature) {
                self = .database
            } else if start.starts(with: "momv2$".utf8) {
                self = .optimizedModel
            } else if start.contains(0) {
                return nil
            } else {
                self = .textFile
            }
        } else {
            return nil
        }
    }

    static func noDatabaseWords(at path: String) -> String {
        if let other = OtherStore(at: path) { return other.words }
        return switch Self(at: path) {
        case .database: "truncated: shorter than the header of an SQLite database"
        case .emptyFile: "this is an empty file, not an SQLite database"
        case .textFile: "this is a text file, not an SQLite database"
        case let kind?:
            "this is \(kind.rawValue), not a store; name an SQLite file that Core Data wrote"
        case nil: "not an SQLite database"
        }
    }

    static func noModelWords(at path: String) -> String {
        if let other = OtherStore(at: path) { return other.words }
        return switch Self(at: path) {
        case .database: noDatabaseWords(at: path)
        case let kind?: "this is \(kind.rawValue), neither a model nor a store"
        case nil: "this is neither a model nor a store"
        }
    }
}

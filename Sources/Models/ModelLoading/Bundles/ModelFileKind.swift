import FileSystem
import Essentials

/// The forms of a model on disk.
package enum ModelFileKind: Sendable, Hashable {
    /// An `.xcdatamodeld`: a folder of versions, each an `.xcdatamodel`.
    case versionedSource
    /// An `.xcdatamodel`: a folder with the `contents` of one version, or the `elements` of Xcode 3.
    case source
    /// The `contents` of one version, or its `elements`.
    case contents
    /// A `.momd`, `.momd_precompiled` or any other folder of compiled versions.
    case compiledBundle
    /// A `.mom`: one compiled version, with any name.
    case compiledVersion

    /// Detects the form by content, and by the name where that leaves it open; `nil` for others, such as a store or a
    /// mixed folder.
    package init?(at path: String) {
        let url = fileURL(path)
        let kind: Self? =
            switch FileIdentity(of: path)?.isFolder {
            case nil: nil
            case true?: Self(folder: path, extension: url.pathExtension)
            case false? where url.lastPathComponent == "elements": .contents
            case false?: Self(file: path)
            }
        guard let kind = kind ?? Self(extension: url.pathExtension, name: url.lastPathComponent)
        else { return nil }
        self = kind
    }

    private init?(folder: String, extension: String) {
        let names = (try? Files.names(in: folder)) ?? []
        func holds(_ suffix: String) -> Bool { names.contains { $0.hasSuffix(suffix) } }
        if `extension` == "xcdatamodeld" || names.contains(".xccurrentversion") {
            self = .versionedSource
        } else if `extension` == "xcdatamodel" {
            self = .source
        } else if holds(".mom") || holds(".omo"),
            names.contains("VersionInfo.plist") || `extension` == "momd"
        {
            self = .compiledBundle
        } else if holds(".mom"), !holds(".momd"), !holds(".xcdatamodeld"), !holds(".xcdatamodel") {
            self = .compiledBundle
        } else {
            return nil
        }
    }

    private init?(file: String) {
        // Reading a pipe would consume it.
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: 8)
        guard pread(descriptor, &beginning, 8, 0) == 8, beginning == Array("bplist00".utf8) else {
            return nil
        }
        self = .compiledVersion
    }

    private init?(extension: String, name: String) {
        switch `extension` {
        case "xcdatamodeld": self = .versionedSource
        case "xcdatamodel": self = .source
        case "momd": self = .compiledBundle
        case "mom": self = .compiledVersion
        default:
            guard name == "contents" else { return nil }
            self = .contents
        }
    }
}

/// Foundation's calls for files and folders, with paths relative to the folder of ``Surroundings``.
package enum Files {
    /// The names in a folder, in no order.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: resolved(folder))
    }

    /// Whether something is at a path, following links.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: resolved(path))
    }

    package static func remove(at path: String) throws {
        try FileManager.default.removeItem(atPath: resolved(path))
    }

    /// Makes a folder, with missing parents unless it must be `alone`: new, in an existing folder.
    package static func makeFolder(at path: String, alone isAlone: Bool = false) throws {
        try FileManager.default.createDirectory(
            atPath: resolved(path),
            withIntermediateDirectories: !isAlone
        )
    }

    package static func copy(_ path: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: resolved(path), toPath: resolved(target))
    }

    package static func areEqual(_ path: String, _ other: String) -> Bool {
        FileManager.default.contentsEqual(atPath: resolved(path), andPath: resolved(other))
    }

    package static func destination(ofLink path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: resolved(path))
    }

    package static var temporaryFolder: URL { FileManager.default.temporaryDirectory }

    private static func resolved(_ path: String) -> String { Surroundings.current.resolved(path) }
}

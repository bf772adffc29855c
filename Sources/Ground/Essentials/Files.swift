/// Foundation's calls for files and folders, for paths that start from the folder of ``Surroundings``.
package enum Files {
    /// The names in a folder, in no order.
    ///
    /// - Throws: Foundation's error for a folder that cannot be read.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: resolved(folder))
    }

    /// Whether something is at a path, behind links.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: resolved(path))
    }

    /// Removes a file, or a folder with all that is in it.
    ///
    /// - Throws: Foundation's error for what cannot be removed, or is not there.
    package static func remove(at path: String) throws {
        try FileManager.default.removeItem(atPath: resolved(path))
    }

    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - isAlone: whether it must be new, in a folder that is there; else those above it that are missing are made too.
    /// - Throws: Foundation's error for a folder that cannot be made.
    package static func makeFolder(at path: String, alone isAlone: Bool = false) throws {
        try FileManager.default.createDirectory(
            atPath: resolved(path),
            withIntermediateDirectories: !isAlone
        )
    }

    /// Copies a file or a folder.
    ///
    /// - Throws: Foundation's error for what cannot be read or written.
    package static func copy(_ path: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: resolved(path), toPath: resolved(target))
    }

    /// Whether two files hold the same.
    package static func areEqual(_ path: String, _ other: String) -> Bool {
        FileManager.default.contentsEqual(atPath: resolved(path), andPath: resolved(other))
    }

    /// Where a symbolic link leads; `nil` for what is none.
    package static func destination(ofLink path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: resolved(path))
    }

    /// The system's folder for temporary files.
    package static var temporaryFolder: URL { FileManager.default.temporaryDirectory }

    private static func resolved(_ path: String) -> String {
        Surroundings.current.resolved(path)
    }
}

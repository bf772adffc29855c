import Diagnostics
import FileSystem
import Foundation

/// A store that is to be migrated, and where its result and its backup go.
struct MigrationTarget: Sendable {
    var store: String
    var output: String?
    var backup: String?
}

extension MigrationTarget {
    /// Finds the places for some stores.
    ///
    /// One store goes to the file that is named. Several go into the folder that is named, each by its path below
    /// the folder that holds them all, so that stores of one name stay apart; so do backups.
    static func all(
        for stores: [String],
        output: String?,
        backup: String?
    ) throws -> [MigrationTarget] {
        try requireDistinct(stores)
        let paths = relativePaths(of: stores)
        return zip(stores, paths).map { store, path in
            MigrationTarget(
                store: store,
                output: output.map { stores.count == 1 ? $0 : "\($0)/\(path)" },
                backup: backup.map { "\($0)/\(path)" }
            )
        }
    }

    /// Two migrations of one file would be in each other's way, by whatever names.
    private static func requireDistinct(_ stores: [String]) throws {
        var known: Set<FileIdentity> = []
        for store in stores {
            guard let identity = FileIdentity(of: store) else { continue }
            guard known.insert(identity).inserted else {
                throw CommandFailure(.usage, store, "the store is named twice", "repeated-store")
            }
        }
    }

    /// Returns the paths of files below the deepest folder that holds them all.
    static func relativePaths(of paths: [String]) -> [String] {
        let parts = paths.map { fileURL($0).standardizedFileURL.pathComponents }
        let shortest = parts.map(\.count).min() ?? 0
        var shared = 0
        while shared < shortest - 1, parts.allSatisfy({ $0[shared] == parts[0][shared] }) {
            shared += 1
        }
        return parts.map { $0.dropFirst(shared).joined(separator: "/") }
    }

    /// Makes the folders that the results of several stores, and backups, go into.
    func makeFolders(ofSeveral isOneOfSeveral: Bool) throws {
        for path in [isOneOfSeveral ? output : nil, backup].compactMap(\.self) {
            let folder = fileURL(path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true
                )
            } catch {
                let message = "the folder cannot be made"
                throw CommandFailure(.cannotCreate, folder, message, "unwritable-folder")
            }
        }
    }

    /// Says what a careful person would want to know before a file is changed where it is.
    func warn() {
        var status = stat()
        guard output == nil, stat(store, &status) == 0, status.st_nlink > 1 else { return }
        let message =
            "the file has \(status.st_nlink) names (hard links); all of them get the new "
            + "version, but a write-ahead log is found by one name only"
        let place = SourceLocation(path: store)
        Console.show([
            Diagnostic("hard-linked-store", message, severity: .warning, at: place)
        ])
    }
}

import Diagnostics
import FileSystem
import Essentials

/// The names of a database's parts before publication, and how leftovers differ from work in progress.
struct WorkFileNames: Sendable {
    let folder: String
    let path: String
    /// The path of the folder beside a finished store.
    let publishedSupport: String
    private let name: String

    init(for destination: String) { self.init(for: destination, identifier: UUID().uuidString) }

    private init(for destination: String, identifier: String) {
        let url = fileURL(destination)
        folder = url.deletingLastPathComponent().path
        name = Self.prefix(of: destination) + identifier
        path = folder == "/" ? folder + name : "\(folder)/\(name)"
        publishedSupport = supportFolder(of: destination)
    }

    var support: String { path + Self.supportSuffix }

    /// Marks the database of a folder as unpublished.
    var marker: String { "\(support)/\(name)" }

    /// The marker when the folder already has its name.
    var publishedMarker: String { "\(publishedSupport)/\(name)" }

    private static let supportSuffix = "-support"
    /// The database itself is removed last: while it exists the others are found.
    private static let suffixes = ["-wal", "-shm", "-journal", supportSuffix, ""]

    func remove() {
        if exists(support) { try? Files.remove(at: support) }
        for suffix in Self.suffixes where suffix != Self.supportSuffix { unlink(path + suffix) }
    }

    /// Removes the existing files, and the published folder of a database that has no name yet.
    func removeUnpublished() {
        remove()
        guard exists(publishedMarker) else { return }
        try? Files.remove(at: publishedSupport)
    }

    /// Removes what killed processes left for a path: no process holds its lock any more.
    static func removeLeftovers(of destination: String) {
        let folder = fileURL(destination).deletingLastPathComponent().path
        for identifier in identifiers(in: folder, of: destination) {
            WorkFileNames(for: destination, identifier: identifier).removeUnlessLocked()
        }
        let support = supportFolder(of: destination)
        for identifier in identifiers(in: support, of: destination) {
            let names = WorkFileNames(for: destination, identifier: identifier)
            guard !exists(names.path) else { continue }
            if exists(destination) {
                unlink(names.publishedMarker)
            } else {
                try? Files.remove(at: support)
            }
        }
    }

    private func removeUnlessLocked() {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { remove() }
            return
        }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove() }
    }

    private static func prefix(of destination: String) -> String {
        ".\(fileURL(destination).lastPathComponent).momtool-"
    }

    private static func identifiers(in folder: String, of destination: String) -> [String] {
        let prefix = prefix(of: destination)
        let identifiers = FolderListings.names(in: folder).compactMap { name -> String? in
            guard name.hasPrefix(prefix) else { return nil }
            let rest = name.dropFirst(prefix.count)
            let identifier = String(rest.prefix(36))
            guard UUID(uuidString: identifier) != nil, suffixes.contains(String(rest.dropFirst(36)))
            else { return nil }
            return identifier
        }
        return Set(identifiers).sorted()
    }
}

private func supportFolder(of path: String) -> String {
    externalDataFolder(of: path).deletingLastPathComponent().path
}

/// The names in folders that may be leftovers of killed processes.
package enum FolderListings {
    /// The names that a run has listed; `nil` if each query lists them again.
    private struct Known: Sendable { let names = Locked<[String: [String]]?>(nil) }

    private static var shared: Locked<[String: [String]]?> {
        Surroundings.current.memory.value(Known()).names
    }

    /// Lists each folder at most once during work on many stores, rather than for each store.
    ///
    /// Files that another process leaves meanwhile are removed by the next one.
    package static func sharing<Result>(_ work: () throws -> Result) rethrows -> Result {
        shared.withLock { $0 = [:] }
        defer { shared.withLock { $0 = nil } }
        return try work()
    }

    fileprivate static func names(in folder: String) -> [String] {
        if let known = shared.withLock({ $0?[folder] }) { return known }
        let all = (try? Files.names(in: folder)) ?? []
        let names = all.filter { $0.hasPrefix(".") && $0.contains(".momtool-") }
        shared.withLock { $0?[folder] = names }
        return names
    }
}

import Essentials
package import ObjectModel
import FileSystem
import SQLiteAccess
package import StoreFormat

/// What takes room in a store and beside it, and holds nothing: free pages, and files that no value points at.
package struct StoreUpkeep: Sendable, Hashable {
    /// The bytes of pages that hold nothing.
    package private(set) var freeBytes: Int
    /// The names of files beside the store that no value points at.
    package private(set) var surplusFiles: [String]
    /// The bytes of these files.
    package private(set) var surplusBytes: Int
    /// Other databases whose files may be in the same folder, links to it, and attributes with damaged values, so that it
    /// is unknown whose they are.
    package private(set) var sharingStores: [String]

    /// Looks at a store; nothing is changed.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - model: the model of its version, which says whose values are in files.
    /// - Throws: `StoreMigrationError` when it cannot be read.
    package init(
        of store: StoreFile,
        against model: ManagedObjectModel
    ) throws(StoreMigrationError) {
        self = try storeErrors { () throws(StoreError) in
            try StoreUpkeep(of: store, at: store.path, model)
        }
    }

    private init(
        of store: StoreFile,
        at path: String,
        _ model: ManagedObjectModel
    ) throws(StoreError) {
        let connection = store.connection
        let pages = try connection.value("PRAGMA freelist_count")?.integer ?? 0
        let size = try connection.value("PRAGMA page_size")?.integer ?? 0
        freeBytes = Int(clamping: pages.multipliedReportingOverflow(by: size).partialValue)
        let sharing = storesSharingFiles(with: path)
        // A file is written before the row that points at it: it must be listed first.
        let folder = externalDataFolder(of: path).path
        let files = externalFileNames(in: folder)
        sharingStores =
            try files.isEmpty ? sharing : sharing + unclearExternalValues(of: store, against: model)
        guard !files.isEmpty, sharingStores.isEmpty else {
            (surplusFiles, surplusBytes) = ([], 0)
            return
        }
        let named = try namedExternalFiles(on: connection, anywhere: true)
        surplusFiles = StoreFormat.surplusFiles(among: files, named: named)
        surplusBytes = surplusFiles.reduce(0) { $0 + Int(clamping: fileSize("\(folder)/\($1)")) }
    }

    /// Takes back the room, with the store to ourselves; what is in the store does not change.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - model: the model of its version.
    ///   - isRemovingFiles: whether files go that no value points at.
    ///   - isCompacting: whether the store is written anew without free pages, for which SQLite needs room for a copy
    ///     meanwhile.
    /// - Returns: what there was to take back.
    /// - Throws: `StoreMigrationError`; what is in the store is as it was.
    @discardableResult
    package static func run(
        at path: String,
        against model: ManagedObjectModel,
        removingFiles isRemovingFiles: Bool,
        compacting isCompacting: Bool
    ) throws(StoreMigrationError) -> StoreUpkeep {
        try storeErrors { () throws(StoreError) in
            let connection = try openAlone(path)
            let found = try StoreUpkeep(of: StoreFile(on: connection), at: path, model)
            if isRemovingFiles {
                removeExternalFiles(found.surplusFiles, in: externalDataFolder(of: path).path)
            }
            guard isCompacting else { return found }
            try connection.registerTriggerFunctions()
            try connection.execute("VACUUM")
            if connection.usesWriteAheadLog { try connection.emptyLog() }
            return found
        }
    }
}

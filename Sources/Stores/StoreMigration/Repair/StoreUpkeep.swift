import Essentials
package import ObjectModel
import FileSystem
import SQLiteAccess
package import StoreFormat

/// What takes room in and beside a store for nothing: free pages, and files that no value names.
package struct StoreUpkeep: Sendable, Hashable {
    package private(set) var freeBytes: Int
    package private(set) var surplusFiles: [String]
    package private(set) var surplusBytes: Int
    /// Other databases in the same folder, links to it, and attributes with damaged values, which make the owner of its
    /// files uncertain.
    package private(set) var sharingStores: [String]

    /// Inspects a store without changing anything; `model` says whose values are in files.
    package init(
        of store: StoreFile,
        against model: ManagedObjectModel
    ) throws(StoreMigrationError) {
        self = try storeErrors(StoreUpkeep(of: store, at: store.path, model))
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
        // A file is written before the row that names it: list files first.
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

    /// Reclaims the room with exclusive access to the store, and returns what there was; the contents stay in any case.
    ///
    /// `isRemovingFiles` removes files that no value names. `isCompacting` rewrites the store without free pages, for
    /// which SQLite meanwhile needs room for a copy.
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

package import FileSystem
import Essentials
package import SQLiteAccess

extension StoreError {
    /// Converts an error of a file of a store.
    package init(_ error: FileError) {
        self =
            switch error {
            case .inaccessible(let path, let reason): .inaccessible(path: path, reason: reason)
            case .cannotCreate(let path, let reason): .cannotCreate(path: path, reason: reason)
            case .alreadyExists(let path): .alreadyExists(path: path)
            }
    }

    /// The last error of the system.
    static func system(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.system(path, code))
    }

    /// The last error of the system when a file could not be made.
    static func uncreatable(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.uncreatable(path, code))
    }
}

/// Works on files, and converts their errors to store errors.
package func fileErrors<Result>(
    _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}

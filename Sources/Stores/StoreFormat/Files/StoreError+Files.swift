package import FileSystem
import Essentials
package import SQLiteAccess

extension StoreError {
    /// Takes what is wrong with a file of a store.
    package init(_ error: FileError) {
        self =
            switch error {
            case .inaccessible(let path, let reason): .inaccessible(path: path, reason: reason)
            case .cannotCreate(let path, let reason): .cannotCreate(path: path, reason: reason)
            case .alreadyExists(let path): .alreadyExists(path: path)
            }
    }

    /// What the system said last.
    static func system(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.system(path, code))
    }

    /// What the system said when a file was to be made.
    static func uncreatable(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.uncreatable(path, code))
    }
}

/// Does work on files; what goes wrong with them is then told of as a fault of the store.
package func fileErrors<Result>(
    _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}

package import FileSystem
import Essentials
package import SQLiteAccess

extension StoreError {
    package init(_ error: FileError) {
        self =
            switch error {
            case .inaccessible(let path, let reason): .inaccessible(path: path, reason: reason)
            case .cannotCreate(let path, let reason): .cannotCreate(path: path, reason: reason)
            case .alreadyExists(let path): .alreadyExists(path: path)
            }
    }

    static func system(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.system(path, code))
    }

    /// The last error of the system when a file could not be made.
    static func uncreatable(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.uncreatable(path, code))
    }
}

package func fileErrors<Result>(
    _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}

package func fileErrors<Result>(
    _ value: @autoclosure () throws(FileError) -> Result
) throws(StoreError) -> Result { try fileErrors { () throws(FileError) in try value() } }

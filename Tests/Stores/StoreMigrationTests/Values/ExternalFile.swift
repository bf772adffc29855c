import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import Testing

/// A large value beside a store, the forms of values in columns that may mean files, and models with such columns.
enum ExternalFile {
    static let name = "0E6C2F4A-6A0B-4C3B-9E57-3D1F2B4C5D6E"
    static let large = Data(repeating: 7, count: 140_000)
    static let marker = SQLiteValue.blob(Data([2]) + Data(name.utf8) + Data([0]))
    static let markerSQL = "CAST(x'02' || '\(name)' || x'00' AS BLOB)"

    static func attribute(_ name: String, _ isExternal: Bool = true) -> Attribute {
        Attribute(name: name, type: .binary, allowsExternalBinaryDataStorage: isExternal)
    }

    static func photo(_ name: String = "data", _ isExternal: Bool = true) -> ManagedObjectModel {
        ManagedObjectModel([Entity("Photo", [attribute(name, isExternal)])])
    }

    /// The data that a value stands for.
    static func plain(_ value: SQLiteValue, in store: StoreFile) throws -> SQLiteValue {
        guard case .blob(let stored) = value else { return value }
        if let name = externalFileName(stored) {
            let folder = externalDataFolder(of: store.path)
            return .blob(try Data(contentsOf: folder.appending(path: name)))
        }
        #expect(stored.first == 1)
        return .blob(Data(stored.dropFirst()))
    }
}

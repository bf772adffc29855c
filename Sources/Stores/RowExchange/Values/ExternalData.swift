import Essentials
import SQLiteAccess

/// The files beside a store that hold its large values (SQLiteStores, "Values").
struct ExternalData: Sendable {
    /// Values of more bytes get a file of their own; values of up to 99,813 bytes were seen inline.
    static let inlineLimit = 100 << 10

    private let folder: URL

    init(folder: URL) { self.folder = folder }

    static func reference(to name: String) -> [UInt8] { [2] + Array(name.utf8) + [0] }

    func read(_ name: String) -> Data? {
        try? Data(contentsOf: folder.appendingPathComponent(name))
    }

    func write(_ bytes: [UInt8]) throws(StoreError) -> String {
        let name = UUID().uuidString
        let url = folder.appendingPathComponent(name)
        do {
            try Files.makeFolder(at: folder.path)
            try Data(bytes).write(to: url, options: .withoutOverwriting)
        } catch { throw .inaccessible(path: url.path, reason: "cannot be written: \(error)") }
        return name
    }
}

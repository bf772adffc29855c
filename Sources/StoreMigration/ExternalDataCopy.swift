import Foundation
import StoreFormat

/// A copy of the folder in which a store keeps large values (STORE_LAYOUT section 8).
struct ExternalDataCopy {
    private let copy: URL?

    /// Copies the folder of one store for another one, when there is one.
    init(from path: String, to destination: String) throws(StoreError) {
        let source = externalDataFolder(of: path).deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: source.path) else {
            copy = nil
            return
        }
        let target = externalDataFolder(of: destination).deletingLastPathComponent()
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw .alreadyExists(path: target.path)
        }
        do {
            try FileManager.default.copyItem(at: source, to: target)
        } catch {
            try? FileManager.default.removeItem(at: target)
            throw .inaccessible(path: target.path, reason: "cannot be copied: \(error)")
        }
        copy = target
    }

    /// Does the rest of what the copy was made for, and removes it when that fails.
    func removeUnless(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            if let copy { try? FileManager.default.removeItem(at: copy) }
            throw error
        }
    }
}

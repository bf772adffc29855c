package import Diagnostics
import Essentials
import FileSystem
package import ModelChecking
import SwiftDataReading

/// The lock beside a model: `MODEL.lock`, or the file that a user names.
///
/// A folder of Swift sources that is the root of a repository, or the current folder, holds its lock itself, as
/// `SwiftData.lock`: beside it the lock would be outside of the repository. A folder further down without a lock of its own
/// has that one where it holds all the models that it is about.
package struct LockFile: Sendable, Hashable {
    /// The path of the lock.
    package let path: String

    /// Names the lock of a model.
    ///
    /// - Parameters:
    ///   - model: the path of the model, without a version behind it.
    ///   - chosen: the path that a user names instead.
    package init(ofModel model: String, chosen: String? = nil) {
        path = chosen ?? Self.path(ofModel: trimmedPath(model))
    }

    private static func path(ofModel model: String) -> String {
        let beside = model + ending
        guard !isModelBundle(model), FileIdentity(of: model)?.isFolder == true else {
            return beside
        }
        let inside = model == "." ? "SwiftData" + ending : "\(model)/SwiftData\(ending)"
        if FileIdentity(of: inside) != nil { return inside }
        let isRoot = FileIdentity(of: model + "/.git") != nil
        if !isRoot, FileIdentity(of: beside) == nil, let above = lock(above: model) { return above }
        return isRoot || model == "." ? inside : beside
    }

    /// The lock of a folder further up in the repository whose models are all below a path.
    ///
    /// - Parameter path: the path of Swift sources.
    /// - Returns: the path of the lock; `nil` where there is none, or where it is about other sources too.
    private static func lock(above path: String) -> String? {
        var (folder, shown) = (resolvedPath(path), path)
        guard let root = repositoryFolder(around: folder) else { return nil }
        while folder != root {
            (folder, shown) = (parent(of: folder), above(shown))
            let isHere = shown == "."
            let locks =
                [isHere ? "SwiftData\(ending)" : "\(shown)/SwiftData\(ending)"]
                + (isHere || shown.hasSuffix("..") ? [] : [shown + ending])
            guard let lock = locks.first(where: { FileIdentity(of: $0) != nil }) else { continue }
            return areAllModels(of: shown, below: path) ? lock : nil
        }
        return nil
    }

    private static func above(_ path: String) -> String {
        if path == "." { return ".." }
        if path.hasSuffix("..") { return path + "/.." }
        return path.contains("/") ? parent(of: path) : "."
    }

    /// Whether all sources of a folder that declare models lie below a path.
    private static func areAllModels(of folder: String, below path: String) -> Bool {
        func models(_ path: String) -> Set<String> {
            guard let options = try? swiftOptions(at: path, SwiftSettings()) else { return [] }
            let sources = swiftSources(at: path, options: options).value
                .filter { String(decoding: $0.bytes, as: UTF8.self).contains("@Model") }
            return Set(sources.map { resolvedPath($0.path) })
        }
        let own = models(path)
        return !own.isEmpty && models(folder).isSubset(of: own)
    }

    private static let ending = ".lock"

    /// Returns the path of the model that a lock is beside; `nil` when the path is not that of a lock.
    package static func model(ofLock path: String) -> String? {
        path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : nil
    }

    /// Whether there is such a file.
    package var exists: Bool { FileIdentity(of: path) != nil }

    /// Reads the lock; `nil` when there is none.
    ///
    /// - Throws: ``MomtoolError`` for a file that cannot be read at all.
    package func read() throws(MomtoolError) -> Diagnosed<LocatedLock>? {
        guard exists else { return nil }
        return ModelLock.parse(try readText(path, limit: 256 << 20), path: path)
            .map { LocatedLock($0, path: path) }
    }

    /// The names of the versions that are locked, as far as the file can be read; `nil` when there is none.
    var versionNames: [String]? {
        exists ? (try? readText(path, limit: 256 << 20)).map(ModelLock.versionNames) : nil
    }
}

/// Reads a text file.
///
/// - Parameters:
///   - path: the path of the file.
///   - limit: the most bytes that it may have.
/// - Returns: the text.
/// - Throws: ``MomtoolError`` for a file that is missing, too large or cannot be read.
package func readText(_ path: String, limit: Int) throws(MomtoolError) -> String {
    do throws(FileFault) {
        return String(decoding: try readFile(path, limit: limit), as: UTF8.self)
    } catch .tooLarge {
        let message = "the file is larger than \(limit) bytes"
        throw MomtoolError(.badData, path, message, .unreadableFile)
    } catch {
        throw MomtoolError(.noInput, path, error.reason, .unreadableFile)
    }
}

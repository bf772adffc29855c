package import Diagnostics
import Essentials
import FileSystem
package import ModelChecking

/// The lock beside a model: `MODEL.lock`, or the file that a user names.
///
/// A folder of Swift sources that is the root of a repository, or the current folder, holds its lock itself, as
/// `SwiftData.lock`: beside it the lock would be outside of the repository.
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
        let isRoot = model == "." || FileIdentity(of: model + "/.git") != nil
        return isRoot || FileIdentity(of: inside) != nil ? inside : beside
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

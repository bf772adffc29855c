package import Diagnostics
import FileSystem
package import ModelChecking
import SwiftDataReading

/// The lock of a model: `MODEL.lock` beside it, or the file that a user names.
///
/// One rule for all commands finds the lock of Swift sources. `X.lock` beside a folder or a file X, and
/// `X/SwiftData.lock` in a folder X, cover the sources at X. Sources at a path have the first of these that exists:
///
/// 1. their own: `PATH/SwiftData.lock`, then `PATH.lock`, unless the path is the root of a repository;
/// 2. the nearest one further up in the repository, where all models that it covers are below the path;
/// 3. the one further down that covers all models at the path.
///
/// A new one is `SwiftData.lock` in the root of a repository and in the current folder, as a file beside them would be
/// outside the repository; otherwise it is beside the path. Locks further down that cover a part of the models, which
/// ``parts(of:besides:)`` finds, are compared with that part. Where only a lock further up covers the path and other
/// sources too, commands compare all that it covers, and report what is at the path.
package struct LockFile: Sendable, Hashable {
    package let model: String
    package let path: String
    private let isChosen: Bool

    package init(ofModel model: String, chosen: String? = nil) {
        self.model = trimmedPath(model)
        path = chosen ?? Self.path(ofModel: self.model)
        isChosen = chosen != nil
    }

    private static func path(ofModel model: String) -> String {
        let beside = beside(model)
        guard !isModelBundle(model), FileIdentity(of: model)?.isFolder == true else {
            return beside
        }
        let inside = model == "." ? "SwiftData" + ending : "\(model)/SwiftData\(ending)"
        if FileSystem.exists(inside) { return inside }
        let isRoot = FileIdentity(of: model + "/.git") != nil
        if !isRoot, FileSystem.exists(beside) { return beside }
        if !isRoot, let above = lock(above: model), areAllModels(of: above.model, below: model) {
            return above.path
        }
        let below = locks(below: model).filter { areAllModels(of: model, below: $0.model) }
        if below.count == 1 { return below[0].path }
        return isRoot || model == "." ? inside : beside
    }

    /// The path of the lock beside a folder or a file, which `.` and `..` do not name.
    private static func beside(_ path: String) -> String {
        guard path == "." || path.hasSuffix("..") else { return path + ending }
        let name = resolvedPath(path).split(separator: "/").last.map(String.init) ?? ""
        return "\(above(path))/\(name)\(ending)"
    }

    /// The locks below a folder that each cover a part of its Swift sources, without the lock of the whole folder.
    package static func parts(
        of folder: String,
        besides own: LockFile
    ) -> [(model: String, lock: LockFile)] {
        let folder = trimmedPath(folder)
        guard !isModelBundle(folder) else { return [] }
        let own = resolvedPath(own.path)
        return locks(below: folder).filter { resolvedPath($0.path) != own }
            .map { ($0.model, LockFile(ofModel: $0.model, chosen: $0.path)) }
    }

    private static func locks(below folder: String) -> [(model: String, path: String)] {
        lockPaths(below: folder).compactMap { path in
            guard let model = model(ofLock: path), !isModelBundle(model),
                FileIdentity(of: model) != nil
            else { return nil }
            return (model, path)
        }
    }

    /// The nearest lock further up in the repository, or without one in this folder or the project, and what it covers.
    private static func lock(above path: String) -> (model: String, path: String)? {
        var (folder, shown) = (resolvedPath(path), path)
        let here = resolvedPath(".")
        let project =
            folder.hasPrefix(here + "/") ? here : projectFolder(around: parent(of: folder))
        guard let root = repositoryFolder(around: folder) ?? project else { return nil }
        while folder != root, folder != "/" {
            (folder, shown) = (parent(of: folder), above(shown))
            let inside = shown == "." ? "SwiftData\(ending)" : "\(shown)/SwiftData\(ending)"
            // Beside the root of the repository is outside of it.
            let locks = [inside] + (folder == root ? [] : [beside(shown)])
            if let lock = locks.first(where: FileSystem.exists) { return (shown, lock) }
        }
        return nil
    }

    /// Whether Swift sources have no lock of their own, and one further up covers them among others.
    var isShared: Bool {
        let isFolder = FileIdentity(of: model)?.isFolder == true
        return !isChosen && !exists && (isFolder || model.hasSuffix(".swift"))
            && !isModelBundle(model) && Self.lock(above: model) != nil
    }

    /// Compares all that a lock further up covers with it, for what is at the path; `nil` where no such lock counts.
    package func findingsOfShared(
        _ swift: SwiftSettings,
        _ earlier: [ModelVersion] = []
    ) throws(MomtoolError) -> (lock: String, versions: Int, findings: [Finding])? {
        guard isShared, let (whole, lock) = Self.lock(above: model) else { return nil }
        try requireInside(lock)
        guard let read = try ModelPlace(lockedAt: whole, swift: swift).readIfThere(),
            !read.value.versions.isEmpty,
            let known = try LockFile(ofModel: whole, chosen: lock).read()
        else { return nil }
        let place = resolvedPath(model)
        let all = read.value.findings(of: known, earlier, by: try settings(for: whole))
        let own = all.filter { finding in
            let file = finding.diagnostic.location.map { resolvedPath($0.path) } ?? place
            return !file.hasSuffix(".swift") || (file + "/").hasPrefix(place + "/")
        }
        return (lock, known.value.lock.versions.count, own)
    }

    private static func above(_ path: String) -> String {
        if path == "." { return ".." }
        if path.hasSuffix("..") { return path + "/.." }
        return path.contains("/") ? parent(of: path) : "."
    }

    private static func areAllModels(of folder: String, below path: String) -> Bool {
        func models(_ path: String) -> Set<String> {
            guard FileIdentity(of: path) != nil else { return [] }
            guard let options = try? swiftOptions(at: path, SwiftSettings()) else { return [] }
            let sources = swiftSources(at: path, options: options).value
                .filter { String(decoding: $0.bytes, as: UTF8.self).contains("@Model") }
            return Set(sources.map { resolvedPath($0.path) })
        }
        let own = models(path)
        return !own.isEmpty && models(folder).isSubset(of: own)
    }

    /// Whether two paths name one model: the same place, or folders of Swift sources with one lock.
    package static func isOneModel(_ path: String, and other: String) -> Bool {
        if resolvedPath(path) == resolvedPath(other) { return true }
        guard !isModelBundle(path), !isModelBundle(other) else { return false }
        let locks = [path, other].map { LockFile(ofModel: $0).path }
        return FileSystem.exists(locks[0]) && resolvedPath(locks[0]) == resolvedPath(locks[1])
    }

    private static let ending = ".lock"

    /// Returns the path of the model of a lock; `nil` when the path is not that of a lock.
    package static func model(ofLock path: String) -> String? {
        guard path.hasSuffix(ending) else { return nil }
        let inside = "SwiftData" + ending
        if path == inside { return "." }
        return path.hasSuffix("/" + inside) ? parent(of: path) : String(path.dropLast(ending.count))
    }

    /// Whether a file is a lock of momtool: that of a model by its name, any other by its first words, as package
    /// managers have files of that name too.
    static func isLock(_ path: String) -> Bool {
        isLock(path, startingWith: fileStart(path, 64) ?? [])
    }

    private static func isLock(
        _ path: String,
        startingWith bytes: @autoclosure () -> [UInt8]
    ) -> Bool {
        guard path.hasSuffix(ending) else { return false }
        let model = path.dropLast(ending.count)
        return [".xcdatamodeld", ".xcdatamodel", ".swift"].contains(where: model.hasSuffix)
            || bytes().starts(with: ModelLock.firstWords.utf8)
    }

    /// Returns the locks that a git revision has below a folder, with their text; none where git fails.
    package static func all(
        at revision: String,
        below folder: String
    ) -> [(path: String, text: String)] {
        guard let name = PlacedRevision(revision, in: folder).name,
            let place = GitPlace("\(name):./"),
            let files = try? GitObjects.shared(at: folder).files(
                at: place,
                isNeeded: { path, isFolder in
                    let name = path.split(separator: "/").last.map(String.init) ?? ""
                    return isFolder
                        ? !isPassedOver(name) && !isModelBundle(path) : path.hasSuffix(ending)
                }
            )
        else { return [] }
        return files.filter { isLock($0.path, startingWith: $0.bytes) }.map {
            let path = folder == "." ? $0.path : "\(folder)/\($0.path)"
            return (path, String(decoding: $0.bytes, as: UTF8.self))
        }
    }

    /// Whether the file, or a link to it, exists; reading a dangling link reports it.
    package var exists: Bool { FileSystem.exists(path) }

    package func read() throws(MomtoolError) -> Diagnosed<LocatedLock>? {
        guard exists else { return nil }
        if !isChosen { try requireInside(path) }
        return ModelLock.parse(try readText(path, limit: 256 << 20), path: path)
            .map { LocatedLock($0, path: path) }
    }

    /// The names of locked versions in a bundle, in the order of the lock; a renamed version is found by its hashes.
    func names(of bundle: ModelBundle) -> [String] {
        guard exists, isChosen || boundsFault(ofFound: path) == nil,
            let text = try? readText(path, limit: 256 << 20)
        else { return [] }
        let names = ModelLock.versionNames(in: text)
        let known = Set(bundle.versions.map(\.name) + bundle.unreadableVersions.map(\.name))
        guard !known.isSubset(of: names), !Set(names).isSubset(of: known) else { return names }
        return ModelLock.parse(text, path: path).value.following(bundle.versions).lock.versions
            .map(\.name)
    }
}

extension ModelPlace {
    /// Returns the path that a lock covers: a folder that is not a bundle means the Swift sources below it.
    package init(lockedAt path: String, swift: SwiftSettings = SwiftSettings()) {
        let isFolder = !isModelBundle(path) && FileIdentity(of: path)?.isFolder == true
        self =
            isFolder
            ? ModelPlace(swiftSourcesBelow: path, swift: swift) : ModelPlace(path, swift: swift)
    }
}

/// The advice about a missing model whose lock still exists; `nil` for any other path.
package func wordingOfGoneModel(at path: String) -> Wording? {
    guard isModelBundle(path), FileIdentity(of: path) == nil else { return nil }
    let file = LockFile(ofModel: path)
    guard let lock = try? file.read()?.value.lock, !lock.versions.isEmpty else { return nil }
    return """
        this model is missing, although '\(file.path)' locks its versions: restore it from version control; if no store has them any \
        more, say so in the lock: \(ModelLock.pruningWords)
        """
}

/// Refuses a file that was found and is a link that leads out of the project.
func requireInside(_ path: String) throws(MomtoolError) {
    if let fault = boundsFault(ofFound: path) {
        throw MomtoolError(.noInput, path, fault, .unreadableFile)
    }
}

package func readText(_ path: String, limit: Int) throws(MomtoolError) -> String {
    do throws(FileFault) {
        return String(decoding: try readFile(path, limit: limit), as: UTF8.self)
    } catch .tooLarge {
        let message = "the file is larger than \(limit) bytes"
        throw MomtoolError(.badData, path, message, .unreadableFile)
    } catch { throw MomtoolError(.noInput, path, error.reason, .unreadableFile) }
}

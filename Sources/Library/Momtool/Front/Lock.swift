public import Diagnostics
import Essentials
import FileSystem
import ModelChecking

/// The lock beside a model: the versions that shipped, which may not change any more.
///
/// ```swift
/// let lock = Lock(of: try Model("Shop.xcdatamodeld"))
/// for finding in try lock.findings() { print(finding) }
/// try lock.update(unshipped: ["V3"])
/// ```
///
/// ## Topics
///
/// ### Reading
/// - ``init(of:at:)``
/// - ``path``
/// - ``versionNames``
///
/// ### Checking and writing
/// - ``findings()``
/// - ``update(unshipped:isAnew:)``
public struct Lock: Sendable {
    private let model: Model
    private let file: LockFile

    /// Names the lock of a model, which need not be there yet; its path is `MODEL.lock` beside the model when left out.
    public init(of model: Model, at path: String? = nil) {
        self.model = model
        file = LockFile(ofModel: model.path, chosen: path)
    }

    /// The path of the file.
    public var path: String { file.path }

    /// The names of the locked versions, as they are called now; empty without a lock.
    ///
    /// - Throws: ``MomtoolError`` when there is a lock that cannot be read.
    public var versionNames: [String] {
        get throws(MomtoolError) {
            guard let read = try file.read() else { return [] }
            return read.value.lock.following(model.versions).lock.versions.map(\.name)
        }
    }

    /// Compares the versions with the lock.
    ///
    /// Finds versions that were edited or are missing, and what the lock itself says. Throws without a readable lock.
    public func findings() throws(MomtoolError) -> [Diagnostic] {
        guard let read = try file.read() else {
            throw MomtoolError(.noInput, path, "there is no lock", .unreadableFile)
        }
        return model.bundle.findings(of: read).map(\.diagnostic)
    }

    /// Locks the versions that are not locked yet, and writes the file.
    ///
    /// The first lock assumes that the versions before the current one shipped: if nothing allows what a step into one
    /// of them loses, it records `losses *`. Losses of the step into the current and every later version must be
    /// allowed.
    ///
    /// `unshipped` versions are left out, as are those of `.momtool.yml`; `isAnew` records again what is locked.
    /// Returns the number of versions that are new in the lock, or of all in it. Throws, and locks nothing, for a
    /// version that was edited, or that is not assumed to have shipped and whose step has losses without permission.
    @discardableResult
    public func update(
        unshipped: [String] = [],
        isAnew: Bool = false
    ) throws(MomtoolError) -> Int {
        let inputs = InputFiles([model.path], writing: path)
        let place = try OutputPlace.file(at: path, sparing: inputs)
        let update = LockUpdate(of: model.bundle, unshipped: unshipped, isAnew: isAnew)
        let turn = try changeTurn(around: model.path)
        let new = try update.result(for: file)
        let bytes = Array(new.lock.text.utf8)
        try asked { try make([.write(path: place, bytes: bytes)], of: place, in: turn) }
        return new.added
    }
}

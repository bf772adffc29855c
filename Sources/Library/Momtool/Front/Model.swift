public import Diagnostics
import Essentials
import ModelHashing
package import ModelLoading
public import ObjectModel
import SettingsFiles

/// A data model with all of its versions, wherever it lies.
///
/// ```swift
/// let model = try Model("Shop.xcdatamodeld")
/// for version in model.versions { print(version.name, try version.versionChecksum) }
/// ```
///
/// The text is what the command takes: a bundle, one version, a compiled model, a store that carries its model, a
/// folder of Swift sources, `REV:path` for what git has at a revision; `#V2` behind it chooses a version.
///
/// Reading a model judges nothing. What cannot be read throws; everything else that was noticed is in ``diagnostics``,
/// and ``Linter`` says what is wrong with it.
///
/// ## Topics
///
/// ### Reading
/// - ``init(_:)``
/// - ``init(_:at:)``
/// - ``history(of:range:)``
/// - ``diagnostics``
///
/// ### Versions
/// - ``versions``
/// - ``currentVersion``
/// - ``version(_:)``
///
/// ### Comparing
/// - ``diff(from:to:)``
public struct Model: Sendable, Hashable {
    /// The versions with everything that was read around them.
    package let bundle: ModelBundle
    /// What was noticed while the model was read.
    ///
    /// An error is about a part that is not understood, such as a property of Swift sources. The versions that have it can be
    /// compared, checked and locked; whatever goes by their hashes is refused.
    public let diagnostics: [Diagnostic]

    /// Reads a model.
    ///
    /// Versions that cannot be read are left out where others can, with a warning.
    ///
    /// - Parameter path: the path, with `#VERSION` behind it or `REVISION:` before it where wanted.
    /// - Throws: ``MomtoolError`` when there is no such model, or no version of it can be read.
    public init(_ path: String) throws(MomtoolError) {
        try self.init(ModelPlace(path))
    }

    /// Reads a model as git has it at a revision.
    ///
    /// - Parameters:
    ///   - path: the path of the model, as it lies on disk.
    ///   - revision: a commit, branch or tag.
    /// - Throws: ``MomtoolError`` when git cannot be asked, or has no model there.
    public init(_ path: String, at revision: String) throws(MomtoolError) {
        try self.init(ModelPlace(path, at: revision))
    }

    /// Takes a model that was read already.
    package init(_ bundle: ModelBundle, _ diagnostics: [Diagnostic] = []) {
        (self.bundle, self.diagnostics) = (bundle, diagnostics)
    }

    private init(_ place: ModelPlace) throws(MomtoolError) {
        var read = try place.readUsable()
        if !read.isReadableInParts {
            if read.value.swift == nil { read = read.withoutUnreadableVersions }
            guard !read.hasErrors else {
                let isMissing = read.diagnostics.contains { $0.rule == .unreadableFile }
                throw MomtoolError(isMissing ? .noInput : .badData, saying: read.diagnostics)
            }
        }
        self.init(read.value, read.diagnostics)
    }

    /// The path of the model, without a version behind it.
    public var path: String { bundle.path }

    /// The versions, the oldest first.
    public var versions: [ModelVersion] { bundle.versions }

    /// The version that new stores get; `nil` when the model names none.
    public var currentVersion: ModelVersion? { bundle.currentVersion }

    /// Returns the version of a name; without a name the one that the path names, else the current one.
    ///
    /// - Parameter name: the name of the version.
    /// - Returns: the version.
    /// - Throws: ``MomtoolError`` when there is none, with a suggestion.
    public func version(_ name: String? = nil) throws(MomtoolError) -> ModelVersion {
        try bundle.chosenVersion(name)
    }

    /// Compares two versions.
    ///
    /// ```swift
    /// let diff = try Model("Shop.xcdatamodeld").diff()
    /// print(diff.verdict, diff.losses)
    /// ```
    ///
    /// - Parameters:
    ///   - old: the name of the old version; the one before the new one when left out.
    ///   - new: the name of the new version; the current one when left out.
    /// - Returns: the differences.
    /// - Throws: ``MomtoolError`` when there is no such version.
    public func diff(
        from old: String? = nil,
        to new: String? = nil
    ) throws(MomtoolError) -> Diff {
        let target = try version(new)
        guard let old else { return Diff(from: try bundle.predecessor(of: target), to: target) }
        return Diff(from: try version(old), to: target)
    }

    /// Reads every version that a model had in the history of its repository, the newest first, each content once.
    ///
    /// - Parameters:
    ///   - path: the path of the model, which need not be there any more.
    ///   - range: the revisions that count, such as `v1.0..main`; all of them when left out.
    /// - Returns: the versions; their names say which commits and tags had them.
    /// - Throws: ``MomtoolError`` when git cannot be asked, or no commit had a model there.
    public static func history(
        of path: String,
        range: String? = nil
    ) throws(MomtoolError) -> [ModelVersion] {
        try ModelHistory(of: path, range: range).versions
    }
}

extension Model: CustomStringConvertible {
    /// The path and the names of the versions, such as `Shop.xcdatamodeld: V1, V2 (current)`.
    public var description: String {
        let names = versions.map { $0.isCurrent ? "\($0.name) (current)" : $0.name }
        return "\(path): \(names.joined(separator: ", "))".onOneLine
    }
}

extension ModelVersion {
    /// Apple's `versionChecksum` of the model, in base64, worked out when first asked for.
    ///
    /// - Throws: `MomtoolError` that names what is not understood of the version: it has no checksum then, and would
    ///   equal every other without one if that were `nil`.
    public var versionChecksum: String {
        get throws(MomtoolError) {
            try requireWhole()
            return checksum
        }
    }

    /// Apple's version hash of each entity, by name, worked out when first asked for; an entity of which something is not
    /// understood has none.
    public var entityVersionHashesByName: [String: VersionHash] {
        let unknown = entitiesWithGaps
        return unknown.isEmpty
            ? hashes.entities : hashes.entities.filter { !unknown.contains($0.key) }
    }
}

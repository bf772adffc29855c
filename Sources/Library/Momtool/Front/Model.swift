public import Diagnostics
import ModelHashing
package import ModelLoading
public import ObjectModel

/// A data model with all of its versions, from any source.
///
/// ```swift
/// let model = try Model("Shop.xcdatamodeld")
/// for version in model.versions { print(version.name, try version.versionChecksum) }
/// ```
///
/// The text is what the command takes: a bundle, one version, a compiled model, a store with its model, a folder of Swift
/// sources, `REV:path` for a git revision; a following `#V2` chooses a version.
///
/// Reading a model does not check it. Unreadable models throw; remarks are in ``diagnostics``; ``Linter`` finds faults.
///
/// ## Topics
///
/// ### Reading
/// - ``init(_:)``
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
    package let bundle: ModelBundle
    /// What was noticed while the model was read.
    ///
    /// An error names a part that is not understood, such as a property of Swift sources. Versions with one can be
    /// compared, checked and locked; whatever needs their hashes is refused.
    public let diagnostics: [Diagnostic]

    /// Reads a model; versions that cannot be read are left out where others can, with a warning.
    ///
    /// The path may be followed by `#VERSION` or preceded by `REVISION:`, a commit, branch or tag. Throws when there is no such model, or no
    /// version of it can be read.
    public init(_ path: String) throws(MomtoolError) { try self.init(ModelPlace(path)) }

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

    /// The path of the model, without a version.
    public var path: String { bundle.path }

    /// The versions, the oldest first.
    public var versions: [ModelVersion] { bundle.versions }

    /// The version that new stores get; `nil` when the model names none.
    public var currentVersion: ModelVersion? { bundle.currentVersion }

    /// Returns the version with a name; without one, the version in the path, or the current one.
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
    /// By default these are the previous version and the current one. Throws when there is no such version.
    public func diff(from old: String? = nil, to new: String? = nil) throws(MomtoolError) -> Diff {
        let target = try version(new)
        guard let old else { return Diff(from: try bundle.predecessor(of: target), to: target) }
        return Diff(from: try version(old), to: target)
    }

    /// Reads every version that a model had in the history of its repository, the newest first, each content once.
    ///
    /// The model need not be there any more; `range` are the revisions to read, such as `v1.0..main`. The names of the
    /// versions include the commits and tags that had them. Throws when git fails, or no commit had a model there.
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
    /// Apple's `versionChecksum` of the model, in base64, computed when first asked for.
    ///
    /// - Throws: `MomtoolError` that names what is not understood: the version then has no checksum, and `nil` would
    ///   equal that of every other such version.
    public var versionChecksum: String {
        get throws(MomtoolError) {
            try requireWhole()
            return checksum
        }
    }

    /// Apple's version hash of each entity, by name, computed when first asked for; partly understood ones have none.
    public var entityVersionHashesByName: [String: VersionHash] {
        let unknown = entitiesWithGaps
        return unknown.isEmpty
            ? hashes.entities : hashes.entities.filter { !unknown.contains($0.key) }
    }
}

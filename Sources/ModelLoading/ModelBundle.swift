public import ObjectModel

/// The versions of a model: an `.xcdatamodeld`, a `.momd`, or a lone version as a bundle of one.
public struct ModelBundle: Sendable, Hashable {
    /// The path as the user gave it.
    public var path: String
    /// The versions, by name in the order that people count (`App 2` before `App 10`).
    public var versions: [ModelVersion]
    /// The name of the version that was asked for together with the bundle, as `App.xcdatamodeld#V2` does.
    public var selectedVersionName: String?
    /// The version that `.xccurrentversion` or `VersionInfo.plist` names as current; `nil` when none is named.
    ///
    /// The only version of a bundle is current without being named.
    public var namedCurrentVersion: String?

    /// Creates a bundle.
    public init(path: String, versions: [ModelVersion], namedCurrentVersion: String? = nil) {
        self.path = path
        self.versions = versions
        self.namedCurrentVersion = namedCurrentVersion
    }

    /// The version that new stores are made of; `nil` when the bundle names none.
    public var currentVersion: ModelVersion? {
        versions.first(where: \.isCurrent)
    }

    /// Returns the version of a name, given with or without its extension.
    public func version(named name: String) -> ModelVersion? {
        versions.first { $0.name == name }
            ?? versions.first { [$0.name + ".xcdatamodel", $0.name + ".mom"].contains(name) }
    }
}

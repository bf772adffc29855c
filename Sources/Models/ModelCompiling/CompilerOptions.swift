package struct CompilerOptions: Sendable, Hashable {
    /// Compilers whose output differs (CompiledModels, "Bundles" and "Archives").
    package enum Era: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Xcode 8 and earlier: no fetch indexes.
        case xcode8 = 8
        /// Xcode 9 to 13.3.
        case xcode9 = 9
        /// Xcode 13.4 to 14: fetch requests with an allocation type.
        case xcode13 = 13
        /// Xcode 15 and later: checksums in `VersionInfo.plist`.
        case xcode15 = 15

        package static func < (left: Era, right: Era) -> Bool { left.rawValue < right.rawValue }
    }

    /// The module that completes class names with a leading dot; without one they stay as they are.
    package var moduleName: String?
    package var era: Era
    /// Whether the deployment target is older than iOS 11 and macOS 10.13, which have no fetch indexes.
    ///
    /// Indexes are then written as the compound indexes that such systems understand.
    package var targetsSystemsWithoutFetchIndexes: Bool
    /// The data-model tools version to record (`CDMCompilerToolVersion`); `nil` records none.
    package var toolsVersion: Double?
    /// The Xcode version to record as 160400 (`CDMCompilerXcodeVersion`); `nil` records none.
    package var xcodeVersion: Int?

    /// Creates options; by default, for the output of current Xcode, without a trace of its version.
    package init(
        moduleName: String? = nil,
        era: Era = .xcode15,
        targetsSystemsWithoutFetchIndexes: Bool = false
    ) {
        (self.moduleName, self.era) = (moduleName, era)
        self.targetsSystemsWithoutFetchIndexes = targetsSystemsWithoutFetchIndexes
    }
}

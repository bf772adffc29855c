import Diagnostics
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// Returns the version before another.
    ///
    /// - Throws: ``MomtoolError`` when it is the first.
    package func predecessor(of version: ModelVersion) throws(MomtoolError) -> ModelVersion {
        guard let index = versions.firstIndex(where: { $0.name == version.name }), index > 0
        else {
            throw MomtoolError(
                .refused,
                path,
                "'\(version.name)' has no version before it",
                "unknown-version",
                advice: [.nameBothVersions]
            )
        }
        return versions[index - 1]
    }
}

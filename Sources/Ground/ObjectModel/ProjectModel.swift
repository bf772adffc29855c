package import Diagnostics

/// What a project file says of a model: the one that an app is built from, whatever the model's own folder says.
package struct ProjectModel: Sendable, Hashable {
    /// Whether a target takes the model.
    package enum Membership: Sendable, Hashable {
        /// A target compiles it.
        case inTarget
        /// The project lists it, and no target compiles it.
        case inNoTarget
        /// The project lies above the model and does not list it.
        case unlisted
        /// The file does not tell.
        case unknown
    }

    /// Where the project names the model, or the project itself.
    package var location: FileLocation
    /// Whether a target takes the model.
    package var membership: Membership
    /// The versions that the project lists; `nil` where it takes all that are in the folder.
    package var versions: [String]?
    /// The version that the project has for the current one; `nil` where it leaves that to the model.
    package var currentVersion: String?

    /// Creates what a project says.
    package init(
        location: FileLocation,
        membership: Membership,
        versions: [String]? = nil,
        currentVersion: String? = nil
    ) {
        self.location = location
        self.membership = membership
        self.versions = versions
        self.currentVersion = currentVersion
    }
}

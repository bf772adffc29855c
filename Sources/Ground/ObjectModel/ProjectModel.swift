package import Diagnostics

/// What a project file says about a model: the app is built from this, regardless of the model's own folder.
package struct ProjectModel: Sendable, Hashable {
    package enum Membership: Sendable, Hashable {
        case inTarget
        /// The project lists it, and no target compiles it.
        case inNoTarget
        /// The project is above the model and does not list it.
        case unlisted
        case unknown
    }

    /// Where the project names the model, or the project itself.
    package var location: FileLocation
    package var membership: Membership
    /// The versions that the project lists; `nil` where it takes all in the folder.
    package var versions: [String]?
    /// The current version according to the project; `nil` where it leaves that to the model.
    package var currentVersion: String?
    /// Where code beside a project that does not list the model loads it by name.
    package var loader: FileLocation?

    package init(location: FileLocation, membership: Membership) {
        (self.location, self.membership) = (location, membership)
    }
}

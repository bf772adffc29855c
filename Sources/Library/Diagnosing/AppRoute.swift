package import Diagnostics
package import StoreMigration

/// How an app brings stores of one version to its current one, by its models, stages, mapping models and settings.
package enum AppRoute: Sendable {
    /// By Core Data, in one step, as it infers it.
    case inferred(MigrationRoute)
    /// By these steps.
    case found(MigrationRoute, AppRoad)
    /// By momtool alone: Core Data does not go through other versions by itself.
    case detour(MigrationRoute)
    /// By a mapping model that momtool cannot carry out, such as for a policy that nobody declared.
    case mappingModel(path: String, reason: Wording)
    /// The stages of this file do not lead from the version to the current one.
    case noStage(path: String, reason: Wording)
    /// By none of the versions and mapping models at hand.
    case nowhere
    /// What the app says of its migrations cannot be read.
    case unknown(reason: Wording)
}

/// What takes stores along a route, other than inference.
package enum AppRoad: Sendable, Hashable {
    /// Core Data, in one step, by this mapping model.
    case mappingModel(String)
    /// Core Data, through the stages of this file.
    case stages(String)
    /// Core Data, through the versions that a plan in Swift sources lists.
    case plan
    /// Core Data, through these versions of a plan in Swift sources, whose custom stages run code that is not run here.
    case planWithCode(path: String, names: String)
    /// The app's own code, through every version.
    case code
}

extension AppRoad {
    /// Whether code takes part that is not run here, so that nothing is known of what becomes of the rows.
    package var runsUnknownCode: Bool {
        if case .planWithCode = self { true } else { false }
    }
}

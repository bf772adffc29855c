package import Diagnostics
package import StoreMigration

/// How an app migrates stores of one version to its current one, by its models, stages, mapping models and settings.
package enum AppRoute: Sendable {
    case inferred(MigrationRoute)
    case found(MigrationRoute, AppRoad)
    /// Only by momtool: Core Data does not go through other versions automatically.
    case detour(MigrationRoute)
    /// By a mapping model that momtool cannot use, such as one with an undeclared policy.
    case mappingModel(path: String, reason: Wording)
    /// By none: Core Data does not go through other versions with mapping models, and momtool cannot run one of them.
    case chain(Wording, reason: Wording)
    /// The stages of this file do not lead from the version to the current one.
    case noStage(path: String, reason: Wording)
    /// By none of the versions and mapping models at hand.
    case nowhere
    /// The app's configuration of migrations cannot be read.
    case unknown(reason: Wording)

    /// Whether Core Data takes it.
    package var isTaken: Bool {
        switch self {
        case .inferred, .found, .unknown: true
        case .detour, .mappingModel, .chain, .noStage, .nowhere: false
        }
    }
}

/// The means of a migration, other than inference.
package enum AppRoad: Sendable, Hashable {
    /// Core Data, in one step, by this mapping model.
    case mappingModel(String)
    /// Core Data, through the stages of this file.
    case stages(String)
    /// Core Data, through the versions that a plan in Swift sources lists.
    case plan
    /// Core Data, through these versions of a plan in Swift, whose custom stages run code that does not run here; some of
    /// it may run before a step, and change the rows that the step fails on.
    case planWithCode(path: String, names: String, mayChangeRows: Bool)
    case code
}

extension AppRoad {
    /// Whether code takes part that does not run here, so that the result for the rows is unknown.
    package var runsUnknownCode: Bool { if case .planWithCode = self { true } else { false } }

    /// Whether such code may cure rows before a step fails on them.
    package var mayChangeRows: Bool {
        if case .planWithCode(_, _, let mayChangeRows) = self { mayChangeRows } else { false }
    }

    /// Whether the migration fails on such rows, whatever the app's code does.
    package func fails(on rows: [RowFinding]) -> Bool {
        !mayChangeRows && rows.contains(where: \.failsInCoreData)
    }
}

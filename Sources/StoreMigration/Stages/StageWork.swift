import SQLiteAccess
public import MigrationPlanning

/// What a handler of a custom stage does.
public enum StageWork: Sendable {
    /// Statements of SQL over the views of the model; `path` is what errors name.
    case script(String, path: String)
    /// Swift code.
    case handler(@Sendable (StoreContext) throws -> Void)
}

/// The work of a custom stage beyond its step.
public struct CustomStageWork: Sendable {
    /// What is done before the step, on the store at the current version.
    public var willMigrate: StageWork?
    /// Where the objects of the next version come from; `nil` for inference.
    public var map: StageMap?
    /// What is done after the step, on the store at the next version.
    public var didMigrate: StageWork?

    /// Creates work.
    public init(
        willMigrate: StageWork? = nil,
        map: StageMap? = nil,
        didMigrate: StageWork? = nil
    ) {
        self.willMigrate = willMigrate
        self.map = map
        self.didMigrate = didMigrate
    }

    /// The parts that there is work for.
    public var parts: Set<CustomMigrationStage.Part> {
        var parts: Set<CustomMigrationStage.Part> = []
        if willMigrate != nil { parts.insert(.willMigrate) }
        if map != nil { parts.insert(.map) }
        if didMigrate != nil { parts.insert(.didMigrate) }
        return parts
    }
}

/// What a run of a staged migration is told.
public struct StagedRunOptions: Sendable {
    /// What each lightweight step is told.
    public var run: MigrationRunOptions
    /// The time that each script, map or handler has; `nil` for all it needs.
    ///
    /// It is looked at while SQLite works and whenever a handler or policy calls its context. Swift code that computes
    /// on its own, without calling the context, is stopped only when it does.
    public var timeout: Duration?
    /// A folder that gets the store as it is after each step; `nil` for none.
    public var stagesFolder: String?
    /// Says from elsewhere that the run shall stop.
    public var cancellation: MigrationCancellation?
    /// Is called before and after each step, and about ten times a second meanwhile; `nil` for no one to tell.
    public var progress: (@Sendable (StageProgress) -> Void)?

    /// Options that agree to losses and say nothing else.
    public static func agreeing(to losses: LossAgreement) -> StagedRunOptions {
        StagedRunOptions(run: MigrationRunOptions(acceptsLosses: losses))
    }

    /// Creates options.
    public init(
        run: MigrationRunOptions = MigrationRunOptions(),
        timeout: Duration? = nil,
        stagesFolder: String? = nil,
        cancellation: MigrationCancellation? = nil,
        progress: (@Sendable (StageProgress) -> Void)? = nil
    ) {
        self.run = run
        self.timeout = timeout
        self.stagesFolder = stagesFolder
        self.cancellation = cancellation
        self.progress = progress
    }
}

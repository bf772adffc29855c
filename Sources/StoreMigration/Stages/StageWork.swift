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

/// How far a staged migration has come.
public struct StageProgress: Sendable, Hashable {
    /// The place of the step among all steps, from 0.
    public var place: Int
    /// The number of steps.
    public var count: Int
    /// What the step does, as `custom V2 → V3: before`.
    public var title: String
    /// The rows that were written so far, in all steps.
    public var rows: Int
    /// Whether the step is done.
    public var isFinished: Bool
}

/// What a run of a staged migration is told.
public struct StagedRunOptions: Sendable {
    /// What each lightweight step is told.
    public var run: MigrationRunOptions
    /// The time that each script or handler has; `nil` for all it needs.
    public var timeout: Duration?
    /// A folder that gets the store as it is after each step; `nil` for none.
    public var stagesFolder: String?
    /// Says from elsewhere that the run shall stop.
    public var cancellation: MigrationCancellation?
    /// Is called before and after each step.
    public var progress: @Sendable (StageProgress) -> Void

    /// Creates options.
    public init(
        run: MigrationRunOptions = MigrationRunOptions(),
        timeout: Duration? = nil,
        stagesFolder: String? = nil,
        cancellation: MigrationCancellation? = nil,
        progress: @escaping @Sendable (StageProgress) -> Void = { _ in }
    ) {
        self.run = run
        self.timeout = timeout
        self.stagesFolder = stagesFolder
        self.cancellation = cancellation
        self.progress = progress
    }
}

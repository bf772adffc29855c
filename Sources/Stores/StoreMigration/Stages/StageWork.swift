import SQLiteAccess
package import MigrationPlanning

/// What a handler of a custom stage does.
package enum StageWork: Sendable {
    /// Statements of SQL over the views of the model; `path` is what errors name.
    case script(String, path: String)
    /// A program of the user's, which runs only where programs are allowed.
    case program(StageProgram)
    /// Swift code.
    case handler(@Sendable (StoreContext) throws -> Void)
}

/// The work of a custom stage beyond its step.
package struct CustomStageWork: Sendable {
    /// What is done before the step, on the store at the current version.
    package var willMigrate: StageWork?
    /// Where the objects of the next version come from; `nil` for inference.
    package var map: StageMap?
    /// The path of the mapping model that the map was made of, where it was made of one.
    package var mappingModel: String?
    /// What is done after the step, on the store at the next version.
    package var didMigrate: StageWork?

    /// Creates work.
    package init(
        willMigrate: StageWork? = nil,
        map: StageMap? = nil,
        didMigrate: StageWork? = nil
    ) {
        self.willMigrate = willMigrate
        self.map = map
        self.didMigrate = didMigrate
    }

    /// The parts that there is work for.
    package var parts: Set<CustomMigrationStage.Part> {
        var parts: Set<CustomMigrationStage.Part> = []
        if willMigrate != nil { parts.insert(.willMigrate) }
        if map != nil { parts.insert(.map) }
        if didMigrate != nil { parts.insert(.didMigrate) }
        return parts
    }
}

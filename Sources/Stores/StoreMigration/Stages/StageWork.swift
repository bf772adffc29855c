package import MigrationPlanning

package enum StageWork: Sendable {
    /// Statements of SQL over the views of the model; errors name `path`.
    case script(String, path: String)
    /// A program of the user's, which runs only where programs are allowed.
    case program(StageProgram)
    case handler(@Sendable (StoreContext) throws -> Void)
}

package struct CustomStageWork: Sendable {
    /// What is done before the step, on the store at the current version.
    package var willMigrate: StageWork?
    /// Where the objects of the next version come from; `nil` for inference.
    package var map: StageMap?
    /// The path of the mapping model from which the map was made; `nil` for others.
    package var mappingModel: String?
    /// What is done after the step, on the store at the next version.
    package var didMigrate: StageWork?

    package init(
        willMigrate: StageWork? = nil,
        map: StageMap? = nil,
        didMigrate: StageWork? = nil
    ) {
        (self.willMigrate, self.map, self.didMigrate) = (willMigrate, map, didMigrate)
    }

    package var parts: Set<CustomMigrationStage.Part> {
        var parts: Set<CustomMigrationStage.Part> = []
        if willMigrate != nil { parts.insert(.willMigrate) }
        if map != nil { parts.insert(.map) }
        if didMigrate != nil { parts.insert(.didMigrate) }
        return parts
    }
}

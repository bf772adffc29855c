public import MappingInference
public import MigrationPlanning
import ModelHashing
public import ObjectModel
import StoreFormat

extension MigrationProgram {
    /// Works out what a migration does to a store that is as Core Data makes it, without one.
    ///
    /// A store that was migrated before bears traces of its past, so that it may need other steps: those are
    /// `StoreMigration`'s.
    ///
    /// - Parameters:
    ///   - source: the version that stores are at.
    ///   - destination: the version that they come to.
    ///   - options: what inference may do beyond Apple's record.
    /// - Throws: `StoreMigrationError` when Core Data would refuse the change.
    public init(
        from source: ModelVersion,
        to destination: ModelVersion,
        options: InferenceOptions = InferenceOptions()
    ) throws(StoreMigrationError) {
        let layout = StoreLayout(model: source.model)
        let mapping = inferMapping(from: source, to: destination, options: options)
        self = try StepProgram(
            (source, destination, mapping),
            from: layout,
            StoreSchema(layout),
            frameworkVersion: nil
        ).program
    }
}

extension StagedPlan {
    /// Works out what the steps do to a store that is as Core Data makes it, without one.
    ///
    /// - Parameters:
    ///   - works: the work of custom stages, by their places in the list.
    ///   - policies: the code that mapping models call by name.
    /// - Returns: for each step its program; `nil` for the scripts and handlers of custom stages.
    /// - Throws: `StoreMigrationError` when a map cannot be carried out.
    public func programs(
        works: [Int: CustomStageWork] = [:],
        policies: MigrationPolicies = MigrationPolicies()
    ) throws(StoreMigrationError) -> [MigrationProgram?] {
        guard let first = steps.first else { return [] }
        let layout = StoreLayout(model: first.startVersion.model)
        let state = StoreState(schema: StoreSchema(layout), layout: layout, frameworkVersion: nil)
        return try stagedParts(of: self, works, policies, state).map { part in
            if case .step(let step) = part { step.program } else { nil }
        }
    }
}

public import MigrationPlanning
import ObjectModel
import StoreFormat

/// One part of a migration by stages: a program, or code on a store of one version.
enum StagedPart: Sendable {
    case step(StepProgram)
    case work(StageWork, ModelVersion, StoreLayout)
}

/// Works out every step of a plan: each starts from what the one before it makes of the store.
func stagedParts(
    of plan: StagedPlan,
    _ works: [Int: CustomStageWork],
    _ policies: MigrationPolicies,
    _ state: StoreState
) throws(StoreMigrationError) -> [StagedPart] {
    var (schema, layout) = (state.schema, state.layout)
    var parts: [StagedPart] = []
    for step in plan.steps {
        switch step {
        case .migrate(let plan, let stage), .map(let plan, let stage as Int?):
            let map = stage.flatMap { works[$0]?.map }
            let program = try StepProgram(
                (plan.source, plan.destination, plan.mapping),
                map: step.isMap ? map ?? StageMap() : nil,
                policies: policies,
                from: layout,
                schema,
                frameworkVersion: state.frameworkVersion,
                stage: "\(plan.source.name) → \(plan.destination.name)"
            )
            parts.append(.step(program))
            (schema, layout) = (schema.applying(program.program), program.program.layout)
        case .willMigrate(let version, let stage):
            guard let work = works[stage]?.willMigrate else { continue }
            parts.append(.work(work, version, layout))
        case .didMigrate(let version, let stage):
            guard let work = works[stage]?.didMigrate else { continue }
            parts.append(.work(work, version, layout))
        }
    }
    return parts
}

extension StagedStep {
    /// The version that the store has before the step.
    var startVersion: ModelVersion {
        switch self {
        case .migrate(let plan, _), .map(let plan, _): plan.source
        case .willMigrate(let version, _), .didMigrate(let version, _): version
        }
    }

    fileprivate var isMap: Bool {
        if case .map = self { true } else { false }
    }
}

extension StagedPlan {
    /// What a step does, for people.
    public func title(of step: StagedStep, in manager: StagedMigrationManager) -> String {
        switch step {
        case .migrate(let plan, let stage):
            let step = "\(plan.source.name) → \(plan.destination.name)"
            return stage.map { "\(manager.stages[$0].title): \(step)" } ?? "lightweight \(step)"
        case .map(let plan, let stage):
            return "\(manager.stages[stage].title): map \(plan.source.name) → "
                + plan.destination.name
        case .willMigrate(_, let stage): return "\(manager.stages[stage].title): before the step"
        case .didMigrate(_, let stage): return "\(manager.stages[stage].title): after the step"
        }
    }
}

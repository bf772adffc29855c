import MappingInference
import MigrationPlanning
import ObjectModel
import StoreFormat

/// What carries out one step of a migration: a program, or the work of a stage on a store of one version.
enum MigrationPart: Sendable {
    case step(StepProgram)
    case work(StageWork, ModelVersion, StoreLayout)

    var layout: StoreLayout {
        switch self {
        case .step(let program): program.sourceLayout
        case .work(_, _, let layout): layout
        }
    }

    /// The program; `nil` for the work of a stage.
    var program: StepProgram? { if case .step(let program) = self { program } else { nil } }
}

/// Builds every step of a route: each starts from the result of the previous one.
func migrationParts(
    of route: MigrationRoute,
    _ state: StoreState
) throws(StoreMigrationError) -> [MigrationPart] {
    var (schema, layout) = (state.schema, state.layout)
    var parts: [MigrationPart] = []
    for step in route.steps {
        let work = step.stage.flatMap { route.works[$0] }
        switch step.kind {
        case .lightweight, .map:
            let mapping = inferMapping(from: step.source, to: step.destination)
            let program = try StepProgram(
                (step.source, step.destination, mapping),
                map: step.kind == .map ? work?.map ?? StageMap() : nil,
                policies: route.policies,
                from: layout,
                schema,
                frameworkVersion: state.frameworkVersion,
                stage: "\(step.source.name) → \(step.destination.name)"
            )
            parts.append(.step(program))
            (schema, layout) = (schema.applying(program.program), program.program.layout)
        case .willMigrate:
            if let work = work?.willMigrate { parts.append(.work(work, step.source, layout)) }
        case .didMigrate:
            if let work = work?.didMigrate { parts.append(.work(work, step.source, layout)) }
        }
    }
    return parts
}

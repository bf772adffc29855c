import MigrationPlanning
import ModelLoading
import Momtool
import MomtoolReporting

/// Finds the migrations of `plan` and `migrate`, by the arguments, or by the configuration of the model.
struct NamedRoad {
    var migrator: Migrator
    var keepsFromStarting = false

    /// Checks the stages, wherever they are named, before a store is touched; `stages` go before the configuration.
    init(
        of bundles: [ModelBundle],
        at model: String?,
        to version: String?,
        through stages: String?,
        by semantics: StageSemantics = .apple,
        mappings: NamedMappingModels,
        joinTable: [String] = [],
        swift: SwiftSettings = SwiftSettings()
    ) throws {
        if let stages {
            let (read, keepsFromStarting) = try loadStagesWithFaults(
                stages,
                models: bundles,
                swift,
                mappings.read(for: model, stages: stages)
            )
            self.keepsFromStarting = keepsFromStarting
            migrator = try Migrator(
                stages: read,
                to: version,
                semantics: semantics,
                namingJoinTables: joinTable
            )
            return
        }
        guard let bundle = bundles.last else { throw CommandFailure(usage: "name a model") }
        migrator = try Migrator(
            by: settings(for: NamedMappingModels.path(ofModel: model) ?? "."),
            of: bundle,
            to: version,
            beside: bundles.dropLast(),
            mappingModels: mappings.read(for: model),
            semantics: semantics,
            swift
        ).namingJoinTables(by: joinTable)
        guard let read = migrator.stages else { return }
        // Faults of the model were printed when it was read.
        Console.show(
            read.leavingOutApp.diagnostics.filter {
                $0.location?.path.hasPrefix(bundle.path) != true
            }
        )
        keepsFromStarting = try requireSound(read)
    }

    func stagedPlan(from checksum: String) -> StagedPlanReport? {
        guard let stages = migrator.stages?.value, let target = migrator.stagesTarget else {
            return nil
        }
        return StagedPlanReport(stages.manager, from: checksum, to: target, remark: stages.remark)
    }
}

extension CommandFailure {
    /// Options for stages were given, and there are none.
    static let withoutStages = CommandFailure(
        usage:
            "--timeout and --keep-stages go with --stages, or with stages that .momtool.yml names"
    )
}

import MigrationPlanning
import ModelLoading
import Momtool
import MomtoolReporting
import SettingsFiles

/// What finds the migrations of `plan` and `migrate`, by what the arguments name, else by the configuration of the model.
struct NamedRoad {
    /// What finds them.
    var migrator: Migrator
    /// Whether the stages are a plan that keeps an app from starting.
    var keepsFromStarting = false

    /// Checks the stages, whoever names them, and says what is wrong with them.
    ///
    /// - Parameters:
    ///   - bundles: the models, of which the last one counts; empty where the stages name theirs.
    ///   - model: the last model as it was named.
    ///   - version: the name of the new version; the current one when left out.
    ///   - stages: the stages file that was named, which comes before those of the configuration.
    ///   - semantics: how stages are walked.
    ///   - mappings: the mapping models that were named.
    ///   - joinTable: which sides name join tables.
    ///   - swift: what is said of Swift sources.
    /// - Throws: `CommandFailure` for stages with errors, before a store is touched.
    init(
        of bundles: [ModelBundle],
        at model: String?,
        to version: String?,
        through stages: String?,
        by semantics: StageSemantics = .apple,
        mappings: MappingModelOption,
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
            by: settings(for: MappingModelOption.path(ofModel: model) ?? "."),
            of: bundle,
            to: version,
            beside: bundles.dropLast(),
            mappingModels: mappings.read(for: model),
            semantics: semantics,
            swift
        ).namingJoinTables(by: joinTable)
        guard let read = migrator.stages else { return }
        // What is wrong with the model was said when it was read.
        Console.show(
            read.withoutRemarksOnLiveTypes.diagnostics.filter {
                $0.location?.path.hasPrefix(bundle.path) != true
            }
        )
        keepsFromStarting = try requireSound(read)
    }

    /// What the stages do to stores of a version, by both semantics; `nil` where no stages lead on.
    func stagedPlan(from checksum: String) -> StagedPlanReport? {
        guard let stages = migrator.stages?.value, let target = migrator.stagesTarget else {
            return nil
        }
        return StagedPlanReport(stages.manager, from: checksum, to: target, remark: stages.remark)
    }
}

extension CommandFailure {
    /// What goes with stages was named, and there are none.
    static let withoutStages = CommandFailure(
        usage:
            "--timeout and --keep-stages go with --stages, or with stages that .momtool.yml names"
    )
}

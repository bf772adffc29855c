import ArgumentParser
import Essentials
import FileSystem
import MigrationPlanning
import ModelLoading
import Momtool
import MomtoolReporting
import SettingsFiles

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

/// The mapping models of the option `--mapping-models`.
struct NamedMappingModels {
    static let help = ArgumentHelp(
        "A mapping model, or a folder of mapping models; may be repeated. A step uses the one whose hashes fit; without one, it is inferred.",
        valueName: "path"
    )

    let paths: [String]

    /// Reads them, with those of a model's configuration, and those near the model.
    func read(for model: String?) throws -> MappingModels {
        let read = try readSilently(for: model)
        Console.show(read.warnings)
        return read
    }

    /// Whether a readable one leads from one of several models to the last of them.
    func lead(from models: [ModelBundle], to last: ModelBundle, for argument: String) -> Bool {
        // Their faults are reported where the route is looked for.
        guard let read = try? readSilently(for: argument) else { return false }
        return read.lead(from: models.flatMap(\.versions), to: last.versions)
    }

    private func readSilently(for model: String?) throws -> MappingModels {
        let path = Self.path(ofModel: model)
        return try MappingModels(around: path, settings(for: path ?? "."), naming: paths)
    }

    /// Reads them for a list of stages, whose own model counts where none is named.
    func read(for model: String?, stages: String) throws -> MappingModels {
        guard model == nil else { return try read(for: model) }
        let file = readStagesFile(readText(stages).value, path: stages).value
        let folder = parent(of: stages)
        return try read(
            for: file.model.map { $0.hasPrefix("/") || folder == "." ? $0 : "\(folder)/\($0)" }
                ?? stages
        )
    }

    static func path(ofModel model: String?) -> String? {
        model?.split(separator: "#", maxSplits: 1).first.map(String.init)
    }
}

let joinTableHelp = ArgumentHelp(
    "For a many-to-many relationship between an entity and itself: the side that names the join table, such as Person.friends; may be repeated. It is unknown which side Core Data chooses.",
    valueName: "name"
)

extension [ModelBundle] {
    /// Names the join table of an entity with itself by a side of each such relationship.
    func namingJoinTables(by names: [String]) throws -> [ModelBundle] {
        let models = flatMap(\.versions).map(\.model)
        if !models.isEmpty { try requireSelfJoins(names, in: models) }
        return map { $0.namingJoinTables(by: names) }
    }
}

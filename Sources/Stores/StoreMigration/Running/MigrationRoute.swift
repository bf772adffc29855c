package import Diagnostics
package import MappingInference
package import MigrationPlanning
import ModelHashing
package import ObjectModel
import SQLiteAccess
import StoreFormat

/// How stores of one version get to another: the steps, in order, and what carries each of them out.
///
/// A value without a store, made by inference, detours, lists of stages, mapping models and the plan of SwiftData
/// sources alike. ``Migration`` works it out for the contents of a store.
package struct MigrationRoute: Sendable {
    /// The list of stages that the steps belong to; without a stage for inferred steps.
    package var manager: StagedMigrationManager
    /// The version of the stores; `nil` when no model of it is known.
    package var source: ModelVersion?
    /// The version that they get; `nil` when no model of it is known.
    package var destination: ModelVersion?
    /// The steps, in order; empty when the store stays as it is.
    package var steps: [RouteStep]
    /// The work of custom stages, by their index in the list.
    package var works: [Int: CustomStageWork]
    package var policies: MigrationPolicies
    /// Why the route goes through other versions; `nil` if that was requested, or if it does not.
    package var detour: VersionGraph.Detour?
    /// The paths of the mapping models that carry out steps, by the index of their stage in the list.
    package var mappingModels: [Int: String] = [:]

    /// The names of the versions along the route, such as `V1 → V2 → V3`.
    package var versionNames: String {
        let steps = steps.filter(\.kind.changesVersion)
        return ([steps.first?.source] + steps.map(\.destination)).compactMap { $0?.name }
            .joined(separator: " → ")
    }

    /// Whether a mapping model performs a step: its author decided about the rows.
    package func isMapped(_ step: RouteStep) -> Bool {
        guard step.kind == .map, let stage = step.stage else { return false }
        return mappingModels[stage] != nil || works[stage]?.mappingModel != nil
    }

    /// The losses of entities whose objects the mapping model of a step, or the map of a stages file, does not take.
    package func lossesLeft(by step: RouteStep, of file: String? = nil) -> [StepLoss] {
        guard step.kind == .map, let stage = step.stage, let work = works[stage] else { return [] }
        let path = mappingModels[stage] ?? work.mappingModel ?? file ?? ""
        return work.map?.lossesLeft(from: step.source, to: step.destination, at: path) ?? []
    }

    /// Why the map of a step cannot be carried out; `nil` where it can be, or there is none.
    package func fault(in step: RouteStep) -> Diagnostic? {
        guard step.kind == .map, let stage = step.stage, let map = works[stage]?.map else {
            return nil
        }
        let mapping = inferMapping(from: step.source, to: step.destination)
        let (old, new) = (step.source.model, step.destination.model)
        var fault = map.lowered(completing: mapping, from: old, to: new).diagnostics.first
        let path = mappingModels[stage] ?? works[stage]?.mappingModel
        // Core Data computes more expressions of mapping models than momtool does.
        guard fault == nil, path == nil else {
            if let path, fault?.location == nil { fault?.location = FileLocation(path: path) }
            return fault
        }
        var route = self
        route.steps = [step]
        do throws(StoreMigrationError) { _ = try Migration(predictedAlong: route) } catch {
            guard case .map(_, let faults) = error else { return nil }
            return faults.first { $0.rule == .unsupportedMap }
        }
        return nil
    }

    /// Creates the route of one inferred step, or of none between versions of equal hashes.
    ///
    /// Core Data opens a store of one such version with the other, and migrates nothing.
    package init(from source: ModelVersion, to destination: ModelVersion) {
        (self.source, self.destination) = (source, destination)
        manager = StagedMigrationManager([])
        steps =
            source.hashes == destination.hashes ? [] : [RouteStep(from: source, to: destination)]
        (works, policies, detour) = ([:], MigrationPolicies(), nil)
    }

    /// Creates the route through a list of stages.
    ///
    /// `works`, by the index of the stage, decides which parts a custom stage has. `source` and `target` are checksums;
    /// a `target` of `nil` means the last version listed.
    package init(
        by manager: StagedMigrationManager,
        works: [Int: CustomStageWork] = [:],
        policies: MigrationPolicies = MigrationPolicies(),
        from source: String,
        to target: String? = nil,
        semantics: StageSemantics = .apple
    ) throws(StoreMigrationError) {
        var manager = manager
        for (index, stage) in manager.stages.enumerated() {
            guard case .custom(var custom) = stage else { continue }
            custom.parts = works[index]?.parts ?? []
            manager.stages[index] = .custom(custom)
        }
        let last = manager.stages.last?.versions.last?.versionChecksum ?? source
        do throws(StagedPlanError) {
            steps = try manager.plan(from: source, to: target ?? last, semantics: semantics)
        } catch { throw .stages(error) }
        (self.manager, self.works, self.policies) = (manager, works, policies)
        self.source = steps.first?.source ?? manager.version(source)
        destination = steps.last?.destination ?? manager.version(target ?? last)
    }

    package init(around detour: VersionGraph.Detour) throws(StoreMigrationError) {
        let versions = [detour.refused.source] + detour.plans.map(\.destination)
        let stage = LightweightMigrationStage(versions.map { ManagedObjectModelReference($0) })
        try self.init(
            by: StagedMigrationManager([.lightweight(stage)]),
            from: detour.refused.source.checksum,
            to: detour.refused.destination.checksum,
            semantics: .stepwise
        )
        self.detour = detour
    }

    package var isDirect: Bool { steps.count == 1 && steps[0].kind == .lightweight }

    package func title(of step: RouteStep) -> String { manager.title(of: step) }

    /// The number of stages in the progress: the steps of one stage are one.
    package var stageCount: Int { steps.indices.count(where: endsStage) }

    func endsStage(_ index: Int) -> Bool {
        let stage = steps[index].stage
        return stage == nil || index + 1 == steps.count || steps[index + 1].stage != stage
    }

    /// Works out every step: each starts from the result of the previous one.
    func steps(from state: StoreState) throws(StoreMigrationError) -> [Migration.Step] {
        var (schema, layout) = (state.schema, state.layout)
        var steps: [Migration.Step] = []
        for step in self.steps {
            let stage = step.stage.flatMap { works[$0] }
            func add(_ work: Migration.Step.Work, mappingModel: String? = nil) {
                steps.append(
                    Migration.Step(
                        step: step,
                        title: title(of: step),
                        mappingModel: mappingModel,
                        work: work,
                        layout: layout
                    )
                )
            }
            switch step.kind {
            case .lightweight, .map:
                let mapping = inferMapping(from: step.source, to: step.destination)
                let program = try StepProgram(
                    (step.source, step.destination, mapping),
                    map: step.kind == .map ? stage?.map ?? StageMap() : nil,
                    policies: policies,
                    from: layout,
                    schema,
                    frameworkVersion: state.frameworkVersion,
                    stage: "\(step.source.name) → \(step.destination.name)"
                )
                let isMapped = step.kind == .map
                add(
                    .program(program),
                    mappingModel: isMapped ? step.stage.flatMap { mappingModels[$0] } : nil
                )
                (schema, layout) = (schema.applying(program.program), program.program.layout)
            case .willMigrate: if let work = stage?.willMigrate { add(.stage(work)) }
            case .didMigrate: if let work = stage?.didMigrate { add(.stage(work)) }
            }
        }
        return steps
    }
}

struct StoreContents: Sendable {
    let path: String
    let metadata: StoreMetadata
    let schema: StoreSchema

    init(of store: StoreFile) throws(StoreError) {
        path = store.path
        metadata = try store.metadata()
        schema = try StoreSchema(store.connection)
    }
}

/// The layout of a store, before a step or after it.
struct StoreState {
    var schema: StoreSchema
    let layout: StoreLayout
    let frameworkVersion: Int?

    init(schema: StoreSchema, layout: StoreLayout, frameworkVersion: Int?) {
        (self.schema, self.layout, self.frameworkVersion) = (schema, layout, frameworkVersion)
    }

    /// Finds what a model lays out in a store; throws when something is missing.
    init(_ contents: StoreContents, at model: ManagedObjectModel) throws(StoreMigrationError) {
        schema = contents.schema
        frameworkVersion = contents.metadata.frameworkVersion
        layout = storedLayout(of: model, contents.metadata, schema.objects)
        let missing = layout.missing(from: schema.columnSets)
        guard missing.isEmpty else {
            throw .unexpectedLayout(path: contents.path, missing: missing)
        }
    }
}

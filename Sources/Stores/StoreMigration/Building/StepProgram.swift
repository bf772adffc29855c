import Diagnostics
import MappingInference
import MigrationPlanning
import ObjectModel
import StoreFormat

/// One step from version to version, worked out for the contents of a store: one program for mappings of any origin.
struct StepProgram: Sendable {
    let source: ModelVersion
    let destination: ModelVersion
    let mapping: InferredMapping
    /// Where the objects come from: by the map of the step, completed, or by inference.
    let entityMappings: [EntityMapping]
    let program: MigrationProgram
    let questions: [RowQuestion]
    /// Questions whose answers are losses unless the code of policies reads the rows in question.
    let codeQuestions: [RowQuestion]
    let sourceLayout: StoreLayout
    let oldNames: [String: String]
    let policyRuns: [PolicyRun]
    /// The index of the table of which object became which, by the name of the mapping.
    let places: [String: Int]
    /// Whether somebody wrote what the step does, so that its rows are checked before and after it.
    let isMapped: Bool
    let inspected: InspectedTables
    /// The old relationships whose links are rewritten, with their inverses.
    let rewrittenLinks: Set<PropertyReference>
    let packedModel = PackedModel()

    /// Works out a step; throws when Core Data would refuse it, or the map cannot be carried out.
    ///
    /// `map` is `nil` for inference; `layout` and `schema` are the store's before the step; errors call the step
    /// `stage`.
    init(
        _ plan: (source: ModelVersion, destination: ModelVersion, mapping: InferredMapping),
        map: StageMap? = nil,
        policies: MigrationPolicies = MigrationPolicies(),
        from layout: StoreLayout,
        _ schema: StoreSchema,
        frameworkVersion: Int?,
        stage: String = ""
    ) throws(StoreMigrationError) {
        (source, destination, mapping) = plan
        let mappings = try Self.mappings(of: plan, map, stage)
        entityMappings = mappings
        let correspondence = EntityCorrespondence(
            mappings,
            from: layout,
            to: destination.model,
            frameworkVersion: frameworkVersion,
            naming: destination.namingRelationships
        )
        var builder = ProgramBuilder(correspondence: correspondence, schema: schema)
        builder.isMapped = map != nil
        let built = try Self.product(of: builder, map, stage)
        program = built.program.stating(mapping.judgements.map(\.change), correspondence)
        oldNames = built.names
        sourceLayout = layout
        let asking = RowQuestions(
            mapping: mapping,
            links: builder.links,
            isMapped: map != nil,
            expressions: builder.expressions
        )
        let rewritten = layout.tables.filter { built.rewrittenTables.contains($0.name) }
        questions =
            rewritten.map { hierarchyQuestion($0, layout) } + asking.all()
            + derivationQuestions(of: program, asking) + SystemTransfer(builder).recordQuestions
            + built.program.abandoned.map { RowQuestion($0, layout) }
        codeQuestions = map == nil ? [] : asking.codeLosses()
        policyRuns = try built.policies.map { run throws(StoreMigrationError) in
            try PolicyRun(run, map ?? StageMap(), policies, stage)
        }
        var places: [String: Int] = [:]
        for (place, mapping) in mappings.enumerated().reversed() { places[mapping.name] = place }
        for run in built.policies.reversed() { places[run.mapping.name] = run.place }
        self.places = places
        isMapped = map != nil
        rewrittenLinks = builder.links.rewritten
        inspected = InspectedTables(correspondence, builder.links, isMapped: map != nil)
    }

    /// The entity mappings of a step: those of its map, completed, or the inferred ones.
    private static func mappings(
        of plan: (source: ModelVersion, destination: ModelVersion, mapping: InferredMapping),
        _ map: StageMap?,
        _ stage: String
    ) throws(StoreMigrationError) -> [EntityMapping] {
        guard let map else {
            guard plan.mapping.isInferable else { throw .notInferable(plan.mapping.refusals) }
            return plan.mapping.entityMappings
        }
        let lowered = map.lowered(
            completing: plan.mapping,
            from: plan.source.model,
            to: plan.destination.model
        )
        guard lowered.diagnostics.isEmpty else { throw .map(stage: stage, lowered.diagnostics) }
        return lowered.value
    }

    /// Builds the program; what the map asks for and cannot be done is an error of the stage.
    private static func product(
        of builder: ProgramBuilder,
        _ map: StageMap?,
        _ stage: String
    ) throws(StoreMigrationError) -> ProgramBuilder.Product {
        do throws(MapFaults) { return try builder.build() } catch {
            let faults = error.faults.map { mapping, fault in
                let entity = map?.entities.first { $0.name == mapping.name }
                return fault.diagnostic(
                    ofMapping: mapping.name,
                    entity: mapping.destinationEntity,
                    at: entity?.locations ?? [:]
                )
            }
            throw .map(stage: stage, faults)
        }
    }

    /// The program for a store whose rows were checked: rows without a known entity are removed first.
    func program(after findings: [RowFinding]) -> MigrationProgram {
        guard !findings.isEmpty else { return program }
        var program = program
        program.steps.insert(contentsOf: removals(of: findings), at: 0)
        return program
    }

    /// The steps that remove rows of no entity, and recompute what was derived from them.
    func removals(of findings: [RowFinding]) -> [ProgramStep] {
        let tables = findings.compactMap { finding -> EntityTable? in
            guard finding.risk.kind == .rowsOfNoEntity else { return nil }
            return sourceLayout.table(of: finding.risk.sourceEntity)
        }
        let removals = tables.map { table in
            let numbers = sourceLayout.numbers(ofHierarchy: table.rootEntity)
            return RowChange.removeStrays(table: table.name, numbers: numbers)
        }
        let written = WrittenCells(emptiedTables: Set(tables.map(\.name)))
        let derived = corrections(in: sourceLayout, after: written)
        return (removals + derived).map { .rows($0) }
    }
}

extension PolicyRun {
    init(
        _ program: PolicyProgram,
        _ map: StageMap,
        _ policies: MigrationPolicies,
        _ stage: String
    ) throws(StoreMigrationError) {
        let name = program.mapping.policyName ?? ""
        let entity = map.entities.first { $0.name == program.mapping.name && $0.policyName == name }
        guard let entity, let policy = policies[name] else {
            let message = "no Swift policy is registered under the name '\(name)'"
            throw .map(stage: stage, [Diagnostic("unregistered-policy", message)])
        }
        self.init(program: program, map: entity, policy: policy)
    }
}

/// What is lost for a while where derived attributes cannot be computed.
private func derivationQuestions(
    of program: MigrationProgram,
    _ asking: RowQuestions
) -> [RowQuestion] {
    program.uncomputed.flatMap { value in
        asking.correspondence.pairs(ofKind: value.entity).compactMap { pair in
            let attribute = PropertyReference(entity: value.entity, name: value.attribute)
            let kind = RowRisk.Kind.derivationNotComputed(reason: value.reason)
            return asking.question(pair.risk(kind, to: attribute))
        }
    }
}

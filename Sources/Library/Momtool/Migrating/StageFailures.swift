package import Diagnostics
import MigrationPlanning
import ModelChecking
import ModelHashing
package import ModelLoading
import ObjectModel
import SettingsFiles
import SwiftDataReading

extension RuleID { package static let stagesFail: RuleID = "stages-fail" }

extension ModelBundle {
    /// The names of the versions that plans of Swift sources list, unless they have no stages.
    package var plannedVersions: Set<String> {
        Set((swift?.plans ?? []).filter { !$0.stages.isEmpty }.flatMap(\.schemas))
    }

    package var unplannedVersions: Set<String> {
        let planned = plannedVersions
        return planned.isEmpty ? [] : (swift?.schemas ?? []).subtracting(planned)
    }

    /// Walks the plans of Swift sources as an app does at its start, from each listed version; reports each cause once.
    package func planFailures() -> [Diagnostic] {
        knownPlans().flatMap { plan -> [Diagnostic] in
            guard let target = plan.listed.last else { return [] }
            return failures(
                of: plan.manager,
                from: plan.listed,
                to: target.checksum,
                target.name,
                plan.places,
                plan.place
            )
        }
    }

    typealias KnownPlan = (
        name: String, manager: StagedMigrationManager, listed: [ModelVersion],
        places: [FileLocation], place: FileLocation
    )

    func knownPlans() -> [KnownPlan] {
        (swift?.plans ?? []).filter { !$0.stages.isEmpty }.compactMap { plan in
            let place = plan.source.element ?? FileLocation(path: path)
            let stages = stageList(of: plan)
            let manager = StagesFile(path: place.path, stages: stages)
                .manager { version(named: $0.name) }
            let listed = plan.schemas.compactMap { version(named: $0) }
            guard listed.count == plan.schemas.count else { return nil }
            return (plan.name, manager, listed, stages.map(\.location), place)
        }
    }

    /// Reads stages files of the model, beside its named mapping models.
    func readStages(
        _ paths: [String],
        _ mappingModels: MappingModels,
        _ swift: SwiftSettings = SwiftSettings()
    ) -> [ReadStages] {
        paths.map { path in
            let read = Result { () throws(MomtoolError) in
                try stages(at: path, swift, mappingModels.named)
            }
            let file = (try? read.get())?.value.file
            return ReadStages(path: path, read: read, contradiction: file.flatMap(contradiction))
        }
    }

    /// Warns of a stages file with work for a step that the plan of the app takes without code.
    func contradiction(of file: StagesFile) -> Diagnostic? {
        let plans = (swift?.plans ?? []).filter { !$0.stages.isEmpty }
        for stage in file.stages where stage.isCustom && stage.versions.count == 2 {
            let names = stage.versions.map(\.name)
            let own = plans.filter { names.allSatisfy($0.schemas.contains) }
            let isRun = own.flatMap(\.stages).contains {
                $0.kind == .custom && $0.from == names[0] && $0.to == names[1]
            }
            guard let plan = own.first, !isRun else { continue }
            let message =
                "\(plan.name) has no custom stage from '\(names[0])' to '\(names[1])', so the app does not do what this file says"
            return Diagnostic(.customStageNotRun, message, severity: .warning, at: stage.location)
        }
        return nil
    }

    /// Walks stages files of this model from each version; reports each cause once.
    func stageFailures(in lists: [ReadStages]) -> [Diagnostic] {
        // Stores of the current version and older ones are walked to it, as an app opens it.
        let field = versions.firstIndex(where: \.isCurrent).map { versions[...$0] } ?? versions[...]
        var isLedTo = false
        let found = lists.map { list -> (isLeading: Bool, faults: [Diagnostic]) in
            if let fault = list.contradiction { return (true, [fault]) }
            let place = FileLocation(path: list.path)
            do throws(MomtoolError) {
                guard let read = try list.read.get() else { return (true, []) }
                guard !read.hasErrors else {
                    return (true, read.diagnostics.filter { $0.severity == .error })
                }
                guard let last = read.value.lastChecksum else { return (true, []) }
                let target = currentVersion?.checksum ?? last
                let leads = read.value.manager.lists(target)
                if leads { isLedTo = true }
                // Why a version cannot be read is reported for it.
                let unread = Set(unreadableVersions.map(\.name))
                let listed = read.value.manager.stages.flatMap(\.versions)
                guard !listed.contains(where: { $0.found == nil && unread.contains($0.name) })
                else { return (leads, []) }
                let places = read.value.file.stages.map(\.location)
                let faults = failures(
                    of: read.value.manager,
                    from: Array(field),
                    to: target,
                    currentVersion?.name,
                    places,
                    place
                )
                let beyond = read.value.findings().filter { $0.rule == .mapBeyondCoreData }
                return (leads, faults + beyond)
            } catch {
                let faults = error.diagnostics.map {
                    Diagnostic(
                        .stagesFail,
                        saying: $0.wording,
                        severity: $0.severity,
                        at: $0.location ?? place,
                        notes: $0.notes
                    )
                }
                return (true, faults)
            }
        }
        // The first file that lists the version counts.
        return found.filter { $0.isLeading || !isLedTo }.flatMap(\.faults)
    }
}

/// A stages file of a model, as it was read; `nil` for one of another model.
struct ReadStages {
    let path: String
    let read: Result<Diagnosed<Stages>?, MomtoolError>
    /// How the app's own plan differs.
    let contradiction: Diagnostic?

    /// The stages, unless there are none, or errors in them, or the app does not follow them.
    var sound: Stages? {
        guard let read = try? read.get(), !read.hasErrors, contradiction == nil else { return nil }
        return read.value
    }
}

extension [ReadStages] {
    /// What answers for steps: the path of a mapping model, or of a stages file with a map for it, neither of which needs
    /// inference, and whether that leaves a loss of the inferred step open.
    func answers(
        _ models: MappingModels
    ) -> (
        path: (ModelVersion, ModelVersion) -> String?,
        leaveOpen: (StepLoss, ModelVersion, ModelVersion) -> Bool
    ) {
        (
            { models.path(from: $0, to: $1) ?? stage(from: $0, to: $1, with: [.map])?.file },
            { loss, from, to in
                models.path(from: from, to: to) == nil
                    ? stage(from: from, to: to, with: [.map])?.work?.map?.leavesOpen(
                        loss,
                        from: from
                    )
                        == true
                    : models.leavesOpen(loss, from: from, to: to)
            }
        )
    }

    /// What a lock records of the steps into a version: the named losses, and what mapping models and maps leave out.
    func losses(into name: String, _ ledger: LossLedger, _ models: MappingModels) -> [String]? {
        guard let end = ledger.versions.firstIndex(where: { $0.name == name }) else { return nil }
        let version = ledger.versions[end]
        let left = ledger.versions[..<end].flatMap { source in
            let map =
                (try? models.map(from: source, to: version))?.map
                ?? stage(from: source, to: version, with: [.map])?.work?.map
            return map?.lossesLeft(from: source, to: version, at: "").map(\.name) ?? []
        }
        let all = Set((namedLosses(into: name, ledger) ?? []) + left)
        return all.isEmpty ? nil : all.sorted()
    }

    /// The work of a custom stage for a step, with one of some parts if these are given, and the stages file that has it.
    func stage(
        from source: ModelVersion,
        to target: ModelVersion,
        with parts: Set<CustomMigrationStage.Part>? = nil
    ) -> (file: String, work: CustomStageWork?)? {
        for list in self {
            guard let stages = list.sound else { continue }
            let index = stages.manager.stages.firstIndex { stage in
                guard case .custom(let stage) = stage else { return false }
                return stage.currentModel.versionChecksum == source.hashes.checksum
                    && stage.nextModel.versionChecksum == target.hashes.checksum
                    && parts?.isDisjoint(with: stage.parts) != true
            }
            if let index { return (list.path, stages.works[index]) }
        }
        return nil
    }
}

/// The first plan of Swift sources that opens a version and fails at launch for any store.
func faultyPlan(of plans: [ModelBundle.KnownPlan], opening version: ModelVersion) -> FaultyList? {
    plans.lazy.filter { $0.listed.last?.name == version.name }.compactMap { plan in
        let faults = plan.manager.faults(versions: plan.listed, at: plan.places, in: plan.place)
        return FaultyList(plan.place.path, faults)
    }.first
}

struct FaultyList: Sendable {
    let path: String
    /// What Core Data raises an exception for; never empty.
    let faults: [Diagnostic]

    /// Takes the faults of a list; `nil` where none raises an exception: others keep stores of some versions from
    /// migrating, which a walk from there reports.
    init?(_ path: String, _ faults: [Diagnostic]) {
        let faults = faults.filter(\.raisesAtStart)
        guard !faults.isEmpty else { return nil }
        (self.path, self.faults) = (path, faults)
    }
}

/// The faults of a list of stages, or the versions from which it does not reach the target.
private func failures(
    of manager: StagedMigrationManager,
    from versions: [ModelVersion],
    to target: String,
    _ name: String?,
    _ places: [FileLocation],
    _ whole: FileLocation
) -> [Diagnostic] {
    guard manager.isWhole else { return [] }
    let faults = manager.faults(versions: versions, at: places, in: whole)
    let known = faults.map {
        Diagnostic(.stagesFail, saying: $0.wording, severity: $0.severity, at: $0.location)
    }
    guard !known.contains(where: { $0.severity == .error }) else { return known }
    var seen: Set<String> = [target]
    var reasons: [(reason: String, isGuess: Bool, names: [String])] = []
    for version in versions where version.isWhole && seen.insert(version.checksum).inserted {
        do throws(StagedPlanError) {
            _ = try manager.plan(from: version.checksum, to: target, semantics: .apple)
        } catch {
            let reason = error.naming(target: name)
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].names.append("'\(version.name)'")
            } else {
                reasons.append((reason, error.isGuess, ["'\(version.name)'"]))
            }
        }
    }
    return known
        + reasons.filter { !$0.isGuess || known.isEmpty }.map { reason, isGuess, names in
            let what = isGuess ? "may not open" : "do not open"
            let message = "stores of \(names.listed(most: 3)) \(what): \(reason)"
            let severity: Severity = isGuess ? .warning : .error
            return Diagnostic(.stagesFail, message, severity: severity, at: whole)
        }
}

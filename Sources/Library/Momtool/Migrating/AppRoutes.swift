package import Diagnosing
import Diagnostics
package import MigrationPlanning
package import ModelLoading
import ObjectModel
import StoreMigration
import SwiftDataReading

extension ModelContext {
    /// Adds the versions that only the model's lock has, and the unreadable ones.
    package mutating func take(from bundle: ModelBundle) {
        (absent, configuration) = (bundle.absentVersions, bundle.configuration)
        unreadable = bundle.unreadableVersions.map(\.name)
        let named = NamedLosses(in: [bundle])
        markingAllowed = { findings, migration in
            findings.allowed(by: (try? named.agreement(for: migration)) ?? .none)
        }
    }

    /// Lets a diagnosis find routes of stores as other commands do; errors are reported where a store needs a route.
    package mutating func findRoutes(by migrator: () throws(MomtoolError) -> Migrator) {
        do throws(MomtoolError) {
            let migrator = try migrator()
            route = { migrator.appRoute(from: $0) }
            faultyStages = migrator.faultyList.map { ($0.path, $0.faults) }
            isNewer = { migrator.isNewer($0) }
            notes = { route in
                let isAsked = route.steps.count > 1 && !migrator.isStepwise
                let asked = isAsked ? migrator.codeQuestion : migrator.stagesQuestion
                return
                    (migrator.unusedMappingModels(on: route) + migrator.unrunStages(on: route)
                    + [asked, migrator.stoppedMigration()].compactMap(\.self)).map(\.printed)
            }
        } catch {
            let reason = error.lines.joined(separator: "; ")
            route = { _ in .unknown(reason: reason) }
        }
    }
}

extension Migrator {
    /// The route of the app; where Core Data gets nowhere and code of the app migrates stores, through every version.
    fileprivate func appRoute(from source: ModelVersion) -> AppRoute {
        let own = ownRoute(from: source)
        guard !own.isTaken, codeMigrator() != nil else { return own }
        let steps = takingEveryStep.ownRoute(from: source)
        return switch steps {
        case .found(_, .code), .mappingModel: steps
        default: own
        }
    }

    private func ownRoute(from source: ModelVersion) -> AppRoute {
        do throws(MomtoolError) {
            let route = try route(from: source)
            if let stagesPath {
                let fault = stages?.value.findings().first { $0.severity == .error }
                return fault.map { .noStage((stagesPath, $0.wording, false)) }
                    ?? .found(route, .stages(stagesPath))
            }
            if let fault = planFault(from: source) { return .noStage(fault) }
            if let road = codeOfPlan(on: route) { return .found(route, road) }
            if !isTaken(route) || unaskedChain(route) != nil { return .detour(route) }
            if route.detour != nil { return .found(route, .plan) }
            if route.steps.count > 1 { return .found(route, .code) }
            // Core Data asks for a mapping model first, whatever could be inferred.
            if let unused = route.steps.lazy.compactMap(mappingModels.unused).first {
                return .mappingModel(path: unused.location?.path ?? "", reason: unused.wording)
            }
            return route.mappingModels.first.map { .found(route, .mappingModel($0.value)) }
                ?? .inferred(route)
        } catch {
            let reason = error.diagnostics.first?.wording ?? error.lines.joined(separator: "; ")
            if let chain = error.chain { return .chain("\(chain.refusal)", reason: reason) }
            if let path = error.mappingModel { return .mappingModel(path: path, reason: reason) }
            guard let stagesPath else { return .nowhere }
            var isGuess = false
            if case .stages(let fault)? = error.migration { isGuess = fault.isGuess }
            return .noStage((stagesPath, reason, isGuess))
        }
    }

    /// The SwiftData plan that an app follows instead of a route, where its custom stages run Swift on the way.
    private func codeOfPlan(on route: MigrationRoute) -> AppRoad? {
        guard let planned, let source = route.source, let target = destination,
            isPlanned(from: source, to: target), !unrunStages(on: route).isEmpty
        else { return nil }
        let names = planned.versions.map(\.name)
        guard let start = names.firstIndex(of: source.name),
            let end = names.firstIndex(of: target.name), start < end
        else { return nil }
        let stops = names[start...end].filter(plannedVersions.contains)
        let plan = planned.swift?.plans.first {
            Set($0.schemas).isSuperset(of: [source.name, target.name])
        }
        let mark = planned.swift?.hasSeveralPlans == true ? plan.map { "#\($0.name)" } : nil
        return .planWithCode(
            path: planned.path + (mark ?? ""),
            names: stops.joined(separator: " → "),
            mayChangeRows: planned.stagesWithCode(from: source.name, to: target.name)
                .mayChangeRows(before: target.name)
        )
    }

    /// Why the SwiftData plan of an app does not lead stores of a version of the sources to the new one; `nil` where it
    /// does, or is not for them.
    package func planFault(from source: ModelVersion) -> StageRefusal? {
        guard case .versions = road, let planned, let target = destination,
            source.hashes != target.hashes
        else { return nil }
        guard !isNewer(source) else {
            let plan = planned.swift?.plans.first { plan in
                !plan.stages.isEmpty && plan.schemas.contains(source.name)
                    && plan.schemas.contains(target.name)
            }
            guard let plan, target.name == planned.currentVersion?.name else { return nil }
            let reason: Wording =
                "\(plan.name) does not lead back from \(source.name) to \(target.name), which the container opens (134506)"
            return (plan.source.element?.path ?? planned.path, reason, false)
        }
        let unlisted = planned.unplannedVersions
        for plan in planned.swift?.plans ?? [] where !plan.stages.isEmpty {
            let path = plan.source.element?.path ?? planned.path
            if let name = [source.name, target.name].last(where: unlisted.contains),
                name == target.name || plan.schemas.last == target.name
            {
                return (path, "no plan lists \(name), an unknown version (134504)", false)
            }
            if plan.isOpenedOtherwise,
                plan.schemas.last == target.name || target.name == planned.currentVersion?.name
            {
                let what = "the container opens classes of no version of \(plan.name) (134504)"
                return (path, Wording(what), false)
            }
            guard let start = plan.schemas.firstIndex(of: source.name),
                let end = plan.schemas.firstIndex(of: target.name), start < end
            else { continue }
            for (from, to) in zip(plan.schemas[start..<end], plan.schemas[(start + 1)...end])
            where !plan.stages.contains(where: { $0.from == from && $0.to == to }) {
                return (path, "\(plan.name) has no stage from \(from) to \(to)", false)
            }
            guard let known = knownPlans.first(where: { $0.name == plan.name }),
                known.manager.isWhole, source.isWhole
            else { continue }
            do throws(StagedPlanError) {
                let target = target.checksum
                _ = try known.manager.plan(from: source.checksum, to: target, semantics: .apple)
            } catch { return (path, Wording(error.naming(target: target.name)), error.isGuess) }
        }
        return nil
    }
}

extension StoreVersions {
    /// Finds the way around a direct step that is refused; throws when there is none, with the missing steps.
    package func detour(from source: ModelVersion) throws(MomtoolError) -> VersionGraph.Detour {
        func place(_ version: ModelVersion, in versions: [ModelVersion]) -> Int? {
            versions.lastIndex { $0.isSame(as: version) }
        }
        let versions = place(source, in: all) == nil ? [source] + all : all
        guard let start = place(source, in: versions), let end = place(destination, in: versions)
        else { throw MomtoolError(.refused, saying: "the version has no model", "unknown-version") }
        switch VersionGraph(versions: versions).route(from: start, to: end) {
        case .detour(let detour): return detour
        case .none(let refused, let deadEnds):
            var error = MomtoolError(refusing: refused)
            error.deadEnds = deadEnds
            error.remarks += error.deadEndNote.map { ["note: \($0)"] } ?? []
            throw error
        case .nothingToDo, .direct:
            throw MomtoolError(refusing: MigrationPlan(from: source, to: destination))
        }
    }
}

extension MomtoolError {
    fileprivate init(refusing plan: MigrationPlan) {
        self.init(.refused, saying: plan.mapping.refusals.map(\.diagnostic))
    }

    /// The steps that block every route; `nil` for another reason.
    var deadEndNote: String? {
        guard !deadEnds.isEmpty else { return nil }
        let steps = deadEnds.map { "\($0.source.name) → \($0.destination.name)" }
        return "no chain of steps leads there; missing: \(steps.joined(separator: ", "))"
    }
}

extension VersionGraph.Detour {
    /// Such as `V1 → V2 → V3`.
    package var title: String {
        ([refused.source.name] + plans.map(\.destination.name)).joined(separator: " → ")
    }

    package var reason: String {
        let reasons = refused.mapping.refusals.map(\.subject)
        return "\(refused.source.name) → \(refused.destination.name) is refused in one step ("
            + "\(reasons.joined(separator: "; "))); the route is \(title)"
    }
}

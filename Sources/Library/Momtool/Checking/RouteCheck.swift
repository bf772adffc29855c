import Diagnostics
import MappingInference
package import MigrationPlanning
package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
import SettingsFiles
package import StoreMigration

/// Judges the routes of stores of older versions to the current one, each as one route.
///
/// Steps between consecutive versions do not show everything: Core Data takes one step, past the versions between, and
/// never goes through other versions automatically.
package struct RouteCheck: Sendable {
    package struct Route: Sendable {
        package var source: ModelVersion
        package var route: MigrationRoute
    }

    package let target: ModelVersion
    package let migrator: Migrator
    package private(set) var count = 0
    package private(set) var routes: [Route] = []
    /// What keeps stores from the current version, what they lose only on this route, and a note about stages of a plan
    /// that cannot run here.
    package internal(set) var findings: [Finding] = []
    private var unrun: [Finding] = []
    /// Losses of past steps, by the version that drops them, on the route of stores of another version.
    private var unlocked: [(owner: ModelVersion, source: ModelVersion, loss: StepLoss)] = []
    /// The steps that were judged, by the names of their versions: where an app takes every step, routes share steps.
    private var judged: Set<[String]> = []
    /// Whether the linter has reported why a step to the current version is refused.
    private let isReported: Bool
    /// Whether reading or walking the plan of Swift sources has reported it.
    private let isPlanReported: Bool

    /// Judges the routes of all older versions; `named` is the ledger without what is only assumed to have shipped because
    /// there is no lock, `nil` with a lock.
    package init?(
        of bundle: ModelBundle,
        _ lock: ModelLock?,
        by migrator: Migrator,
        _ ledger: LossLedger,
        named: LossLedger? = nil,
        earlier: [Finding] = []
    ) {
        let versions = bundle.versions
        let unread = unreadVersions(versions, reading: earlier.map(\.diagnostic))
        guard let current = bundle.currentVersion ?? (versions.count == 1 ? versions[0] : nil),
            let end = versions.firstIndex(where: { $0.isSame(as: current) }),
            !unread.contains(current.name)
        else { return nil }
        (target, self.migrator) = (current, migrator)
        let faults = earlier.filter { $0.diagnostic.severity > .note }.map(\.diagnostic.rule)
        isPlanReported = faults.contains {
            $0 == .stagesFail || $0 == "container-list-differs" || Rule.ofPlans.contains($0)
        }
        isReported = earlier.contains { finding in
            let rule = finding.diagnostic.rule
            return rule == .stagesFail
                || (rule == "step-not-inferable" && finding.version == current.name)
        }
        // Stores of a version that no plan lists do not open, which the linter reports.
        let left = bundle.unplannedVersions.union(unread)
        let older = bundle.versionsInTheField(before: end, lock)
            .filter { $0.hashes != current.hashes && !left.contains($0.name) }
        guard !older.isEmpty else { return }
        count = older.count
        let losses = DirectLosses(
            migrator.leavingToStages(ledger),
            named: named.map(migrator.leavingToStages),
            to: current,
            path: bundle.path,
            lock,
            mappingModel: migrator.mappingModels.path
        )
        for version in older { add(version, losses) }
        findings += unrunStages(from: older).map { [$0] } ?? []
        for owner in versions[..<end] {
            let own = unlocked.filter { $0.owner.isSame(as: owner) }
            // The version next to the target names its losses as the step does.
            guard let last = own.last?.source else { continue }
            // If an app takes every step, several routes have it.
            var seen: Set<StepLoss> = []
            let near = own.filter { $0.source.isSame(as: last) }.map(\.loss)
                .filter { seen.insert($0).inserted }
            var known: Set<String> = []
            let sources = own.map(\.source.name).filter { known.insert($0).inserted }
            findings.append(losses.warning(of: near, by: owner, from: sources))
        }
    }

    /// Notes on mapping models that were not run, one for each cause.
    package var notRun: [Finding] { joined(unrun) }

    /// The findings as reported, with those of one cause combined.
    package func reported(_ versions: [ModelVersion], _ options: CheckOptions) -> [Finding] {
        joined(settled(findings, versions, options))
    }

    func harms(_ versions: [ModelVersion], _ options: CheckOptions) -> [Finding] {
        reported(versions, options).filter { finding in
            finding.diagnostic.severity == .error
                || (finding.diagnostic.loss != nil && finding.diagnostic.severity > .note)
        }
    }

    /// One note for the model on the stages of its plan with Swift that cannot run here; `nil` for none.
    private func unrunStages(from older: [ModelVersion]) -> Finding? {
        var known: Set<Diagnostic> = []
        let stages = older.flatMap { migrator.unrunStages(from: $0, to: target) }
            .filter { known.insert($0).inserted }
        guard var note = stages.first else { return nil }
        note.notes += stages.dropFirst().map { Diagnostic.Note($0.message, at: $0.location) }
        return Finding(note)
    }

    private mutating func add(_ version: ModelVersion, _ losses: DirectLosses) {
        do throws(MomtoolError) {
            if !isPlanReported, let fault = migrator.planFault(from: version) {
                findings.append(
                    refusal(from: version, [], fault.reason, [], isGuess: fault.isGuess)
                )
            }
            let route = try migrator.route(from: version)
            if let detour = route.detour, !migrator.isTaken(route) {
                findings += refusal(from: version, detour).map { [$0] } ?? []
                return
            }
            routes.append(Route(source: version, route: route))
            addUnused(on: route, from: version)
            findings += route.steps.compactMap(migrator.mappingModels.ambiguity)
                .map { Finding($0, version: version.name) }
            if let chain = migrator.unaskedChain(route) {
                findings.append(chain.finding(from: version, to: target))
            }
            if route.isDirect, route.manager.stages.isEmpty,
                !migrator.isPlanned(from: version, to: target),
                version.entitiesWithGaps.isEmpty, target.entitiesWithGaps.isEmpty
            {
                // The app uses a mapping model that is ignored here.
                let isMapped = migrator.mappingModels.path(from: version, to: target) != nil
                findings += losses.findings(from: version) { !isMapped || $0.isOfIndex }
            } else if route.steps.count == 1, route.isMapped(route.steps[0]) {
                findings += losses.findings(from: version) {
                    migrator.mappingModels.leavesOpen($0, from: version, to: target)
                }
            }
            for step in route.steps {
                let left = route.lossesLeft(by: step, of: migrator.stagesPath)
                findings += losses.findings(of: left, from: step.source, to: step.destination)
                let names = ["map", step.source.name, step.destination.name]
                guard step.kind == .map, judged.insert(names).inserted else { continue }
                findings += route.fault(in: step).map { [Finding($0, version: target.name)] } ?? []
            }
            for step in route.steps
            where step.kind == .lightweight && step.stage == nil
                && step.source.entitiesWithGaps.isEmpty && step.destination.entitiesWithGaps.isEmpty
                && !migrator.isAnswered(step, on: route)
            {
                unlocked += losses.unlocked(from: step.source, to: step.destination)
                    .map { ($0.owner, step.source, $0.loss) }
                if route.steps.count > 1, migrator.isStepwise,
                    judged.insert([step.source.name, step.destination.name]).inserted
                {
                    findings += losses.findings(ofStepFrom: step.source, to: step.destination)
                }
            }
        } catch {
            add(error, from: version)
            if error.mappingModel != nil, error.chain == nil, !error.isOfDeclaredPolicy {
                findings += losses.findings(from: version, where: \.isOfIndex)
            }
        }
    }

    /// Notes unused mapping models, once: where an app takes every step, routes share them.
    private mutating func addUnused(on route: MigrationRoute, from version: ModelVersion) {
        for unused in migrator.unusedMappingModels(on: route)
        where !(unrun + findings).contains(where: { $0.diagnostic == unused }) {
            if unused.rule == .mappingModelSkipsVersions {
                findings.append(Finding(unused))
            } else {
                unrun.append(Finding(unused, version: version.name))
            }
        }
    }

    /// Reports a version from which no route leads on, unless that was reported.
    private mutating func add(_ error: MomtoolError, from version: ModelVersion) {
        // What one of its steps does changes nothing: Core Data takes none of them.
        if let chain = error.chain { findings.append(chain.finding(from: version, to: target)) }
        guard !error.isOfDeclaredPolicy else {
            // All routes that take the step have it.
            findings += error.diagnostics.filter { fault in
                !findings.contains { $0.diagnostic == fault }
            }.map { Finding($0) }
            return
        }
        guard error.chain == nil else { return }
        if let path = error.mappingModel {
            let reason = error.diagnostics.first?.wording ?? "momtool cannot run it"
            let diagnostic = Diagnostic(
                .mappingModelNotRun,
                saying:
                    "stores of '\(version.name)' migrate to '\(target.name)' with this mapping model, which was not run: \(reason)",
                severity: .note,
                at: FileLocation(path: path)
            )
            unrun.append(Finding(diagnostic, version: version.name))
            findings += error.diagnostics.filter { $0.rule == .severalMappingModels }
                .map { Finding($0, version: version.name) }
            return
        }
        // What is wrong with a list of stages is reported for the list.
        guard !isReported, !migrator.isPlanned(from: version, to: target),
            error.diagnostics != migrator.faultyList?.faults
        else { return }
        let mapping = inferMapping(from: version, to: target)
        let refusals = migrator.isStepwise ? [] : mapping.refusals
        let reason =
            (refusals.first?.diagnostic ?? error.diagnostics.first)?.wording
            ?? error.lines.first ?? "no route leads there"
        let notes = error.deadEndNote.map { [Diagnostic.Note($0)] } ?? []
        findings.append(refusal(from: version, refusals, reason, notes))
    }

    /// Reports a version whose stores reach the current one only through others, which Core Data does not do.
    private func refusal(from version: ModelVersion, _ detour: VersionGraph.Detour) -> Finding? {
        guard !isReported else { return nil }
        let refusals = detour.refused.mapping.refusals
        let names = ([version] + detour.plans.map(\.destination)).map(\.name)
        return refusal(
            from: version,
            refusals,
            refusals.first?.diagnostic.wording ?? "the step is refused",
            [
                Diagnostic.Note(
                    saying: """
                        \(.migrator) goes \(names.joined(separator: " → ")), which Core Data does not do automatically; if the \
                        app's code does, set migration: stepwise in .momtool.yml
                        """
                )
            ]
        )
    }

    private func refusal(
        from version: ModelVersion,
        _ refusals: [Refusal],
        _ reason: Wording,
        _ notes: [Diagnostic.Note],
        isGuess: Bool = false
    ) -> Finding {
        let isGuess = isGuess || !refusals.isEmpty && refusals.allSatisfy(\.evidence.isGuess)
        let more = refusals.count > 1 ? " and \(refusals.count - 1) more" : ""
        let first = refusals.first?.diagnostic
        let diagnostic = Diagnostic(
            .versionCannotOpen,
            saying:
                "stores of '\(version.name)' cannot migrate to '\(target.name)': \(reason)\(more)",
            severity: isGuess ? .warning : .error,
            at: first?.location ?? FileLocation(path: target.path),
            element: first?.element,
            notes: (first?.notes ?? []) + notes
        )
        return Finding(diagnostic, version: version.name)
    }
}

extension Linter.Result {
    /// Whether there is something to migrate and to compare, even if configured files are missing.
    package var isReadable: Bool {
        let own = configuration.path ?? ""
        return !findings.map(\.diagnostic).contains {
            $0.severity == .error && $0.location?.path != own
                && [.unreadableFile, .notAModel, .missingCurrentVersion].contains($0.rule)
        }
    }

    /// Whether a finding tells what an index decides beside a mapping model that answers for the rest of the step: stores
    /// of other versions, which the mapping model is not for, lose the rest.
    private func isOfIndexBesideCode(_ finding: Finding) -> Bool {
        guard finding.diagnostic.rule == "rows-decide",
            let version = finding.version.flatMap({ bundle.version(named: $0) }),
            let before = try? bundle.predecessor(of: version)
        else { return false }
        return mappingModels.path(from: before, to: version) != nil
    }

    func judgingRoutes(
        through stages: [String],
        _ swift: SwiftSettings,
        _ options: CheckOptions,
        _ named: LossLedger
    ) -> Linter.Result {
        var result = self
        var named = lock?.versions.isEmpty ?? true ? named : nil
        for finding in findings {
            // Renames in a spelling without effect are losses under another name.
            let isLoss =
                finding.diagnostic.loss != nil
                || (finding.diagnostic.rule == "literal-renaming-identifier"
                    && finding.diagnostic.severity > .note)
            if isLoss, let version = finding.version, !isOfIndexBesideCode(finding) {
                result.ledger.named[version] = .all
                if finding.diagnostic.severity > .note { named?.named[version] = .all }
            }
        }
        func check(_ store: ModelBundle, by mappingModels: MappingModels) -> RouteCheck? {
            // Stages that cannot be read are reported already.
            let migrator = try? Migrator(
                by: configuration,
                of: store,
                mappingModels: mappingModels,
                stages: stages,
                swift
            )
            let (ledger, named) = (result.ledger.keeping(store), named?.keeping(store))
            return migrator.flatMap {
                RouteCheck(of: store, lock, by: $0, ledger, named: named, earlier: findings)
            }
        }
        let stores = bundle.stores
        guard isReadable, let direct = check(stores[0], by: mappingModels) else { return result }
        let routes = direct.asking { () -> RouteCheck? in
            var models = mappingModels
            models.isStepwise = true
            return check(stores[0], by: models)
        }
        result.routes = routes
        let all = [routes] + stores.dropFirst().compactMap { check($0, by: mappingModels) }
        result.harmsOfRoutes = all.flatMap { $0.harms(bundle.versions, options) }
        var new = all.flatMap { $0.reported(bundle.versions, options) }
        let losesUnasked = findings.contains { finding in
            Rule.ofLosses.contains(finding.diagnostic.rule) && finding.diagnostic.severity > .note
        }
        if losesUnasked, let question = direct.migrator.stagesQuestion {
            new.addNew([Finding(question)])
        }
        guard !new.isEmpty else { return result }
        result.findings = settled(findings + new, bundle.versions, options)
        for finding in new {
            guard let loss = finding.diagnostic.loss else { continue }
            if let version = finding.version { result.ledger.named[version] = .all }
            // The ledger of steps does not know a loss past a step of a mapping model.
            result.ledger.always = result.ledger.always.union(.named([loss]))
        }
        return result
    }
}

extension RuleID { package static let versionCannotOpen: RuleID = "version-cannot-open" }

/// Joins equal findings about stores of several versions: that of the oldest one, with the others' names.
private func joined(_ findings: [Finding]) -> [Finding] {
    func name(_ finding: Finding) -> String {
        let parts = finding.diagnostic.message.split(separator: "'", maxSplits: 2)
        return parts.count > 1 ? "'\(parts[1])'" : ""
    }
    func key(_ finding: Finding) -> [String] {
        let diagnostic = finding.diagnostic
        // The name of the version comes first in each of the messages.
        let rest = diagnostic.message.replacing(name(finding), with: "", maxReplacements: 1)
        return [diagnostic.rule.rawValue, rest, diagnostic.location.map { "\($0)" } ?? ""]
    }
    let groups = Dictionary(grouping: findings, by: key)
    var seen: Set<[String]> = []
    return findings.compactMap { finding in
        let key = key(finding)
        guard seen.insert(key).inserted else { return nil }
        // A finding about a step is the same wherever stores come from.
        var known: Set<String> = [name(finding)]
        let others = (groups[key] ?? []).map(name).filter { known.insert($0).inserted }
        guard !others.isEmpty else { return finding }
        var finding = finding
        finding.diagnostic.notes.append(Diagnostic.Note("the same from \(others.listed(most: 3))"))
        return finding
    }
}

import Diagnostics
import MappingInference
package import MigrationPlanning
package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
import SettingsFiles
package import StoreMigration

/// Judges the routes of stores of older versions to the current one, each as a whole.
///
/// Steps from each version to the next tell not all: Core Data takes one step, past the versions between, and never goes
/// through other versions by itself.
package struct RouteCheck: Sendable {
    /// A version whose stores come to the current one.
    package struct Route: Sendable {
        /// The version.
        package var source: ModelVersion
        /// How its stores get there.
        package var route: MigrationRoute
    }

    /// The version that stores get.
    package let target: ModelVersion
    /// What finds the migrations, as `momtool migrate` does for the app.
    package let migrator: Migrator
    /// The number of older versions that were looked at.
    package private(set) var count = 0
    /// The routes along which an app takes its stores.
    package private(set) var routes: [Route] = []
    /// What keeps stores from coming to the current version, what they lose on the way alone, and a note about stages of a
    /// plan that cannot be carried out here.
    package private(set) var findings: [Finding] = []
    /// Notes about mapping models that cannot be carried out here.
    package private(set) var notRun: [Finding] = []
    /// What steps of the past lose, by the version that loses it, on the way of stores of another one.
    private var unlocked: [(owner: ModelVersion, source: ModelVersion, loss: StepLoss)] = []
    /// The steps that were judged, by the names of their versions: where an app takes every step, several routes have one.
    private var judged: Set<[String]> = []
    /// Whether the linter told already why a step to the current version is refused.
    private let isTold: Bool

    /// Judges the routes of all older versions.
    ///
    /// - Parameters:
    ///   - bundle: the model.
    ///   - lock: the lock of its versions, if there is one.
    ///   - migrator: what finds the migrations.
    ///   - ledger: what may be lost; what was told, or shipped, counts as agreed to.
    ///   - named: the same without what counts as shipped only because there is no lock; `nil` where there is one.
    ///   - told: what the linter has found.
    package init?(
        of bundle: ModelBundle,
        _ lock: ModelLock?,
        by migrator: Migrator,
        _ ledger: LossLedger,
        named: LossLedger? = nil,
        told: [Finding] = []
    ) {
        let versions = bundle.versions
        let unread = unreadVersions(versions, reading: told.map(\.diagnostic))
        guard let current = bundle.currentVersion ?? (versions.count == 1 ? versions[0] : nil),
            let end = versions.firstIndex(where: { $0.isSame(as: current) }),
            !unread.contains(current.name)
        else { return nil }
        (target, self.migrator) = (current, migrator)
        isTold = told.contains { finding in
            let rule = finding.diagnostic.rule
            return rule == .stagesFail
                || (rule == "step-not-inferable" && finding.version == current.name)
        }
        let older = bundle.versionsInTheField(before: end, lock)
            .filter { $0.hashes != current.hashes && !unread.contains($0.name) }
        guard !older.isEmpty else { return }
        count = older.count
        let losses = DirectLosses(
            migrator.leavingToStages(ledger),
            named: named.map(migrator.leavingToStages),
            to: current,
            path: bundle.path,
            lock,
            mappingModel: migrator.mappingModel
        )
        for version in older { add(version, losses) }
        findings += unrunStages(from: older).map { [$0] } ?? []
        for owner in versions[..<end] {
            let own = unlocked.filter { $0.owner.isSame(as: owner) }
            // The version next to it calls what is lost as the step does.
            guard let last = own.last?.source else { continue }
            // Where an app takes every step, several routes have it.
            var seen: Set<StepLoss> = []
            let near = own.filter { $0.source.isSame(as: last) }.map(\.loss)
                .filter { seen.insert($0).inserted }
            var known: Set<String> = []
            let sources = own.map(\.source.name).filter { known.insert($0).inserted }
            findings.append(losses.warning(of: near, by: owner, from: sources))
        }
    }

    /// The findings as they are reported.
    ///
    /// - Parameters:
    ///   - versions: the versions of the model.
    ///   - options: what is checked, and how it is taken.
    /// - Returns: what is left of the findings, those of one cause put together.
    package func reported(_ versions: [ModelVersion], _ options: CheckOptions) -> [Finding] {
        joined(settled(findings, versions, options))
    }

    /// Returns those of the reported findings by which stores do not open, or lose what is not named.
    func harms(_ versions: [ModelVersion], _ options: CheckOptions) -> [Finding] {
        reported(versions, options).filter { finding in
            finding.diagnostic.severity == .error
                || (finding.diagnostic.loss != nil && finding.diagnostic.severity > .note)
        }
    }

    /// Says once for the model which stages of its plan run Swift that cannot be run here; `nil` for none.
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
            let route = try migrator.route(from: version)
            if let detour = route.detour, !migrator.isTaken(route) {
                findings += refusal(from: version, detour).map { [$0] } ?? []
                return
            }
            routes.append(Route(source: version, route: route))
            addUnused(on: route, from: version)
            findings += migrator.ambiguousMappingModels(on: route)
                .map { Finding($0, version: version.name) }
            if migrator.isUnasked(chain: route) {
                findings.append(chain(from: version, route))
            }
            if route.isDirect, route.manager.stages.isEmpty,
                !migrator.isPlanned(from: version, to: target),
                migrator.mappingModel(from: version, to: target) == nil,
                version.entitiesWithGaps.isEmpty, target.entitiesWithGaps.isEmpty
            {
                findings += losses.findings(from: version)
            }
            for step in route.steps
            where step.kind == .lightweight && step.stage == nil
                && step.source.entitiesWithGaps.isEmpty
                && step.destination.entitiesWithGaps.isEmpty
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
        }
    }

    /// Tells of mapping models that are not used, once: where an app takes every step, several routes have one.
    private mutating func addUnused(on route: MigrationRoute, from version: ModelVersion) {
        for unused in migrator.unusedMappingModels(on: route)
        where !(notRun + findings).contains(where: { $0.diagnostic == unused }) {
            if unused.rule == .mappingModelSkipsVersions {
                findings.append(Finding(unused))
            } else {
                notRun.append(Finding(unused, version: version.name))
            }
        }
    }

    /// Tells of a version from which no route leads on, unless that was told.
    private mutating func add(_ error: MomtoolError, from version: ModelVersion) {
        guard !error.isOfDeclaredPolicy else {
            // All routes that take the step have it.
            findings += error.diagnostics.filter { fault in
                !findings.contains { $0.diagnostic == fault }
            }.map { Finding($0) }
            return
        }
        if let path = error.mappingModel {
            let reason = error.diagnostics.first?.wording ?? "it cannot be carried out here"
            let diagnostic = Diagnostic(
                .mappingModelNotRun,
                saying:
                    "stores of '\(version.name)' come to '\(target.name)' by this mapping model, which was not run: \(reason)",
                severity: .note,
                at: FileLocation(path: path)
            )
            notRun.append(Finding(diagnostic, version: version.name))
            findings += error.diagnostics.filter { $0.rule == .severalMappingModels }
                .map { Finding($0, version: version.name) }
            return
        }
        // What is wrong with a list of stages is told of the list.
        guard !isTold, !migrator.isPlanned(from: version, to: target),
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

    /// Tells of a version whose stores come to the current one only through others, which Core Data does not do.
    private func refusal(from version: ModelVersion, _ detour: VersionGraph.Detour) -> Finding? {
        guard !isTold else { return nil }
        let refusals = detour.refused.mapping.refusals
        let names = ([version] + detour.plans.map(\.destination)).map(\.name)
        return refusal(
            from: version,
            refusals,
            refusals.first?.diagnostic.wording ?? "the step is refused",
            [
                Diagnostic.Note(
                    saying: """
                        \(.migrator) goes \(names.joined(separator: " → ")), which Core Data does not do by itself; if the \
                        app's code does, say migration: stepwise in .momtool.yml
                        """
                )
            ]
        )
    }

    private func refusal(
        from version: ModelVersion,
        _ refusals: [Refusal],
        _ reason: Wording,
        _ notes: [Diagnostic.Note]
    ) -> Finding {
        let isGuess = !refusals.isEmpty && refusals.allSatisfy(\.evidence.isGuess)
        let more = refusals.count > 1 ? " and \(refusals.count - 1) more" : ""
        let diagnostic = Diagnostic(
            .versionCannotOpen,
            saying: "stores of '\(version.name)' do not come to '\(target.name)': \(reason)\(more)",
            severity: isGuess ? .warning : .error,
            at: refusals.first?.diagnostic.location ?? FileLocation(path: target.path),
            notes: notes
        )
        return Finding(diagnostic, version: version.name)
    }

    /// Tells that mapping models lead on only one after the other.
    ///
    /// Where one is there for every step, an app most likely takes them so, and is asked; else stores do not open.
    private func chain(from version: ModelVersion, _ route: MigrationRoute) -> Finding {
        let isWhole = route.mappingModels.count == route.steps.count
        let paths = route.mappingModels.sorted { $0.key < $1.key }.map(\.value)
        let reason =
            isWhole
            ? "come to '\(target.name)' in \(route.steps.count) steps, \(route.versionNames): Core Data takes one, so the app's "
                + "own code must take them"
            : "do not come to '\(target.name)': no mapping model leads there, and Core Data does not take several steps, "
                + route.versionNames
        let diagnostic = Diagnostic(
            isWhole ? .severalSteps : .versionCannotOpen,
            "stores of '\(version.name)' \(reason)",
            severity: isWhole ? .warning : .error,
            at: FileLocation(path: paths[0]),
            notes: [
                Diagnostic.Note("if the app's code does, say migration: stepwise in .momtool.yml")
            ]
        )
        return Finding(diagnostic, version: version.name)
    }
}

extension Linter.Result {
    /// Whether there is something to migrate and to compare.
    ///
    /// What the configuration names and is not there says nothing of the model.
    package var isReadable: Bool {
        let own = configuration.path ?? ""
        return !findings.map(\.diagnostic).contains { $0.isUnreadable && $0.location?.path != own }
    }

    /// Returns the result with the routes of older versions, and what is found of them.
    ///
    /// - Parameters:
    ///   - stages: stages files beside those of the configuration.
    ///   - swift: what is said of Swift sources.
    ///   - options: what is checked, and how it is taken.
    ///   - named: what the configuration names.
    /// - Returns: the result.
    func judgingRoutes(
        through stages: [String],
        _ swift: SwiftSettings,
        _ options: CheckOptions,
        _ named: LossLedger
    ) -> Linter.Result {
        var result = self
        var named = lock?.versions.isEmpty ?? true ? named : nil
        for finding in findings {
            // Renames in a spelling that counts nowhere are losses under another name.
            let isLoss =
                finding.diagnostic.loss != nil
                || (finding.diagnostic.rule == "literal-renaming-identifier"
                    && finding.diagnostic.severity > .note)
            if isLoss, let version = finding.version {
                result.ledger.named[version] = .all
                if finding.diagnostic.severity > .note { named?.named[version] = .all }
            }
        }
        guard isReadable,
            // Stages that cannot be read were told of already.
            let migrator = try? Migrator(
                by: configuration,
                of: bundle,
                mappingModels: mappingModels,
                stages: stages,
                swift
            ),
            let routes = RouteCheck(
                of: bundle,
                lock,
                by: migrator,
                result.ledger,
                named: named,
                told: findings
            )
        else { return result }
        result.routes = routes
        result.harmsOfRoutes = routes.harms(bundle.versions, options)
        let new = routes.reported(bundle.versions, options)
        guard !new.isEmpty else { return result }
        result.findings = settled(findings + new, bundle.versions, options)
        for finding in new {
            guard let loss = finding.diagnostic.loss else { continue }
            if let version = finding.version { result.ledger.named[version] = .all }
            // What is lost past a step of a mapping model is lost by no step that the ledger knows.
            result.ledger.always = result.ledger.always.union(.named([loss]))
        }
        return result
    }
}

extension Diagnostic {
    /// Whether it leaves nothing to migrate.
    fileprivate var isUnreadable: Bool {
        severity == .error && [.unreadableFile, .notAModel, .missingCurrentVersion].contains(rule)
    }
}

extension RuleID {
    /// Stores of a version do not come to the current one.
    package static let versionCannotOpen: RuleID = "version-cannot-open"
}

/// Puts findings together that say the same of stores of several versions.
///
/// - Parameter findings: the findings, of the oldest version first.
/// - Returns: the findings; of equal ones that of the oldest version, with the names of the others.
private func joined(_ findings: [Finding]) -> [Finding] {
    struct Key: Hashable {
        var rule: RuleID
        var message: String
        var location: FileLocation?
    }
    func key(_ finding: Finding) -> Key {
        // The name of the version comes first in each of the messages.
        let message = finding.diagnostic.message
        let parts = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        return Key(
            rule: finding.diagnostic.rule,
            message: String(parts.last ?? ""),
            location: finding.diagnostic.location
        )
    }
    func name(_ finding: Finding) -> String {
        let parts = finding.diagnostic.message.split(separator: "'", maxSplits: 2)
        return parts.count > 1 ? "'\(parts[1])'" : ""
    }
    let groups = Dictionary(grouping: findings, by: key)
    var seen: Set<Key> = []
    return findings.compactMap { finding in
        let key = key(finding)
        guard seen.insert(key).inserted else { return nil }
        // What is said of a step, not of a version, is the same from wherever stores come.
        var known: Set<String> = [name(finding)]
        let others = (groups[key] ?? []).map(name).filter { known.insert($0).inserted }
        guard !others.isEmpty else { return finding }
        var finding = finding
        finding.diagnostic.notes.append(
            Diagnostic.Note("the same from \(others.listed(most: 3))")
        )
        return finding
    }
}

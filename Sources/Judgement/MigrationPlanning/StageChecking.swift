package import Diagnostics
import MappingInference
import ModelHashing
package import ObjectModel

extension StagedMigrationManager {
    /// Checks the list before anything is changed; findings are by stage, with those about the whole list last.
    ///
    /// Versions are the oldest first, and empty when unknown; locations are empty when the stages are not in a file.
    package func findings(
        versions: [ModelVersion] = [],
        at locations: [FileLocation] = [],
        in list: FileLocation? = nil
    ) -> [Diagnostic] {
        var check = StageCheck(manager: self, versions: versions)
        check.run()
        return check.findings.map { stage, finding in
            var finding = finding
            let isWritten = stage.map(locations.indices.contains) ?? false
            finding.location = isWritten ? stage.map { locations[$0] } : list
            return finding
        }
    }

    /// Whether all listed versions are fully understood: stages tell versions apart by their hashes.
    package var isWhole: Bool {
        stages.flatMap(\.versions).compactMap(\.found).allSatisfy(\.isWhole)
    }

    /// The faults of the list: the errors among the findings, and warnings of steps that Core Data may refuse, each once;
    /// none for a list with a version not understood.
    package func faults(
        versions: [ModelVersion] = [],
        at locations: [FileLocation] = [],
        in list: FileLocation? = nil
    ) -> [Diagnostic] {
        guard isWhole else { return [] }
        var reported: Set<String> = []
        return findings(versions: versions, at: locations, in: list)
            .filter { $0.isFault && reported.insert($0.message).inserted }
    }
}

extension Diagnostic {
    /// Whether it keeps some stores from migrating, or may.
    fileprivate var isFault: Bool {
        severity == .error || ["stage-not-lightweight", "stage-gap"].contains(rule)
    }

    /// Whether Core Data raises an exception for it when an app creates its list of stages, for any store.
    package var raisesAtStart: Bool { [.duplicateStageChecksum, .stageBranch].contains(rule) }
}

private struct StageCheck {
    let stages: [MigrationStage]
    let versions: [ModelVersion]
    /// The age of a version, by checksum: its index in the model.
    private let ages: [String: Int]
    var findings: [(stage: Int?, finding: Diagnostic)] = []
    private let manager: StagedMigrationManager
    private let ways: StageWays

    init(manager: StagedMigrationManager, versions: [ModelVersion]) {
        self.manager = manager
        ways = StageWays(manager)
        stages = manager.stages
        self.versions = versions
        hashTogether(versions + stages.flatMap(\.versions).compactMap(\.found))
        ages = Dictionary(firstOf: versions.enumerated().map { ($1.checksum, $0) })
    }

    mutating func run() {
        for (place, stage) in stages.enumerated() {
            checkReferences(stage, place)
            checkSteps(stage, place)
            checkNeed(stage, place)
        }
        checkDuplicates()
        checkBoundaries()
        checkDirection()
        checkListing()
        checkCollapse()
    }

    private mutating func add(
        _ rule: RuleID,
        _ message: String,
        stage: Int?,
        _ outcome: StageOutcome,
        severity: Severity = .error
    ) {
        let head = stage.map { "stage \($0 + 1): " } ?? ""
        let text = "\(head)\(message) (\(outcome.words))"
        findings.append((stage, Diagnostic(rule, text, severity: severity)))
    }

    private mutating func checkReferences(_ stage: MigrationStage, _ place: Int) {
        let outcome = StageOutcome.error(.managedObjectModelReferenceNotFound)
        for reference in stage.versions {
            guard let found = reference.found else {
                let message = "there is no version '\(reference.name)' of the model"
                add("unknown-stage-version", message, stage: place, outcome)
                continue
            }
            guard reference.version == nil else { continue }
            let message =
                "the checksum of '\(reference.name)' is pinned to \(reference.versionChecksum), "
                + "but the model has \(found.checksum)"
            add("stale-stage-checksum", message, stage: place, outcome)
        }
    }

    private mutating func checkSteps(_ stage: MigrationStage, _ place: Int) {
        let listed = stage.versions
        for (source, destination) in zip(listed, listed.dropFirst()) {
            guard let from = source.version, let to = destination.version,
                from.checksum != to.checksum
            else { continue }
            let isLegal = ways.steps.isLegal(from, to)
            let parts: Set<CustomMigrationStage.Part>
            if case .custom(let custom) = stage { parts = custom.parts } else { parts = [] }
            if parts.contains(.map) {
                let message =
                    "Core Data's stages cannot run these value expressions: an application "
                    + "needs a mapping model for this step"
                let error = StagedPlanError.notLightweight(MigrationPlan(from: from, to: to))
                let outcome = isLegal ? .nothing : error.weight.outcome
                // Where Core Data takes the step, the map may describe the work of the app's own code.
                let severity: Severity = isLegal ? .note : .warning
                add(.mapBeyondCoreData, message, stage: place, outcome, severity: severity)
                continue
            }
            guard !isLegal else { continue }
            let plan = MigrationPlan(from: from, to: to)
            let reasons = plan.mapping.refusals.map(\.diagnostic.message).joined(separator: "; ")
            let message = "the step from '\(from.name)' to '\(to.name)': \(reasons)"
            let (outcome, severity) = StagedPlanError.notLightweight(plan).weight
            add("stage-not-lightweight", message, stage: place, outcome, severity: severity)
        }
    }

    private mutating func checkNeed(_ stage: MigrationStage, _ place: Int) {
        guard case .custom(let stage) = stage, stage.parts.isEmpty else { return }
        let message =
            "the custom stage has no script, map or handler, so it is only a lightweight step; list "
            + "'\(stage.currentModel.name)' and '\(stage.nextModel.name)' in a lightweight stage unless it must stop there"
        add(.needlessCustomStage, message, stage: place, .nothing, severity: .warning)
    }

    /// A version may be the next one of a custom stage and the current one of the following stage, nothing else.
    private mutating func checkDuplicates() {
        struct Place {
            var stage: Int
            var name: String
            var role: Int
        }
        var seen: [String: [Place]] = [:]
        for (index, stage) in stages.enumerated() {
            var isCustom = false
            if case .custom = stage { isCustom = true }
            for (position, reference) in stage.versions.enumerated() {
                let role = isCustom ? position + 1 : 0
                let own = Place(stage: index, name: reference.name, role: role)
                let others = seen[reference.versionChecksum, default: []]
                seen[reference.versionChecksum, default: []].append(own)
                guard let other = others.last, !reference.versionChecksum.isEmpty else { continue }
                let isHandover = other.role == 2 && role == 1 && other.stage == index - 1
                if isHandover, others.count == 1 { continue }
                if role > 0, other.role == role {
                    let what = role == 1 ? "start from" : "lead to"
                    let message =
                        "stages \(other.stage + 1) and \(index + 1) both \(what) '\(own.name)'"
                    add(.stageBranch, message, stage: index, .duplicateChecksums)
                    continue
                }
                let message =
                    other.name == own.name
                    ? "'\(own.name)' is already listed in stage \(other.stage + 1)"
                    : "'\(own.name)' has the checksum of '\(other.name)': change what it stores, or list only one of them"
                let outcome: StageOutcome =
                    other.stage == index ? .duplicateChecksumsInStage : .duplicateChecksums
                add(.duplicateStageChecksum, message, stage: index, outcome)
            }
        }
    }

    /// Checks the steps between the last version of each stage and the first of the next one.
    private mutating func checkBoundaries() {
        for (place, pair) in zip(stages, stages.dropFirst()).enumerated() {
            guard let from = pair.0.versions.last?.version, let to = pair.1.versions.first?.version,
                from.checksum != to.checksum, !isBackward(from, to)
            else { continue }
            if !ways.steps.isLegal(from, to) {
                let plan = MigrationPlan(from: from, to: to)
                let what = plan.mapping.isUndecided ? "momtool knows of no" : "there is no"
                let message = "\(what) lightweight step from '\(from.name)' to '\(to.name)'"
                let (outcome, severity) = StagedPlanError.notLightweight(plan).weight
                add("stage-gap", message, stage: place + 1, outcome, severity: severity)
            }
        }
    }

    private func isBackward(_ from: ModelVersion, _ to: ModelVersion) -> Bool {
        guard let old = ages[from.checksum], let new = ages[to.checksum] else { return false }
        return new < old
    }

    private mutating func checkDirection() {
        var newest: ModelVersion?
        for (place, stage) in stages.enumerated() {
            let known = stage.versions.compactMap(\.version).filter { ages[$0.checksum] != nil }
            for (from, to) in zip(known, known.dropFirst()) where isBackward(from, to) {
                let message = "'\(to.name)' is older than '\(from.name)', but is listed after it"
                add(.backwardStage, message, stage: place, .nothing, severity: .warning)
            }
            if let newest, let oldest = known.first(where: { isBackward(newest, $0) }) {
                let message =
                    "'\(oldest.name)' is older than '\(newest.name)' of an earlier stage; "
                    + "stores of '\(oldest.name)' cannot migrate to '\(newest.name)'"
                let isWhole = known.allSatisfy { isBackward(newest, $0) }
                add(
                    .backwardStage,
                    message,
                    stage: place,
                    .error(.stagedMigrationBackward),
                    severity: isWhole ? .error : .warning
                )
            }
            for version in known where newest.map({ !isBackward($0, version) }) ?? true {
                newest = version
            }
        }
    }

    private mutating func checkListing() {
        let listed = Set(stages.flatMap(\.versions).map(\.versionChecksum))
        for version in versions where !listed.contains(version.checksum) {
            let who =
                version.checksum == versions.last?.checksum
                ? "stores cannot migrate to it" : "its stores cannot migrate"
            let message = "no stage lists '\(version.name)': \(who)"
            let outcome = StageOutcome.error(.managedObjectModelReferenceNotFound)
            add("unlisted-version", message, stage: nil, outcome, severity: .warning)
        }
    }

    /// Compares Core Data's route from each listed version to the last one with the list as it reads.
    private mutating func checkCollapse() {
        guard !findings.contains(where: { $0.finding.severity == .error }) else { return }
        guard let target = stages.last?.versions.last?.version else { return }
        var seen: Set<String> = [target.checksum]
        for reference in stages.flatMap(\.versions) {
            guard let source = reference.version, seen.insert(source.checksum).inserted else {
                continue
            }
            let (start, end) = (source.checksum, target.checksum)
            guard case .ends(let fault) = ways.way(from: start, to: end, semantics: .apple),
                case .leads = ways.way(from: start, to: end, semantics: .stepwise)
            else { continue }
            let error = manager.error(fault)
            let message =
                "Core Data joins lightweight stages into one step: from '\(source.name)' to "
                + "'\(target.name)' it \(error.isGuess ? "may fail" : "fails") with \(error); put a custom stage where it must stop"
            add("collapsed-stages", message, stage: nil, error.weight.outcome, severity: .warning)
        }
    }
}

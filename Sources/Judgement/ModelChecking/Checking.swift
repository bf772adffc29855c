package import Diagnostics
import ModelDiffing
import ModelHashing
package import MigrationPlanning
package import ObjectModel

/// What of a bundle is checked, and how its breaches are taken.
package struct CheckOptions: Sendable, Hashable {
    /// The versions that rules about a single version or a step are checked for.
    package enum Scope: Sendable, Hashable {
        /// The current version, and those that a lock does not freeze: what can still be changed.
        case changeable
        /// Every version.
        case all
    }

    /// What a configuration makes of a rule.
    package enum Setting: Sendable, Hashable {
        /// The rule is not checked.
        case off
        /// A breach is of this severity.
        case severity(Severity)
    }

    /// The versions checked.
    package var scope: Scope
    /// What becomes of each rule; rules that are not named are taken as they are.
    package var settings: [RuleID: Setting]
    /// What is let be.
    package var suppressions: [Suppression]
    /// Whether the current version ships now, so that it must be locked.
    package var isRelease: Bool
    /// The rules of the team.
    package var houseRules: [HouseRule] = []

    package init(
        scope: Scope = .changeable,
        settings: [RuleID: Setting] = [:],
        suppressions: [Suppression] = [],
        isRelease: Bool = false
    ) {
        self.scope = scope
        self.settings = settings
        self.suppressions = suppressions
        self.isRelease = isRelease
    }

    /// The options with the rules about losses that are switched off as notes.
    ///
    /// A rule that is off is no stricter than one whose breaches are notes: what it finds is not said, and counts as told.
    package var tellingLosses: CheckOptions {
        var options = self
        let rules = [
            Rule.dataLoss, .newRequiredWithoutDefault, .rowsDecide, .undeclaredRename,
            .missingRenamingIdentifier, .staleRenamingIdentifier,
        ]
        for rule in rules where settings[rule.id] == .off {
            options.settings[rule.id] = .severity(.note)
        }
        return options
    }
}

/// Checks the versions of a bundle against the rules, and against their lock.
///
/// - Parameters:
///   - versions: the versions, oldest first.
///   - path: the path of the bundle.
///   - reading: what the reader of the versions had to say; it counts as findings of the same rules.
///   - lock: the lock beside the model with its path, if there is one.
///   - projects: what the projects around the model say of it.
///   - losses: what is meant to be lost, without what the lock says of it.
///   - source: the file of a version and its bytes, where it is a source of Xcode.
///   - mappingModel: the path of the mapping model or stages file that is for a step, where there is one; it is asked
///     for when an inferred step would not do.
///   - unplanned: the versions that no migration plan lists, where there are plans.
///   - earlier: the versions that the sources had at a revision, by which edits of locked ones are judged.
///   - options: what is checked, and how it is taken.
/// - Returns: the findings by file and line, those about the bundle among them.
package func check(
    _ versions: [ModelVersion],
    path: String,
    reading: [Diagnostic] = [],
    lock: LocatedLock? = nil,
    projects: [ProjectModel] = [],
    losses: LossLedger = LossLedger(),
    source: (ModelVersion) -> (path: String, bytes: [UInt8])? = { _ in nil },
    mappingModel: (ModelVersion, ModelVersion) -> String? = { _, _ in nil },
    unplanned: Set<String> = [],
    earlier: [ModelVersion] = [],
    options: CheckOptions = CheckOptions()
) -> [Finding] {
    let readable = ReadableVersions(versions, reading: reading, lock)
    hashTogether(readable.versions)
    let following = readable.lock?.lock.following(readable.versions)
    let locked = Set(following?.lock.versions.map(\.name) ?? [])
    let scope =
        readable.lacksCurrent ? [] : scope(of: readable.versions, locked: locked, options)
    var findings = reading.map { Finding($0, version: owner(of: $0, among: versions)) }
    let bundle = CheckedBundle(path: path, versions: readable.versions, locked: locked)
    let steps = StepCheck(
        bundle: bundle,
        ledger: losses.recording(following?.lock, takingShipped: true),
        lock: following?.lock
    )
    findings += versionFindings(readable, scope, steps, mappingModel, options)
    findings += sourceFindings(
        readable.versions.filter { scope.contains($0.name) },
        source,
        options
    )
    findings += bundleFindings(bundle, projects, options)
    findings = findings.allowing(options.houseRules)
    findings += houseFindings(bundle, scope, incomplete: readable.incomplete, options)
    // A version that only adds indexes is told by that rule alone.
    let indexOnly = Set(
        findings.filter { $0.diagnostic.rule == Rule.indexOnlyVersion.id }.compactMap(\.version)
    )
    findings.removeAll { finding in
        finding.diagnostic.rule == Rule.equalChecksums.id
            && finding.version.map(indexOnly.contains) == true
    }
    if let lock = readable.lock, let following {
        let found = lockFindings(
            bundle,
            LocatedLock(following.lock, path: lock.path),
            renamed: following.renamed,
            unplanned: unplanned,
            isRelease: options.isRelease,
            earlier: EarlierSources(earlier, losses: losses)
        )
        findings = findings.withoutPlanFaults(toldBy: found) + found
    }
    let unjudged = UnjudgedEntities(versions, path: path, reading: reading, following?.lock)
    findings = curing(findings, in: bundle, scope).map { unjudged.graded(graded($0, in: bundle)) }
    findings += unjudged.summary.map { [$0] } ?? []
    return settled(findings, versions, options)
}

/// The name of the version in whose files something was noticed.
private func owner(of diagnostic: Diagnostic, among versions: [ModelVersion]) -> String? {
    guard let path = diagnostic.location?.path else { return nil }
    return versions.first { path == $0.path || path.hasPrefix($0.path + "/") }?.name
}

/// Grades what a reader warns of in versions that shipped as a check of them does: as a note, which is said once of all of
/// them.
///
/// - Parameters:
///   - reading: what is said of the versions.
///   - warnings: what the reader warns of: what is an error for a check is none of it, though it is said as a warning.
///   - versions: the versions, oldest first.
///   - path: the path of the bundle.
///   - locked: the names of those that a lock has.
/// - Returns: what is said, in the same order.
package func gradedReading(
    _ reading: [Diagnostic],
    warnings: Set<Diagnostic>,
    of versions: [ModelVersion],
    path: String,
    locked: Set<String>
) -> [Diagnostic] {
    let bundle = CheckedBundle(path: path, versions: versions, locked: locked)
    let findings = reading.map { diagnostic in
        guard warnings.contains(diagnostic) else { return Finding(diagnostic) }
        let finding = Finding(diagnostic, version: owner(of: diagnostic, among: versions))
        let graded = graded(finding, in: bundle)
        return graded.diagnostic.severity == .note ? graded : finding
    }
    return merged(findings).map(\.diagnostic)
}

/// Checks the versions of a bundle against their lock alone.
///
/// - Parameters:
///   - versions: the versions, oldest first.
///   - path: the path of the bundle.
///   - reading: what the reader of the lock had to say.
///   - lock: the lock with its path.
///   - unplanned: the versions that no migration plan lists, where there are plans.
///   - earlier: the sources of a revision, by which edits are judged.
/// - Returns: the findings of the lock's rules, the reader's first.
package func checkLock(
    _ versions: [ModelVersion],
    path: String,
    reading: [Diagnostic] = [],
    lock: LocatedLock,
    unplanned: Set<String> = [],
    earlier: EarlierSources = EarlierSources()
) -> [Finding] {
    hashTogether(versions)
    let following = lock.lock.following(versions)
    let bundle = CheckedBundle(path: path, versions: versions, following.lock)
    let findings = lockFindings(
        bundle,
        LocatedLock(following.lock, path: lock.path),
        renamed: following.renamed,
        unplanned: unplanned,
        isRelease: false,
        earlier: earlier
    )
    return reading.map { Finding($0) } + findings
}

private func scope(
    of versions: [ModelVersion],
    locked: Set<String>,
    _ options: CheckOptions
) -> Set<String> {
    guard options.scope == .changeable else { return Set(versions.map(\.name)) }
    let current = versions.first(where: \.isCurrent) ?? versions.last
    let open = locked.isEmpty ? [] : versions.filter { !locked.contains($0.name) }
    return Set((open + [current].compactMap(\.self)).map(\.name))
}

/// What a step is checked by.
private struct StepCheck {
    let bundle: CheckedBundle
    let ledger: LossLedger
    let lock: ModelLock?

    func step(from: MatchedVersion, to: MatchedVersion) -> CheckedStep {
        CheckedStep(
            from: from,
            to: to,
            ledger: ledger,
            lossSeverity: bundle.isSettled(to.version, lock) ? .note : .error
        )
    }
}

/// Checks versions by themselves, and the steps to them.
private func versionFindings(
    _ readable: ReadableVersions,
    _ scope: Set<String>,
    _ steps: StepCheck,
    _ mappingModel: (ModelVersion, ModelVersion) -> String?,
    _ options: CheckOptions
) -> [Finding] {
    var findings: [Finding] = []
    var last: (place: Int, version: MatchedVersion)?
    let versions = readable.versions
    for (place, version) in versions.enumerated() where scope.contains(version.name) {
        let own = modelFindings(CheckedModel(version), options)
        guard place > 0 else {
            findings += own
            continue
        }
        let before = versions[place - 1]
        findings += own.map { $0.knowing(before) }
        guard readable.incomplete.isDisjoint(with: [before.name, version.name]) else { continue }
        let from = last?.place == place - 1 ? last?.version : nil
        let to = MatchedVersion(version)
        last = (place, to)
        let step = steps.step(from: from ?? MatchedVersion(before), to: to)
        findings += enumFindings(
            from: before,
            to: version,
            severity: steps.bundle.isFrozen(version) ? .note : .warning
        )
        let found = stepFindings(step, options)
        // A step between equal hashes is never taken, and one that a mapping carries out needs no inference.
        let isAnswered =
            found.contains(where: \.isAnsweredByMapping)
            && (version.hasHashes(of: before) || mappingModel(before, version) != nil)
        findings += isAnswered ? found.filter { !$0.isAnsweredByMapping } : found
    }
    return findings
}

/// Checks the bytes of sources.
private func sourceFindings(
    _ versions: [ModelVersion],
    _ source: (ModelVersion) -> (path: String, bytes: [UInt8])?,
    _ options: CheckOptions
) -> [Finding] {
    Rule.all.flatMap { rule -> [Finding] in
        guard case .source(let check) = rule.check, options.settings[rule.id] != .off else {
            return []
        }
        return versions.flatMap { version in
            source(version).map { check(version, $0.path, $0.bytes) }?
                .map { finding($0, of: rule, in: version.name) } ?? []
        }
    }
}

/// Checks one version by itself, against the rules of a family or all of them.
func modelFindings(
    _ model: CheckedModel,
    _ options: CheckOptions,
    of family: Rule.Family? = nil
) -> [Finding] {
    Rule.all.flatMap { rule -> [Finding] in
        guard case .model(let check) = rule.check, options.settings[rule.id] != .off,
            family == nil || rule.family == family
        else { return [] }
        return check(model).map { finding($0, of: rule, in: model.version.name) }
    }
}

/// Checks a model by itself, by what can be wrong with an edit: the rules of Apple's tools, predicates, and names that are
/// claimed twice.
package func editFindings(in model: ManagedObjectModel) -> [Diagnostic] {
    let checked = CheckedModel(ModelVersion(name: "", model: model))
    let rules =
        Rule.all.filter { $0.family == .apple }
        + [Rule.invalidPredicate, .ambiguousRenamingIdentifier]
    return rules.flatMap { rule -> [Diagnostic] in
        guard case .model(let check) = rule.check else { return [] }
        return check(checked).map { finding($0, of: rule).diagnostic }
    }
}

private func stepFindings(_ step: CheckedStep, _ options: CheckOptions) -> [Finding] {
    Rule.all.flatMap { rule -> [Finding] in
        guard case .step(let check) = rule.check, options.settings[rule.id] != .off else {
            return []
        }
        return check(step).map { finding($0, of: rule, in: step.to.name) }
    }
    .filter { !step.isUnknown($0) }
}

/// Checks what a step loses, and nothing else of it.
func lossFindings(_ step: CheckedStep) -> [Finding] {
    let rules = [
        Rule.dataLoss, .undeclaredRename, .missingRenamingIdentifier, .staleRenamingIdentifier,
        .newRequiredWithoutDefault,
    ]
    return stepFindings(step, of: rules).filter { $0.diagnostic.severity == .error }
}

/// Checks a step by some rules.
func stepFindings(_ step: CheckedStep, of rules: [Rule]) -> [Finding] {
    rules.flatMap { rule -> [Finding] in
        guard case .step(let check) = rule.check else { return [] }
        return check(step).map { finding($0, of: rule, in: step.to.name) }
    }
    .filter { !step.isUnknown($0) }
}

private func bundleFindings(
    _ bundle: CheckedBundle,
    _ projects: [ProjectModel],
    _ options: CheckOptions
) -> [Finding] {
    Rule.all.filter { options.settings[$0.id] != .off }.flatMap { rule in
        let violations =
            switch rule.check {
            case .bundle(let check): check(bundle)
            case .projects(let check): check(bundle, projects)
            case .reading, .model, .source, .step, .lock, .stages, .project, .planning, .schema,
                .schemaStep:
                [Violation]()
            }
        return violations.map { finding($0, of: rule) }
    }
}

/// What the breach of a rule is, by the severity of the rule unless the check says otherwise.
func finding(_ violation: Violation, of rule: Rule, in version: String? = nil) -> Finding {
    Finding(
        Diagnostic(
            rule.id,
            saying: violation.wording,
            severity: violation.severity ?? rule.severity,
            at: violation.location,
            element: violation.element,
            notes: violation.notes,
            loss: violation.loss
        ),
        version: violation.version ?? version,
        fix: violation.fix
    )
}

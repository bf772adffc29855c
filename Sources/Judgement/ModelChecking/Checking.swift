package import Diagnostics
package import MappingInference
package import MigrationPlanning
import ModelDiffing
import ModelHashing
package import ObjectModel

package struct CheckOptions: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        /// The current version, and those outside the lock: the ones that can still be changed.
        case changeable
        case all
    }

    package enum Setting: Sendable, Hashable {
        case off
        case severity(Severity)
    }

    package var scope: Scope
    /// The settings of rules; others have their own severity.
    package var settings: [RuleID: Setting]
    package var suppressions: [Suppression]
    /// Whether the current version ships now, so that it must be locked.
    package var isRelease = false
    package var houseRules: [HouseRule] = []

    package init(
        scope: Scope = .changeable,
        settings: [RuleID: Setting] = [:],
        suppressions: [Suppression] = []
    ) { (self.scope, self.settings, self.suppressions) = (scope, settings, suppressions) }

    /// The options with disabled rules about losses as notes.
    ///
    /// A disabled rule is not stricter than one with notes: its findings are not printed, and count as reported.
    package var reportingLosses: CheckOptions {
        var options = self
        for rule in Rule.ofLosses where settings[rule] == .off {
            options.settings[rule] = .severity(.note)
        }
        return options
    }
}

/// Checks the versions of a bundle, oldest first, against the rules, and against their lock.
///
/// `reading` are the reader's findings, which count like those of the same rules. `losses` are the allowed ones in addition
/// to the lock's. `source` returns the file of a version in an Xcode source. `mappingModel` returns the path of the mapping
/// model or stages file for a step, and is called if an inferred step would fail; `leavesOpen` says whether one leaves open
/// what the step requires of rows. `unplanned` are versions in no migration plan, if there are plans. `earlier` are the
/// versions of a revision, which judge edits of locked ones; `isMirroredByApp` says whether code mirrors the container;
/// `order` names the versions whose order is stated. Findings are sorted by file and line.
package func check(
    _ versions: [ModelVersion],
    path: String,
    reading: [Diagnostic] = [],
    lock: LocatedLock? = nil,
    projects: [ProjectModel] = [],
    losses: LossLedger = LossLedger(),
    source: (ModelVersion) -> (path: String, bytes: [UInt8])? = { _ in nil },
    mappingModel: (ModelVersion, ModelVersion) -> String? = { _, _ in nil },
    leavesOpen: (StepLoss, ModelVersion, ModelVersion) -> Bool = { _, _, _ in false },
    unplanned: Set<String> = [],
    earlier: EarlierSources = EarlierSources(),
    isMirroredByApp: Bool = false,
    order: [String] = [],
    options: CheckOptions = CheckOptions()
) -> [Finding] {
    let readable = ReadableVersions(versions, reading: reading, lock)
    hashTogether(readable.versions)
    let following = readable.lock?.lock.following(readable.versions)
    let locked = Set(following?.lock.versions.map(\.name) ?? [])
    let scope = readable.lacksCurrent ? [] : scope(of: readable.versions, locked: locked, options)
    var findings = reading.map { Finding($0, version: owner(of: $0, among: versions)) }
    var bundle = CheckedBundle(path: path, versions: readable.versions, locked: locked)
    (bundle.isMirroredByApp, bundle.statedOrder) = (isMirroredByApp, order)
    let steps = StepCheck(
        bundle: bundle,
        ledger: losses.recording(following?.lock, takingShipped: true)
            .leavingOutEdits(of: following?.lock),
        lock: following?.lock
    )
    findings += versionFindings(readable, scope, steps, mappingModel, leavesOpen, options)
    findings += sourceFindings(
        readable.versions.filter { scope.contains($0.name) },
        source,
        options
    )
    findings += bundleFindings(bundle, projects, options)
    findings = findings.allowing(options.houseRules)
    findings += houseFindings(bundle, scope, incomplete: readable.incomplete, options)
    findings = withoutTwins(findings)
    if let lock = readable.lock, let following {
        let found = lockFindings(
            bundle,
            LocatedLock(following.lock, path: lock.path),
            renamed: following.renamed,
            unplanned: unplanned,
            isRelease: options.isRelease,
            earlier: earlier
        )
        findings = findings.withoutPlanFaults(toldBy: found) + found
    }
    let unjudged = UnjudgedEntities(versions, path: path, reading: reading, following?.lock)
    findings = curing(findings, in: bundle, scope).map { unjudged.graded(graded($0, in: bundle)) }
    findings += unjudged.summary.map { [$0] } ?? []
    return settled(findings, versions, options)
}

/// Leaves out what another finding tells with more.
private func withoutTwins(_ findings: [Finding]) -> [Finding] {
    func those(of rule: Rule) -> [Finding] { findings.filter { $0.diagnostic.rule == rule.id } }
    // A version that only adds indexes has that finding alone.
    let indexOnly = Set(those(of: .indexOnlyVersion).compactMap(\.version))
    // A step that is refused for two claims of one renaming identifier says so, with its cure.
    let refused = Set(those(of: .stepNotInferable).compactMap(\.diagnostic.location))
    return findings.filter { finding in
        switch finding.diagnostic.rule {
        case Rule.equalChecksums.id: finding.version.map(indexOnly.contains) != true
        case Rule.ambiguousRenamingIdentifier.id:
            finding.diagnostic.location.map(refused.contains) != true
        default: true
        }
    }
}

private func owner(of diagnostic: Diagnostic, among versions: [ModelVersion]) -> String? {
    guard let path = diagnostic.location?.path else { return nil }
    return versions.first { path == $0.path || path.hasPrefix($0.path + "/") }?.name
}

/// Turns the reader's warnings about shipped versions into notes, each once for all of them, as a check does.
///
/// `warnings` excludes what is an error for a check though it is printed as a warning. The order stays.
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

/// Checks the versions of a bundle only against their lock; the reader's findings come first.
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

private struct StepCheck {
    let bundle: CheckedBundle
    let ledger: LossLedger
    let lock: ModelLock?

    func step(from: ModelVersion, to: ModelVersion) -> CheckedStep {
        CheckedStep(
            from: from,
            to: to,
            ledger: ledger,
            lossSeverity: bundle.isSettled(to, lock) ? .note : .error
        )
    }
}

/// Checks single versions, and the steps to them.
private func versionFindings(
    _ readable: ReadableVersions,
    _ scope: Set<String>,
    _ steps: StepCheck,
    _ mappingModel: (ModelVersion, ModelVersion) -> String?,
    _ leavesOpen: (StepLoss, ModelVersion, ModelVersion) -> Bool,
    _ options: CheckOptions
) -> [Finding] {
    var findings: [Finding] = []
    let versions = readable.versions
    for (place, version) in versions.enumerated() where scope.contains(version.name) {
        let own = modelFindings(CheckedModel(version), options)
        guard place > 0, !version.isBeside else {
            findings += own
            continue
        }
        let before = versions[place - 1]
        findings += own.map { $0.knowing(before) }
        guard readable.incomplete.isDisjoint(with: [before.name, version.name]) else { continue }
        var step = steps.step(from: before, to: version)
        let spelling = options.settings[Rule.literalRenamingIdentifier.id]
        step.judgesSpelling = spelling == nil || spelling == .severity(.error)
        // A step between equal hashes is never taken.
        let isSame = version.hasHashes(of: before)
        lazy var isMapped = !isSame && mappingModel(before, version) != nil
        findings += enumFindings(
            from: before,
            to: version,
            severity: steps.bundle.isFrozen(version) ? .note : .warning,
            // A mapping model may give rows a value.
            agreement: isMapped ? .all : steps.ledger.agreement(into: version.name),
            isCoded: steps.ledger.coded.contains(version.name)
        )
        let found = stepFindings(step, options)
        // A mapped step needs no inference.
        let isAnswered = found.contains(where: \.isAnsweredByMapping) && (isSame || isMapped)
        findings +=
            isAnswered
            ? found.filter { finding in
                !finding.isAnsweredByMapping
                    || step.loss(of: finding).map { leavesOpen($0, before, version) } == true
            } : found
    }
    return findings
}

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

/// Checks a single model for what an edit can break: the rules of Apple's tools, predicates, and duplicate names.
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
    stepFindings(step, of: Rule.all.filter { options.settings[$0.id] != .off })
}

func lossFindings(_ step: CheckedStep) -> [Finding] {
    let rules = [
        Rule.dataLoss, .undeclaredRename, .missingRenamingIdentifier, .staleRenamingIdentifier,
        .newRequiredWithoutDefault,
    ]
    return stepFindings(step, of: rules).filter { $0.diagnostic.severity == .error }
}

func stepFindings(_ step: CheckedStep, of rules: [Rule]) -> [Finding] {
    // A rename that is not declared explains what else is found at its place.
    let first = rules.filter { $0.id == Rule.undeclaredRename.id }
    return (first + rules.filter { $0.id != Rule.undeclaredRename.id }).flatMap {
        rule -> [Finding] in
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

/// The finding for a violation, with the severity of the rule unless the check sets another one.
func finding(_ violation: Violation, of rule: Rule, in version: String? = nil) -> Finding {
    var finding = Diagnostic(
        rule.id,
        saying: violation.wording,
        severity: violation.severity ?? rule.severity,
        at: violation.location,
        element: violation.element,
        notes: violation.notes,
        loss: violation.loss
    ).finding(of: violation.version ?? version, fix: violation.fix)
    finding.explained = violation.explained
    return finding
}

extension [Finding] {
    /// The findings without the losses that a finding at least as severe explains.
    ///
    /// A probable rename explains the loss of what was renamed; where its rule is off or less severe, the loss is reported.
    var withoutExplained: [Finding] {
        let causes = filter {
            !$0.explained.isEmpty || Rule.ofRenames.contains($0.diagnostic.rule)
        }
        return filter { finding in
            let loss = finding.diagnostic.rule == Rule.dataLoss.id ? finding.diagnostic.loss : nil
            return !causes.contains { cause in
                (cause.explained.contains(finding.diagnostic.loss ?? "")
                    || loss != nil && cause.diagnostic.loss == loss)
                    && cause.version == finding.version
                    && cause.diagnostic.severity >= finding.diagnostic.severity
            }
        }
    }
}

/// Checks a version against the rules for models that are used with CloudKit, whether it is marked for it or not.
///
/// `reported` are other findings on the version and its schema, which can be ignored as the rest.
package func checkForCloudKit(
    _ version: ModelVersion,
    isMirrored: (String) -> Bool,
    reported: [Diagnostic],
    options: CheckOptions = CheckOptions()
) -> [Finding] {
    var model = version.model
    model.documentSettings["usedWithCloudKit"] = nil
    model.configurations = [
        Configuration(
            name: "",
            memberEntities: model.entities.map(\.name).filter(isMirrored),
            isUsedWithCloudKit: true
        )
    ]
    let marked = ModelVersion(name: version.name, path: version.path, model: model)
    // What is not understood may well have an inverse or a default.
    let open = version.propertiesWithGaps
    var own = modelFindings(CheckedModel(marked), options, of: .cloudKit).filter { finding in
        finding.diagnostic.element.map { !open.contains("\($0)") } ?? true
    }
    // Lint asks this only of models that are marked, and edits no Swift for it.
    if version.path.hasSuffix(".swift") || version.model.cloudKitEntities.isEmpty {
        for index in own.indices { own[index].fix = nil }
    }
    let unjudged = UnjudgedEntities(version, where: isMirrored).summary.map { [$0] } ?? []
    let all = own + reported.map { Finding($0, version: version.name) } + unjudged
    return settled(all, [version], options)
}

package import Diagnostics
package import MappingInference
package import MigrationPlanning
import ModelDiffing
import ModelHashing
package import ObjectModel

/// The losses of stores of older versions in one step to a version, although no step between loses them.
///
/// Core Data takes one step, past the versions between. A rename that one version declares and the next does not is
/// known only to neighbours; a default value that only a version between has is not given to any row.
package struct DirectLosses {
    private let ledger: LossLedger
    private let target: ModelVersion
    private let bundle: CheckedBundle
    private let lock: ModelLock?
    /// The place of the target among the versions.
    private let end: Int
    /// Worked out where some step loses something: that takes a look at each step.
    private let agreements: Later<[LossAgreement]>
    private let mappingModel: (ModelVersion, ModelVersion) -> String?
    /// The ledger of only the allowed losses, if no lock says which versions shipped; otherwise `nil`.
    private let named: LossLedger?
    private let namedAgreements: Later<[LossAgreement]>

    /// Takes a ledger with the agreed losses of reported or shipped steps.
    ///
    /// `named` is the ledger of only the allowed or reported losses, without a lock: then versions before the current
    /// one are assumed to have shipped.
    package init(
        _ ledger: LossLedger,
        named: LossLedger? = nil,
        to target: ModelVersion,
        path: String,
        _ lock: ModelLock?,
        mappingModel: @escaping (ModelVersion, ModelVersion) -> String? = { _, _ in nil }
    ) {
        self.named = named
        namedAgreements = Later { named?.agreements(to: target) ?? [] }
        (self.ledger, self.target, self.mappingModel) = (ledger, target, mappingModel)
        end = ledger.index(of: target) ?? 0
        agreements = Later { ledger.agreements(to: target) }
        self.lock = lock
        bundle = CheckedBundle(path: path, versions: ledger.versions, lock)
    }

    /// Finds losses and demands for stores of a version; one next to the target has none of these.
    ///
    /// Where a mapping model takes the step, some of them decide.
    package func findings(
        from source: ModelVersion,
        where isOpen: (StepLoss) -> Bool = { _ in true }
    ) -> [Finding] {
        guard let start = ledger.versions.firstIndex(where: { $0.isSame(as: source) }) else {
            return []
        }
        guard start <= end else { return findings(backFrom: source) }
        guard start + 1 < end else { return [] }
        let all = stepLosses(from: source, to: target)
        guard !all.isEmpty else { return [] }
        let agreement = agreements.value[start]
        let losses = all.filter { !agreement.covers($0.names) && isOpen($0) }
        guard !losses.isEmpty else { return [] }
        let between = mappingModel(source, target) == nil ? mappedStep(from: start) : nil
        let step =
            between == nil
            ? "the direct step from '\(source.name)'"
            : "no mapping model leads from '\(source.name)' to '\(target.name)', so Core Data infers the step"
        let inSteps = between == nil ? lossesOfSteps(from: start) : nil
        return losses.map { loss in
            let own = LossAgreement.named(Set(loss.names))
            let isSpared = inSteps.map { !$0.contains { own.covers($0.names) } } ?? false
            let stepwise = isSpared ? [Self.stepwise] : []
            return finding(
                loss,
                step,
                to: target,
                (between.map { [$0] } ?? stepwise) + [loss.advice(for: target, ledger)]
            )
        }
    }

    /// Finds the losses of stores of a newer version, which an app takes back to the target.
    private func findings(backFrom source: ModelVersion) -> [Finding] {
        let agreement = ledger.agreement(from: source, backTo: target)
        let step = "the step back from '\(source.name)' to '\(target.name)'"
        return stepLosses(from: source, to: target).filter { !agreement.covers($0.names) }
            .map { finding($0, step, to: nil, [$0.advice(for: target, ledger)]) }
    }

    /// Finds what an inferred step loses for stores that take every step, and that was neither named nor shipped.
    ///
    /// A lock that records no loss for such a step was written when a mapping model took it. The findings belong to the
    /// version after the step.
    package func findings(
        ofStepFrom source: ModelVersion,
        to destination: ModelVersion
    ) -> [Finding] {
        guard !destination.isSame(as: target) else { return findings(from: source) }
        let agreement = ledger.agreement(from: source, to: destination)
        let step = "Core Data infers the step from '\(source.name)' to '\(destination.name)'"
        let note = Diagnostic.Note(
            "the lock records no such loss, perhaps as a mapping model took this step: if so, restore it"
        )
        return stepLosses(from: source, to: destination).filter { !agreement.covers($0.names) }
            .map {
                finding($0, step, to: destination, [note, $0.advice(for: destination, ledger)])
            }
    }

    /// Finds what the mapping model of a step leaves out; notes for what shipped, unless the lock of the target lacks it:
    /// then it was kept when that was locked.
    package func findings(
        of losses: [StepLoss],
        from source: ModelVersion,
        to destination: ModelVersion
    ) -> [Finding] {
        let agreement = ledger.agreement(from: source, to: destination)
        return losses.filter { !agreement.covers($0.names) }.map { loss in
            let advice = [loss.advice(for: destination, ledger)]
            let found = finding(loss, "the step from '\(source.name)'", to: destination, advice)
            let isPast = bundle.isFrozen(destination) && !destination.isSame(as: target)
            return isPast ? found.taken(as: .note) : found
        }
    }

    private static let stepwise = Diagnostic.Note(
        "no step between consecutive versions does that: if your code migrates version by version, set migration: stepwise in .momtool.yml"
    )

    /// The losses where an app's code takes every step to the target; `nil` for one step, or a refused one.
    private func lossesOfSteps(from start: Int) -> [StepLoss]? {
        var known: Set<ModelHashes> = []
        let stops = ledger.versions[start...].prefix(end - start + 1)
            .filter { known.insert($0.hashes).inserted }
        let steps = zip(stops, stops.dropFirst())
        guard stops.count > 2, steps.allSatisfy({ inferMapping(from: $0, to: $1).isInferable })
        else { return nil }
        return steps.flatMap { stepLosses(from: $0, to: $1) }
    }

    /// Finds what an inferred step of a route loses that earlier versions lost unnamed, with the losing version.
    ///
    /// Without a lock these may not have shipped; with one there are none. The step from the version before the current
    /// one is reported separately.
    package func unlocked(
        from source: ModelVersion,
        to destination: ModelVersion
    ) -> [(owner: ModelVersion, loss: StepLoss)] {
        guard let named,
            let start = ledger.versions.firstIndex(where: { $0.isSame(as: source) }),
            let end = ledger.versions.firstIndex(where: { $0.isSame(as: destination) }),
            start < end
        else { return [] }
        let isToCurrent = destination.isSame(as: target)
        guard !isToCurrent || start + 1 < end else { return [] }
        let all = stepLosses(from: source, to: destination)
        guard !all.isEmpty else { return [] }
        let (accepted, agreed) =
            isToCurrent
            ? (agreements.value[start], namedAgreements.value[start])
            : (
                ledger.agreement(from: source, to: destination),
                named.agreement(from: source, to: destination)
            )
        let unnamed = all.filter { accepted.covers($0.names) && !agreed.covers($0.names) }
        let owners = named.versions(losing: unnamed, from: source, to: destination)
        return zip(owners, unnamed).map { ($0 ?? destination, $1) }
    }

    /// Warns once of all that a version loses which no lock records as shipped; `sources` have such stores.
    package func warning(
        of losses: [StepLoss],
        by owner: ModelVersion,
        from sources: [String]
    ) -> Finding {
        let lost = losses.filter { $0.kind == .dropped }.map(\.name)
        let asked = losses.filter { $0.kind != .dropped }.map(\.name)
        let effects =
            (lost.isEmpty ? [] : ["drops \(lost.listed(most: 3))"])
            + (asked.isEmpty ? [] : ["adds requirements for rows of \(asked.listed(most: 3))"])
        let rule =
            !lost.isEmpty
            ? Rule.dataLoss
            : losses.contains { $0.kind == .required }
                ? Rule.newRequiredWithoutDefault : Rule.rowsDecide
        let entry = ledger.entry(allowing: losses.map(\.name), into: owner.name)
        let diagnostic = Diagnostic(
            rule.id,
            "'\(owner.name)' \(effects.joined(separator: " and ")); stores of "
                + "\(sources.map { "'\($0)'" }.listed(most: 3)) that migrate to '\(target.name)' are affected, and no lock "
                + "records that '\(owner.name)' shipped",
            severity: .warning,
            at: owner.elementLocation,
            element: losses.count == 1 ? losses[0].name : nil,
            notes: [
                Diagnostic.Note(
                    saying: """
                        if it shipped, record it: \(.lock); if not, allow what you intend \(entry)
                        """
                )
            ]
        )
        var finding = Finding(diagnostic, version: owner.name)
        finding.severalLosses = losses.map(\.name)
        return finding
    }

    /// Reports a loss; a target before the source, where `destination` is `nil`, has not shipped with it.
    private func finding(
        _ loss: StepLoss,
        _ step: String,
        to destination: ModelVersion?,
        _ notes: [Diagnostic.Note]
    ) -> Finding {
        let isSettled = destination.map { bundle.isSettled($0, lock) } ?? false
        let severity: Severity = isSettled ? .note : loss.kind == .rows ? .warning : .error
        let destination = destination ?? target
        let rule =
            switch loss.kind {
            case .dropped: Rule.dataLoss
            case .required: Rule.newRequiredWithoutDefault
            case .rows: Rule.rowsDecide
            }
        let place =
            loss.oldLocation.map { [Diagnostic.Note("it was here", at: $0).having(.earlierPlace)] }
            ?? []
        let diagnostic = Diagnostic(
            rule.id,
            "\(step): \(loss.name): \(loss.effect)",
            severity: severity,
            at: loss.location ?? destination.elementLocation,
            element: loss.name,
            notes: place + notes,
            loss: loss.name
        )
        return Finding(diagnostic, version: destination.name)
    }

    /// Notes the first mapping model after a version that is not for a step to the target: one for the step to the next
    /// version, or one that starts from the version itself, the longest if there are several, or the first after it.
    private func mappedStep(from start: Int) -> Diagnostic.Note? {
        let versions = ledger.versions[start...].prefix(end - start + 1)
        let stepwise =
            ": if your code migrates version by version, set migration: stepwise in .momtool.yml"
        let steps = zip(versions, versions.dropFirst()).map { ($0, $1, stepwise) }
        let far = versions.dropFirst(2).reversed()
            .map { (versions[start], $0, ": add one that leads there") }
        for (from, to, advice) in steps.prefix(1) + far + steps.dropFirst() {
            guard let path = mappingModel(from, to) else { continue }
            return Diagnostic.Note(
                "this mapping model leads from '\(from.name)' to '\(to.name)'; Core Data takes a single step and needs one "
                    + "to the current version\(advice)",
                at: FileLocation(path: path)
            )
        }
        return nil
    }
}

extension LossLedger {
    /// Returns a lock with `loses *` for versions that shipped before anybody named the losses of their steps.
    ///
    /// `known` is the previous lock, without the versions that are locked now.
    package func recordingShipped(
        in lock: ModelLock,
        _ known: ModelLock?,
        path: String,
        mappingModel: (ModelVersion, ModelVersion) -> String? = { _, _ in nil }
    ) -> ModelLock {
        var lock = lock
        let bundle = CheckedBundle(path: path, versions: versions, known)
        for index in lock.versions.indices where lock.versions[index].losses == nil {
            let name = lock.versions[index].name
            guard let place = versions.firstIndex(where: { $0.name == name }), place > 0,
                bundle.isSettled(versions[place], known)
            else { continue }
            let (from, to) = (versions[place - 1], versions[place])
            let losses = stepLosses(from: from, to: to)
            guard !losses.isEmpty, mappingModel(from, to) == nil else { continue }
            lock.versions[index].losses = [ModelLock.anyLoss]
        }
        lock.recordsLosses = true
        return lock
    }

    /// Returns the findings of lint on possible renames in a step; none between versions with equal hashes, as that step is
    /// never taken.
    package func hiddenRenames(
        from source: ModelVersion,
        to target: ModelVersion,
        path: String,
        _ lock: ModelLock?
    ) -> [Diagnostic] {
        guard source.hashes != target.hashes else { return [] }
        let bundle = CheckedBundle(path: path, versions: versions, lock)
        var ledger = self
        if versions.contains(where: { $0.isSame(as: source) }) {
            ledger.named[target.name] = agreement(from: source, to: target)
        }
        let step = CheckedStep(
            from: source,
            to: target,
            ledger: ledger,
            lossSeverity: bundle.isSettled(target, lock) ? .note : .error
        )
        let rules = Rule.all.filter { Rule.ofRenames.contains($0.id) }
        return stepFindings(step, of: rules).map(\.diagnostic)
    }
}

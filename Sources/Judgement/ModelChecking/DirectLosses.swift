package import Diagnostics
import MappingInference
package import MigrationPlanning
import ModelDiffing
import ModelHashing
package import ObjectModel

/// What stores of older versions lose in one step to a version, although no step on the way there loses it.
///
/// Core Data takes one step, past the versions between. A rename that one version declares and the next does not is
/// known to neighbours alone; a default value that only a version between has is not given to any row.
package struct DirectLosses {
    private let ledger: LossLedger
    private let target: ModelVersion
    private let severity: Severity
    private let agreements: [LossAgreement]
    private let mappingModel: (ModelVersion, ModelVersion) -> String?

    /// Takes a ledger in which the losses of steps that were told, or that shipped, are agreed to.
    ///
    /// - Parameters:
    ///   - ledger: the versions, with what their steps may lose.
    ///   - target: the version that stores get.
    ///   - path: the path of the bundle.
    ///   - lock: the lock of its versions, if there is one.
    ///   - mappingModel: the path of the mapping model that is for a step, where there is one.
    package init(
        _ ledger: LossLedger,
        to target: ModelVersion,
        path: String,
        _ lock: ModelLock?,
        mappingModel: @escaping (ModelVersion, ModelVersion) -> String? = { _, _ in nil }
    ) {
        self.ledger = ledger
        self.target = target
        self.mappingModel = mappingModel
        agreements = ledger.agreements(to: target)
        let bundle = CheckedBundle(path: path, versions: ledger.versions, lock)
        severity = bundle.isSettled(target, lock) ? .note : .error
    }

    /// Finds what stores of a version lose, or what they must have; a version next to the target has no such loss.
    package func findings(from source: ModelVersion) -> [Finding] {
        guard let start = ledger.versions.firstIndex(where: { $0.isSame(as: source) }),
            start + 1 < agreements.count
        else { return [] }
        let matching = ModelMatching(from: source, to: target)
        let agreement = agreements[start]
        let losses = stepLosses(matching, inferMapping(matching, diff(matching)))
            .filter { $0.kind != .rows && !agreement.covers($0.names) }
        guard !losses.isEmpty else { return [] }
        let between = mappedStep(from: start)
        let step =
            between == nil
            ? "the step from '\(source.name)', past the versions between"
            : "no mapping model leads from '\(source.name)' to '\(target.name)', so the step is inferred"
        return losses.map { loss in
            let rule = loss.kind == .dropped ? Rule.dataLoss : Rule.newRequiredWithoutDefault
            let place = loss.oldLocation.map { [Diagnostic.Note("it was here", at: $0)] } ?? []
            let diagnostic = Diagnostic(
                rule.id,
                "\(step): \(loss.name): \(loss.effect)",
                severity: severity,
                at: loss.location ?? target.elementLocation,
                element: loss.name,
                notes: place + (between.map { [$0] } ?? []) + [loss.advice(for: target.name)],
                loss: loss.name
            )
            return Finding(diagnostic, version: target.name)
        }
    }

    /// Tells of the first mapping model behind a version that is for a step to the next one, and for no step to the target.
    private func mappedStep(from start: Int) -> Diagnostic.Note? {
        let versions = ledger.versions[start...].prefix(agreements.count - start + 1)
        for (from, to) in zip(versions, versions.dropFirst()) {
            guard let path = mappingModel(from, to) else { continue }
            return Diagnostic.Note(
                "this mapping model leads from '\(from.name)' to '\(to.name)'; Core Data takes one step, and looks for one "
                    + "to the current version: if the app's code takes every step, say migration: stepwise in .momtool.yml",
                at: SourceLocation(path: path)
            )
        }
        return nil
    }
}

extension LossLedger {
    /// Returns a lock that says of each version which shipped before anybody named what its step loses that this is so.
    ///
    /// - Parameters:
    ///   - lock: the lock to write.
    ///   - known: the lock that there was, without the versions that are locked now.
    ///   - path: the path of the bundle.
    ///   - mappingModel: the path of the mapping model that is for a step, where there is one.
    /// - Returns: the lock, with `loses *` where that is so.
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
            let matching = ModelMatching(from: from, to: to)
            let losses = stepLosses(matching, inferMapping(matching, diff(matching)))
            guard losses.contains(where: { $0.kind != .rows }), mappingModel(from, to) == nil else {
                continue
            }
            lock.versions[index].losses = [ModelLock.anyLoss]
        }
        lock.recordsLosses = true
        return lock
    }

    /// Returns what lint says of the renames that a step between two versions may hide, each with its severity.
    ///
    /// - Parameters:
    ///   - source: the old version.
    ///   - target: the new version.
    ///   - path: the path of the bundle.
    ///   - lock: the lock of its versions, if there is one.
    /// - Returns: the findings; none between versions of equal hashes, where no step is taken.
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
            from: MatchedVersion(source),
            to: MatchedVersion(target),
            ledger: ledger,
            lossSeverity: bundle.isSettled(target, lock) ? .note : .error
        )
        let rules = [
            Rule.undeclaredRename, .missingRenamingIdentifier, .staleRenamingIdentifier,
        ]
        return stepFindings(step, of: rules).map(\.diagnostic)
    }
}

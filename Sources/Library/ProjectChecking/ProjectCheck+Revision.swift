import Diagnostics
import FileSystem
import MappingInference
import MigrationPlanning
import ModelChecking
import ModelDiffing
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// A model at a revision, with its current version then.
    typealias Past = (bundle: ModelBundle, version: ModelVersion, reading: [Diagnostic])

    /// Reports what differs from a git revision, and from its lock.
    mutating func compare(_ result: Linter.Result, _ model: String, with past: Past?, isNew: Bool) {
        let bundle = result.bundle
        guard let revision = options.revision, let current = bundle.currentVersion else { return }
        let path = ModelPlace(model).path
        guard isKnown(revision, around: path) else { return }
        defer { lock(of: path, at: revision).map { compare(bundle, with: $0, revision) } }
        guard let past else {
            if isNew { addNew(model, bundle) }
            return
        }
        var before = past.version
        let isLocked =
            ([LockFile(ofModel: path).path] + result.lockPaths)
            .contains { gitText(of: $0, at: revision) != nil }
            || bundle.swift != nil && hasSourceLock(at: revision)
        var news = isLocked ? [] : goneVersions(of: past.bundle, result, since: revision)
        // Nothing is compared with what cannot be read.
        guard result.isRead(current) else {
            findings += result.heeded(news)
            return
        }
        // The app's code counts for both sides.
        before = before.mirrored(result.mirrored)
        warnOfUnknown(in: current, knownTo: before, revision)
        news += removedStages(since: past.bundle, result, revision)
        news += bundle.movedClasses(since: revision, past.bundle)
        let found = differences(from: before, to: current, in: bundle, since: revision)
        let isEdited = before.name == current.name
        // What differs from its lock is an error already.
        let locked = result.lockPaths.isEmpty ? nil : result.lock?.version(named: current.name)
        let isSaid = locked.map { !$0.isSame(as: current) } ?? false
        news +=
            isEdited
            ? result.graded(
                found,
                from: before,
                to: current,
                isLocked: isLocked || isSaid,
                isReplacing: (past.bundle.swift == nil) != (bundle.swift == nil)
            )
            : found.map(\.finding)
        let agreement = result.agreement(into: current.name)
        if isEdited { forgetUnmatched(found, from: before, to: current, agreement) }
        let isCoded = !bundle.unrunStages(from: before.name, to: current.name).isEmpty
        // The step into the current version may have shown the same.
        let key = { (it: Finding) in [it.diagnostic.location?.description, it.diagnostic.message] }
        let known = findings.map(key)
        news += enumFindings(from: before, to: current, agreement: agreement, isCoded: isCoded)
            .filter { !known.contains(key($0)) }
        findings += result.heeded(news)
        var step = Step(model, from: before, to: current, in: bundle)
        step.from.name = "\(revision):\(before.name)"
        step.isShipped =
            isEdited && before.hashes != current.hashes && !current.isMigratedUnasked
            && (result.lock?.version(named: current.name) != nil
                || lock(of: path, at: revision)?.lock.version(named: current.name) != nil)
        steps.append(step)
    }

    /// Withdraws the finding that a name matches nothing, where it names what was lost since the revision.
    private mutating func forgetUnmatched(
        _ found: [Difference],
        from old: ModelVersion,
        to new: ModelVersion,
        _ agreement: LossAgreement
    ) {
        let lost = found.filter { $0.verdict >= .dependsOnRows && $0.verdict.isInferable }
            .compactMap(\.finding.diagnostic.element)
        let missing = missingSwiftValues(from: old.model, to: new.model).map(\.name)
        let named = (lost + missing).filter { agreement.covers([$0]) }
        findings.removeAll { finding in
            finding.diagnostic.rule == .unmatchedLoss
                && finding.diagnostic.element.map { name in
                    named.contains { LossAgreement.named([name]).covers([$0]) }
                } == true
        }
    }

    /// A model at the revision; `nil` where it is new, or cannot be read, which is reported.
    mutating func past(of model: String) -> (past: Past?, isNew: Bool) {
        guard let revision = options.revision else { return (nil, false) }
        let path = ModelPlace(model).path
        let place = ModelPlace(
            path,
            at: revision,
            swift: options.swift,
            readsSwift: contents.swiftFolders.contains(model) || ModelPlace(model).holdsSwift
        )
        guard isInRevision(place) else { return (nil, true) }
        do throws(MomtoolError) {
            let old = try place.readUsable()
            if !old.hasErrors || old.isReadableInParts, let before = old.value.currentVersion,
                !unreadVersions(old.value.versions, reading: old.diagnostics).contains(before.name)
            {
                return ((old.value, before, old.diagnostics), false)
            }
            throw MomtoolError(.badData, saying: old.diagnostics.filter { $0.severity == .error })
        } catch {
            let isEmpty = error.diagnostics.contains {
                [.notAModel, "swift-no-model"].contains($0.rule)
            }
            guard !isEmpty else { return (nil, true) }
            let reason =
                error.diagnostics.first?.wording ?? error.lines.first ?? "it has no current version"
            let wording: Wording =
                "nothing is compared, as the model at \(revision) cannot be read: \(reason)"
            report("not-checked", wording, severity: .error, at: FileLocation(path: path))
            return (nil, false)
        }
    }

    /// Whether a revision has a lock of Swift sources, possibly of a part of those that are read together.
    private mutating func hasSourceLock(at revision: String) -> Bool {
        contents.folders.contains { folder in
            locks(at: revision, below: folder).contains { lock in
                LockFile.model(ofLock: lock.path).map { !isModelBundle($0) } ?? false
            }
        }
    }

    private func lock(of model: String, at revision: String) -> LocatedLock? {
        let lock = LockFile(ofModel: model).path
        return gitText(of: lock, at: revision).flatMap { LocatedLock($0, at: lock, of: revision) }
    }

    /// Compares versions with a lock of a revision; `notes` adds to each difference.
    mutating func compare(
        _ bundle: ModelBundle,
        with located: LocatedLock,
        _ revision: String,
        noting notes: (Diagnostic) -> [Diagnostic.Note] = { _ in [] }
    ) {
        let unread = unreadVersions(bundle.versions, reading: findings.map(\.diagnostic))
            .union(bundle.unreadableVersions.map(\.name))
        var located = located
        located.lock = withoutOldEdits(withoutPruned(located.lock, bundle, revision), bundle)
        // Why they cannot be read is reported separately.
        located.lock.versions.removeAll { unread.contains($0.name) }
        let known = Set(findings.map(\.diagnostic.message))
        let settings = (try? settings(for: bundle.path)) ?? ToolConfiguration()
        let all = checkLock(
            bundle.versions,
            path: bundle.path,
            lock: located,
            unplanned: bundle.unplannedVersions,
            earlier: EarlierSources(earlier, losses: settings.ledger(of: bundle.versions))
        ).filter {
            $0.diagnostic.severity == .error && !known.contains($0.diagnostic.message)
        }
        var found = heeded(all, bundle.versions, settings.check)
        for index in found.indices {
            found[index].diagnostic.notes += notes(found[index].diagnostic)
        }
        findings += found
    }

    /// Returns the lock of a revision without the entities of sources without a plan that differed from it there
    /// already, and were not edited since: the present lock tells whether they may.
    private func withoutOldEdits(_ lock: ModelLock, _ bundle: ModelBundle) -> ModelLock {
        guard bundle.swift?.plans.isEmpty == true, bundle.versions.count == 1,
            let now = bundle.versions.first, now.name == "unversioned", !earlier.isEmpty
        else { return lock }
        func isThere(_ name: String, _ version: ModelVersion) -> Bool {
            version.model.entities.contains { $0.name == name }
        }
        var lock = lock
        for index in lock.versions.indices {
            lock.versions[index].entities.removeAll { entity in
                guard let new = now.hashes.entities[entity.name] else {
                    return !isThere(entity.name, now)
                        && !earlier.contains { isThere(entity.name, $0) }
                }
                return new != entity.hash
                    && earlier.contains { $0.hashes.entities[entity.name] == new }
            }
        }
        return lock
    }

    /// Returns the lock of a revision without versions pruned since on purpose, which are notes.
    private mutating func withoutPruned(
        _ lock: ModelLock,
        _ bundle: ModelBundle,
        _ revision: String
    ) -> ModelLock {
        guard let now = bundle.lock(), !now.prunedVersions.isEmpty else { return lock }
        var lock = lock
        let path = LockFile(ofModel: bundle.path).path
        lock.versions.removeAll { old in
            guard let pruned = now.prunedVersion(withHashes: old.hashes), pruned.name == old.name
            else { return false }
            note(pruned, at: path, revision)
            return true
        }
        return lock
    }

    mutating func note(_ pruned: ModelLock.Version, at lock: String, _ revision: String) {
        report(
            "changed-since",
            "since \(revision): '\(pruned.name)' was pruned: its stores cannot be migrated any more",
            severity: .note,
            at: FileLocation(path: lock, line: pruned.line),
            version: pruned.name
        )
    }
}

extension LocatedLock {
    /// Reads the text of a lock in a revision; `nil` for one that cannot be read, which guards nothing there either.
    init?(_ text: String, at path: String, of revision: String) {
        let place = "\(revision):\(path)"
        let read = ModelLock.parse(text, path: place)
        guard !read.hasErrors else { return nil }
        self.init(read.value, path: place)
    }
}

extension ProjectCheck {
    /// Warns that an entity of Swift sources that was understood at a revision can no longer be compared.
    ///
    /// A lock reports the same; without one nobody would notice that the gate lost the entity.
    private mutating func warnOfUnknown(
        in current: ModelVersion,
        knownTo before: ModelVersion,
        _ revision: String
    ) {
        let known = Set(before.model.entities.filter(\.gaps.isEmpty).map(\.name))
        let lost = current.model.entities.filter { known.contains($0.name) }.flatMap(\.gaps)
            .map(\.description)
        guard !lost.isEmpty else { return }
        for index in findings.indices {
            let diagnostic = findings[index].diagnostic
            guard diagnostic.rule == "swift-not-understood", diagnostic.severity == .note,
                lost.contains(diagnostic.message)
            else { continue }
            findings[index].diagnostic.severity = .warning
            let note = "momtool understood it at \(revision), but can no longer compare it"
            findings[index].diagnostic.notes.append(Diagnostic.Note(note))
        }
    }
}

typealias Difference = (finding: Finding, verdict: Verdict)

private func differences(
    from old: ModelVersion,
    to new: ModelVersion,
    in bundle: ModelBundle,
    since revision: String
) -> [Difference] {
    // The first element of Swift sources is unrelated to the removed ones.
    let whole = bundle.swift == nil ? new.model.source.element : nil
    let step = InferredStep.between(old, new)
    let mapping = step.mapping
    // Names that are exchanged move no hash: values stay under them, whatever renaming says.
    let isTaken = old.hashes != new.hashes || !old.isWhole || !new.isWhole
    let effects = isTaken ? mapping.judgements : mapping.neverTaken.judgements
    // An edit in place that only adds renaming identifiers loses nothing.
    let suspicions = isTaken || old.name != new.name ? [] : step.diff.suspicions
    let isDeclaration = !suspicions.isEmpty && suspicions.allSatisfy(\.isDeclaration)
    return zip(mapping.judgements, effects).filter {
        $0.0.verdict > .noEffectOnHash && !isDeclaration
    }
    .map { _, judgement in
        let element = judgement.change.subject.path ?? "the model"
        let finding = Finding(
            Diagnostic(
                "changed-since",
                "since \(revision): \(element): \(judgement.effect)",
                severity: isTaken ? .note : .warning,
                at: judgement.change.toLocation ?? whole
                    ?? FileLocation(path: bundle.swift == nil ? new.path : bundle.path),
                element: element,
                notes: judgement.cloudKit.map { [Diagnostic.Note($0.line)] } ?? []
            ),
            version: new.name
        )
        return (finding, judgement.verdict)
    }
}

/// Warns about versions that a revision has without a lock and that were removed since, or edited, except the current one.
private func goneVersions(
    of old: ModelBundle,
    _ result: Linter.Result,
    since revision: String
) -> [Finding] {
    let bundle = result.bundle
    let names = Set(bundle.versions.map(\.name) + bundle.unreadableVersions.map(\.name))
    let pruned = Set(bundle.lock()?.prunedVersions.map(\.name) ?? [])
    let hashes = Set(bundle.versions.map(\.hashes))
    let open = Set(result.configuration.unshippedVersions + [bundle.currentVersion?.name ?? ""])
    return old.mirrored(result.mirrored).versions.filter { version in
        let isEdited =
            bundle.version(named: version.name)?.isWhole == true && !open.contains(version.name)
            && !version.isMigratedUnasked
        return (isEdited || !names.contains(version.name)) && !pruned.contains(version.name)
            && version.isWhole && !hashes.contains(version.hashes)
    }.map { version in
        let now = bundle.version(named: version.name)
        let advice: Wording =
            now == nil
            ? "if it shipped, restore and lock it: \(.lock)"
            : "if it shipped, restore it, make the edit in a new version, and lock it: \(.lock)"
        let diagnostic = Diagnostic(
            "changed-since",
            "since \(revision): version '\(version.name)' was \(now == nil ? "removed" : "edited"): its stores no longer open",
            severity: .warning,
            at: now?.model.source.element ?? FileLocation(path: bundle.path),
            notes: [Diagnostic.Note(saying: advice)]
        )
        return Finding(diagnostic, version: version.name)
    }
}

extension ProjectCheck {
    /// Warns of custom stages that a revision had between two present versions: stores now step without their work.
    func removedStages(
        since past: ModelBundle,
        _ result: Linter.Result,
        _ revision: String
    ) -> [Finding] {
        let (bundle, now) = (result.bundle, result.configuration)
        func steps(in text: String?, _ path: String) -> [(from: String, to: String, path: String)] {
            guard let text else { return [] }
            let file = readStagesFile(text, path: path).value
            let model = file.model?.split(separator: "/").last.map(String.init)
            guard model.map(bundle.path.hasSuffix) ?? true else { return [] }
            return file.stages.filter { $0.isCustom && $0.versions.count == 2 }
                .map { ($0.versions[0].name, $0.versions[1].name, path) }
        }
        let before = now.path.flatMap { path in
            gitText(of: path, at: revision).map { readConfiguration($0, path: path).value }
        }
        let files = now.stagesFiles + contents.stages
        let kept = files.flatMap { steps(in: try? readText($0, limit: 1 << 20), $0) }
        let had = Set(files + (before?.stagesFiles ?? [])).sorted().flatMap {
            steps(in: gitText(of: $0, at: revision), $0)
        }
        return (had + past.stepsWithFunctions).filter { step in
            guard let from = bundle.version(named: step.from),
                let to = bundle.version(named: step.to),
                result.mappingModels.path(from: from, to: to) == nil
            else { return false }
            return !(kept + bundle.stepsWithFunctions).contains {
                $0.from == step.from && $0.to == step.to
            }
        }.map { step in
            let message =
                "since \(revision): the custom stage from '\(step.from)' to '\(step.to)' was removed: stores migrate without its work"
            let place = FileLocation(path: step.path)
            return Finding(
                Diagnostic("changed-since", message, severity: .warning, at: place),
                version: step.to
            )
        }
    }
}

import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelChecking
import ModelDiffing
import ModelLoading
import ObjectModel
import SettingsFiles

/// What releases of a model without a lock have shipped, which nothing can undo: findings about it are few, and notes.
struct ShippedHistory {
    private let bundle: ModelBundle
    private let lock: ModelLock
    private let newestTag: String
    private let gone: [ModelReleases.Content]

    /// Takes a lock; `nil` for one that is a file.
    init?(of bundle: ModelBundle, _ lock: ModelLock?, _ settings: ToolConfiguration) {
        guard let lock, let tag = lock.newestTag else { return nil }
        (self.bundle, self.lock, newestTag) = (bundle, lock, tag)
        gone = bundle.contentsGone(settings)
    }

    /// The contents that versions had in releases, and that no version has any more: one finding for each version.
    var findings: [Finding] {
        let names = bundle.versions.map(\.name)
        let own = Dictionary(grouping: gone) { $0.version.name }
        let changed = names.compactMap { name in own[name].map { finding(about: name, $0) } }
        let rest = gone.filter { !names.contains($0.version.name) }
        return changed + (rest.isEmpty ? [] : [note(about: rest)])
    }

    private func finding(about name: String, _ contents: [ModelReleases.Content]) -> Finding {
        let tags = contents.flatMap(\.tags)
        let last = contents.last?.tags.last?.name ?? ""
        let span =
            tags.count == 1
            ? "the tag \(last)" : "\(tags.count) tags, first \(tags[0].name), last \(last)"
        let diagnostic = Diagnostic(
            .releasedOtherwise,
            saying: """
                '\(name)' was different in \(span): stores from then match no version and do not open (134130); \(.lock) \
                records their hashes
                """,
            severity: .note,
            at: bundle.version(named: name)?.model.source.element ?? FileLocation(path: bundle.path)
        )
        return Finding(diagnostic, version: name)
    }

    private func note(about contents: [ModelReleases.Content]) -> Finding {
        let names = contents.map { content in
            let (first, last) = (content.tags[0].name, content.tags.last?.name ?? "")
            return "'\(content.version.name)' (\(first == last ? first : "\(first) to \(last)"))"
        }
        return Finding(
            Diagnostic(
                .releasedOtherwise,
                saying:
                    "releases had versions that no longer exist, and their stores do not open: \(names.listed(most: 3))",
                severity: .note,
                at: FileLocation(path: bundle.path)
            )
        )
    }

    /// Joins what is lost on the way to versions that shipped in one note, and lowers refusals of their steps.
    ///
    /// `earlier` are such losses that no finding has.
    func joining(_ findings: [Finding], _ earlier: [Finding] = []) -> [Finding] {
        let losses = earlier + findings.filter(isShippedLoss)
        let rest = findings.filter { !isShippedLoss($0) }.map(lowered)
        return losses.isEmpty ? rest : rest + [note(about: losses)]
    }

    private func isShipped(_ name: String) -> Bool { lock.version(named: name) != nil }

    private func isShippedLoss(_ finding: Finding) -> Bool {
        guard let name = finding.version, isShipped(name) else { return false }
        return finding.diagnostic.severity == .note
            && Rule.ofLosses.contains(finding.diagnostic.rule)
    }

    /// What steps to versions that shipped dropped, where these are no longer judged and it is still gone.
    func losses(beside findings: [Finding], _ ledger: LossLedger, _ models: MappingModels)
        -> [Finding]
    {
        let judged = Set(findings.filter(isShippedLoss).compactMap(\.version))
        let current = bundle.currentVersion
        return zip(bundle.versions, bundle.versions.dropFirst()).flatMap { from, to -> [Finding] in
            guard isShipped(to.name), to.name != current?.name, !judged.contains(to.name),
                from.entitiesWithGaps.isEmpty, to.entitiesWithGaps.isEmpty,
                models.path(from: from, to: to) == nil
            else { return [] }
            return ledger.unnamed(stepLosses(from: from, to: to), into: to.name).filter { loss in
                let isBack = current.map { $0.model.has(loss.name) && !to.model.has(loss.name) }
                return loss.kind == .dropped && isBack != true
            }.map { loss in
                let place = loss.location ?? FileLocation(path: to.path)
                return Finding(
                    Diagnostic("data-loss", "", severity: .note, at: place, element: loss.name),
                    version: to.name
                )
            }
        }
    }

    private func note(about losses: [Finding]) -> Finding {
        let versions = bundle.versions.map(\.name).filter { name in
            losses.contains { $0.version == name }
        }
        let names = losses.compactMap { $0.diagnostic.loss ?? $0.diagnostic.element }
        let what = names.isEmpty ? "" : ": \(names.listed(most: 3))"
        let last = losses.first { $0.version == versions.last } ?? losses[0]
        let cures = losses.compactMap(cure)
        let end = cures.isEmpty ? " and cannot be undone" : ""
        return Finding(
            Diagnostic(
                last.diagnostic.rule,
                saying:
                    "\(losses.count.counted("loss", "losses")) in \(versions.map { "'\($0)'" }.listed(most: 3)) shipped in \(newestTag) or earlier\(end)\(what)",
                severity: .note,
                at: last.diagnostic.location,
                notes: cures.prefix(3).map { Diagnostic.Note(saying: $0) }
            ),
            version: last.version
        )
    }

    /// How stores that have not migrated yet keep what a shipped version probably renamed: no hash has the identifier.
    private func cure(of loss: Finding) -> Wording? {
        let versions = bundle.versions
        guard let name = loss.diagnostic.loss ?? loss.diagnostic.element,
            let index = versions.firstIndex(where: { $0.name == loss.version }), index > 0,
            let rename = InferredStep.between(versions[index - 1], versions[index]).diff.suspicions
                .first(where: { "\($0.entity.map { "\($0)." } ?? "")\($0.from)" == name }),
            !rename.isOfClass, rename.from != rename.to
        else { return nil }
        let element = rename.entity.map { "\($0).\(rename.to)" } ?? rename.to
        let later = versions[index...].filter { $0.model.has(element) }
        let head =
            "stores of versions before '\(versions[index].name)' can still keep it, as no hash changes: "
        guard let path = versions[index].editedPath else {
            let names = later.map { "'\($0.name)'" }.listed(most: 3)
            return Wording("\(head)in \(names), \(rename.cure)")
        }
        let others = later.dropFirst().map { "'\($0.name)'" }.listed(most: 3)
        let hint = Hint.renaming(rename.elementID, of: element, to: path)
        return
            "\(head)if '\(rename.to)' is '\(rename.from)' renamed, \(hint)\(others.isEmpty ? "" : ", and the same in \(others)")"
    }

    /// A step to a version that shipped affects only users who have not updated yet.
    private func lowered(_ finding: Finding) -> Finding {
        guard finding.diagnostic.severity == .error, finding.version.map(isShipped) == true,
            let version = finding.version.flatMap({ bundle.version(named: $0) }),
            lock.versions.contains(where: { $0.isSame(as: version) }),
            [.versionCannotOpen, "step-not-inferable"].contains(finding.diagnostic.rule)
        else { return finding }
        var finding = finding
        finding.diagnostic.severity = .warning
        finding.diagnostic.notes.append(
            Diagnostic.Note("'\(version.name)' shipped in \(newestTag) or earlier")
        )
        return finding
    }
}

extension Linter.Result {
    /// The result with what shipped as history, where releases tell that.
    func addingHistory(_ options: CheckOptions) -> Linter.Result {
        guard let history = ShippedHistory(of: bundle, lock, configuration) else { return self }
        var result = self
        let earlier = history.losses(
            beside: findings,
            configuration.ledger(of: bundle.versions),
            mappingModels
        )
        result.findings = settled(
            history.joining(findings, earlier) + history.findings,
            bundle.versions,
            options
        )
        result.harmsOfRoutes = history.joining(harmsOfRoutes).filter {
            $0.diagnostic.severity > .note
        }
        return result
    }

    /// The result with the errors about versions that the last release had and the lock lacks.
    ///
    /// A model of Xcode without a lock has the releases for its lock; nothing is compared without a place, nor for one version.
    func addingEdits(at place: ModelPlace?) -> Linter.Result {
        let isLocked = !lockPaths.isEmpty
        func isMissing(_ version: ModelVersion) -> Bool {
            lock?.version(named: version.name) == nil
        }
        guard let place, place.versionName == nil, isLocked || bundle.swift != nil,
            bundle.currentVersion?.isMigratedUnasked == false,
            bundle.versions.contains(where: isMissing),
            let (tag, past) = bundle.lastReleased(at: place, configuration),
            let before = past.value.currentVersion
        else { return self }
        let shipped = past.shippedVersions(configuration).filter { version in
            let pruned = lock?.prunedVersion(withHashes: version.hashes)
            return isMissing(version) && pruned?.name != version.name
        }
        var released = ModelLock(versions: shipped.map(ModelLock.Version.init))
        released.newestTag = tag
        let located = Diagnosed(LocatedLock(released, path: bundle.place(at: tag)))
        // The order of all versions is that of the lock, where there is one.
        let edits = bundle.findings(of: located, [before], by: configuration).filter {
            $0.diagnostic.severity == .error
                && (!isLocked || $0.diagnostic.rule != "locked-versions-reordered")
        }
        var result = self
        result.findings.addNew(edits)
        result.harmsOfRoutes.addNew(edits)
        return result
    }

    /// The result with the classes of SwiftData that have another file than in the last release.
    func addingMoves(at place: ModelPlace?) -> Linter.Result {
        guard let place, let swift = bundle.swift,
            !swift.stores.isEmpty || !swift.memoryStores.isEmpty,
            let (tag, past) = bundle.lastReleased(at: place, configuration)
        else { return self }
        var result = self
        let moved = bundle.movedClasses(since: tag, past.value)
        result.findings.addNew(heeded(moved, bundle.versions, configuration.check))
        return result
    }
}

extension [Finding] {
    /// The findings without the losses that edits of versions which shipped cause: restoring these takes them back.
    var withoutLossesOfEdits: [Finding] {
        let edits = filter {
            $0.diagnostic.rule == "locked-version-edited" && $0.diagnostic.severity == .error
        }
        return filter { finding in
            guard let loss = finding.diagnostic.loss else { return true }
            let names = [loss, finding.diagnostic.element]
            return !edits.contains {
                $0.version == finding.version && names.contains($0.diagnostic.element)
            }
        }
    }
}

extension RuleID { fileprivate static let releasedOtherwise: RuleID = "released-otherwise" }

extension ManagedObjectModel {
    /// Whether there is an entity, or a property of one, of a name.
    fileprivate func has(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard let entity = entities.first(where: { $0.name == parts.first }) else { return false }
        return parts.count == 1 || entity.properties.contains { $0.name == parts[1] }
    }
}

import Diagnostics
import Essentials
import FileSystem
import ModelChecking
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
                '\(name)' had other contents in \(span): their stores match no version and do not open (134130); \(.lock) \
                records them
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

    /// Joins what is found about losses on the way to a version that shipped, and lowers refusals of its step.
    func joining(_ findings: [Finding]) -> [Finding] {
        let losses = findings.filter(isShippedLoss)
        let joined = Dictionary(grouping: losses) { $0.version ?? "" }
        var reported: Set<String> = []
        return findings.compactMap { finding in
            guard let name = finding.version, isShipped(name) else { return finding }
            guard isShippedLoss(finding), let all = joined[name] else { return lowered(finding) }
            guard reported.insert(name).inserted else { return nil }
            return note(about: all, of: name)
        }
    }

    private func isShipped(_ name: String) -> Bool { lock.version(named: name) != nil }

    private func isShippedLoss(_ finding: Finding) -> Bool {
        guard let name = finding.version, isShipped(name) else { return false }
        return finding.diagnostic.severity == .note
            && Rule.ofLosses.contains(finding.diagnostic.rule)
    }

    private func note(about losses: [Finding], of name: String) -> Finding {
        let names = losses.compactMap { $0.diagnostic.element }
        let what = names.isEmpty ? "" : ": \(names.listed(most: 3))"
        return Finding(
            Diagnostic(
                losses[0].diagnostic.rule,
                saying:
                    "\(losses.count.counted("loss", "losses")) on the way to '\(name)' shipped by \(newestTag) and cannot be undone\(what)",
                severity: .note,
                at: losses[0].diagnostic.location
            ),
            version: name
        )
    }

    /// A step to a version that shipped affects only users who have not updated yet.
    private func lowered(_ finding: Finding) -> Finding {
        guard finding.diagnostic.severity == .error,
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
        result.findings = settled(
            history.joining(findings) + history.findings,
            bundle.versions,
            options
        )
        result.harmsOfRoutes = history.joining(harmsOfRoutes).filter {
            $0.diagnostic.severity > .note
        }
        return result
    }
}

extension RuleID { fileprivate static let releasedOtherwise: RuleID = "released-otherwise" }

import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import MigrationTesting
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles
import YAMLReading

extension ProjectCheck {
    mutating func take(_ outcomes: [CaseOutcome]) {
        noteObstacles(in: outcomes)
        let reported = Set(
            findings.filter { $0.diagnostic.severity == .error }
                .map { $0.diagnostic.description(in: options.matrix.words) }
        )
        // Stages that do not run are noted once for a model.
        let noted = findings.map(\.diagnostic)
            .filter {
                [.customStageNotRun, .mappingModelNotRun, .mappingModelSkipsVersions]
                    .contains($0.rule)
            }
            .flatMap { [$0.message] + $0.notes.map(\.message) }
        var causes: [String: Int] = [:]
        var further: [Int: [String]] = [:]
        for (outcome, test) in zip(outcomes, tests) where outcome.obstacle == nil {
            let isRefused = outcome.status == .skipped && !test.isReported
            guard outcome.status == .failed || isRefused else { continue }
            let lines = outcome.lines.flatMap { $0.split(separator: "\n").map(String.init) }
            // A fault of the configuration fails everything that depends on it, and is reported at its own location.
            let reason = lines.first ?? "no reason was given"
            guard !reported.contains(reason) else { continue }
            // The same for a map, a stages file or a script.
            let isElsewhere = outcome.place.map { $0.path != test.place.path } ?? false
            if isElsewhere, let index = causes[reason] ?? reporter(of: reason, at: outcome.place) {
                further[index, default: []].append(outcome.name)
                continue
            }
            // The location is that of the whole finding, and is not repeated in it.
            let first = reason.trimmingPrefix(outcome.place.map { "\($0): " } ?? "")
                .trimmingPrefix(isRefused ? "refused: " : isElsewhere ? "error: " : "")
            let message = "\(outcome.name) \(isRefused ? "is refused" : "fails"): \(first)"
            let notes = lines.dropFirst().filter { line in !noted.contains { line.contains($0) } }
                .prefix(20).map { Diagnostic.Note(String($0.trimmingPrefix("note: "))) }
            let unrun = findings.map(\.diagnostic).filter { finding in
                finding.rule == .customStageNotRun
                    && lines.contains { $0.contains(finding.message) }
            }.map {
                Diagnostic.Note(
                    "this stage was not run; name a stages file in the case: stages:",
                    at: $0.location
                )
            }
            let diagnostic = Diagnostic(
                "migration-test-failed",
                message,
                at: outcome.place ?? test.place,
                notes: unrun + notes
            )
            causes[reason] = findings.count
            findings.append(Finding(diagnostic, version: test.version))
        }
        for (index, names) in further {
            let note = Diagnostic.Note("also fails for it: \(names.listed(most: 3))")
            findings[index].diagnostic.notes.append(note)
        }
        tests = []
    }

    private func reporter(of reason: String, at place: FileLocation?) -> Int? {
        findings.firstIndex { finding in
            let diagnostic = finding.diagnostic
            return diagnostic.severity == .error && diagnostic.location?.path == place?.path
                && diagnostic.location?.line == place?.line
                && reason.contains(diagnostic.wording.text(in: options.matrix.words))
        }
    }

    /// Reports once what keeps cases from running: at the finding that already reports it, or at the first of the cases.
    private mutating func noteObstacles(in outcomes: [CaseOutcome]) {
        var seen: Set<String> = []
        for (outcome, test) in zip(outcomes, tests) {
            guard let cause = outcome.obstacle, seen.insert(cause).inserted else { continue }
            let kept = outcomes.filter { $0.obstacle == cause }.map(\.name)
            let note = Diagnostic.Note(
                "\(kept.count.counted("case")) could not be run for it: \(kept.listed(most: 3))"
            )
            let known = findings.indices.first { index in
                let diagnostic = findings[index].diagnostic
                let isGone =
                    diagnostic.rule == "locked-version-removed"
                    && findings[index].version.map { cause.contains("no version '\($0)'") } == true
                return diagnostic.severity == .error
                    && (isGone
                        || outcome.lines.contains {
                            $0.contains(diagnostic.wording.text(in: options.matrix.words))
                        })
            }
            if let known {
                findings[known].diagnostic.notes.append(note)
                continue
            }
            let first = (outcome.lines.first ?? cause).trimmingPrefix(
                outcome.place.map { "\($0): " } ?? ""
            )
            let message = "\(outcome.name) cannot be run: \(first)"
            let place = outcome.place ?? test.place
            findings.append(
                Finding(Diagnostic("migration-test-failed", message, at: place, notes: [note]))
            )
        }
    }

    /// The findings on a model that a revision does not have, with a count of the others; remembers its notes.
    mutating func news(in result: Linter.Result, since past: Past?) -> [Finding] {
        let found = merged(result.findings)
        guard let revision = options.revision, let past else { return found }
        let unchanged = past.bundle.unchanged(in: result.bundle)
        func mayBeKnown(_ finding: Finding) -> Bool {
            finding.diagnostic.severity > .note && finding.version.map(unchanged.contains) == true
        }
        guard options.comparesNotes || found.contains(where: mayBeKnown) else { return found }
        let old = result.findings(of: past.bundle, reading: past.reading, at: revision)
        let known = Set(old.map(\.key))
        if options.comparesNotes {
            knownNotes.formUnion(
                found.filter { $0.diagnostic.severity == .note && known.contains($0.key) }
            )
        }
        let left = found.filter { mayBeKnown($0) && known.contains($0.key) }
        guard !left.isEmpty else { return found }
        let message =
            "\(left.count.counted("finding")) that \(revision) has too \(left.count == 1 ? "is" : "are") left out"
        let place = FileLocation(path: result.bundle.path)
        return found.filter { !left.contains($0) }
            + [Finding(Diagnostic("changed-since", message, severity: .note, at: place))]
    }
}

extension Finding {
    /// What it is about, whatever its place: a loss of a version is the same at its step and on later routes.
    fileprivate var key: [String] {
        if let loss = diagnostic.loss { return [version ?? "", loss] }
        return [diagnostic.rule.rawValue, diagnostic.element ?? "", diagnostic.message]
    }
}

extension ModelBundle {
    /// The names of the versions that another state of the bundle has as they are here, with the version before.
    fileprivate func unchanged(in other: ModelBundle) -> Set<String> {
        func isSame(_ version: ModelVersion?, _ now: ModelVersion?) -> Bool {
            guard let version, let now else { return version == nil && now == nil }
            return version.name == now.name && version.hashes == now.hashes
                && inferMapping(from: version, to: now).judgements.isEmpty
        }
        var names: Set<String> = []
        for (place, version) in versions.enumerated() {
            let now = other.versions.firstIndex { $0.name == version.name }
            guard let now, isSame(version, other.versions[now]),
                isSame(
                    place == 0 ? nil : versions[place - 1],
                    now == 0 ? nil : other.versions[now - 1]
                )
            else { continue }
            names.insert(version.name)
        }
        return names
    }
}

extension Linter.Result {
    func agreement(into version: String) -> LossAgreement {
        configuration.ledger(of: bundle.versions).agreement(into: version)
    }

    /// Findings with the severities of the configuration, without the ignored ones.
    func heeded(_ found: [Finding]) -> [Finding] {
        ModelChecking.heeded(found, bundle.versions, configuration.check)
    }

    /// Warns how an edit of an unlocked version, or of an entity that its lock lacks, affects its stores.
    func graded(
        _ differences: [Difference],
        from before: ModelVersion,
        to version: ModelVersion,
        isLocked: Bool,
        isReplacing: Bool
    ) -> [Finding] {
        let isOpen =
            isLocked
            || (before.hashes != version.hashes
                && !configuration.unshippedVersions.contains(version.name))
        guard isOpen else { return differences.map(\.finding) }
        let gaps = before.entitiesWithGaps.union(version.entitiesWithGaps)
        let unknown = gaps.union(lock?.version(named: version.name)?.unknownEntities ?? [])
        let agreement = agreement(into: version.name)
        return differences.map { difference in
            var finding = difference.finding
            let element = finding.diagnostic.element ?? ""
            let entity = String(element.prefix { $0 != "." })
            // Where no store opens any more, no loss can be intended.
            let isMeant = difference.verdict.isInferable && agreement.covers([element])
            guard difference.verdict >= .dependsOnRows, !isMeant,
                !isLocked || unknown.contains(entity)
            else { return finding }
            finding.diagnostic.severity = .warning
            let advice =
                isLocked
                ? unjudged(difference, in: entity, version, isOpenNow: gaps.contains(entity))
                : isReplacing
                    ? "'\(version.name)' replaces a model that shipped: keep what its stores have, \(cure(of: difference, in: version, ifEdited: true))"
                    : unlocked(difference, version)
            finding.diagnostic.notes.append(Diagnostic.Note(saying: advice))
            return finding
        }
    }

    private func unlocked(_ difference: Difference, _ version: ModelVersion) -> Wording {
        if let tag = bundle.release(of: version.name, configuration) {
            // Only classes without versions migrate after an edit.
            let cure = cure(of: difference, in: version, ifEdited: version.name == "unversioned")
            return "'\(version.name)' shipped in \(tag): undo the edit, \(cure)"
        }
        return """
            '\(version.name)' was edited, and no lock says whether it shipped: if it did, undo the edit and \
            lock it: \(.lock); if not, say so in .momtool.yml: lock: {unshipped: [\(yamlText(version.name))]}
            """
    }

    private func unjudged(
        _ difference: Difference,
        in entity: String,
        _ version: ModelVersion,
        isOpenNow: Bool
    ) -> Wording {
        """
        '\(version.name)' shipped, but its lock does not cover '\(entity)': momtool \
        \(isOpenNow ? "does not understand" : "did not understand") all of it; undo the edit, \
        \(cure(of: difference, in: version, ifEdited: true))
        """
    }

    private func cure(
        of difference: Difference,
        in version: ModelVersion,
        ifEdited mayBeEdited: Bool
    ) -> Wording {
        guard mayBeEdited, difference.verdict.isInferable,
            let element = difference.finding.diagnostic.element
        else { return "and make it in a new version" }
        return """
            or, if this is intended, allow it \
            \(configuration.ledger(of: []).entry(allowing: [element], into: version.name))
            """
    }
}

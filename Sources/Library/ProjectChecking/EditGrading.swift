import Diagnostics
import MappingInference
import MigrationPlanning
import ModelChecking
import Momtool
import ObjectModel
import SettingsFiles
import YAMLReading

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
        isLocked: Bool
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
                : unlocked(version)
            finding.diagnostic.notes.append(Diagnostic.Note(saying: advice))
            return finding
        }
    }

    private func unlocked(_ version: ModelVersion) -> Wording {
        """
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
        let element = difference.finding.diagnostic.element ?? entity
        let cure: Wording =
            difference.verdict.isInferable
            ? """
            or, if this is intended, allow it \
            \(configuration.ledger(of: []).entry(allowing: [element], into: version.name))
            """ : "and make it in a new version"
        return """
            '\(version.name)' shipped, but its lock does not cover '\(entity)': momtool \
            \(isOpenNow ? "does not understand" : "did not understand") all of it; undo the edit, \(cure)
            """
    }
}

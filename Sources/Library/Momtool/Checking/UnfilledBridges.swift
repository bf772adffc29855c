import Diagnostics
import MigrationPlanning
import ModelChecking
import ModelLoading
import ObjectModel
import SettingsFiles

extension ModelBundle {
    /// Warns about bridging versions whose new attribute no stage fills.
    ///
    /// The old attribute is named as lost, since it moves. Without a stage it does not, and the refused step became one
    /// that loses all. What the lock has may have been filled by the app. Only stages files that the configuration
    /// names count, as where stores are migrated.
    func unfilledBridges(
        _ ledger: LossLedger,
        _ lock: ModelLock?,
        _ configuration: ToolConfiguration,
        _ swift: SwiftSettings,
        _ mappingModels: MappingModels
    ) -> [Diagnostic] {
        let files = configuration.stagesFiles
        guard let lock = lock?.following(versions).lock else { return [] }
        let locked = Set(lock.versions.map(\.name))
        return versions.indices.dropFirst(2).flatMap { index -> [Diagnostic] in
            let (from, to) = (versions[index - 1], versions[index])
            guard !locked.contains(from.name), !locked.contains(to.name) else { return [] }
            let agreement = ledger.agreement(into: to.name)
            let held = heldValues(from: from, to: to, after: versions[index - 2])
                .filter { agreement.covers($0.names) }
            guard !held.isEmpty, mappingModels.path(from: from, to: to) == nil,
                stage(from: from, to: to, in: files, swift, mappingModels.named) == nil
            else { return [] }
            return held.map { value in
                Diagnostic(
                    "data-loss",
                    saying: """
                        the step from '\(from.name)': \(value.name) is allowed as a loss because its values move to '\(value.heir)', but no \
                        custom stage moves them: every value is lost
                        """,
                    severity: .warning,
                    at: value.location ?? FileLocation(path: to.path),
                    element: value.name,
                    notes: [
                        Diagnostic.Note(
                            """
                            momtool uses a stages file once .momtool.yml names it: stages: [Stages.yml], with a relative path; if the \
                            values may be dropped, the new attribute needs no renaming identifier
                            """
                        )
                    ]
                )
            }
        }
    }
}

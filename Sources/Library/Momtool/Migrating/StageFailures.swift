package import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import ModelHashing
package import ModelLoading
import ObjectModel
import SettingsFiles
import SwiftDataReading

extension RuleID {
    /// A list of stages ends with an error for stores of some version.
    package static let stagesFail: RuleID = "stages-fail"
}

extension ModelBundle {
    /// The names of the versions that plans of Swift sources list.
    package var plannedVersions: Set<String> { Set((swift?.plans ?? []).flatMap(\.schemas)) }

    /// The names of the versions that no migration plan of SwiftData lists, where there are plans.
    package var unplannedVersions: Set<String> {
        let planned = plannedVersions
        return planned.isEmpty ? [] : (swift?.schemas ?? []).subtracting(planned)
    }

    /// Walks the plans of Swift sources, as an app does at its start, from each version that they list.
    ///
    /// - Returns: where they fail, each cause once.
    package func planFailures() -> [Diagnostic] {
        knownPlans.flatMap { plan -> [Diagnostic] in
            guard let target = plan.listed.last else { return [] }
            return failures(
                of: plan.manager,
                from: plan.listed,
                to: target.checksum,
                plan.places,
                plan.place
            )
        }
    }

    /// A plan of Swift sources with its versions, its stages, and where it and these are written.
    private typealias KnownPlan = (
        manager: StagedMigrationManager, listed: [ModelVersion], places: [FileLocation],
        place: FileLocation
    )

    /// The plans of Swift sources whose versions are all known.
    private var knownPlans: [KnownPlan] {
        (swift?.plans ?? []).compactMap { plan in
            let place = plan.source.element ?? FileLocation(path: path)
            let stages = stageList(of: plan)
            let manager = StagesFile(path: place.path, stages: stages)
                .manager { version(named: $0.name) }
            let listed = plan.schemas.compactMap { version(named: $0) }
            guard listed.count == plan.schemas.count else { return nil }
            return (manager, listed, stages.map(\.location), place)
        }
    }

    /// The first plan of Swift sources that opens a version and ends the app at its start, whatever store it opens.
    ///
    /// - Parameter version: the version.
    /// - Returns: the plan; `nil` where all are sound.
    func faultyPlan(opening version: ModelVersion) -> FaultyList? {
        knownPlans.lazy.filter { $0.listed.last?.name == version.name }.compactMap { plan in
            let faults = plan.manager.faults(
                versions: plan.listed,
                at: plan.places,
                in: plan.place
            )
            return FaultyList(plan.place.path, faults)
        }.first
    }

    /// Walks stages files that lead through the versions, from each version.
    ///
    /// - Parameters:
    ///   - files: the paths of the files; one that names another model is passed over.
    ///   - swift: what is said of Swift sources.
    ///   - mappingModels: the mapping models that custom stages take.
    /// - Returns: where they fail, each cause once; what cannot be read is a fault of its own.
    package func stageFailures(
        in files: [String],
        _ swift: SwiftSettings = SwiftSettings(),
        mappingModels: MappingModels
    ) -> [Diagnostic] {
        files.flatMap { file -> [Diagnostic] in
            let place = FileLocation(path: file)
            do throws(MomtoolError) {
                guard let read = try stages(at: file, swift, mappingModels) else { return [] }
                guard !read.hasErrors else {
                    return read.diagnostics.filter { $0.severity == .error }
                }
                guard let target = read.value.lastChecksum else { return [] }
                let places = read.value.file.stages.map(\.location)
                return failures(of: read.value.manager, from: versions, to: target, places, place)
                    + read.value.findings().filter { $0.rule == .mapBeyondCoreData }
            } catch {
                let wording = error.lines.joined(separator: "; ")
                return [Diagnostic(.stagesFail, saying: wording, at: place)]
            }
        }
    }

    /// Finds the stages file that carries out a step by a map or a mapping model, so that nothing needs to be inferred.
    ///
    /// - Parameters:
    ///   - source: the version before.
    ///   - target: the version after.
    ///   - files: the stages files of the app.
    ///   - swift: what is said of Swift sources.
    ///   - mappingModels: the mapping models that stages may name.
    /// - Returns: the path of the file; `nil` when none has such a stage.
    package func stagesFile(
        mapping source: ModelVersion,
        to target: ModelVersion,
        in files: [String],
        _ swift: SwiftSettings = SwiftSettings(),
        mappingModels: MappingModels
    ) -> String? {
        stagesFile(from: source, to: target, in: files, swift, mappingModels) {
            $0.parts.contains(.map)
        }
    }

    /// Finds the stages file with a custom stage for a step that is as wanted; `nil` when none has one.
    func stagesFile(
        from source: ModelVersion,
        to target: ModelVersion,
        in files: [String],
        _ swift: SwiftSettings,
        _ mappingModels: MappingModels,
        where isWanted: (CustomMigrationStage) -> Bool
    ) -> String? {
        files.first { file in
            guard let read = try? stages(at: file, swift, mappingModels), !read.hasErrors else {
                return false
            }
            return read.value.manager.stages.contains { stage in
                guard case .custom(let stage) = stage, isWanted(stage) else { return false }
                return stage.currentModel.versionChecksum == source.hashes.checksum
                    && stage.nextModel.versionChecksum == target.hashes.checksum
            }
        }
    }
}

/// A list of stages that ends an app at its start, whatever store it opens.
struct FaultyList: Sendable {
    /// The path of the stages file, or of the Swift sources with the plan.
    let path: String
    /// What Core Data raises an exception for; never empty.
    let faults: [Diagnostic]

    /// Takes what is wrong with a list; `nil` where none of it raises an exception: what else is wrong keeps stores of
    /// some versions from being migrated, which a walk from there tells.
    init?(_ path: String, _ faults: [Diagnostic]) {
        let faults = faults.filter(\.raisesAtStart)
        guard !faults.isEmpty else { return nil }
        (self.path, self.faults) = (path, faults)
    }
}

/// Says where a list of stages fails: what is wrong with the list, else the versions that it leads nowhere.
private func failures(
    of manager: StagedMigrationManager,
    from versions: [ModelVersion],
    to target: String,
    _ places: [FileLocation],
    _ whole: FileLocation
) -> [Diagnostic] {
    guard manager.isWhole else { return [] }
    let faults = manager.faults(versions: versions, at: places, in: whole)
    guard faults.isEmpty else {
        return faults.map { Diagnostic(.stagesFail, saying: $0.wording, at: $0.location) }
    }
    var seen: Set<String> = [target]
    return versions.filter { $0.isWhole && seen.insert($0.checksum).inserted }.compactMap {
        version in
        do throws(StagedPlanError) {
            _ = try manager.plan(from: version.checksum, to: target, semantics: .apple)
            return nil
        } catch {
            let message = "stores of '\(version.name)' do not open: \(error)"
            return Diagnostic(.stagesFail, message, at: whole, element: nil)
        }
    }
}

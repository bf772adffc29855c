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
        (swift?.plans ?? []).flatMap { plan -> [Diagnostic] in
            let place = plan.source.element ?? FileLocation(path: path)
            let stages = stageList(of: plan)
            let file = StagesFile(path: place.path, stages: stages)
            let manager = file.manager { version(named: $0.name) }
            let listed = plan.schemas.compactMap { version(named: $0) }
            guard listed.count == plan.schemas.count, let target = listed.last else { return [] }
            let places = stages.map(\.location)
            return failures(of: manager, from: listed, to: target.checksum, places, place)
        }
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
        files.first { file in
            guard let read = try? stages(at: file, swift, mappingModels), !read.hasErrors else {
                return false
            }
            return read.value.manager.stages.contains { stage in
                guard case .custom(let stage) = stage else { return false }
                return stage.parts.contains(.map)
                    && stage.currentModel.versionChecksum == source.hashes.checksum
                    && stage.nextModel.versionChecksum == target.hashes.checksum
            }
        }
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
    // Stages tell versions apart by their hashes, which a version with a gap has not.
    let listed = manager.stages.flatMap(\.versions).compactMap(\.found)
    guard listed.allSatisfy(\.isWhole) else { return [] }
    let faults = manager.findings(versions: versions, at: places, in: whole)
        .filter { $0.severity == .error }
    guard faults.isEmpty else {
        var said: Set<String> = []
        return faults.filter { said.insert($0.message).inserted }
            .map { Diagnostic(.stagesFail, saying: $0.wording, at: $0.location) }
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

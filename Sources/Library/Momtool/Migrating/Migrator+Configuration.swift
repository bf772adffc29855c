import Diagnostics
import FileSystem
import MigrationPlanning
package import ModelLoading
package import SettingsFiles

extension Migrator {
    /// Finds migrations as an app does by its configuration: through its stages, else with its mapping models and
    /// policies, and with those that lie near the model.
    ///
    /// - Parameters:
    ///   - configuration: what is said for the model.
    ///   - bundle: the model, whose current version stores get.
    ///   - older: models that hold further versions of stores.
    ///   - mappingModels: the mapping models of the app.
    ///   - stages: the paths of stages files beside those of the configuration.
    ///   - swift: what is said of Swift sources.
    /// - Throws: ``MomtoolError`` for a stages file or a mapping model that cannot be read.
    package init(
        by configuration: ToolConfiguration,
        of bundle: ModelBundle,
        beside older: [ModelBundle] = [],
        mappingModels: MappingModels,
        stages: [String] = [],
        _ swift: SwiftSettings = SwiftSettings()
    ) throws(MomtoolError) {
        for path in configuration.stagesFiles + stages {
            guard let read = try bundle.stages(at: path, swift, mappingModels.named) else {
                continue
            }
            guard !read.hasErrors else {
                let faults = read.diagnostics.filter { $0.severity == .error }
                throw MomtoolError(.badData, saying: faults)
            }
            let listed = read.value.file.stages.flatMap(\.versions).map(\.name)
            // Functions that cannot run here are no road.
            guard read.value.closures.isEmpty, !listed.isEmpty,
                listed.allSatisfy({ bundle.version(named: $0) != nil }),
                let current = bundle.currentVersion, listed.contains(current.name)
            else { continue }
            try self.init(stages: read.value, to: current.name)
            return
        }
        try self.init(models: older + [bundle], mappingModels: mappingModels)
        plannedVersions = bundle.plannedVersions
    }
}

extension ToolConfiguration {
    /// The paths of the stages files, which are written from the folder of the configuration.
    package var stagesFiles: [String] {
        let folder = path.map(parent) ?? "."
        return stages.map { $0.hasPrefix("/") || folder == "." ? $0 : "\(folder)/\($0)" }
    }
}

extension ModelBundle {
    /// Reads a stages file, or Swift sources with a plan, that leads through the versions.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - swift: what is said of Swift sources.
    ///   - mappingModels: the mapping models that custom stages take.
    /// - Returns: the stages, with what is wrong with them; `nil` for a file that names another model.
    /// - Throws: ``MomtoolError`` for what cannot be read at all.
    func stages(
        at path: String,
        _ swift: SwiftSettings,
        _ mappingModels: MappingModels
    ) throws(MomtoolError) -> Diagnosed<Stages>? {
        func read(_ models: [ModelBundle]) throws(MomtoolError) -> Diagnosed<Stages> {
            try Stages.read(path, models: models, swift: swift, mappingModels: mappingModels)
        }
        guard !leadsToSwiftSources(path) else { return try read([self]) }
        do throws(MomtoolError) {
            let own = try read([])
            guard !own.hasErrors, !own.value.models.isEmpty else {
                return own.hasErrors ? own : try read([self])
            }
            let place = resolvedPath(self.path)
            return own.value.models.contains { resolvedPath($0.path) == place } ? own : nil
        } catch {
            guard error.diagnostics.contains(where: { $0.rule == "no-model" }) else { throw error }
            return try read([self])
        }
    }
}

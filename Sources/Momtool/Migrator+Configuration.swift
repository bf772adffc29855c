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
    ///   - swift: what is said of Swift sources.
    /// - Throws: ``MomtoolError`` for a stages file or a mapping model that cannot be read.
    package init(
        by configuration: ToolConfiguration,
        of bundle: ModelBundle,
        _ swift: SwiftSettings = SwiftSettings()
    ) throws(MomtoolError) {
        let mappingModels = try MappingModels(configuration).searching(near: bundle.path)
        let folder = configuration.path.map(parent) ?? "."
        for name in configuration.stages {
            let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
            let read = try Stages.read(
                path,
                models: [bundle],
                swift: swift,
                mappingModels: mappingModels.named
            )
            guard !read.hasErrors else {
                let faults = read.diagnostics.filter { $0.severity == .error }
                throw MomtoolError(.badData, faults.map(\.description))
            }
            let listed = read.value.file.stages.flatMap(\.versions).map(\.name)
            // Stages of another model, and functions that cannot run here, are no road of this one.
            guard read.value.closures.isEmpty, !listed.isEmpty,
                listed.allSatisfy({ bundle.version(named: $0) != nil }),
                let current = bundle.currentVersion, listed.contains(current.name)
            else { continue }
            try self.init(stages: read.value, to: current.name)
            return
        }
        try self.init(models: [bundle], mappingModels: mappingModels)
    }
}

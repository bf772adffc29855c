package import Diagnostics
package import ModelLoading
package import Momtool
import SettingsFiles

/// How an app migrates stores to the version of its model, and what may be lost on the way.
package struct AppMigrations: Sendable {
    package let migrator: Migrator
    package let options: MatrixOptions
    /// The notes on named losses that match nothing.
    package let unmatchedLosses: [Diagnostic]
    let settings: ToolConfiguration

    /// Reads the configuration of a model and its mapping models; `older` have further versions of stores.
    package init(
        of bundle: ModelBundle,
        beside older: [ModelBundle] = [],
        _ options: MatrixOptions,
        taking shipped: ShippedLosses = .taken,
        _ swift: SwiftSettings = SwiftSettings()
    ) throws(MomtoolError) {
        settings = try Momtool.settings(for: bundle.path)
        let mappings = try MappingModels(around: bundle.path, settings)
        migrator = try Migrator(
            by: settings,
            of: bundle,
            beside: older,
            mappingModels: mappings,
            swift
        )
        unmatchedLosses = Linter.unmatchedLosses(of: bundle, settings, mappings)
        self.options = options.following(
            settings,
            bundle.lossLedger(settings, shipped, beside: mappings),
            locked: bundle.lossLedger(settings, .named)
        )
    }
}

package import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
package import ModelChecking
package import ModelLoading
import SettingsFiles

extension Linter.Result {
    /// The findings on the model as a revision has it, by the settings and mapping models of the revision.
    package func findings(
        of past: ModelBundle,
        reading: [Diagnostic],
        at revision: String
    ) -> [Finding] {
        let root = repositoryFolder(around: resolvedPath(bundle.path)) ?? "."
        let file = configuration.path ?? "\(root)/\(ToolConfiguration.fileName)"
        let text = gitText(of: file, at: revision) ?? ""
        var settings = readConfiguration(text, path: file).value
        // What stages files answered is compared separately.
        settings.stages = []
        let models = MappingModels(below: root, at: revision, settings)
        var options = settings.check.reportingLosses
        options.scope = .all
        var old = self
        (old.bundle, old.configuration, old.mappingModels) = (past, settings, models)
        (old.lock, old.ledger) = (nil, settings.ledger(of: past.versions))
        old.findings = past.stores.enumerated().flatMap { index, store in
            check(
                store.versions,
                path: past.path,
                reading: index == 0 ? reading : [],
                losses: old.ledger.keeping(store).leavingToStages(of: store),
                mappingModel: models.path,
                leavesOpen: models.leavesOpen,
                options: options
            )
        }.map(settings.wording)
        return old.judgingRoutes(through: [], SwiftSettings(), options, old.ledger).findings
    }
}

extension MappingModels {
    /// Reads the mapping models that a repository had at a revision; none where git cannot.
    fileprivate init(below root: String, at revision: String, _ settings: ToolConfiguration) {
        var own = settings
        own.mappingModels = []
        self = (try? MappingModels([], own)) ?? MappingModels()
        let place = PlacedRevision(revision, in: root).name.flatMap { GitPlace("\($0):./") }
        guard let place, let copies = try? TemporaryFolder() else { return }
        let files = try? GitObjects.shared(at: root).files(at: place) {
            $1 || $0.hasSuffix("/xcmapping.xml") || $0.hasSuffix(".cdm")
        }
        for file in files ?? [] {
            let target = copies.url.appending(path: file.path)
            try? Files.makeFolder(at: target.deletingLastPathComponent().path)
            try? Data(file.bytes).write(to: target)
        }
        items = NearbyMappingModels.read(mappingFiles(at: copies.url.path))
    }
}

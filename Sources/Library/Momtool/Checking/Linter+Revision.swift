package import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
package import ModelChecking
package import ModelLoading
import SettingsFiles

extension Linter.Result {
    /// The findings on the model as a revision has it, judged like the present one by the settings, the mapping models and
    /// the lock of that revision; `stages` are paths of stages files in addition to those of the settings.
    package func findings(
        of past: ModelBundle,
        reading: [Diagnostic],
        at revision: String,
        stages: [String]
    ) -> [Finding] {
        let folder = repositoryFolder(around: resolvedPath(bundle.path)) ?? "."
        let path = configuration.path ?? "\(folder)/\(ToolConfiguration.fileName)"
        let text = gitText(of: path, at: revision)
        var settings =
            text.map { readConfiguration($0, path: path).value } ?? ToolConfiguration(path: path)
        func isKept(_ file: String) -> Bool {
            gitText(of: file, at: revision) == (try? readText(file, limit: 1 << 20))
        }
        // What a stages file answered before it was edited is known by the names of versions.
        let answered = (settings.stagesFiles + stages).filter { !isKept($0) }
            .flatMap { stepsWithMap(of: $0, at: revision) }
        let own = zip(settings.stages, settings.stagesFiles).filter { isKept($1) }
        settings.stages = own.map(\.0)
        let models = MappingModels(around: bundle.path, at: revision, settings)
        let lockText = gitText(of: lockFile.path, at: revision)
        let lock = lockText.map { ModelLock.parse($0, path: lockFile.path).value }
        let ledger = settings.ledger(of: past.versions).recording(lock, takingShipped: true)
        let answers = past.readStages(settings.stagesFiles, models).answers(models)
        var options = settings.check.reportingLosses
        options.scope = .all
        var old = self
        (old.bundle, old.configuration, old.mappingModels) = (past, settings, models)
        (old.lock, old.ledger) = (nil, ledger)
        old.findings = past.stores.enumerated().flatMap { index, store in
            check(
                store.versions,
                path: past.path,
                reading: index == 0 ? reading : [],
                losses: ledger.keeping(store).leavingToStages(of: store),
                mappingModel: { from, to in
                    answers.path(from, to) ?? (answered.contains([from.name, to.name]) ? "" : nil)
                },
                leavesOpen: answers.leaveOpen,
                options: options
            )
        }.map(settings.wording)
        let kept = stages.filter(isKept)
        return old.judgingRoutes(through: kept, SwiftSettings(), options, ledger).findings
    }

    private func stepsWithMap(of file: String, at revision: String) -> [[String]] {
        let text = gitText(of: file, at: revision) ?? ""
        return readStagesFile(text, path: file).value.stages.filter { $0.scripts[.map] != nil }
            .map { $0.versions.map(\.name) }
    }
}

extension MappingModels {
    /// Reads the mapping models that the repository around a model had at a revision; none where git cannot.
    fileprivate init(around model: String, at revision: String, _ settings: ToolConfiguration) {
        var own = settings
        own.mappingModels = []
        self = (try? MappingModels([], own)) ?? MappingModels()
        guard let root = repositoryFolder(around: resolvedPath(model)),
            let name = PlacedRevision(revision, in: root).name,
            let place = GitPlace("\(name):./"), let copies = try? TemporaryFolder(),
            let files = try? GitObjects.shared(at: root).files(
                at: place,
                isNeeded: {
                    $1 || $0.hasSuffix("/xcmapping.xml") || $0.hasSuffix(".cdm")
                }
            )
        else { return }
        for file in files {
            let target = copies.url.appending(path: file.path)
            try? Files.makeFolder(at: target.deletingLastPathComponent().path)
            try? Data(file.bytes).write(to: target)
        }
        items = NearbyMappingModels.read(mappingFiles(at: copies.url.path))
    }
}

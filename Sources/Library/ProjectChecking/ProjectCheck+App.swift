import Diagnostics
import FileSystem
import MigrationTesting
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Warns about versions in the lock of a model without a store in its corpus.
    mutating func checkCorpora() {
        for path in contents.corpora {
            let (folder, place) = (parent(of: path), FileLocation(path: path))
            guard let index = CorpusIndex.read(in: folder) else {
                let message: Wording =
                    "it cannot be read; \(Hint.recordingCorpus(folder)) writes it"
                report("corpus-incomplete", message, at: place)
                continue
            }
            let named = resolvedPath("\(folder)/\(index.model)")
            let models = contents.models + contents.swiftFolders
            guard let model = models.first(where: { LockFile.isOneModel($0, and: named) }),
                let lock = (try? LockFile(ofModel: model).read())?.value.lock
            else { continue }
            let known = Set(index.stores.map(\.checksum))
            for version in lock.versions where !known.contains(version.checksum) {
                let message: Wording =
                    "'\(version.name)' shipped, but the corpus has no store of it; \(Hint.recordingCorpus(folder)) creates it"
                report("corpus-incomplete", message, at: place)
            }
        }
    }

    /// Warns about code that loses stores of any model.
    func faultsOfApp(below folder: String) -> [Finding] {
        let options = (try? settings(for: folder))?.check ?? CheckOptions()
        let isOld = counts.versions > counts.models
        let faults = appFaults(below: folder, hasOlderVersions: isOld)
        return heeded(faults.map { Finding($0) }, [], options)
    }

    /// Warns of entities whose class Core Data does not find by the name that the model has, as it is one of Swift.
    func unfoundClasses(of bundle: ModelBundle) -> [Finding] {
        guard let version = bundle.currentVersion, !contents.classes.isEmpty else { return [] }
        return version.model.entities.compactMap { entity in
            // A class that Xcode writes has its name in Objective-C.
            guard let name = entity.className, let place = contents.classes[name],
                entity.sourceSettings["codeGenerationType"] != "class"
            else { return nil }
            let diagnostic = Diagnostic(
                "class-not-found",
                "Core Data finds no class '\(name)' and creates plain NSManagedObjects for '\(entity.name)': it is a "
                    + "Swift class, whose name begins with that of its module",
                severity: .warning,
                at: entity.source.location(of: "representedClassName"),
                element: entity.name,
                notes: [
                    Diagnostic.Note(
                        "write @objc(\(name)) before the class, or choose its module in the model editor: '.\(name)'",
                        at: place
                    )
                ]
            )
            return Finding(diagnostic, version: version.name)
        }
    }
}

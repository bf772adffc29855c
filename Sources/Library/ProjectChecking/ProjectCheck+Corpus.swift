import Diagnostics
import FileSystem
import MigrationTesting
import ModelChecking
import Momtool

extension ProjectCheck {
    /// Warns about versions in the lock of a model without a store in its corpus.
    mutating func checkCorpora() {
        for path in contents.corpora {
            let folder = parent(of: path)
            guard let index = CorpusIndex.read(in: folder) else {
                report("it cannot be read; \(Hint.recordingCorpus(folder)) writes it", at: path)
                continue
            }
            let place = resolvedPath("\(folder)/\(index.model)")
            let models = contents.models + contents.swiftFolders
            guard let model = models.first(where: { resolvedPath($0) == place }),
                let lock = (try? LockFile(ofModel: model).read())?.value.lock
            else { continue }
            let known = Set(index.stores.map(\.checksum))
            for version in lock.versions where !known.contains(version.checksum) {
                let message: Wording =
                    "'\(version.name)' shipped, but the corpus has no store of it; \(Hint.recordingCorpus(folder)) creates it"
                report(message, at: path)
            }
        }
    }

    private mutating func report(_ message: Wording, at path: String) {
        let place = FileLocation(path: path)
        findings.append(
            Finding(Diagnostic("corpus-incomplete", saying: message, severity: .warning, at: place))
        )
    }
}

import Diagnostics
import FileSystem
import Essentials
import MappingInference
import MigrationPlanning
import ModelChecking
import ModelDiffing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

/// The lock beside a model.
struct LockFile {
    let path: String

    /// Names the lock of a model: `MODEL.lock`, or what the user says.
    init(of bundle: ModelBundle, chosen: String?) {
        let path = String(bundle.path.reversed().drop { $0 == "/" }.reversed())
        self.path = chosen ?? path + ".lock"
    }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Reads the lock; `nil` when there is none.
    func read() throws -> Diagnosed<LocatedLock>? {
        guard exists else { return nil }
        let text = try readText(path, limit: 256 << 20)
        return ModelLock.parse(text, path: path).map { LocatedLock($0, path: path) }
    }

    func write(_ lock: ModelLock, sparing inputs: InputFiles) throws {
        try Commands.write(Data(lock.text.utf8), to: OutputPlace(path, sparing: inputs))
    }
}

/// The mapping models that answer steps: those of the configuration, else those of the project around a model.
///
/// They are read when a step asks for the first time.
final class StepMappings {
    private let model: String
    private let configuration: ToolConfiguration
    private lazy var all = ((try? MappingModels(configuration)) ?? MappingModels())
        .searching(near: model, isDeep: true)

    init(around model: String, _ configuration: ToolConfiguration) {
        (self.model, self.configuration) = (model, configuration)
    }

    /// Returns a ledger in which steps that a mapping model carries out may lose what inference would.
    func answering(_ ledger: LossLedger) -> LossLedger {
        var ledger = ledger
        for (from, to) in zip(ledger.versions, ledger.versions.dropFirst())
        where ledger.agreement(into: to.name) != .all {
            let matching = ModelMatching(from: from, to: to)
            let losses = stepLosses(matching, inferMapping(matching, diff(matching)))
            guard !ledger.unnamed(losses, into: to.name).isEmpty, path(from: from, to: to) != nil
            else { continue }
            ledger.named[to.name] = .all
        }
        return ledger
    }

    /// The path of the mapping model that is for a step; `nil` when there is none.
    func path(from source: ModelVersion, to destination: ModelVersion) -> String? {
        all.path(from: source, to: destination)
    }
}

/// Reads a text file.
func readText(_ path: String, limit: Int) throws -> String {
    do throws(FileFault) {
        return String(decoding: try readFile(path, limit: limit), as: UTF8.self)
    } catch .tooLarge {
        let message = "the file is larger than \(limit) bytes"
        throw CommandFailure(.badData, path, message, .unreadableFile)
    } catch {
        throw CommandFailure(.noInput, path, error.reason, .unreadableFile)
    }
}

/// Finds and reads the configuration for a path: the file named, else the nearest one upwards.
func loadConfiguration(_ chosen: String?, for path: String) throws -> ToolConfiguration {
    try checked(configuration(chosen, for: path))
}

/// The models that an argument stands for: those below a folder, else what it names.
func modelPaths(_ argument: String) -> [String] {
    let path = trimmedPath(argument)
    guard FileIdentity(of: path)?.isFolder == true, !InputFiles.isBundle(path),
        !path.hasSuffix(".app")
    else { return [argument] }
    let found = modelSources(below: path)
    return found.isEmpty ? [argument] : found
}

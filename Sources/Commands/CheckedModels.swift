import Diagnostics
import FileSystem
import Essentials
import ModelChecking
import ModelLoading
import Momtool
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

import Diagnostics
import Essentials
import FileSystem
import LogReading
import SQLiteAccess

/// A folder with a copy of a store, on which commands work in place of the store.
///
/// SQLite plays a log back into the file that it opens, and deletes the log: on the store itself nobody could undo that. The
/// folder is named after the store, and `mkdir` fails where it is there already: two stores never share one.
struct RescueFolder {
    /// Makes the folder, and copies the store there with its log.
    let making: HelpfulCommand
    /// The copy, as a shell takes it.
    let store: String
    private let path: String

    /// Chooses the folder.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - purpose: what the copy is for, as the end of the name of the folder.
    init(for path: String, _ purpose: String) {
        let real = withoutLink(path)
        let name = fileURL(real).lastPathComponent
        let stem = fileURL(real).deletingPathExtension().lastPathComponent
        self.path = (stem.hasPrefix("-") ? "./" : "") + stem + "-" + purpose
        let files = [real] + Self.logs(of: real)
        let folder = shellWord(self.path)
        let copied = files.map(shellWord).joined(separator: " ")
        making = .shell("mkdir \(folder)") + .shell("cp \(copied) \(folder)/")
        store = shellWord("\(self.path)/\(name)")
    }

    /// A file in the folder, as a shell takes it.
    func file(_ name: String) -> String { shellWord("\(path)/\(name)") }

    /// A file in the folder, as SQL takes it.
    func quoted(_ name: String) -> String { quotedText("\(path)/\(name)") }

    /// The files beside a store without which it is another one.
    private static func logs(of path: String) -> [String] {
        ["-wal", "-journal"].map { path + $0 }.filter { fileSize($0) > 0 }
    }
}

/// The file that a path leads to: a log lies beside that, and has its name.
func withoutLink(_ path: String) -> String {
    let resolved = resolvedPath(path)
    let place = resolvedPath(parent(of: path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return resolved == (place == "/" ? "" : place) + "/" + name ? path : resolved
}

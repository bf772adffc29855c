import Diagnostics
import Essentials
import FileSystem
import LogReading
import SQLiteAccess

/// A folder with a copy of a store, on which commands work instead of the store.
///
/// SQLite plays a log back into the file that it opens, and deletes the log: on the store itself that could not be
/// undone. The folder is named after the store, and `mkdir` fails where it exists: two stores never share one.
struct RescueFolder {
    let making: HelpfulCommand
    /// The copy, quoted for a shell.
    let store: String
    private let path: String

    /// Chooses the folder; the purpose of the copy ends its name.
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

    /// A file in the folder, quoted for a shell.
    func file(_ name: String) -> String { shellWord("\(path)/\(name)") }

    /// A file in the folder, quoted for SQL.
    func quoted(_ name: String) -> String { quotedText("\(path)/\(name)") }

    /// The files beside a store that belong to its content.
    private static func logs(of path: String) -> [String] {
        ["-wal", "-journal"].map { path + $0 }.filter { fileSize($0) > 0 }
    }
}

/// The target of a link: a log is beside that, and has its name.
func withoutLink(_ path: String) -> String {
    let resolved = resolvedPath(path)
    let place = resolvedPath(parent(of: path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return resolved == (place == "/" ? "" : place) + "/" + name ? path : resolved
}

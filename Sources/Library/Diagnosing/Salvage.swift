import Diagnostics
import Essentials
import FileSystem
import LogReading
import SQLiteAccess
import StoreFormat

/// What saves the rows of a partly readable database, in the order of the steps.
func salvage(of path: String, _ model: String) -> [WayOut] {
    let rescue = RescueFolder(for: path, "saved")
    let (damaged, text) = (rescue.store, rescue.file("Saved.sql"))
    let saved = rescue.file("Recovered.sqlite")
    let folder = externalDataFolder(of: path).deletingLastPathComponent().lastPathComponent
    return [
        WayOut(
            """
            save what SQLite can still read; .recover puts rows with an unknown table into lost_and_found, and .dump \
            leaves them out; a message such as 'sql error' marks a row that cannot be restored, and the rest continues
            """,
            // `.recover` needs a virtual table that not every build has: on Debian 12 (3.40.1) it ends with `SQL logic
            // error` for every database, intact or not. `.dump` reads as far as it can from both ends of a table, and
            // rolls everything back in its last line if a page was unreadable.
            rescue.making
                + .shell(
                    "(sqlite3 \(damaged) .recover > \(text) || sqlite3 \(damaged) .dump | sed 's/^ROLLBACK;.*/COMMIT;/' > \(text))"
                ) + .shell("sqlite3 \(saved) < \(text)")
        ),
        WayOut(
            "see what is wrong with the saved store",
            .call(.verify, .text(saved), .model(model))
        ),
        WayOut(
            """
            count the losses, which only assigned keys reveal: Z_MAX is the greatest \
            key, and a key without a row belongs to a lost or deleted object
            """,
            .shell("sqlite3 \(saved) \(shellWord("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY"))")
        ),
        WayOut(
            """
            see what it needs, such as a repair; for values in external files, put the folder \(folder) as .Recovered_SUPPORT \
            beside it
            """,
            .call(.doctor, .text(saved), .model(model))
        ),
    ]
}

func lostLogWay(_ path: String) -> WayOut {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return WayOut("look for \(name)-wal where the file came from: it may hold the last saves")
}

/// The first step.
let copyWay = WayOut("stop the app, and first copy the file with its -wal and -shm")

func repairedWay(_ model: String?) -> WayOut {
    let words = model.map { [HelpfulCommand.Word.model($0)] } ?? []
    return WayOut(
        "see what happens to the repaired copy",
        .call(.doctor, ["Repaired.sqlite"] + words)
    )
}

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

/// Advice for a file that is intact without the write-ahead log beside it, in the order of the steps.
func strayLogWays(_ path: String, _ model: String?) -> [WayOut] {
    let log = withoutLink(path) + "-wal"
    let aside = shellWord(log + ".aside")
    return [
        copyWay,
        WayOut(
            """
            move the log aside, and keep it: without it the file is intact; if it is the store's own damaged log, only it has the \
            last saves. Until then, open the file with no SQLite program: it would replay the log into it
            """,
            .shell("test ! -e \(aside)") + .shell("mv \(shellWord(log)) \(aside)")
                + lookAgain(at: path, model)
        ),
    ]
}

func lookAgain(at path: String, _ model: String?) -> HelpfulCommand {
    .call(.doctor, [.text(shellWord(path))] + (model.map { [.model($0)] } ?? []))
}

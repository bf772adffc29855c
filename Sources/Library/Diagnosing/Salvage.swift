import Diagnostics
import Essentials
import LogReading
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
    return WayOut("look for \(name)-wal at the origin of the file: it may contain the last saves")
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

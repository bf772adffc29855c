import Diagnostics
import Essentials
import FileSystem
import LogReading

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

func strayLogWords(_ path: String) -> String {
    let bytes = Int(clamping: fileSize(withoutLink(path) + "-wal"))
    return "without the write-ahead log beside it (\(bytes.counted("byte"))) the file is intact: "
        + "the log belongs to another store, or is damaged"
}

package struct SQLiteCode: Sendable, Hashable {
    /// Above 255 one with details.
    package var code: Int
    /// Lower case, no final period.
    package var meaning: String
    /// What to try first; imperative.
    package var advice: String
    /// A command that helps, with `STORE` and `MODEL` for the user's.
    package var command: HelpfulCommand?

    /// Finds a code, without its details if those are unknown.
    package static func known(_ code: Int) -> SQLiteCode {
        all.first { $0.code == code } ?? all.first { $0.code == code & 0xFF }
            ?? SQLiteCode(
                code: code,
                meaning: "see sqlite.org/rescode.html",
                advice: "look the code up at sqlite.org/rescode.html"
            )
    }

    package static let all: [SQLiteCode] = [
        SQLiteCode(
            code: 1,
            meaning: "an SQL statement does not fit the tables of the store",
            advice: "compare the tables with the model",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        SQLiteCode(
            code: 5,
            meaning: "another process or connection has locked the store",
            advice:
                "find what else has the file open, such as a second container, an extension or a tool; close it and try again"
        ),
        SQLiteCode(
            code: 6,
            meaning: "another process or connection has locked the store",
            advice:
                "find what else has the file open, such as a second container, an extension or a tool; close it and try again"
        ),
        SQLiteCode(
            code: 8,
            meaning:
                "the store cannot be written: it is protected, lacks permissions, or was deleted while open",
            advice:
                "make the file, its -wal and -shm, and their folder writable; wait until the device is unlocked"
        ),
        SQLiteCode(
            code: 10,
            meaning: "the disk failed, or the file was replaced while it was open",
            advice: "check the disk and what replaces the file; first copy all three files"
        ),
        SQLiteCode(
            code: 11,
            meaning: "the file is damaged, often by copying it without its write-ahead log",
            advice: "stop the app and copy the store with its -wal and -shm; then verify the copy",
            command: .call(.doctor, "STORE")
        ),
        SQLiteCode(
            code: 13,
            meaning: "the disk is full",
            advice: "free space on the device; the store is as it was"
        ),
        SQLiteCode(
            code: 14,
            meaning: "the file cannot be opened: check its path, permissions and data protection",
            advice: "check that the folder of the store exists, can be written and is not protected"
        ),
        SQLiteCode(
            code: 19,
            meaning: "a constraint is violated",
            advice: "look for duplicate values of a uniqueness constraint",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        SQLiteCode(
            code: 21,
            meaning: "the connection was closed before the call; the file itself may be intact",
            advice: "find what removes the store or deletes its file while a context still saves"
        ),
        SQLiteCode(
            code: 26,
            meaning: "the file is not an SQLite database, or is encrypted",
            advice: "find out what the file is, and restore the store from a backup",
            command: .call(.doctor, "STORE")
        ),
        SQLiteCode(
            code: 264,
            meaning: "SQLite must replay a journal, but the process cannot write",
            advice:
                "make the folder and the files beside the store (-wal, -shm) writable, or copy all three and open the copy"
        ),
        SQLiteCode(
            code: 522,
            meaning: "the file became shorter while it was open: it was truncated or replaced",
            advice:
                "close the store before you delete or replace its file; if the error stays, the file is truncated",
            command: .call(.doctor, "STORE")
        ),
    ]
}

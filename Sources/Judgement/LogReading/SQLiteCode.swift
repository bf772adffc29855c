package struct SQLiteCode: Sendable, Hashable {
    /// Above 255 one with details.
    package var code: Int
    /// Lower case, no final period.
    package var meaning: String
    /// What to try first; imperative.
    package var advice: String
    /// A command that helps, with `STORE` and `MODEL` for the user's.
    package var command: HelpfulCommand?

    /// Finds a code, without its details where those are not known.
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
            meaning: "a statement does not fit the tables",
            advice: "compare the tables with the model",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        SQLiteCode(
            code: 5,
            meaning: "another process or connection has locked the store",
            advice:
                "find who else has the file open: a second container, an extension, a tool; close it and try again"
        ),
        SQLiteCode(
            code: 6,
            meaning: "another process or connection has locked the store",
            advice:
                "find who else has the file open: a second container, an extension, a tool; close it and try again"
        ),
        SQLiteCode(
            code: 8,
            meaning:
                "the store cannot be written: data protection, permissions, or deleted while open",
            advice:
                "make the file, its -wal and -shm, and their folder writable; wait until the device is unlocked"
        ),
        SQLiteCode(
            code: 10,
            meaning: "the disk failed, or the file was replaced while it was open",
            advice:
                "check the disk and who replaces the file; copy all three files before anything else"
        ),
        SQLiteCode(
            code: 11,
            meaning: "the file is damaged, often by copying it without its write-ahead log",
            advice: "stop the app and copy the store with its -wal and -shm; then check the copy",
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
            meaning: "a constraint is broken",
            advice: "look for equal values under a uniqueness constraint",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        SQLiteCode(
            code: 21,
            meaning: "a call on a connection that is closed; the file itself need not be damaged",
            advice: "find who removes the store or deletes its file while a context still saves"
        ),
        SQLiteCode(
            code: 26,
            meaning: "the file is not an SQLite database, or is encrypted",
            advice: "look at what the file is, and take the store from a backup",
            command: .call(.doctor, "STORE")
        ),
        SQLiteCode(
            code: 264,
            meaning: "a journal must be played back, and the process may not write",
            advice:
                "make the folder and the files beside the store (-wal, -shm) writable, or copy all three and open the copy"
        ),
        SQLiteCode(
            code: 522,
            meaning:
                "the file is shorter than it was: it was cut off or replaced while it was open",
            advice:
                "close the store before its file is deleted or replaced; if it stays, the file is cut off",
            command: .call(.doctor, "STORE")
        ),
    ]
}

import Essentials

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

    package static let all = read(
        """
        1: an SQL statement does not fit the tables of the store
          try: compare the tables with the model
          run: verify
        5: another process or connection has locked the store
          try: find what else has the file open, such as a second container, an extension or a tool; close it and try
          again
        6: another process or connection has locked the store
          try: find what else has the file open, such as a second container, an extension or a tool; close it and try
          again
        8: the store cannot be written: it is protected, lacks permissions, or was deleted while open
          try: make the file, its -wal and -shm, and their folder writable; wait until the device is unlocked
        10: the disk failed, or the file was replaced while it was open
          try: check the disk and what replaces the file; first copy all three files
        11: the file is damaged, often by copying it without its write-ahead log
          try: stop the app and copy the store with its -wal and -shm; then verify the copy
          run: doctor
        13: the disk is full
          try: free space on the device; the store is as it was
        14: the file cannot be opened: check its path, permissions and data protection
          try: check that the folder of the store exists, can be written and is not protected
        19: a constraint is violated
          try: look for duplicate values of a uniqueness constraint
          run: verify
        21: the connection was closed before the call; the file itself may be intact
          try: find what removes the store or deletes its file while a context still saves
        26: the file is not an SQLite database, or is encrypted
          try: find out what the file is, and restore the store from a backup
          run: doctor
        264: SQLite must replay a journal, but the process cannot write
          try: make the folder and the files beside the store (-wal, -shm) writable, or copy all three and open the
          copy
        522: the file became shorter while it was open: it was truncated or replaced
          try: close the store before you delete or replace its file; if the error stays, the file is truncated
          run: doctor
        """
    )

    private static func read(_ text: String) -> [SQLiteCode] {
        TextRow.rows(of: text).map { row in
            let fields = row.fields("try", "run")
            return SQLiteCode(
                code: Int(row.name) ?? 0,
                meaning: row.title,
                advice: fields["try", default: ""],
                command: fields["run"].flatMap(HelpfulCommand.named)
            )
        }
    }
}

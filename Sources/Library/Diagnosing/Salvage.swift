import Diagnostics
import Essentials
import FileSystem
import LogReading
import SQLiteAccess
import StoreFormat

/// What saves the rows of a database that can still be read in parts.
///
/// - Parameters:
///   - path: the path of the store.
///   - model: the model, as a shell takes it.
/// - Returns: the ways, in the order in which they are gone.
func salvage(of path: String, _ model: String) -> [WayOut] {
    let rescue = RescueFolder(for: path, "saved")
    let (damaged, text) = (rescue.store, rescue.file("Saved.sql"))
    let saved = rescue.file("Recovered.sqlite")
    let folder = externalDataFolder(of: path).deletingLastPathComponent().lastPathComponent
    let keys = HandedOutKeys.all(in: path)
    let known =
        keys.isEmpty ? "; Z_MAX is the greatest key" : ": \(keys.map(\.words).listed(most: 5))"
    let uncounted = keys.filter { !$0.areNamed }
    let query =
        keys.isEmpty
        ? "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY"
        : uncounted.prefix(5).map(\.query).joined(separator: "; ")
    return [
        WayOut(
            """
            save what SQLite can still read; with .recover, rows whose table is not known end in lost_and_found, and .dump \
            leaves them out; a message such as 'sql error' tells of what cannot be placed, and all else goes on
            """,
            // `.recover` needs a virtual table that not every build has: on Debian 12 (3.40.1) it ends with `SQL logic error`
            // for every database, whole or not. `.dump` reads as far as it can from both ends of a table, and undoes all in
            // its last line where a page could not be read.
            rescue.making
                + .shell(
                    "(sqlite3 \(damaged) .recover > \(text) || sqlite3 \(damaged) .dump | sed 's/^ROLLBACK;.*/COMMIT;/' > \(text))"
                )
                + .shell("sqlite3 \(saved) < \(text)")
        ),
        WayOut(
            "see what is wrong with the saved store",
            .call(.verify, .text(saved), .model(model))
        ),
        WayOut(
            """
            count what is lost, of which the saved store has no trace but the keys that were handed out\(known); a key without \
            a row is that of a lost object, or of a deleted one
            """,
            query.isEmpty ? nil : .shell("sqlite3 \(saved) \(shellWord(query))")
        ),
        WayOut(
            """
            see what it needs, such as a repair; values in files of their own need the folder \(folder) as .Recovered_SUPPORT \
            beside it
            """,
            .call(.doctor, .text(saved), .model(model))
        ),
    ]
}

/// What to do where a write-ahead log may be missing.
func lostLogWay(_ path: String) -> WayOut {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return WayOut(
        "look for \(name)-wal where the file comes from: the last saves may be in it"
    )
}

/// What comes before all else.
let copyWay = WayOut("stop the app, and copy the file with its -wal and -shm before anything else")

/// What to do when a store was repaired.
func repairedWay(_ model: String?) -> WayOut {
    let words = model.map { [HelpfulCommand.Word.model($0)] } ?? []
    return WayOut(
        "see what becomes of the repaired copy",
        .call(.doctor, ["Repaired.sqlite"] + words)
    )
}

/// The keys of a root entity that were handed out, and those that a row has.
private struct HandedOutKeys {
    /// The name of the entity.
    let entity: String
    /// Its table, quoted.
    private let table: String
    /// The greatest key that was handed out.
    let greatest: Int64
    /// How many of them have a row; `nil` where the table cannot be read to its end.
    let present: Int?
    /// The first ones without a row, one more than are named.
    let missing: [Int64]

    private static let namedKeys = 5

    /// The keys of a store, as far as it can be read.
    static func all(in path: String) -> [HandedOutKeys] {
        guard let store = try? StoreFile(path: path, requiringSystemTables: false),
            let rows = try? store.primaryKeys()
        else { return [] }
        return rows.filter { $0.maximumKey > 0 && $0.number < HistoryLayout.firstNumber }
            .map { HandedOutKeys($0, in: store.connection) }
    }

    private init(_ row: PrimaryKeyRow, in connection: SQLiteConnection) {
        (entity, greatest) = (row.name, row.maximumKey)
        table = quotedIdentifier("Z" + row.name.uppercased())
        var (count, next, missing): (Int, Int64, [Int64]) = (0, 1, [])
        let isRead: ()? = try? connection.query("SELECT Z_PK FROM \(table) ORDER BY Z_PK") { row in
            guard let key = row[0].integer, key > 0 else { return }
            count += 1
            while next < key, missing.count <= Self.namedKeys {
                missing.append(next)
                next += 1
            }
            next = key &+ 1
        }
        while next <= row.maximumKey, missing.count <= Self.namedKeys {
            missing.append(next)
            next += 1
        }
        present = isRead == nil ? nil : count
        self.missing = missing
    }

    /// Whether all keys without a row are said.
    var areNamed: Bool { present != nil && missing.count <= Self.namedKeys }

    /// The statement that lists the first keys without a row.
    var query: String {
        "WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < \(greatest)) "
            + "SELECT \(quotedText(entity + "/p")) || i FROM k WHERE i NOT IN (SELECT Z_PK FROM \(table)) LIMIT 20"
    }

    var words: String {
        let keys = "'\(entity)' up to \(greatest)"
        guard let present else { return "\(keys), not all of whose rows can be read" }
        guard !missing.isEmpty else { return "\(keys), of which each has a row" }
        guard areNamed else {
            return "\(keys), of which \(present) have a row"
        }
        return "\(keys), without a row: " + missing.map { "p\($0)" }.joined(separator: ", ")
    }
}

import CSQLite
import struct Essentials.Data

/// What a script may do to its store: read it, and write to views.
///
/// SQLite asks while it compiles a statement (sqlite.org/c3ref/set_authorizer.html).
package final class ScriptGuard {
    /// The views that may be written to, in lower case.
    package let views: Set<String>
    /// The table that the current statement may write to, because its text was made here.
    package var writableTable: String?
    /// Whether the current statement was made here, so that nothing is refused.
    package private(set) var isTrusting = false
    package private(set) var refusal: String?
    /// The tables that statements write, including those of their triggers.
    package private(set) var writtenTables: Set<String> = []
    package private(set) var emptiedTables: Set<String> = []
    package private(set) var filledTables: Set<String> = []
    package private(set) var writtenColumns: [String: Set<String>] = [:]

    package init(views: Set<String>) { self.views = Set(views.map { $0.lowercased() }) }

    package func reset() { refusal = nil }

    /// Refuses nothing while statements run that were made here.
    package func trusting<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = isTrusting
        isTrusting = true
        defer { isTrusting = before }
        return try body()
    }

    /// The words of a refusal of statements that make, alter or remove tables, views, indexes and triggers.
    package static let schemaChanges = "statements that change the schema, such as CREATE TABLE"

    private static let refusedFunctions: Set<String> = [
        "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "fts5", "eval",
        "lsmode", "fsdir", "zipfile", "shell_exec", "icu_load_collation", "sqlite_log",
    ]

    fileprivate func answer(
        _ action: Int32,
        _ first: String?,
        _ second: String?,
        isInTrigger: Bool
    ) -> Int32 {
        guard !isTrusting else { return SQLITE_OK }
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
        case SQLITE_FUNCTION:
            let name = second?.lowercased() ?? ""
            guard Self.refusedFunctions.contains(name) else { return SQLITE_OK }
            return refuse("the function \(name)")
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            let table = first ?? ""
            if views.contains(table.lowercased()) { return SQLITE_OK }
            if isInTrigger || table == writableTable {
                note(action, table, second)
                return SQLITE_OK
            }
            if table.hasPrefix("sqlite_") { return refuse(Self.schemaChanges) }
            return refuse("writing to \(table); write to the views of entities and relationships")
        case SQLITE_ATTACH, SQLITE_DETACH: return refuse("ATTACH")
        case SQLITE_PRAGMA: return refuse("PRAGMA")
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return refuse("BEGIN, COMMIT and ROLLBACK; the whole migration is one transaction")
        default: return refuse(Self.schemaChanges)
        }
    }

    private func note(_ action: Int32, _ table: String, _ column: String?) {
        writtenTables.insert(table)
        switch action {
        case SQLITE_DELETE: emptiedTables.insert(table)
        case SQLITE_INSERT: filledTables.insert(table)
        default: if let column { writtenColumns[table, default: []].insert(column) }
        }
    }

    private func refuse(_ what: String) -> Int32 {
        if refusal == nil { refusal = what }
        return SQLITE_DENY
    }
}

/// A callback that SQLite calls now and then while it works.
final class ProgressQuestion {
    let shallStop: () -> Bool

    init(_ shallStop: @escaping () -> Bool) { self.shallStop = shallStop }
}

/// A function of SQL while SQLite holds it.
package final class ValueFunction: Sendable {
    package typealias Body = @Sendable ([SQLiteValue]) throws(SQLiteFunctionFault) -> SQLiteValue

    fileprivate let body: Body

    fileprivate init(_ body: @escaping Body) { self.body = body }
}

package struct SQLiteFunctionFault: Error, Sendable, Hashable {
    /// What SQLite reports for the statement.
    package var message: String

    package init(_ message: String) { self.message = message }
}

extension SQLiteConnection {
    /// Sets the guard of every statement that is compiled from now on; `nil` removes it.
    package func setGuard(_ scriptGuard: ScriptGuard?) {
        self.scriptGuard = scriptGuard
        guard let scriptGuard else {
            sqlite3_set_authorizer(handle, nil, nil)
            return
        }
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, trigger in
                guard let context else { return SQLITE_DENY }
                return Unmanaged<ScriptGuard>.fromOpaque(context).takeUnretainedValue().answer(
                    action,
                    first.map { String(cString: $0) },
                    second.map { String(cString: $0) },
                    isInTrigger: trigger != nil
                )
            },
            Unmanaged.passUnretained(scriptGuard).toOpaque()
        )
    }

    /// Has SQLite ask now and then whether to stop; `nil` lets it work to the end.
    package func setProgress(_ shallStop: (() -> Bool)?) {
        guard let shallStop else {
            sqlite3_progress_handler(handle, 0, nil, nil)
            progressQuestion = nil
            return
        }
        let question = ProgressQuestion(shallStop)
        sqlite3_progress_handler(
            handle,
            10_000,
            { context in
                guard let context else { return 1 }
                let question = Unmanaged<ProgressQuestion>.fromOpaque(context)
                return question.takeUnretainedValue().shallStop() ? 1 : 0
            },
            Unmanaged.passUnretained(question).toOpaque()
        )
        progressQuestion = question
    }

    /// Does work and reports now and then how much of it is done, even during one long statement.
    ///
    /// `total` is 0 if it is unknown. `shallStop` is called now and then, and `true` interrupts the statement. The work itself
    /// reports its progress.
    package func withProgress<Result, Failure: Error>(
        _ progress: ((_ done: Int, _ total: Int) -> Void)?,
        of total: Int,
        stoppingWhen shallStop: (() -> Bool)? = nil,
        _ body: (_ isDone: (Int) -> Void) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard progress != nil || shallStop != nil else { return try body { _ in } }
        var done = 0
        setProgress {
            progress?(done, total)
            return shallStop?() ?? false
        }
        defer { setProgress(nil) }
        return try body { count in
            done = count
            progress?(done, total)
        }
    }

    /// Registers a function of values, whose errors fail the statement.
    ///
    /// `count` is the number of arguments; -1 for any. `isDeterministic` promises that the same arguments always give
    /// the same value.
    package func register(
        _ name: String,
        arguments count: Int,
        isDeterministic: Bool = true,
        _ function: @escaping ValueFunction.Body
    ) throws(StoreError) {
        let box = Unmanaged.passRetained(ValueFunction(function)).toOpaque()
        try define(
            name,
            Int32(clamping: count),
            isDeterministic ? SQLITE_DETERMINISTIC : 0,
            box,
            releasedBy: { box in if let box { Unmanaged<ValueFunction>.fromOpaque(box).release() } }
        ) { context, count, values in
            guard let function = sqlite3_user_data(context) else { return }
            let body = Unmanaged<ValueFunction>.fromOpaque(function).takeUnretainedValue().body
            do throws(SQLiteFunctionFault) {
                setResult(try body((0..<Int(count)).map { argument(values?[$0]) }), context)
            } catch { sqlite3_result_error(context, error.message, -1) }
        }
    }

    /// Counts from now on the rows that are written to the store.
    ///
    /// Temporary tables do not count, nor do Core Data's own, such as `Z_PRIMARYKEY`.
    package func countWrittenRows() {
        let counter = RowCounter()
        rowCounter = counter
        sqlite3_update_hook(
            handle,
            { context, _, database, table, _ in
                guard let database, let table, database[0] == letter("m") else { return }
                if table[0] == letter("Z"), table[1] == letter("_"), table[2] > letter("9") {
                    return
                }
                context?.assumingMemoryBound(to: Int.self).pointee &+= 1
            },
            counter.count
        )
    }

    /// The rows written since counting began, without those of dropped tables.
    package var writtenRowCount: Int { rowCounter?.count.pointee ?? 0 }
}

private func argument(_ value: OpaquePointer?) -> SQLiteValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
        guard let start = sqlite3_value_text(value) else { return .text("") }
        let count = Int(sqlite3_value_bytes(value))
        let bytes = UnsafeBufferPointer(start: start, count: count)
        return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
        guard let start = sqlite3_value_blob(value) else { return .blob(Data()) }
        return .blob(Data(bytes: start, count: Int(sqlite3_value_bytes(value))))
    default: return .null
    }
}

func setResult(_ value: SQLiteValue, _ context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(let text):
        let count = UInt64(text.utf8.count)
        sqlite3_result_text64(context, text, count, copied, UInt8(SQLITE_UTF8))
    case .blob(let data):
        data.withUnsafeBytes { bytes in
            let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            sqlite3_result_blob64(context, start, UInt64(bytes.count), copied)
        }
    }
}

final class RowCounter {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init() { count.initialize(to: 0) }

    deinit { count.deallocate() }
}

private func letter(_ scalar: UnicodeScalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

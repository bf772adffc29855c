package import ObjectModel
import RowExchange
package import SQLiteAccess
import StoreFormat

/// Does the work of a stage on an open database inside a transaction, without any step.
package func runStageWork(
    _ work: StageWork,
    on connection: SQLiteConnection,
    at version: ModelVersion,
    timeout: Duration? = nil
) throws(StoreMigrationError) {
    let deadline = ScriptDeadline(nil)
    let layout = try storeErrors { () throws(StoreError) in
        try connection.registerTriggerFunctions()
        try registerScriptFunctions(on: connection, deadline: deadline)
        try ExternalForm.register(on: connection, folder: externalDataFolder(of: connection.path))
        try registerFoldings(on: connection)
        let file = StoreFile(on: connection)
        return storedLayout(of: version.model, try file.metadata(), try file.schema())
    }
    connection.setProgress { deadline.hasPassed }
    defer { connection.setProgress(nil) }
    let views = ModelViews(model: version.model, layout: layout)
    try StageSession(connection, views, deadline).run(work, stage: version.name, timeout)
}

/// A store at one version while a stage works on it, in terms of its model.
struct StageSession {
    let connection: SQLiteConnection
    let views: ModelViews
    let deadline: ScriptDeadline
    let scriptGuard: ScriptGuard
    let isRehearsal: Bool
    private let inspection: StageInspection?

    /// Makes a session on views; sessions that share a connection share a guard.
    init(
        _ connection: SQLiteConnection,
        _ views: ModelViews,
        _ deadline: ScriptDeadline,
        _ scriptGuard: ScriptGuard? = nil,
        inspection: StageInspection? = nil,
        isRehearsal: Bool = false
    ) {
        self.connection = connection
        self.views = views
        self.deadline = deadline
        self.scriptGuard = scriptGuard ?? ScriptGuard(views: Set(views.names))
        self.inspection = inspection
        self.isRehearsal = isRehearsal
    }

    /// Compiles a statement of a script or handler, and inspects what it is about to write.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        let statement = try Statement(views.withoutFiles(sql), on: connection)
        if let inspection {
            try scriptGuard.trusting { () throws(StoreError) in
                try inspection.willWrite(
                    scriptGuard.writtenTables,
                    scriptGuard.writtenColumns,
                    emptied: scriptGuard.emptiedTables
                )
            }
        }
        return statement
    }

    /// Does the work of a stage, within its permissions and time.
    func run(_ work: StageWork, stage: String, _ timeout: Duration?) throws(StoreMigrationError) {
        try execute(views.statements)
        connection.setGuard(scriptGuard)
        var timeout = timeout
        if case .program = work { timeout = timeout ?? StageProgram.timeLimit }
        deadline.start(timeout)
        let watch = timeout.map { StatementWatch(connection, for: $0) }
        connection.limitValues(to: Self.greatestValue)
        defer {
            watch?.stop()
            connection.limitValues(to: nil)
        }
        do throws(StoreMigrationError) {
            switch work {
            case .script(let text, let path): try run(script: text, path: path)
            case .program(let program): try run(program)
            case .handler(let handler): try run(handler, stage: stage)
            }
        } catch {
            connection.setGuard(nil)
            throw error
        }
        connection.setGuard(nil)
        try execute(corrections(in: views.layout, views.graph, after: written).map(\.sql))
        try deadline.check(stage)
        deadline.start(nil)
        try execute(views.removal)
    }

    private var written: WrittenCells {
        WrittenCells(
            filledTables: scriptGuard.filledTables,
            emptiedTables: scriptGuard.emptiedTables,
            columns: scriptGuard.writtenColumns
        )
    }

    /// The greatest value that a script may handle, in bytes: writing one is a step that nothing interrupts.
    private static let greatestValue: Int32 = 128 << 20

    private func execute(_ statements: [String]) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            for statement in statements { try connection.execute(statement) }
        }
    }

    private func run(script: String, path: String) throws(StoreMigrationError) {
        for statement in ScriptStatement.all(in: script) {
            scriptGuard.reset()
            do throws(StoreError) { try run(statement) } catch {
                let reason = reason(of: error)
                let place = statement.place(ofMissingColumnIn: reason)
                throw .script(path: path, line: place.line, column: place.column, reason: reason)
            }
        }
    }

    private func run(_ statement: ScriptStatement) throws(StoreError) {
        // SQLite would stop reading at a NUL, and ignore what follows.
        guard !statement.text.utf8.contains(0) else {
            let (path, reason) = (connection.path, "there is a zero character in the statement")
            throw .inaccessible(path: path, reason: reason)
        }
        guard let direct = DirectUpdate(statement, views: views) else {
            return try self.statement(statement.text).run()
        }
        scriptGuard.writableTable = direct.table
        defer { scriptGuard.writableTable = nil }
        try self.statement(direct.sql).run()
    }

    private func run(
        _ handler: (StoreContext) throws -> Void,
        stage: String
    ) throws(StoreMigrationError) {
        let context = StoreContext(self)
        defer { context.close() }
        do { try handler(context) } catch let error as StoreMigrationError { throw error } catch {
            throw .handler(stage: stage, reason: "\(error)", thrown: ThrownError(error))
        }
    }

    /// How to carry values past a step without a table of one's own.
    private static let adviceOnSchema =
        "; to keep values that the step removes, give the stage a map, which sees both versions, as map: FILE with "
        + "set: {new: $source.old}"

    /// Says what went wrong with a statement: what is not allowed, or SQLite's message.
    func reason(of error: StoreError) -> String {
        if let refusal = scriptGuard.refusal {
            let advice = refusal == ScriptGuard.schemaChanges ? Self.adviceOnSchema : ""
            return "a script may not use \(refusal)\(advice)"
        }
        guard case .sqlite(_, _, let message, _) = error else { return error.description }
        return views.explained(message)
    }
}

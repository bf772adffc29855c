package import ObjectModel
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
    try storeErrors { () throws(StoreError) in
        try connection.registerTriggerFunctions()
        try registerScriptFunctions(on: connection, deadline: deadline)
    }
    connection.setProgress { deadline.hasPassed }
    defer { connection.setProgress(nil) }
    let session = try StageSession(connection, version.model)
    try session.run(work, stage: version.name, deadline, timeout)
}

/// A store at one version while a stage works on it, in its model's language.
struct StageSession {
    let connection: SQLiteConnection
    let views: ModelViews
    let scriptGuard: ScriptGuard

    init(
        _ connection: SQLiteConnection,
        _ model: ManagedObjectModel
    ) throws(StoreMigrationError) {
        let layout = try storeErrors { () throws(StoreError) in
            let file = StoreFile(on: connection)
            return storedLayout(of: model, try file.metadata(), try file.schema())
        }
        self.init(connection, ModelViews(model: model, layout: layout))
    }

    /// Makes a session on views; where several share a connection, they share a guard.
    init(_ connection: SQLiteConnection, _ views: ModelViews, _ scriptGuard: ScriptGuard? = nil) {
        self.connection = connection
        self.views = views
        self.scriptGuard = scriptGuard ?? ScriptGuard(views: Set(views.names))
    }

    /// Does the work of a stage; what it may do, and for how long, is bounded.
    func run(
        _ work: StageWork,
        stage: String,
        _ deadline: ScriptDeadline,
        _ timeout: Duration?
    ) throws(StoreMigrationError) {
        try execute(views.statements)
        connection.setGuard(scriptGuard)
        deadline.start(timeout)
        do throws(StoreMigrationError) {
            switch work {
            case .script(let text, let path): try run(script: text, path: path)
            case .handler(let handler): try run(handler, stage: stage, deadline)
            }
        } catch {
            connection.setGuard(nil)
            throw error
        }
        connection.setGuard(nil)
        guard !deadline.hasPassed else {
            throw .interrupted(stage: stage, isTimeout: deadline.isOver)
        }
        deadline.start(nil)
        try execute(views.removal)
    }

    private func execute(_ statements: [String]) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            for statement in statements { try connection.execute(statement) }
        }
    }

    private func run(script: String, path: String) throws(StoreMigrationError) {
        for statement in ScriptStatement.all(in: script) {
            scriptGuard.reset()
            do throws(StoreError) {
                try run(statement)
            } catch {
                throw .script(
                    path: path,
                    line: statement.line,
                    column: statement.column,
                    reason: reason(of: error)
                )
            }
        }
    }

    private func run(_ statement: ScriptStatement) throws(StoreError) {
        // SQLite would stop reading there, and what follows would be left out.
        guard !statement.text.utf8.contains(0) else {
            let (path, reason) = (connection.path, "there is a zero character in the statement")
            throw .inaccessible(path: path, reason: reason)
        }
        guard let direct = DirectUpdate(statement, views: views) else {
            return try connection.execute(statement.text)
        }
        scriptGuard.writableTable = direct.table
        defer { scriptGuard.writableTable = nil }
        try connection.execute(direct.sql)
    }

    private func run(
        _ handler: (StoreContext) throws -> Void,
        stage: String,
        _ deadline: ScriptDeadline
    ) throws(StoreMigrationError) {
        let context = StoreContext(self, deadline)
        defer { context.close() }
        do {
            try handler(context)
        } catch let error as StoreMigrationError {
            throw error
        } catch {
            throw .handler(stage: stage, reason: "\(error)")
        }
    }

    /// Says what went wrong with a statement: what it may not do, or what SQLite says.
    func reason(of error: StoreError) -> String {
        if let refusal = scriptGuard.refusal { return "a script may not use \(refusal)" }
        guard case .sqlite(_, _, let message, _) = error else { return error.description }
        return message
    }
}

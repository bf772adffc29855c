import Diagnostics
import MappingInference
import MigrationPlanning
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
        try ExternalForm.register(on: connection, of: connection.path)
        try registerFoldings(on: connection)
        let file = StoreFile(on: connection)
        return storedLayout(of: version.model, try file.metadata(), try file.schema())
    }
    connection.setProgress { deadline.hasPassed }
    defer { connection.setProgress(nil) }
    let views = ModelViews(layout)
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
        (self.connection, self.views, self.deadline) = (connection, views, deadline)
        self.scriptGuard = scriptGuard ?? ScriptGuard(views: Set(views.names))
        (self.inspection, self.isRehearsal) = (inspection, isRehearsal)
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
        try execute(corrections(in: views.layout, after: written).map(\.sql))
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
        for statement in statements { try storeErrors(connection.execute(statement)) }
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

/// What was wrong with the rows of a store before a stage, so that only what is new counts against the stage.
///
/// Only tables that the stage writes are checked: each before it is first written, and all when the stage is over.
final class StageInspection {
    private let connection: SQLiteConnection
    private let verification: RowVerification
    private var tables: Set<String> = []
    private var emptied: Set<String> = []
    private var counts = FindingCounts()
    private let layout: StoreLayout
    /// The links that another object may displace, and those of them that were kept before the write.
    private let links: [MovedLinks]
    private var keptLinks: [Int] = []
    private let looksAtLinksAlone: Bool

    init(
        _ connection: SQLiteConnection,
        _ layout: StoreLayout,
        ofLinksAlone looksAtLinksAlone: Bool = false
    ) {
        (self.connection, self.looksAtLinksAlone) = (connection, looksAtLinksAlone)
        self.layout = layout
        verification = RowVerification(layout)
        links = MovedLinks.all(in: layout)
    }

    /// Checks tables that are about to be written, with these columns; `emptied` lose rows to which others may refer.
    func willWrite(
        _ written: Set<String>,
        _ columns: [String: Set<String>],
        emptied: Set<String>
    ) throws(StoreError) {
        for index in links.indices
        where links[index].isWritten(columns) && !keptLinks.contains(index) {
            try connection.execute(links[index].keeping)
            keptLinks.append(index)
        }
        guard !looksAtLinksAlone else { return }
        let new = (written.subtracting(tables), emptied.subtracting(self.emptied))
        guard !new.0.isEmpty || !new.1.isEmpty else { return }
        let known = (tables, self.emptied)
        for table in layout.tables where new.1.contains(table.name) {
            try connection.execute(
                "CREATE TEMP TABLE \(quotedIdentifier(Self.former(table))) AS "
                    + "SELECT Z_PK, Z_ENT FROM \(quotedIdentifier(table.name))"
            )
        }
        tables.formUnion(written)
        self.emptied.formUnion(emptied)
        let all = try verification.findings(in: tables, emptied: self.emptied, on: connection)
        // What was checked before has been written since: its first count stays.
        let before = try verification.findings(in: known.0, emptied: known.1, on: connection)
        counts.add(FindingCounts(all), beyond: FindingCounts(before))
    }

    /// The temporary table of the objects that a table had before the stage removed any.
    private static func former(_ table: EntityTable) -> String { "momtool_former_\(table.name)" }

    /// Returns what the stage deleted, and the links that it took from others.
    func lost() throws(StoreMigrationError) -> [RowFinding] {
        var findings = try rowFindings(of: keptLinks.map { links[$0].question }, on: connection)
        for index in keptLinks { try storeErrors(connection.execute(links[index].removal)) }
        for table in layout.tables where emptied.contains(table.name) {
            let name = quotedIdentifier(table.name)
            let questions = layout.numbers(ofHierarchy: table.rootEntity).map { number in
                RowQuestion(
                    RowRisk(.objectsLeftOut(by: .stage), of: layout.entities[number - 1].name),
                    RowQuestion.CountedRows(
                        table: Self.former(table),
                        entity: number,
                        condition: "s.Z_PK NOT IN (SELECT Z_PK FROM \(name))"
                    )
                )
            }
            findings += try rowFindings(of: questions, on: connection)
            let former = quotedIdentifier(Self.former(table))
            try storeErrors(connection.execute("DROP TABLE temp.\(former)"))
        }
        return findings
    }

    /// Refuses what a stage made worse, by `verify`'s rules.
    func check(stage: String) throws(StoreMigrationError) {
        let errors = try storeErrors(
            verification.findings(in: tables, emptied: emptied, on: connection)
        )
        try Self.refuse(errors, beyond: counts, stage)
    }

    /// Counts what is wrong with the rows that a step by a map starts from.
    static func counts(
        before step: StepProgram,
        on connection: SQLiteConnection
    ) throws(StoreError) -> FindingCounts {
        let inspected = step.inspected.before
        return FindingCounts(
            try RowVerification(step.sourceLayout)
                .findings(in: inspected.tables, emptied: inspected.emptied, on: connection)
        )
    }

    /// Refuses what a step by a map made worse, comparing each property with the sources of its values.
    static func check(
        _ step: StepProgram,
        against before: FindingCounts,
        on connection: SQLiteConnection,
        stage: String
    ) throws(StoreMigrationError) {
        let inspected = step.inspected.after
        let errors = try storeErrors(
            RowVerification(step.program.layout)
                .findings(in: inspected.tables, emptied: inspected.emptied, on: connection)
        )
        try refuse(errors, beyond: before.carried(by: step), stage)
    }

    /// Finds the rows with duplicate values when a unique index of a step could not be made.
    static func duplicates(
        after step: StepProgram,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        let layout = step.program.layout
        return try RowVerification(layout)
            .findings(in: layout.tableNames, emptied: [], on: connection)
            .filter { $0.rule == .duplicateValue }
    }

    private static func refuse(
        _ errors: [Diagnostic],
        beyond before: FindingCounts,
        _ stage: String
    ) throws(StoreMigrationError) {
        let worse = before.exceeded(by: errors)
        guard worse.isEmpty else { throw .stageFindings(stage: stage, worse) }
    }
}

/// The name of a column that SQLite does not find, without its table.
private func missingColumn(in reason: String) -> String? {
    guard let range = reason.firstRange(of: "no such column: ") else { return nil }
    // What follows a colon was added to SQLite's words.
    let name = reason[range.upperBound...].prefix { $0 != ":" }
    return name.split(separator: ".").last.map(String.init)
}

extension ScriptStatement {
    /// The position of a column that SQLite does not find, or the start of the statement.
    func place(ofMissingColumnIn reason: String) -> (line: Int, column: Int) {
        let token = missingColumn(in: reason).flatMap { name in
            tokens.first { $0.text == name && [.word, .quotedName].contains($0.kind) }
        }
        guard let token else { return (line, column) }
        let before = text.utf8.prefix(token.range.lowerBound)
        guard let lineEnd = before.lastIndex(of: 10) else { return (line, column + before.count) }
        return (
            line + before.count { $0 == 10 }, before.distance(from: lineEnd, to: before.endIndex)
        )
    }
}

extension MigrationRoute {
    /// Adds to an error of a script that the missing column is one of the version on the other side of the step.
    func explained(_ error: StoreMigrationError, at index: Int) -> StoreMigrationError {
        guard case .script(let path, let line, let column, let reason) = error,
            let name = missingColumn(in: reason)
        else { return error }
        let isBefore = steps[index].kind == .willMigrate
        let near = isBefore ? Array(steps[index...]) : steps[..<index].reversed()
        guard let step = near.first(where: \.kind.changesVersion) else { return error }
        let ends = [step.source, step.destination]
        let (own, other) = isBefore ? (ends[0], ends[1]) : (ends[1], ends[0])
        guard other.model.hasProperty(named: name), !own.model.hasProperty(named: name) else {
            return error
        }
        let cure =
            isBefore
            ? "set it in didMigrate"
            : "keep it in '\(own.name)' and remove it in the next version, or ship a mapping model"
        let help = "\(reason), which exists only in '\(other.name)': \(cure)"
        return .script(path: path, line: line, column: column, reason: help)
    }
}

extension ManagedObjectModel {
    fileprivate func hasProperty(named name: String) -> Bool {
        entities.contains { entity in
            entity.attributes.contains { $0.name == name }
                || entity.relationships.contains { $0.name == name }
        }
    }
}

import Foundation
import SQLiteAccess
import StoreFormat

/// Measures kinds of changes on stores of one size, each against its peers on copies of the same store.
struct ChangeBench {
    let rows: Int
    let runs: Int
    let folder: URL
    private let shape: StoreShape
    let original: String
    let shell: URL
    var store: String { folder.appending(path: "Work.sqlite").path }

    /// The runs of one kind: those of the tool and of the statements in pairs, one after the other.
    struct Result {
        var pairs = MeasuredPairs()
        /// The same within a process that has started, read the models and worked out the migration before.
        var engine = MeasuredPairs()
        var utilities: MeasuredRun?
        var batch: MeasuredRun?
    }

    /// Makes the store that all runs start from.
    init(rows: Int, runs: Int, folder: URL, shape: StoreShape = .usual) throws {
        guard let shell = executable(named: "sqlite3") else {
            throw BenchmarkError("sqlite3 is not installed")
        }
        self.rows = rows
        self.runs = runs
        self.folder = folder
        self.shape = shape
        self.shell = shell
        original = folder.appending(path: "Original.sqlite").path
        let bundle = try ShopModel.writeBundle(.init { _ in }, shape, in: folder)
        let empty = folder.appending(path: "Rows.json")
        try Data("{}".utf8).write(to: empty)
        let arguments =
            ["create", original, "--model", bundle + "#Shop 1", "--rows", empty.path]
            + (shape == .history ? ["--history"] : [])
        _ = try MeasuredCommand(executable: momtool, arguments: arguments).run()
        // By a process of its own: the memory of this one would count as that of those it starts.
        let script = folder.appending(path: "Fill.sql")
        try Data(ShopModel.filling(rows: rows, shape).utf8).write(to: script)
        _ = try MeasuredCommand(executable: shell, arguments: ["-bail", original], input: script)
            .run()
        try shape.writeFiles(beside: original)
    }

    /// Measures a kind.
    ///
    /// - Throws: ``BenchmarkError`` when the statements do not reach the same store as the tool.
    func measure(_ kind: ChangeKind, withOtherPeers: Bool) throws -> Result {
        let bundle = try ShopModel.writeBundle(kind.change, shape, in: folder)
        let ours = MeasuredCommand(
            executable: momtool,
            arguments: [
                "migrate", store, "--model", bundle, "--in-place", "--allow-data-loss", "--quiet",
            ]
        )
        let script = folder.appending(path: "Change.sql")
        let statements = MeasuredCommand(
            executable: shell,
            arguments: ["-bail", store],
            input: script
        )
        var result = Result()
        for run in 0..<runs {
            result.pairs.ours.append(try measure(ours))
            if run == 0 { try writeStatements(for: kind, to: script) }
            result.pairs.theirs.append(try measure(statements))
            if run == 0 { try compare(for: kind) }
        }
        guard withOtherPeers else { return result }
        result.engine = try engine(bundle: bundle, statements: script)
        result.utilities = try utilities(kind).map(measure)
        result.batch = try batch(kind).map(measure)
        return result
    }

    /// Measures the migration and the statements within a process that has both ready.
    ///
    /// Not in this one, whose memory would count as that of those it starts.
    private func engine(bundle: String, statements script: URL) throws -> MeasuredPairs {
        let figures = folder.appending(path: "Engine.txt")
        let measuring = MeasuredCommand(
            executable: URL(fileURLWithPath: CommandLine.arguments[0]),
            arguments: ["engine", original, store, bundle, script.path, figures.path, "\(runs)"]
        )
        _ = try measuring.run()
        return try EngineBench.pairs(in: String(contentsOf: figures, encoding: .utf8))
    }

    private func measure(_ command: MeasuredCommand) throws -> MeasuredRun {
        try restore()
        return try command.run()
    }

    /// Puts a fresh copy of the store in its place.
    func restore() throws { try restoreStore(at: store, from: original) }

    /// Writes the statements, with the metadata and the model cache that the tool just wrote; keeps its store for a
    /// comparison when that is small.
    func writeStatements(for kind: ChangeKind, to script: URL) throws {
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        let system = try connection.rows(
            """
            SELECT 'UPDATE Z_METADATA SET Z_PLIST = X''' || hex(Z_PLIST) || '''' FROM Z_METADATA \
            UNION ALL SELECT 'UPDATE Z_MODELCACHE SET Z_CONTENT = X''' || hex(Z_CONTENT) || '''' \
            FROM Z_MODELCACHE
            """
        ).compactMap { $0[0].text }
        let statements =
            ["PRAGMA cache_size = -16384", "BEGIN IMMEDIATE"] + kind.sql + system + ["COMMIT"]
        try Data((statements.joined(separator: ";\n") + ";\n").utf8).write(to: script)
        guard rows <= 100_000 else { return }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try? FileManager.default.removeItem(atPath: store + ".ours")
        try FileManager.default.copyItem(atPath: store, toPath: store + ".ours")
    }

    /// Checks that the statements have made the same tables with the same rows, and the same indexes.
    private func compare(for kind: ChangeKind) throws {
        guard rows <= 100_000 else { return }
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        try connection.execute("ATTACH ? AS ours", [.text(store + ".ours")])
        let schema = { (name: String) throws in
            try connection.rows(
                """
                SELECT m.type, m.name, m.tbl_name, CASE m.type WHEN 'index' THEN m.sql END, c.name, c.type \
                FROM \(name).sqlite_master AS m LEFT JOIN pragma_table_info(m.name, '\(name)') AS c \
                ORDER BY m.name, c.name
                """
            )
        }
        guard try schema("main") == schema("ours") else {
            throw BenchmarkError("\(kind.name): the statements make another schema")
        }
        let tables = try connection.rows(
            """
            SELECT m.name, group_concat(quote(c.name)) FROM sqlite_master AS m \
            JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' GROUP BY 1
            """
        )
        for table in tables.compactMap({ $0[0].text }) {
            let columns = try connection.rows(
                "SELECT name FROM pragma_table_info(?) ORDER BY name",
                [.text(table)]
            ).compactMap { $0[0].text }.joined(separator: ", ")
            let (left, right) = ("main.\(table)", "ours.\(table)")
            for (one, other) in [(left, right), (right, left)] {
                let lacking = try connection.value(
                    """
                    SELECT (SELECT count(*) FROM (SELECT \(columns) FROM \(one) \
                    EXCEPT SELECT \(columns) FROM \(other))) \
                    + abs((SELECT count(*) FROM \(one)) - (SELECT count(*) FROM \(other)))
                    """
                )
                guard lacking?.integer == 0 else {
                    throw BenchmarkError("\(kind.name): the statements make other rows in \(table)")
                }
            }
        }
    }

    private func utilities(_ kind: ChangeKind) throws -> MeasuredCommand? {
        guard let program = executable(named: "sqlite-utils") else { return nil }
        let script = folder.appending(path: "Change.sh")
        let lines = kind.utilities.map {
            $0.replacing("sqlite-utils", with: "'\(program.path)'").replacing("$S", with: store)
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: script)
        return MeasuredCommand(
            executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-e", script.path]
        )
    }

    private func batch(_ kind: ChangeKind) throws -> MeasuredCommand? {
        guard let alembic = executable(named: "alembic") else { return nil }
        let python = alembic.deletingLastPathComponent().appending(path: "python3")
        let script = folder.appending(path: "Change.py")
        let text = """
            import sys, sqlalchemy as sa
            from alembic.migration import MigrationContext
            from alembic.operations import Operations
            later = []
            after = later.append
            with sa.create_engine("sqlite:///" + sys.argv[1]).begin() as connection:
                op = Operations(MigrationContext.configure(connection))
                with op.batch_alter_table("ZPERSON") as b:
                    \(kind.batch.joined(separator: "\n        "))
                for statement in later:
                    op.execute(statement)

            """
        try Data(text.utf8).write(to: script)
        return MeasuredCommand(executable: python, arguments: [script.path, store])
    }
}

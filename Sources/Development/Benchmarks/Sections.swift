import Foundation

/// Migrations in place, as users run them and with `-q`, against statements in SQLite's shell.
func migrationRows(_ bench: Bench) throws -> [Row] {
    let bundle = try ShopModel.write(bench)
    let original = try ShopModel.makeStore(bench, bundle: bundle, rows: bench.rows)
    let store = bench.path("Work.sqlite")
    return try ShopModel.changes.flatMap { change in
        let migrate = [
            "migrate", store, "--model", "\(bundle)#\(change.version)", "--in-place",
            "--allow-data-loss",
        ]
        let script = try statements(change, migrate, original, store, bench)
        return try [("", []), (", -q", ["-q"])].map { title, options in
            Row(
                what: "\(change.name), \(bench.rows) rows\(title)",
                peer: "`sqlite3`",
                pairs: try Pairs(
                    bench.runs,
                    .momtool(migrate + options),
                    against: .shell(script, on: store),
                    prepare: { try restore(store, from: original) }
                )
            )
        }
    }
}

/// A map of one entity beside a large one that it does not name, against the inferred step.
func mapRows(_ bench: Bench) throws -> [Row] {
    let attribute = "<attribute name='b' attributeType='String' optional='YES'/>"
    for (version, added) in [("V1", ""), ("V2", attribute)] {
        try bench.write(
            "<model><entity name='Large'>\(attribute)</entity><entity name='Small'>\(added)</entity></model>",
            to: "Map.xcdatamodeld/\(version).xcdatamodel/contents"
        )
    }
    let bundle = bench.path("Map.xcdatamodeld")
    try bench.write(
        "entities: [{from: Small, to: Small, set: {b: {constant: x}}}]\n",
        to: "map.yml"
    )
    let stages = try bench.write(
        "model: Map.xcdatamodeld\nstages: [{custom: {from: V1, to: V2}, map: map.yml}]\n",
        to: "Stages.yml"
    )
    let (original, store) = (bench.path("Original.sqlite"), bench.path("Work.sqlite"))
    let empty = try bench.write("{}", to: "Rows.json")
    try MeasuredCommand.momtool("create", original, "--model", bundle + "#V1", "--rows", empty)
        .run()
    let filling = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(bench.rows)) \
        INSERT INTO ZLARGE SELECT i, 1, 1, 'Row ' || i FROM n;
        """
    try MeasuredCommand.shell(bench.write(filling, to: "Fill.sql"), on: original).run()
    return [
        Row(
            what: "a map of one entity beside \(bench.rows) rows",
            peer: "the inferred step",
            pairs: try Pairs(
                bench.runs,
                .momtool("migrate", store, "--stages", stages, "--in-place"),
                against: .momtool("migrate", store, "--model", bundle + "#V2", "--in-place"),
                prepare: { try restore(store, from: original) }
            )
        )
    ]
}

/// Writes the statements of a change, including system tables, and checks that they make the same tables as momtool.
private func statements(
    _ change: ShopModel.Change,
    _ migrate: [String],
    _ original: String,
    _ store: String,
    _ bench: Bench
) throws -> String {
    try restore(store, from: original)
    try MeasuredCommand.momtool(migrate).run()
    let copying = """
        ATTACH '\(bench.path("Ours.sqlite"))' AS ours; CREATE TABLE ours.ZPERSON AS SELECT * FROM ZPERSON;
        .once '\(bench.path("System.sql"))'
        SELECT 'UPDATE Z_METADATA SET Z_PLIST = X''' || hex(Z_PLIST) || ''';' FROM Z_METADATA \
        UNION ALL SELECT 'UPDATE Z_MODELCACHE SET Z_CONTENT = X''' || hex(Z_CONTENT) || ''';' \
        FROM Z_MODELCACHE;
        """
    try? FileManager.default.removeItem(atPath: bench.path("Ours.sqlite"))
    try MeasuredCommand.shell(bench.write(copying, to: "Copy.sql"), on: store).run()
    let system = try String(contentsOfFile: bench.path("System.sql"), encoding: .utf8)
    let lines = ["PRAGMA cache_size = -16384", "BEGIN IMMEDIATE"] + change.statements
    let text = lines.joined(separator: ";\n") + ";\n" + system + "COMMIT;\n"
    let script = try bench.write(text, to: "Change-\(change.version).sql")
    try restore(store, from: original)
    try MeasuredCommand.shell(script, on: store).run()
    let columns =
        "SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('ZPERSON') ORDER BY 1)"
    let names = try output(of: columns, on: store)
    let difference = try output(
        of: "ATTACH '\(bench.path("Ours.sqlite"))' AS ours; SELECT count(*) FROM "
            + "(SELECT \(names) FROM main.ZPERSON EXCEPT SELECT \(names) FROM ours.ZPERSON)",
        on: store
    )
    guard difference == "0" else {
        throw BenchmarkError("\(change.name): the statements make other rows")
    }
    return script
}

private func output(of query: String, on store: String) throws -> String {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", store, query]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError("sqlite3 failed: \(query)") }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The start of the program, and a migration that changes only the schema.
func startRows(_ bench: Bench) throws -> [Row] {
    let bundle = try ShopModel.write(bench)
    let original = try ShopModel.makeStore(bench, bundle: bundle, rows: 100)
    let store = bench.path("Work.sqlite")
    let sql = try bench.write("ALTER TABLE ZPERSON ADD COLUMN ZSCORE INTEGER;\n", to: "Add.sql")
    let runs = 4 * bench.runs
    return [
        Row(
            what: "start",
            peer: "`sqlite3 -version`",
            pairs: try Pairs(
                runs,
                .momtool("--version"),
                against: MeasuredCommand(executable: "/usr/bin/sqlite3", arguments: ["-version"])
            )
        ),
        Row(
            what: "migrate 100 rows",
            peer: "`cp` and `sqlite3`",
            pairs: try Pairs(
                runs,
                .momtool("migrate", original, "--model", bundle, "-o", store),
                against: MeasuredCommand(
                    executable: "/bin/sh",
                    arguments: [
                        "-c", "cp '\(original)' '\(store)' && sqlite3 '\(store)' <'\(sql)'",
                    ]
                ),
                prepare: { remove(store) }
            )
        ),
    ]
}

/// A thousand small stores in one run, compared with a shell for each, one per processor at a time.
func storeRows(_ bench: Bench) throws -> [Row] {
    let bundle = try ShopModel.write(bench)
    let original = try ShopModel.makeStore(bench, bundle: bundle, rows: 1000)
    let stores = (0..<1000).map { bench.path("Stores-\($0).sqlite") }
    let list = try bench.write(stores.joined(separator: "\n") + "\n", to: "Stores.txt")
    let change = ShopModel.changes[0]
    let sql = try bench.write(
        "BEGIN IMMEDIATE;\n" + change.statements.joined(separator: ";\n") + ";\nCOMMIT;\n",
        to: "Change.sql"
    )
    let shells = MeasuredCommand(
        executable: "/usr/bin/xargs",
        arguments: [
            "-P", "\(ProcessInfo.processInfo.activeProcessorCount)", "-I{}", "sqlite3", "-bail",
            "{}", ".read \(sql)",
        ],
        input: list
    )
    let migrate: [String] = ["migrate", "--from-list", list, "--model", bundle, "--in-place"]
    return [
        Row(
            what: "\(change.name), 1,000 stores of 1,000 rows",
            peer: "`xargs -P sqlite3`",
            pairs: try Pairs(bench.runs, .momtool(migrate), against: shells) {
                for store in stores { try restore(store, from: original) }
            }
        )
    ]
}

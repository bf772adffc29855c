import Foundation
import MigrationPlanning
import ModelHashing
import Momtool
import SQLiteAccess
import StoreFormat
import StoreMigration

extension Scenario {
    /// Models live long: the cost of one step must not grow with the versions beside it.
    static let versions = Scenario(
        name: "versions",
        summary: "one step in a bundle of 117 versions of 50 kB, under 0.3 s of processor time; "
            + "stages that list them all, under 2 s, and run on 1,000 rows under 15 s"
    ) { _ in
        try withBenchmarkFolder { folder in
            let bundle = folder.appending(path: "Big.xcdatamodeld")
            _ = try writeBundle(at: bundle, versions: 117)
            let rows = folder.appending(path: "rows.json").path
            try Data(#"{"Entity0": [{"@id": "a", "attribute0": "x"}]}"#.utf8)
                .write(to: URL(fileURLWithPath: rows))
            var lines: [String] = []
            for version in ["V116", "V1"] {
                let store = folder.appending(path: "\(version).sqlite").path
                let create = ["create", store, "--model", bundle.path, "--version", version]
                _ = try MeasuredCommand(executable: momtool, arguments: create + ["--rows", rows])
                    .run()
                lines.append("\(version) → V117: \(try stepFigures(bundle.path, store))")
            }
            let stages = folder.appending(path: "Stages.yml")
            let names = (1...117).map { "V\($0)" }.joined(separator: ", ")
            try Data("model: \(bundle.path)\nstages:\n  - lightweight: [\(names)]\n".utf8)
                .write(to: stages)
            let plan = MeasuredCommand(
                executable: momtool,
                arguments: ["plan", "--stages", stages.path, "--from", "V1"]
            )
            lines.append("stages of 117 versions planned: \(try leastProcessorTime(of: plan))")
            lines.append(
                "116 stages with a script each, on 1,000 rows: "
                    + (try scriptedRun(bundle.path, in: folder))
            )
            return lines
        }
    }

    /// The sample of this repository from its first version to the sixth.
    static let counts = Scenario(
        name: "counts",
        summary: "what the Library sample costs from V1 to V6: each model hashed at most once, "
            + "the schema read at most twice, at most 120 statements"
    ) { _ in
        try withBenchmarkFolder { folder in
            try [("one step", false), ("five stages", true)].map { name, isStaged in
                "\(name): " + (try countedRun("Models/Library.xcdatamodeld", isStaged, in: folder))
            }
        }
    }
}

/// What it costs to take 1,000 objects through every version, with a script behind each step.
private func scriptedRun(_ model: String, in folder: URL) throws -> String {
    let store = folder.appending(path: "Scripted.sqlite").path
    let objects = (1...1_000).map { #"{"@id": "p\#($0)", "attribute0": "x"}"# }
    let rows = folder.appending(path: "thousand.json").path
    try Data(#"{"Entity0": [\#(objects.joined(separator: ", "))]}"#.utf8)
        .write(to: URL(fileURLWithPath: rows))
    let create = ["create", store, "--model", model, "--version", "V1", "--rows", rows]
    _ = try MeasuredCommand(executable: momtool, arguments: create).run()
    try Data("UPDATE Entity0 SET attribute0 = attribute0 || 'y';".utf8)
        .write(to: folder.appending(path: "did.sql"))
    let stages = folder.appending(path: "Scripted.yml")
    let list = (1...116).map {
        "  - custom: {from: V\($0), to: V\($0 + 1)}\n    didMigrate: did.sql\n"
    }
    try Data("model: \(model)\nstages:\n\(list.joined())".utf8).write(to: stages)
    let output = store + ".new"
    let command = MeasuredCommand(
        executable: momtool,
        arguments: [
            "migrate", store, "--stages", stages.path, "-o", output, "--allow-data-loss", "--quiet",
        ]
    )
    return try leastProcessorTime(of: command, runs: 1)
}

/// Migrates the Library's store in this process, and says what was hashed and which statements ran.
private func countedRun(_ model: String, _ isStaged: Bool, in folder: URL) throws -> String {
    let (models, entities) = (HashingCounts.models, HashingCounts.entities)
    let bundle = try ModelPlace(model).read().value
    let output = folder.appending(path: "\(UUID()).sqlite").path
    let statements = try StatementTrace.statements {
        let store = try StoreFile(path: "Fixtures/Library-V1.sqlite")
        let target = MigrationTarget(store: store.path, output: output)
        guard isStaged else {
            try Migrator(models: [bundle]).migration(of: store)
                .run(from: store, to: target, options: MigrationOptions(acceptsLosses: .all))
            return
        }
        let stage = LightweightMigrationStage(
            bundle.versions.map { ManagedObjectModelReference($0) }
        )
        let manager = StagedMigrationManager([.lightweight(stage)])
        let migration = try Migration(of: store, by: manager, semantics: .stepwise)
        try migration.run(
            from: store,
            to: target,
            options: MigrationOptions(acceptsLosses: .all)
        )
    }
    let reads = statements.count { $0.contains("type, name, tbl_name, sql FROM sqlite_master") }
    return "\(HashingCounts.models - models) of \(bundle.versions.count) models hashed whole, "
        + "\(HashingCounts.entities - entities) entities in all; \(statements.count) statements, "
        + "\(reads) of them read the schema"
}

/// What one step costs as a command, and how much of the bundle it hashes.
private func stepFigures(_ model: String, _ store: String) throws -> String {
    let output = store + ".new"
    let command = MeasuredCommand(
        executable: momtool,
        arguments: [
            "migrate", store, "--allow-data-loss", "--model", model, "-o", output, "--quiet",
        ]
    )
    let time = try leastProcessorTime(of: command) {
        try? FileManager.default.removeItem(atPath: output)
    }
    let before = HashingCounts.entities
    let bundle = try ModelPlace(model).read().value
    _ = try StoreVersions([bundle]).source(of: StoreFile(path: store))
    return "\(time); \(HashingCounts.entities - before) entities hashed of "
        + "\(bundle.versions.map(\.model.entities.count).reduce(0, +))"
}

private func leastProcessorTime(
    of command: MeasuredCommand,
    runs: Int = 5,
    _ prepare: () -> Void = {}
) throws -> String {
    let times = try (0..<runs).map { _ in
        prepare()
        return try command.run().processorSeconds
    }
    return "\((times.min() ?? 0).milliseconds) of processor time"
}

package import Essentials

/// The JSON Schema of what a command gives with `--format json`.
package struct ReportSchema: Sendable {
    /// The words of the command, such as `cloudkit check`.
    package let command: String
    /// What the command gives, in a sentence.
    package let about: String
    private let shape: JSONShape

    private init(_ command: String, _ about: String, _ shape: JSONShape) {
        (self.command, self.about, self.shape) = (command, about, shape)
    }

    /// The schemas of all commands with JSON reports, in the order of their names.
    package static let all: [ReportSchema] = [
        ReportSchema("accept kit", "The kit that was written.", .named("work")),
        ReportSchema("accept report", "What Core Data said of each ruling.", .named("acceptance")),
        ReportSchema("check", "Everything found in a project.", .named("findings")),
        ReportSchema("cloudkit check", "What a schema lacks.", .named("findings")),
        ReportSchema("cloudkit diff", "What Production would refuse.", .named("findings")),
        ReportSchema("compile", "What was compiled.", .named("work")),
        ReportSchema(
            "config",
            "The settings in effect for a model, or what --test found.",
            .either([.named("settings"), .named("findings")])
        ),
        ReportSchema("create", "The store that was made.", .named("work")),
        ReportSchema("decompile", "The sources that were written.", .named("work")),
        ReportSchema(
            "diff",
            "The differences between two versions, or between the rows of two stores.",
            .either([.named("difference"), .named("rowDifferences")])
        ),
        ReportSchema(
            "doctor",
            "What is wrong with a store, and what to do; a list for several stores.",
            several(.named("diagnosis"))
        ),
        ReportSchema("export", "The outcome of each store.", .named("outcomes")),
        ReportSchema("generate", "The sources that were written.", .named("work")),
        ReportSchema("hash", "The version hashes of a model.", .named("hashes")),
        ReportSchema(
            "identify",
            "Which version wrote a store; a list for several stores.",
            several(.named("identity"))
        ),
        ReportSchema("init", "What a project got, and what it had.", .named("work")),
        ReportSchema(
            "inspect",
            "What is in a model or a store; a list for several.",
            several(.either([.named("model"), .named("store"), .named("unreadable")]))
        ),
        ReportSchema("lint", "What the rules found.", .named("findings")),
        ReportSchema(
            "lock",
            "What --check found, or what was locked.",
            .either([.named("findings"), .named("work")])
        ),
        ReportSchema("migrate", "The outcome of each store.", .named("outcomes")),
        ReportSchema("model add", "What was changed, or would be.", .named("work")),
        ReportSchema("model apply", "What was changed, or would be.", .named("work")),
        ReportSchema("model merge", "What was merged, with the conflicts.", .named("work")),
        ReportSchema("model move", "What was changed, or would be.", .named("work")),
        ReportSchema("model new-version", "What was changed, or would be.", .named("work")),
        ReportSchema("model remove", "What was changed, or would be.", .named("work")),
        ReportSchema("model rename", "What was changed, or would be.", .named("work")),
        ReportSchema("model rename-version", "What was changed, or would be.", .named("work")),
        ReportSchema("model set", "What was changed, or would be.", .named("work")),
        ReportSchema("model set-current", "What was changed, or would be.", .named("work")),
        ReportSchema("model undo-version", "What was changed, or would be.", .named("work")),
        ReportSchema(
            "plan",
            "What a step does; a list for a migration in several steps; both semantics with --stages.",
            .either([.named("plan"), .list(.named("plan")), .named("stagedPlan")])
        ),
        ReportSchema(
            "repair",
            "What is repaired, and what is not; a list for several stores.",
            several(.named("repair"))
        ),
        ReportSchema(
            "rules",
            "The rules; or what one asks for, and why, or what another ID means.",
            .either([.named("rules"), .named("explanation"), .named("meaning")])
        ),
        ReportSchema(
            "test",
            "The outcome of each case, or the case that was written.",
            .either([.named("tests"), .named("work")])
        ),
        ReportSchema("verify", "What is wrong in stores.", .named("findings")),
    ]

    private static func several(_ shape: JSONShape) -> JSONShape { .either([shape, .list(shape)]) }

    /// The schema of a command.
    package static func of(_ command: String) -> ReportSchema? {
        all.first { $0.command == command }
    }

    /// The schema as a document of JSON Schema, draft 2020-12.
    ///
    /// A command that fails before it has anything to report gives findings, so that every schema allows them.
    package var document: JSONValue {
        var names = Set(["findings"])
        var open = shape.references.union(names)
        while let name = open.popFirst() {
            names.insert(name)
            open.formUnion(definition(name).references.subtracting(names))
        }
        let definitions = names.map { ($0, definition($0).schema) }
        let isFindings = if case .named("findings") = shape { true } else { false }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .string("urn:momtool:\(command.replacing(" ", with: "-")):\(reportVersion)"),
            "title": .string("momtool \(command) --format json"),
            "description": .string(about),
            "anyOf": isFindings
                ? [shape.schema] : [shape.schema, JSONShape.named("findings").schema],
            "$defs": .object(Dictionary(definitions) { $1 }),
        ]
    }

    private func definition(_ name: String) -> JSONShape {
        JSONShapes.definitions[name] ?? .anything
    }
}

/// The shapes that have names, by these.
enum JSONShapes {
    static let definitions = modelShapes.merging(storeShapes) { $1 }
        .merging(examinationShapes) { $1 }.merging(findingShapes) { $1 }
}

import MappingInference

extension JSONShapes {
    /// Findings, rules and tests.
    static let findingShapes: [String: JSONShape] = [
        "findings": findings, "finding": finding, "note": note, "rules": rules, "tests": tests,
        "acceptance": acceptance, "work": work, "explanation": explanation, "settings": settings,
        "meaning": meaning,
    ]

    private static let settings: JSONShape = .report(
        .maybe("configuration", .string, "The path of the file; none where there is no file."),
        .key("versions", .values(["changeable", "all"]), "The versions that are checked."),
        .key("order", .list(.string), "The versions from the oldest to the newest."),
        .key("unshipped", .list(.string), "The versions that have not shipped."),
        .key("allowDataLoss", .list(.string), "What every migration may lose; * is all."),
        .key("losses", .map(.list(.string)), "What the steps into versions may lose; * is all."),
        .key("migration", .values(["direct", "stepwise"])),
        .key("stages", .list(.string)),
        .key("mappingModels", .list(.string)),
        .key("policies", .map(.string), "What each migration policy does."),
        .key("joinTables", .list(.string)),
        .key("claimants", .list(.string)),
        .key("rules", .map(.string), "What becomes of each rule that is named: off or a severity."),
        .key(
            "houseRules",
            .list(
                .object([
                    .key("rule", .string), .key("for", .string), .key("severity", severity),
                ])
            ),
            "The rules of the team."
        ),
        .key(
            "ignore",
            .list(
                .object([
                    .maybe("rule", .string), .maybe("element", .string),
                    .maybe("version", .string), .key("reason", .string),
                ])
            )
        )
    )

    private static let work: JSONShape = .report(
        .key("command", .string),
        .key("isDry", .boolean, "Whether nothing was written; the files are those that would be."),
        .key(
            "files",
            .list(
                .object([
                    .key("path", .string, "A file, or a folder that is written as a whole."),
                    .key(
                        "state",
                        .values(["written", "unchanged", "removed"]),
                        "What became of it; where isDry is true, what would become of it."
                    ),
                ])
            )
        ),
        .key("messages", .list(.string), "What people are told."),
        .maybe("patch", .string, "With --dry-run: a unified diff, as git apply takes it."),
        .maybe("verdict", .string, "What the step to the edited version means to stores."),
        .maybe("plan", .string, "With --plan: what migrate does with stores from before."),
        .key("findings", .list(.named("finding")), "What was noticed on the way.")
    )

    private static let explanation: JSONShape = .report(
        .key("rule", .string),
        .key("family", .string),
        .key("severity", severity),
        .key("summary", .string),
        .key("rationale", .string),
        .key("reporter", .string, "The command that reports it."),
        .maybe("apple", .string, "What Apple's tools say."),
        .maybe("fix", .string, "What lint --fix does about a breach."),
        .maybe("fixMovesHash", .boolean, "Whether that makes it another version.")
    )

    private static let meaning: JSONShape = .report(
        .key("rule", .string),
        .key("summary", .string),
        .key("rationale", .string)
    )

    private static let acceptance: JSONShape = .report(
        .key("system", .map(.anything), "The Mac that ran the kit."),
        .key("momtool", .string, "The version that made the kit."),
        .key("counts", .map(.integer)),
        .key(
            "rules",
            .list(
                .object([
                    .key("rule", .string), .key("evidence", .string),
                    .key("counts", .map(.integer)), .key("items", .list(.string)),
                ])
            )
        ),
        .key(
            "findings",
            .list(
                .object([
                    .key("item", .string), .key("check", .string), .key("outcome", .string),
                    .key("message", .string),
                ])
            )
        ),
        .key("unmatched", .list(.string))
    )

    private static let findings: JSONShape = .report(
        .key("command", .string, "The command that looked, or that failed."),
        .key("subject", .string, "What it looked at, in words or as a path."),
        .maybe("subjects", .list(.string), "The paths of what was looked at one by one."),
        .maybe("extent", .string, "What was looked at, in numbers, in words."),
        .key(
            "counts",
            .object([.key("error", .integer), .key("warning", .integer), .key("note", .integer)])
        ),
        .maybe(
            "fixed",
            .list(
                .object([
                    .key("fix", .string, "What was done."), .key("path", .string),
                    .maybe("line", .integer, "From 1, as it was before."),
                    .maybe("column", .integer),
                    .key("isGuess", .boolean, "Whether somebody has to look at it."),
                ])
            ),
            "What lint --fix wrote, before it looked for what is left."
        ),
        .key("findings", .list(.named("finding")))
    )

    private static let finding: JSONShape = .object([
        .key("rule", .string, "The stable ID of the rule; momtool rules tells of it."),
        .key("severity", severity),
        .key("message", .string),
        .maybe("path", .string),
        .maybe("line", .integer, "From 1."),
        .maybe("column", .integer, "From 1, in UTF-8 bytes."),
        .maybe("element", .string, "An entity or a property, as Book.title."),
        .maybe("version", .string, "The version of the model that it is in."),
        .key("notes", .list(.named("note"))),
        .maybe(
            "rows",
            .object([
                .key("count", .integer),
                .key(
                    "unit",
                    .values(RowRisk.Unit.allCases.map(\.name)),
                    "What is counted."
                ),
                .key("keys", .list(.integer), "The Z_PK of the first of the rows."),
            ]),
            "The rows of a store that it is about."
        ),
        .maybe("loss", .string, "The name of what is lost or would be, as Book.notes."),
        .maybe("fix", .string, "What lint --fix does about it."),
        .maybe(
            "edit",
            .object([
                .key("path", .string), .key("firstLine", .integer, "From 1."),
                .key("lines", .integer, "How many lines are replaced."),
                .key("text", .string, "What stands there afterwards."),
            ])
        ),
    ])

    private static let note: JSONShape = .object([
        .key("message", .string), .maybe("path", .string), .maybe("line", .integer),
        .maybe("column", .integer),
    ])

    private static let rules: JSONShape = .report(
        .key(
            "rules",
            .list(
                .object([
                    .key("rule", .string), .key("family", .string), .key("severity", severity),
                    .key("summary", .string),
                    .maybe("fix", .string, "What lint --fix does about a breach."),
                    .maybe("fixMovesHash", .boolean, "Whether that makes it another version."),
                ])
            )
        )
    )

    private static let tests: JSONShape = .report(
        .key(
            "cases",
            .list(
                .object([
                    .key("group", .string, "The folder of cases, or the model."),
                    .key("name", .string),
                    .key("status", .values(["passed", "failed", "recorded", "skipped"])),
                    .key("lines", .list(.string), "What differs, or why it was skipped."),
                    .key("seconds", .number),
                    .maybe("path", .string, "The file of the first difference that has a place."),
                    .maybe("line", .integer, "Its line there, from 1."),
                ])
            )
        ),
        .key("passed", .integer),
        .key("failed", .integer),
        .key("recorded", .integer),
        .key("skipped", .integer),
        .key("seconds", .number)
    )

    static let severity = JSONShape.values(["error", "warning", "note"])
}

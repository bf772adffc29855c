extension JSONShapes {
    /// Stores and their migrations.
    static let storeShapes: [String: JSONShape] = [
        "store": store, "unreadable": unreadable, "rowDifferences": rowDifferences,
        "identity": identity, "plan": plan, "damage": damage, "loss": loss,
        "table": table, "step": step, "stagedPlan": stagedPlan, "outcomes": outcomes,
        "outcome": outcome, "repair": repair,
    ]

    private static let unreadable: JSONShape = .report(
        .key("path", .string),
        .key("error", .string, "Why the file, one of several, could not be read.")
    )

    private static let store: JSONShape = .report(
        .key("store", .string, "The path."),
        .key("uuid", .string),
        .maybe("frameworkVersion", .integer),
        .maybe("system", .string),
        .key("versionIdentifiers", .list(.string)),
        .key("checksum", .string, "Computed from the hashes, in base64."),
        .maybe("hashes", .map(.string), "The hash of each entity, in hexadecimal."),
        .key(
            "entities",
            .list(
                .object([
                    .key("number", .integer, "Z_ENT."), .key("name", .string),
                    .maybe("parent", .string), .key("rows", .integer),
                    .key("greatestKey", .integer), .maybe("model", .named("entity")),
                ])
            )
        ),
        .key("bytes", .integer),
        .key("hasHistory", .boolean),
        .key("cloudKitTables", .list(.string)),
        .key("applicationKeys", .list(.string)),
        .key("hasModel", .boolean),
        .maybe("sql", .list(.string)),
        .maybe(
            "history",
            .object([
                .key("total", historyPart),
                .key("authors", .list(historyPart)),
                .key("entities", .list(historyPart)),
                .key("old", historyPart, "What is older than 30 days."),
                .maybe("bytes", .integer),
                .maybe("oldBytes", .integer, "What removing that frees, about."),
            ])
        ),
        .maybe(
            "sizes",
            .list(
                .object([
                    .key("kind", .string), .maybe("name", .string), .maybe("table", .string),
                    .maybe("entities", .list(.string)), .key("bytes", .integer),
                    .key("unused", .integer),
                ])
            ),
            "With --bytes."
        ),
        .maybe(
            "files",
            .object([
                .key("logBytes", .integer), .key("externalFiles", .integer),
                .key("externalBytes", .integer),
            ]),
            "With --bytes."
        )
    )

    private static let rowDifferences: JSONShape = .report(
        .key("old", .string, "The path of the old store."),
        .key("new", .string),
        .maybe(
            "differences",
            .list(
                .object([
                    .key("object", .string), .key("entity", .string), .key("change", .string),
                    .key(
                        "properties",
                        .list(
                            .object([
                                .key("name", .string), .maybe("old", .anything),
                                .maybe("new", .anything),
                            ])
                        )
                    ),
                ])
            ),
            "Absent with --summary."
        ),
        .key("entities", .list(.object([.key("entity", .string)] + rowCounts))),
        .key("total", .object(rowCounts))
    )

    private static let rowCounts: [JSONMember] = [
        .key("added", .integer), .key("removed", .integer), .key("changed", .integer),
        .key("same", .integer),
    ]

    private static let lockedVersion =
        "The version that the lock holds, and whose source is missing, was changed or cannot be read."

    private static let identity: JSONShape = .report(
        .key("store", .string),
        .key("model", .string),
        .key("versions", .list(.string), "Those whose hashes are the store's."),
        .maybe("writer", .string),
        .maybe("proof", .string),
        .maybe("nearest", .string),
        .maybe(
            "pruned",
            .string,
            "The version that wrote the store and was taken out of the model."
        ),
        .maybe("prunedOn", .string, "The day on which that was, as 2026-11-24."),
        .maybe("locked", .string, lockedVersion),
        .maybe("remark", .string),
        .key(
            "differences",
            .list(
                .object([
                    .key("entity", .string), .key("difference", .string),
                    .key("changes", .list(.string)),
                ])
            )
        ),
        .maybe("commits", versionCommits, "With --git: those that had the versions."),
        .maybe("error", .string, "Why the store could not be read.")
    )

    private static let versionCommits: JSONShape = .list(
        .object([
            .key("version", .string), .key("path", .string), .key("first", .string),
            .key("date", .string), .key("author", .string), .key("subject", .string),
            .maybe("last", .string), .key("tags", .list(.string)),
        ])
    )

    private static let plan: JSONShape = .report(
        .maybe("store", .string),
        .maybe("result", .string),
        .key("from", .string),
        .key("to", .string),
        .maybe("verdict", verdict, "The worst of all; absent where a mapping model decides."),
        .key("summary", .string, "The verdict in words, or what takes its place."),
        .key(
            "entities",
            .list(
                .object([
                    .key("mapping", .string), .maybe("from", .string), .maybe("to", .string),
                ])
            )
        ),
        .key(
            "changes",
            .list(
                .object([
                    .key("element", .string), .key("change", .string), .key("rule", .string),
                    .key("verdict", verdict), .key("summary", .string, "The verdict in words."),
                    .key("effect", .string),
                    .maybe("cloudKit", .string, "What CloudKit makes of it, where it is mirrored."),
                ])
            )
        ),
        .maybe("damage", .list(.named("damage"))),
        .key("findings", .list(.string)),
        .maybe("rejections", .list(.string)),
        .maybe("losses", .list(.named("loss"))),
        .maybe("meant", .list(.string)),
        .maybe("uncertain", .list(.string)),
        .maybe("tables", .list(.named("table"))),
        .maybe(
            "steps",
            .list(
                .object([
                    .key("purpose", .string), .key("effort", .values(["schema", "rows"])),
                    .maybe("sql", .string, "With --sql."), .key("causes", .list(.string)),
                ])
            )
        ),
        .maybe(
            "room",
            .object([
                .key("copyBytes", .integer), .key("inPlaceBytes", .integer),
                .key("backupBytes", .integer), .maybe("freeBytes", .integer),
                .key("copySeconds", .number), .key("inPlaceSeconds", .number),
                .key("memoryBytes", .integer),
            ]),
            "What the migration takes of the file system and the processor, about."
        )
    )

    private static let damage: JSONShape = .object([
        .key("rule", .string), .key("severity", severity), .maybe("element", .string),
        .key("count", .integer), .key("keys", .list(.integer)), .key("message", .string),
        .key("remedy", .string), .maybe("command", .string),
    ])

    private static let loss: JSONShape = .object([
        .key("name", .string, "As --allow-data-loss takes it."), .key("count", .integer),
        .key("unit", .string), .key("keys", .list(.integer)), .key("reason", .string),
    ])

    private static let table: JSONShape = .object([
        .key("table", .string), .key("treatment", .string),
        .maybe(
            "uniqueIndexes",
            .list(.string),
            "Those that are new: equal values make the migration fail."
        ),
    ])

    private static let step: JSONShape = .object([
        .key("kind", .string), .maybe("stage", .string), .key("from", .string),
        .key("to", .string),
        .maybe("remark", .string, "What is not known of it, as its stage runs Swift."),
    ])

    private static let stagedPlan: JSONShape = .report(
        .key("apple", semantics),
        .key("stepwise", semantics),
        .maybe("damage", .list(.named("damage"))),
        .maybe("findings", .list(.string)),
        .maybe("losses", .list(.named("loss"))),
        .maybe("uncertain", .list(.string)),
        .maybe(
            "programs",
            .list(.object([.key("step", .string), .key("statements", .string)]))
        )
    )

    private static let outcomes: JSONShape = .report(.key("stores", .list(.named("outcome"))))

    private static let outcome: JSONShape = .object([
        .maybe("formatVersion", .integer, "In the lines of a journal."),
        .maybe("command", .string, "In the lines of a journal."),
        .key("store", .string), .maybe("result", .string),
        .key(
            "status",
            .values([
                "migrated", "exported", "repaired", "sound", "identified", "unknown", "healthy",
                "ill", "done", "refused", "failed",
            ])
        ),
        .maybe("from", .string), .maybe("to", .string),
        .maybe("damage", .list(.named("damage"))), .key("losses", .list(.named("loss"))),
        .key("messages", .list(.string)), .maybe("tables", .list(.named("table"))),
        .maybe("steps", .list(.named("step"))), .key("summary", .string),
    ])

    private static let repair: JSONShape = .report(
        .key("store", .string),
        .key("isDone", .boolean),
        .maybe("output", .string),
        .key(
            "steps",
            .list(
                .object([
                    .key("purpose", .string), .maybe("lost", .string), .maybe("sql", .string),
                ])
            )
        ),
        .key(
            "obstacles",
            .list(
                .object([
                    .key("problem", .string), .key("remedy", .string), .maybe("asksFor", .string),
                ])
            )
        ),
        .key("remaining", .list(.string))
    )

    static let semantics = JSONShape.object([
        .maybe("steps", .list(.named("step"))), .maybe("error", .string),
    ])

    private static let historyPart: JSONShape = .object([
        .maybe("name", .string, "The author or the entity."),
        .key("transactions", .integer), .key("changes", .integer),
        .maybe("firstDay", .string), .maybe("lastDay", .string),
    ])

    /// What is found out about a store by looking closely.
    static let examinationShapes: [String: JSONShape] = [
        "diagnosis": diagnosis, "writer": writer, "symptom": symptom, "file": file,
        "storeFinding": storeFinding,
    ]

    private static let diagnosis: JSONShape = .report(
        .key("subject", .string, "The path of the store or the log."),
        .maybe("log", .string),
        .maybe(
            "agreement",
            .object([
                .key("line", .integer), .key("isSame", .boolean),
                .key("differences", .list(.string)),
            ])
        ),
        .key("writers", .list(.named("writer"))),
        .key("symptoms", .list(.named("symptom"))),
        .maybe("file", .named("file")),
        .key("findings", .list(.named("storeFinding"))),
        .key(
            "waysOut",
            .list(.object([.key("advice", .string), .maybe("command", .string)]))
        )
    )

    private static let writer: JSONShape = .object([
        .maybe("place", .string), .key("versions", .list(.string)),
        .key(
            "commits",
            versionCommits
        ),
        .maybe("proof", .string), .maybe("writer", .string), .maybe("nearest", .string),
        .maybe("pruned", .string, "The version that was taken out of the model."),
        .maybe("locked", .string, lockedVersion),
        .maybe("remark", .string),
        .key("differences", .list(.string)),
        .key(
            "outcome",
            .values([
                "opens", "migrates", "fails", "refuses", "no source model", "unknown",
            ]),
            "What Core Data does with the store."
        ),
        .key("codes", .list(.integer)), .key("forecast", .list(.string)),
    ])

    private static let symptom: JSONShape = .object([
        .key("line", .integer), .maybe("code", .integer), .key("title", .string),
        .key("meaning", .string),
    ])

    private static let file: JSONShape = .object([
        .key("bytes", .integer), .key("logBytes", .integer), .key("journalBytes", .integer),
        .key("pages", .integer), .key("freePages", .integer), .maybe("historyPages", .integer),
        .key("historyChanges", .integer), .maybe("system", .string), .key("hasModel", .boolean),
        .key("facts", .list(.string)),
    ])

    private static let storeFinding: JSONShape = .object([
        .key("rule", .string), .key("severity", severity), .maybe("entity", .string),
        .maybe("property", .string), .key("message", .string), .key("count", .integer),
        .key("keys", .list(.integer)), .key("text", .string),
    ])
}

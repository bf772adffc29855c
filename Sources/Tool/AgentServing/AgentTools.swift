extension AgentTool {
    private static let model = Parameter("model", .model, "model")
    private static let modelOption = Parameter("model", .model)
    private static let models = Parameter("model", .model, "models")
    private static let store = Parameter("store", .path, "stores")
    private static let edits = [model, Parameter("edits", .document, "edits")]
    private static let editOptions = [flag("new_version"), flag("force")]
    private static let steps = [Parameter("from"), Parameter("to")]
    private static let stages = Parameter("stages", .path)
    private static let entities = Parameter("entity", isList: true)
    private static let against = Parameter("against")

    private static func flag(_ name: String) -> Parameter { Parameter(name, .flag) }

    private static func paths(_ name: String, _ source: String) -> Parameter {
        Parameter(name, .path, isList: true, source)
    }

    /// The tools, in the order in which an edit needs them; those that write come last.
    static let all = looking + making

    private static let looking = [
        AgentTool(
            ("inspect", "inspect --current --brief"),
            .reads,
            [Parameter("path", .model, "paths")],
            [entities, flag("sql")]
        ), AgentTool(("check", "check"), .reads, [], [paths("paths", "paths"), against]),
        AgentTool(
            ("plan", "plan"),
            .reads,
            [models],
            steps + [Parameter("store", .path), stages, flag("sql")]
        ), AgentTool(("diff", "diff"), .reads, [models], steps + [against]),
        AgentTool(("preview_edit", "model apply --dry-run --plan"), .reads, edits, editOptions),
        AgentTool(
            ("doctor", "doctor"),
            .reads,
            [],
            [paths("paths", "subject"), Parameter("message", .document, "subject"), modelOption]
        ), AgentTool(("verify", "verify"), .reads, [store], [modelOption]),
        AgentTool(("export", "export"), .reads, [store], [modelOption, entities]),
        AgentTool(("run_cases", "test"), .reads, [paths("folders", "folders")]),
        AgentTool(("rules", "rules"), .reads, [Parameter("rule", .text, "rule")]),
    ]

    private static let making = [
        AgentTool(
            ("new_version", "model new-version"),
            .changes,
            [model],
            [Parameter("name", .text, "name"), Parameter("from")]
        ), AgentTool(("edit_model", "model apply"), .changes, edits, editOptions),
        AgentTool(
            ("undo_version", "model undo-version"),
            .changes,
            [model],
            [Parameter("version", .text, "version"), flag("dry_run")]
        ),
        AgentTool(
            ("lock", "lock"),
            .changes,
            [],
            [
                paths("models", "models"), Parameter("version"),
                Parameter("unshipped", isList: true), flag("dry_run"),
            ]
        ),
        AgentTool(
            ("write_case", "test"),
            .creates,
            [
                Parameter("folder", .folder, "folders"), Parameter("name", .text, "--new"),
                modelOption,
            ],
            steps
        ),
        AgentTool(
            ("create_store", "create"),
            .creates,
            [Parameter("store", .newPath, "store"), modelOption],
            [Parameter("version"), Parameter("rows", .document), flag("clear_links")]
        ),
        AgentTool(
            ("migrate_copy", "migrate"),
            .creates,
            [store, modelOption, Parameter("output", .newPath)],
            [Parameter("to"), stages, Parameter("allow_losses", isList: true, "--allow-data-loss")]
        ),
    ]

    /// Notes that commands do not have themselves.
    static let notes = [
        "check": "Status 1 means findings.", "create_store": "Rows have the form of export.",
        "doctor": "A message is an error, its code or a pasted log.",
        "edit_model": "In a version that has shipped, only what affects no hash can change.",
        "lock": "Only when a person says that they ship: look with dry_run first.",
        "migrate_copy":
            "Writes a migrated copy; the store does not change. Losses must be allowed by name.",
        "new_version": "Also adds it to Xcode projects.",
        "preview_edit":
            "Writes nothing: returns the patch of edit_model for these edits, and what it means.",
        "undo_version": "For Swift sources, use git.",
        "write_case": "Writes a case with required values; fill in its rows, then run_cases.",
    ]
}

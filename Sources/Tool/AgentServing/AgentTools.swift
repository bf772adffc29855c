extension AgentTool {
    private static func path(
        _ name: String,
        _ about: String,
        _ kind: Kind = .path,
        as option: String? = nil,
        isRequired: Bool = true
    ) -> Parameter {
        Parameter(
            name: name,
            kind: kind,
            position: option.map(Position.option) ?? .argument,
            isRequired: isRequired,
            about: about
        )
    }

    private static func option(
        _ name: String,
        _ option: String,
        _ about: String,
        _ kind: Kind = .text
    ) -> Parameter {
        path(name, about, kind, as: option, isRequired: false)
    }

    private static let model = path(
        "model",
        "The model: .xcdatamodeld, .xcdatamodel, .momd, .mom, or a folder of Swift sources; MODEL#VERSION names a version.",
        .model
    )
    private static let bundle = path("model", "The model, an .xcdatamodeld.", .model)
    private static let modelOption = path("model", "The model.", .model, as: "--model")
    /// The model of a tool that finds one in the store.
    private static let otherModel = option(
        "model",
        "--model",
        "The model; the one in the store if left out.",
        .model
    )
    private static let from = option("from", "--from", "The old version.")
    private static let to = option("to", "--to", "The new version; the current one if left out.")
    private static let edits = path(
        "edits",
        """
        The edits, all or none: a list of objects such as {"add": "attribute Book.rating", "with": \
        {"attributeType": "Double"}}, {"rename": "attribute Book.label", "to": "caption"}, {"remove": \
        "entity Order", "withReferences": "YES"}, {"set": "attribute Book.title", "with": {"optional": \
        "YES"}}, {"move": "attribute Book.note", "to": "entity Order"}, {"order": "entity Book", "as": \
        ["attribute title", "attribute rating"]}, {"insert": "index Book.byTitle", "parts": [{"property": \
        "title", "type": "Binary", "order": "ascending"}]}. YAML text is taken too.
        """,
        .document
    )
    private static let newVersion = option(
        "new_version",
        "--new-version",
        "Make a new version first, and edit that.",
        .flag
    )
    private static let force = option(
        "force",
        "--force",
        "Write what Xcode only warns about.",
        .flag
    )
    private static let dryRun = option(
        "dry_run",
        "--dry-run",
        "Show the change, and write nothing.",
        .flag
    )

    /// The tools, in the order in which an edit needs them.
    static let all = looking + making

    /// The tools that write nothing.
    private static let looking = [
        AgentTool(
            name: "inspect",
            title: "Look into a model or a store",
            about:
                "The current version of a model with its entities and properties, and the names of the others; metadata and rows of a store.",
            effect: .reads,
            words: ["inspect", "--current", "--format=json"],
            report: "inspect",
            parameters: [
                path(
                    "path",
                    "The model or the store; MODEL#VERSION shows another version than the current one.",
                    .model
                ),
                option("sql", "--sql", "Show the SQL schema of a store.", .flag),
            ]
        ),
        AgentTool(
            name: "check",
            title: "Check everything",
            about:
                "Checks models, locks, migrations from every version, and cases. Status 1 means findings.",
            effect: .reads,
            words: ["check", "--format=json"],
            report: "check",
            parameters: [
                path("paths", "Folders or models; all if left out.", .paths, isRequired: false),
                option("against", "--against", "A git revision to compare with."),
            ]
        ),
        AgentTool(
            name: "plan",
            title: "Plan a migration",
            about:
                "What Core Data does with a step, and with a store: mapping, losses, rows at risk, refusals with their cures.",
            effect: .reads,
            words: ["plan", "--format=json"],
            report: "plan",
            parameters: [
                model, from, to,
                option("store", "--store", "A store, whose rows are then asked.", .path),
                option("stages", "--stages", "A stages file.", .path),
                option("sql", "--sql", "Show the statements.", .flag),
            ]
        ),
        AgentTool(
            name: "diff",
            title: "Compare two versions",
            about: "Every difference with its verdict, its effect on rows and its cure.",
            effect: .reads,
            words: ["diff", "--format=json"],
            report: "diff",
            parameters: [
                model, from, to,
                option("against", "--against", "A git revision to take the old model from."),
            ]
        ),
        AgentTool(
            name: "preview_edit",
            title: "Try edits of a model",
            about:
                "The patch that edit_model would write, and what the step means for stores; writes nothing.",
            effect: .reads,
            words: ["model", "apply", "--dry-run", "--plan", "--format=json"],
            report: "model apply",
            parameters: [model, edits, newVersion, force]
        ),
        AgentTool(
            name: "doctor",
            title: "Diagnose a store or a log",
            about:
                "Which version wrote a store, what Core Data does with it, what is wrong and which commands help.",
            effect: .reads,
            words: ["doctor", "--format=json"],
            report: "doctor",
            parameters: [
                path("paths", "A store, a log, or both.", .paths, isRequired: false),
                path(
                    "message",
                    "An error, its code or a pasted log, in place of a file with one.",
                    .document,
                    isRequired: false
                ),
                otherModel,
            ]
        ),
        AgentTool(
            name: "verify",
            title: "Verify a store",
            about: "Checks layout, required values, inverses, uniqueness and files of a store.",
            effect: .reads,
            words: ["verify", "--format=json"],
            report: "verify",
            parameters: [path("store", "The store."), otherModel]
        ),
        AgentTool(
            name: "export",
            title: "Read the rows of a store",
            about: "All rows as canonical JSON, the form that create_store takes.",
            effect: .reads,
            words: ["export"],
            report: "rows",
            parameters: [
                path("store", "The store."), otherModel,
                option(
                    "entity",
                    "--entity",
                    "The entities, with their sub-entities; all if left out.",
                    .texts
                ),
            ]
        ),
        AgentTool(
            name: "run_cases",
            title: "Run migration cases",
            about: "Migrates the rows of each case and compares the result.",
            effect: .reads,
            words: ["test", "--format=json"],
            report: "test",
            parameters: [path("folders", "Folders of cases.", .paths)]
        ),
        AgentTool(
            name: "explain",
            title: "Explain a rule",
            about: "What a rule requires and why, by the ID in brackets behind a finding.",
            effect: .reads,
            words: ["rules", "--format=json"],
            report: "rules",
            parameters: [path("rule", "The ID, as missing-inverse.", .text)]
        ),
    ]

    /// The tools that write.
    private static let making = [
        AgentTool(
            name: "new_version",
            title: "Add a version to a model",
            about:
                "Copies the current version, makes the copy current, and enters it in Xcode projects.",
            effect: .changes,
            words: ["model", "new-version", "--format=json"],
            report: "model new-version",
            parameters: [
                model,
                path("name", "The name; the next number if left out.", .text, isRequired: false),
                option("from", "--from", "The version to copy."),
            ]
        ),
        AgentTool(
            name: "edit_model",
            title: "Edit a model",
            about:
                "Applies edits to a version that has not shipped, as Xcode writes it; a locked version is refused.",
            effect: .changes,
            words: ["model", "apply", "--format=json"],
            report: "model apply",
            parameters: [model, edits, newVersion, force]
        ),
        AgentTool(
            name: "undo_version",
            title: "Take back a new version",
            about:
                "Removes a version that has not shipped, with its edits; the one before is current then. A locked version is refused, and so are Swift sources, of which git takes a version back.",
            effect: .changes,
            words: ["model", "undo-version", "--format=json"],
            report: "model undo-version",
            parameters: [
                bundle,
                path(
                    "version",
                    "The version; the current one if left out.",
                    .text,
                    isRequired: false
                ),
                dryRun,
            ]
        ),
        AgentTool(
            name: "lock",
            title: "Lock the versions that shipped",
            about:
                "Records the versions of models in their locks, so that they stay as they are. Only when a person says that they ship: look with dry_run first.",
            effect: .changes,
            words: ["lock", "--format=json"],
            report: "lock",
            parameters: [
                path(
                    "models",
                    "Models, or folders of some; all if left out.",
                    .paths,
                    isRequired: false
                ),
                option("version", "--version", "The last version to lock, of one model."),
                option(
                    "unshipped",
                    "--unshipped",
                    "Versions that have not shipped, and are left out.",
                    .texts
                ),
                dryRun,
            ]
        ),
        AgentTool(
            name: "write_case",
            title: "Write a migration case",
            about:
                "Writes a case with required values for the step to the current version; fill in its rows, then run_cases.",
            effect: .creates,
            words: ["test", "--format=json"],
            report: "test",
            parameters: [
                path("folder", "The folder of cases; made if missing.", .folder),
                path("name", "The name of the new case.", .text, as: "--new"), modelOption,
                from, to,
            ]
        ),
        AgentTool(
            name: "create_store",
            title: "Make a store",
            about: "Makes a store with the layout of Core Data, with rows as export gives them.",
            effect: .creates,
            words: ["create", "--format=json"],
            report: "create",
            parameters: [
                path("store", "The new file.", .newPath), modelOption,
                option("version", "--version", "The version; the current one if left out."),
                path("rows", "The rows, an object.", .document, as: "--rows", isRequired: false),
                option(
                    "clear_links",
                    "--clear-links",
                    "Leave out links to rows that are not there.",
                    .flag
                ),
            ]
        ),
        AgentTool(
            name: "migrate_copy",
            title: "Migrate a copy of a store",
            about:
                "Writes a migrated copy; the store stays as it is. Losses must be allowed by name.",
            effect: .creates,
            words: ["migrate", "--format=json"],
            report: "migrate",
            parameters: [
                path("store", "The store."), modelOption,
                path("output", "The new file.", .newPath, as: "--output"),
                option("to", "--to", "The version; the current one if left out."),
                option("stages", "--stages", "A stages file.", .path),
                option(
                    "allow_losses",
                    "--allow-data-loss",
                    "The names of what may be lost, as the refusal lists them.",
                    .losses
                ),
            ]
        ),
    ]
}

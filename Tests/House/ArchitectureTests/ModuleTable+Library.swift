extension Module {
    static let library: [Row] = [
        (
            "SettingsFiles", .library, "configurations, stages, maps and cases read strictly",
            "stores",
            [
                "Diagnostics", "Essentials", "FileSystem", "MigrationPlanning", "ModelChecking",
                "ModelLanguage", "ObjectModel", "SwiftDataReading", "YAMLReading",
            ]
        ),
        (
            "Diagnosing", .library,
            "which version wrote a store, what Core Data does with it, and what helps",
            "arguments, the terminal",
            [
                "Diagnostics", "Essentials", "FileSystem", "LogReading", "MappingInference",
                "ModelDiffing", "ModelHashing", "ModelLoading", "ObjectModel", "SQLiteAccess",
                "StoreFormat", "StoreMigration",
            ]
        ),
        (
            "Momtool", .library,
            "the front door: models by path, the version of a store, its migration, stages",
            "arguments, the terminal",
            [
                "CodeGeneration", "Diagnosing", "Essentials", "Diagnostics", "FileSystem",
                "LogReading", "MappingInference", "MigrationPlanning", "ModelChecking",
                "ModelCompiling", "ModelDiffing", "ModelEditing", "ModelHashing", "ModelLoading",
                "ObjectModel", "RowExchange", "SQLiteAccess", "SettingsFiles", "StoreFormat",
                "StoreMigration", "SwiftDataReading",
            ]
        ),
        (
            "MigrationTesting", .library,
            "cases, generated objects and stores from the field, migrated and compared; kits of acceptance",
            "arguments, the terminal",
            [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelChecking", "ModelCompiling", "ModelDiffing", "ModelHashing", "ModelLoading",
                "Momtool",
                "ObjectModel", "PropertyLists", "RowExchange", "SQLiteAccess", "SettingsFiles",
                "StoreFormat",
                "StoreMigration", "SwiftDataReading", "YAMLReading",
            ]
        ),
        (
            "ProjectChecking", .library,
            "what `momtool check` looks at and finds, and what `momtool init` writes",
            "arguments, the terminal",
            [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "MigrationTesting",
                "ModelChecking", "ModelDiffing", "ModelHashing", "ModelLoading", "Momtool",
                "ObjectModel", "SettingsFiles", "YAMLReading",
            ]
        ),
        (
            "MomtoolTesting", .library, "the same as an expectation of Swift Testing",
            "everything but cases",
            ["MigrationPlanning", "MigrationTesting", "Momtool", "SettingsFiles", "Testing"]
        ),
    ]

    static let tool: [Row] = [
        (
            "ModelDrawing", .tool, "diagrams: Mermaid, DOT", "files, stores",
            ["Diagnostics", "ModelDiffing", "ObjectModel", "XMLReading"]
        ),
        (
            "MomtoolReporting", .tool,
            "findings, differences, plans and runs as text, JSON, SARIF and other formats",
            "files, SQL",
            [
                "Diagnosing", "Diagnostics", "Essentials", "LogReading", "MappingInference",
                "MigrationPlanning", "MigrationTesting", "ModelChecking", "ModelDiffing",
                "ModelDrawing", "ModelHashing", "ObjectModel", "RowExchange", "StoreFormat",
                "StoreMigration", "XMLReading",
            ]
        ),
        (
            "AgentServing", .tool,
            "the Model Context Protocol: requests as runs of commands, confined to a folder",
            "models, stores, what commands do", ["Essentials", "FileSystem"]
        ),
        (
            "MomtoolCommands", .tool,
            "arguments and exit statuses; the only user of ArgumentParser", "SQL, XML",
            [
                "AgentServing", "ArgumentParser", "CloudKitSchema", "CodeGeneration", "Diagnosing",
                "Diagnostics",
                "Essentials", "FileSystem", "LogReading", "MappingInference", "MigrationPlanning",
                "MigrationTesting", "ModelChecking", "ModelCompiling", "ModelDiffing",
                "ModelDrawing", "ModelEditing", "ModelHashing", "ModelLoading", "ModelMerging",
                "Momtool", "MomtoolReporting", "ObjectModel", "ProjectChecking",
                "PropertyLists", "RowExchange", "SQLiteAccess", "SettingsFiles", "StoreFormat",
                "StoreMigration",
            ]
        ),
        ("MomtoolProgram", .tool, "the program", "everything but commands", ["MomtoolCommands"]),
    ]

    static let plugins: [Row] = [
        (
            "CompileModelsPlugin", .plugins,
            "compiles the models of a package's target into its resource bundle", "every module", []
        ),
        ("CommandPlugin", .plugins, "runs the program in a package", "every module", []),
    ]

    static let development: [Row] = [
        (
            "Benchmarks", .development,
            "what commands cost as whole processes, against the tools that do it by hand",
            "anything of momtool but its command", []
        ),
        (
            "FuzzTargets", .development, "readers of hostile input, each with samples and tokens",
            "arguments of the tool",
            [
                "CloudKitSchema", "CodeGeneration", "Diagnosing", "Diagnostics", "FileSystem",
                "LogReading", "MappingInference", "MigrationPlanning", "MigrationTesting",
                "ModelChecking", "ModelCompiling",
                "ModelDiffing", "ModelDrawing", "ModelEditing", "ModelHashing", "ModelLanguage",
                "ModelLoading", "ModelMerging", "ObjectModel", "PropertyLists", "RowExchange",
                "SQLiteAccess",
                "SettingsFiles", "StoreFormat", "StoreMigration", "SwiftDataReading",
            ]
        ),
        (
            "Fuzz", .development, "mutated inputs by the million", "what its targets read",
            ["FuzzTargets", "TestSupport"]
        ),
    ]
}

extension Module {
    static let library = [
        Module(
            "SettingsFiles",
            .library,
            "configurations, stages, maps and cases read strictly",
            not: "stores",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "MigrationPlanning", "ModelChecking",
                "ModelLanguage", "ObjectModel", "SwiftDataReading", "YAMLReading",
            ]
        ),
        Module(
            "Diagnosing",
            .library,
            "which version wrote a store, what Core Data does with it, and what helps",
            not: "arguments, the terminal",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "LogReading", "MappingInference",
                "ModelDiffing", "ModelHashing", "ModelLoading", "ObjectModel", "SQLiteAccess",
                "StoreFormat", "StoreMigration",
            ]
        ),
        Module(
            "Momtool",
            .library,
            "the front door: models by path, the version of a store, its migration, stages",
            not: "arguments, the terminal",
            imports: [
                "CodeGeneration", "Diagnosing", "Essentials", "Diagnostics", "FileSystem",
                "LogReading", "MappingInference", "MigrationPlanning", "ModelChecking",
                "ModelCompiling", "ModelDiffing", "ModelEditing", "ModelHashing", "ModelLoading",
                "ObjectModel", "RowExchange", "SQLiteAccess", "SettingsFiles", "StoreFormat",
                "StoreMigration", "SwiftDataReading",
            ]
        ),
        Module(
            "MigrationTesting",
            .library,
            "cases, generated objects and stores from the field, migrated and compared; kits of acceptance",
            not: "arguments, the terminal",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelChecking", "ModelCompiling", "ModelDiffing", "ModelHashing", "ModelLoading",
                "Momtool",
                "ObjectModel", "PropertyLists", "RowExchange", "SQLiteAccess", "SettingsFiles",
                "StoreFormat",
                "StoreMigration", "YAMLReading",
            ]
        ),
        Module(
            "ProjectChecking",
            .library,
            "what `momtool check` looks at and finds, and what `momtool init` writes",
            not: "arguments, the terminal",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "MigrationTesting",
                "ModelChecking", "ModelDiffing", "ModelHashing", "ModelLoading", "Momtool",
                "ObjectModel", "SettingsFiles", "YAMLReading",
            ]
        ),
        Module(
            "MomtoolTesting",
            .library,
            "the same as an expectation of Swift Testing",
            not: "everything but cases",
            imports: [
                "MigrationPlanning", "MigrationTesting", "Momtool", "SettingsFiles", "Testing",
            ]
        ),
    ]

    static let tool = [
        Module(
            "ModelDrawing",
            .tool,
            "diagrams: Mermaid, DOT",
            not: "files, stores",
            imports: ["Diagnostics", "ModelDiffing", "ObjectModel", "XMLReading"]
        ),
        Module(
            "MomtoolReporting",
            .tool,
            "findings, differences, plans and runs as text, JSON, SARIF and other formats",
            not: "files, SQL",
            imports: [
                "Diagnosing", "Diagnostics", "Essentials", "LogReading", "MappingInference",
                "MigrationPlanning", "MigrationTesting", "ModelChecking", "ModelDiffing",
                "ModelDrawing", "ModelHashing", "ObjectModel", "RowExchange", "StoreFormat",
                "StoreMigration", "XMLReading",
            ]
        ),
        Module(
            "AgentServing",
            .tool,
            "the Model Context Protocol: requests as runs of commands, confined to a folder",
            not: "models, stores, what commands do",
            imports: ["Essentials", "FileSystem"]
        ),
        Module(
            "MomtoolCommands",
            .tool,
            "arguments and exit statuses; the only user of ArgumentParser",
            not: "SQL, XML",
            imports: [
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
        Module(
            "MomtoolProgram",
            .tool,
            "the program",
            not: "everything but commands",
            imports: ["MomtoolCommands"]
        ),
    ]

    static let plugins = [
        Module(
            "CompileModelsPlugin",
            .plugins,
            "compiles the models of a package's target into its resource bundle",
            not: "every module"
        ),
        Module(
            "CommandPlugin",
            .plugins,
            "runs the program in a package",
            not: "every module"
        ),
    ]

    static let development = [
        Module(
            "Benchmarks",
            .development,
            "what commands cost as whole processes, against the tools that do it by hand",
            not: "anything of momtool but its command",
            imports: []
        ),
        Module(
            "FuzzTargets",
            .development,
            "readers of hostile input, each with samples and tokens",
            not: "arguments of the tool",
            imports: [
                "CloudKitSchema", "CodeGeneration", "Diagnosing", "Diagnostics", "FileSystem",
                "LogReading", "MappingInference", "MigrationPlanning", "MigrationTesting",
                "ModelChecking", "ModelCompiling",
                "ModelDiffing", "ModelDrawing", "ModelEditing", "ModelHashing", "ModelLanguage",
                "ModelLoading", "ModelMerging", "ObjectModel", "PropertyLists", "RowExchange",
                "SQLiteAccess",
                "SettingsFiles", "StoreFormat", "StoreMigration", "SwiftDataReading",
            ]
        ),
        Module(
            "Fuzz",
            .development,
            "mutated inputs by the million",
            not: "what its targets read",
            imports: ["FuzzTargets", "TestSupport"]
        ),
    ]
}

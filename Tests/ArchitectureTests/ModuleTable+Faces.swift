extension Module {
    static let door = [
        Module(
            "Diagnosing",
            .door,
            "which version wrote a store, what Core Data does with it, and the ways out",
            not: "arguments, the terminal",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "LogReading", "MappingInference",
                "ModelDiffing", "ModelHashing", "ModelLoading", "ObjectModel", "SQLiteAccess",
                "StoreFormat", "StoreMigration",
            ]
        ),
        Module(
            "ModelRebuilding",
            .door,
            "the model of a store that carries none, guessed and proven by its hashes",
            not: "sources of models, migration, the terminal",
            imports: ["Diagnostics", "ModelHashing", "ObjectModel", "SQLiteAccess", "StoreFormat"]
        ),
        Module(
            "Momtool",
            .door,
            "what `import Momtool` gives: models by their places, the version of a store, the way that leads on, stages",
            not: "arguments, the terminal",
            imports: [
                "Essentials", "Diagnostics", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelChecking", "ModelDiffing", "ModelHashing", "ModelLoading", "ObjectModel",
                "RowExchange", "SQLiteAccess", "SettingsFiles", "StoreFormat", "StoreMigration",
                "SwiftDataReading",
            ]
        ),
        Module(
            "MigrationTesting",
            .door,
            "cases, generated objects and stores from the field, migrated and compared",
            not: "arguments, the terminal",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelHashing", "ModelLoading", "Momtool", "ObjectModel", "RowExchange",
                "SQLiteAccess", "SettingsFiles", "StoreFormat", "StoreMigration",
            ]
        ),
        Module(
            "MomtoolTesting",
            .door,
            "the same as an expectation of Swift Testing",
            not: "everything but cases",
            imports: ["MigrationPlanning", "MigrationTesting", "SettingsFiles", "Testing"]
        ),
    ]

    static let faces = [
        Module(
            "ModelDrawing",
            .faces,
            "diagrams: Mermaid, DOT, SVG",
            not: "files, stores",
            imports: ["ModelDiffing", "ObjectModel", "XMLReading"]
        ),
        Module(
            "Reporting",
            .faces,
            "findings, differences, plans and runs as text, JSON, SARIF and the like",
            not: "files, SQL",
            imports: [
                "Diagnosing", "Diagnostics", "Essentials", "LogReading", "MappingInference",
                "MigrationPlanning", "MigrationTesting", "ModelChecking", "ModelDiffing",
                "ModelDrawing", "ModelHashing", "ObjectModel", "StoreFormat", "StoreMigration",
                "XMLReading",
            ]
        ),
        Module(
            "Commands",
            .faces,
            "arguments and exit statuses; alone knows ArgumentParser",
            not: "SQL, XML",
            imports: [
                "ArgumentParser", "CloudKitSchema", "CodeGeneration", "Diagnosing", "Diagnostics",
                "Essentials", "FileSystem", "LogReading", "MappingInference", "MigrationPlanning",
                "MigrationTesting", "ModelChecking", "ModelCompiling", "ModelDiffing",
                "ModelDrawing", "ModelHashing", "ModelLoading", "ModelMerging", "ModelRebuilding",
                "Momtool", "ObjectModel", "PropertyLists", "Reporting", "RowExchange",
                "SQLiteAccess", "SettingsFiles", "StoreFormat", "StoreMigration",
            ]
        ),
        Module(
            "Program",
            .faces,
            "the program",
            not: "everything but commands",
            imports: ["Commands"]
        ),
        Module(
            "CompileModelsPlugin",
            .faces,
            "compiles the models of a package's target into its resource bundle",
            not: "every module"
        ),
        Module(
            "CommandPlugin",
            .faces,
            "runs the program in a package",
            not: "every module"
        ),
    ]

    static let tools = [
        Module(
            "Benchmarks",
            .tools,
            "what things cost, measured",
            not: "arguments of the tool",
            imports: [
                "Diagnostics", "MappingInference", "MigrationPlanning", "ModelChecking",
                "ModelDiffing", "ModelHashing", "ModelLanguage", "ModelLoading", "Momtool",
                "ObjectModel", "RowExchange", "SQLiteAccess",
                "StoreFormat", "StoreMigration",
            ]
        ),
        Module(
            "FuzzTargets",
            .tools,
            "readers of hostile input, each with samples and tokens",
            not: "arguments of the tool",
            imports: [
                "CloudKitSchema", "CodeGeneration", "Diagnosing", "Diagnostics", "FileSystem",
                "LogReading", "MappingInference", "MigrationPlanning", "MigrationTesting",
                "ModelChecking", "ModelCompiling",
                "ModelDiffing", "ModelDrawing", "ModelHashing", "ModelLanguage", "ModelLoading",
                "ModelMerging", "ObjectModel", "PropertyLists", "RowExchange", "SQLiteAccess",
                "SettingsFiles", "StoreFormat", "StoreMigration", "SwiftDataReading",
            ]
        ),
        Module(
            "Fuzz",
            .tools,
            "mutated inputs by the million",
            not: "what its targets read",
            imports: ["FuzzTargets", "TestSupport"]
        ),
    ]
}

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "momtool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "momtool", targets: ["Program"]),
        .library(
            name: "Momtool",
            targets: [
                "CloudKitSchema", "CodeGeneration", "Diagnosing", "LogReading", "Diagnostics",
                "Essentials", "FileSystem", "MappingInference",
                "MigrationPlanning", "MigrationTesting", "ModelChecking", "ModelCompiling",
                "ModelDiffing", "ModelHashing", "ModelLanguage", "ModelLoading", "Momtool",
                "ObjectModel", "PropertyLists", "RowExchange", "SettingsFiles", "SQLiteAccess",
                "StoreFormat", "StoreMigration", "SwiftDataReading",
            ]
        ),
        .library(name: "MomtoolTesting", targets: ["MomtoolTesting"]),
        .plugin(name: "CompileModels", targets: ["CompileModelsPlugin"]),
        .plugin(name: "MomtoolCommand", targets: ["CommandPlugin"]),
    ],
    traits: [
        .default(enabledTraits: ["SwiftData"]),
        .trait(
            name: "SwiftData",
            description: "Reads SwiftData's models from Swift sources, which needs swift-syntax."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .target(name: "CFileSystem"),
        .systemLibrary(name: "CLateConformances"),
        .target(name: "Essentials"),
        .target(name: "Diagnostics", dependencies: ["Essentials"]),
        .target(name: "FileSystem", dependencies: ["Essentials", "Diagnostics", "CFileSystem"]),
        .target(name: "SQLiteAccess", dependencies: ["Essentials", "CSQLite"]),
        .target(name: "XMLReading", dependencies: ["Essentials", "CLibXML2", "Diagnostics"]),
        .target(name: "YAMLReading", dependencies: ["CYAML"]),
        .target(name: "PropertyLists", dependencies: ["Essentials", "Diagnostics", "XMLReading"]),
        .target(name: "ObjectModel", dependencies: ["Essentials", "Diagnostics", "ModelLanguage"]),
        .target(name: "ModelLanguage"),
        .target(name: "TextMatching"),
        .target(
            name: "ModelLoading",
            dependencies: [
                "Essentials", "Diagnostics", "FileSystem", "ModelLanguage", "ObjectModel",
                "PropertyLists",
                "SwiftDataReading", "XMLReading",
            ]
        ),
        .target(
            name: "SwiftDataReading",
            dependencies: [
                "CLateConformances", "Essentials", "Diagnostics", "ObjectModel",
                .product(
                    name: "SwiftParser",
                    package: "swift-syntax",
                    condition: .when(traits: ["SwiftData"])
                ),
                .product(
                    name: "SwiftSyntax",
                    package: "swift-syntax",
                    condition: .when(traits: ["SwiftData"])
                ),
            ]
        ),
        .target(
            name: "ModelHashing",
            dependencies: [
                "Essentials", "Diagnostics", "ModelLanguage", "ObjectModel",
            ]
        ),
        .target(
            name: "ModelCompiling",
            dependencies: [
                "Essentials", "Diagnostics", "ModelHashing", "ModelLanguage", "ObjectModel",
                "PropertyLists",
                "XMLReading",
            ]
        ),
        .target(
            name: "CodeGeneration",
            dependencies: ["Essentials", "Diagnostics", "ObjectModel", "SwiftDataReading"]
        ),
        .target(
            name: "ModelDiffing",
            dependencies: ["Diagnostics", "ModelHashing", "ObjectModel"]
        ),
        .target(
            name: "MappingInference",
            dependencies: ["Diagnostics", "ModelDiffing", "ModelLanguage", "ObjectModel"]
        ),
        .target(
            name: "MigrationPlanning",
            dependencies: [
                "Diagnostics", "MappingInference", "ModelDiffing", "ModelHashing", "ModelLanguage",
                "ObjectModel",
            ]
        ),
        .target(
            name: "ModelChecking",
            dependencies: [
                "Diagnostics", "MappingInference", "MigrationPlanning", "ModelCompiling",
                "ModelDiffing",
                "ModelHashing", "ModelLanguage", "ObjectModel", "XMLReading",
            ]
        ),
        .target(
            name: "StoreFormat",
            dependencies: [
                "Essentials", "CZlib", "Diagnostics", "FileSystem", "ModelCompiling",
                "ModelHashing",
                "ModelLanguage", "ObjectModel", "PropertyLists", "SQLiteAccess", "TextMatching",
            ]
        ),
        .target(
            name: "RowExchange",
            dependencies: [
                "Diagnostics", "ModelHashing", "ModelLanguage", "ObjectModel", "PropertyLists",
                "SQLiteAccess", "StoreFormat", "Essentials", "TextMatching",
            ]
        ),
        .target(
            name: "StoreMigration",
            dependencies: [
                "Essentials", "Diagnostics", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelCompiling", "ModelDiffing", "ModelHashing", "ModelLanguage", "ObjectModel",
                "PropertyLists",
                "RowExchange", "SQLiteAccess", "StoreFormat", "TextMatching",
            ]
        ),
        .target(
            name: "SettingsFiles",
            dependencies: [
                "Essentials", "Diagnostics", "MigrationPlanning", "ModelChecking", "ModelLanguage",
                "ObjectModel",
                "SwiftDataReading", "YAMLReading",
            ]
        ),
        .target(name: "CloudKitSchema", dependencies: ["Diagnostics", "ObjectModel"]),
        .target(
            name: "LogReading",
            dependencies: ["Essentials", "MappingInference", "ObjectModel"]
        ),
        .target(
            name: "Diagnosing",
            dependencies: [
                "Essentials", "Diagnostics", "FileSystem", "LogReading", "MappingInference",
                "ModelDiffing",
                "ModelHashing", "ModelLoading", "ObjectModel", "SQLiteAccess", "StoreFormat",
                "StoreMigration",
            ]
        ),
        .target(
            name: "ModelRebuilding",
            dependencies: [
                "Diagnostics", "ModelHashing", "ObjectModel", "SQLiteAccess", "StoreFormat",
            ]
        ),
        .target(name: "ModelDrawing", dependencies: ["ModelDiffing", "ObjectModel", "XMLReading"]),
        .target(
            name: "ModelMerging",
            dependencies: [
                "Essentials", "Diagnostics", "ModelHashing", "ModelLoading", "ObjectModel",
                "PropertyLists",
                "XMLReading",
            ]
        ),
        .target(
            name: "Momtool",
            dependencies: [
                "Essentials", "Diagnostics", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelChecking", "ModelDiffing", "ModelHashing", "ModelLoading", "ObjectModel",
                "RowExchange", "SettingsFiles", "SQLiteAccess", "StoreFormat", "StoreMigration",
                "SwiftDataReading",
            ]
        ),
        .target(
            name: "MigrationTesting",
            dependencies: [
                "Essentials", "Diagnostics", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelHashing", "ModelLoading", "Momtool", "ObjectModel", "RowExchange",
                "SettingsFiles", "SQLiteAccess", "StoreFormat", "StoreMigration",
            ]
        ),
        .target(
            name: "MomtoolTesting",
            dependencies: ["MigrationPlanning", "MigrationTesting", "SettingsFiles"]
        ),
        .target(
            name: "Reporting",
            dependencies: [
                "Essentials", "Diagnosing", "LogReading",
                "Diagnostics", "MappingInference", "MigrationPlanning", "MigrationTesting",
                "ModelChecking", "ModelDiffing", "ModelDrawing", "ModelHashing", "ObjectModel",
                "StoreFormat", "StoreMigration", "XMLReading",
            ]
        ),
        .target(
            name: "Commands",
            dependencies: [
                "Essentials", "CloudKitSchema", "CodeGeneration", "Diagnosing", "Diagnostics",
                "LogReading",
                "FileSystem", "MappingInference",
                "MigrationPlanning", "MigrationTesting", "ModelChecking", "ModelCompiling",
                "ModelDiffing", "ModelDrawing", "ModelHashing", "ModelLoading", "ModelMerging",
                "ModelRebuilding",
                "Momtool", "ObjectModel", "PropertyLists", "Reporting", "RowExchange",
                "SettingsFiles", "SQLiteAccess", "StoreFormat", "StoreMigration",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(name: "Program", dependencies: ["Commands"]),
        .plugin(
            name: "CompileModelsPlugin",
            capability: .buildTool(),
            dependencies: ["Program"],
            path: "Sources/CompileModelsPlugin"
        ),
        .plugin(
            name: "CommandPlugin",
            capability: .command(
                intent: .custom(verb: "momtool", description: "Run momtool in this package.")
            ),
            dependencies: ["Program"],
            path: "Sources/CommandPlugin"
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Diagnostics", "MappingInference", "MigrationPlanning", "ModelChecking",
                "ModelDiffing", "ModelHashing", "ModelLanguage", "ModelLoading", "Momtool",
                "ObjectModel", "RowExchange", "SQLiteAccess",
                "StoreFormat", "StoreMigration",
            ]
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CloudKitSchema", "CodeGeneration", "Diagnosing", "Diagnostics", "FileSystem",
                "LogReading",
                "MappingInference", "MigrationPlanning", "MigrationTesting", "ModelChecking",
                "ModelCompiling", "ModelDiffing", "ModelDrawing", "ModelHashing", "ModelLanguage",
                "ModelLoading", "ModelMerging",
                "ObjectModel", "PropertyLists", "RowExchange", "SettingsFiles", "SQLiteAccess",
                "SwiftDataReading", "StoreFormat", "StoreMigration",
            ]
        ),
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "TestSupport"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "LossCases",
            dependencies: ["ObjectModel"],
            path: "Tests/LossCases"
        ),
        .target(
            name: "CorpusStores",
            dependencies: [
                "Diagnostics", "ModelHashing", "ModelLoading", "ObjectModel", "StoreFormat",
                "TestSupport",
            ],
            path: "Tests/CorpusStores"
        ),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"]),
        .target(name: "DatabaseFaults", path: "Tests/DatabaseFaults"),
        .target(name: "SystemFaults", path: "Tests/SystemFaults"),
        .executableTarget(
            name: "FaultyMomtool",
            dependencies: ["Commands", "SystemFaults"],
            path: "Tests/FaultyMomtool"
        ),
        .executableTarget(
            name: "Mutations",
            dependencies: ["TestSupport"],
            path: "Tests/Mutations"
        ),
        .testTarget(name: "MutationsTests", dependencies: ["Mutations", "TestSupport"]),
        .testTarget(
            name: "MigrationTestingTests",
            dependencies: [
                "Diagnostics", "MigrationPlanning", "MigrationTesting", "ModelLoading",
                "Momtool", "MomtoolTesting", "ObjectModel", "RowExchange", "SQLiteAccess",
                "StoreFormat",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelDiffingTests",
            dependencies: [
                "Diagnostics", "ModelDiffing", "ModelHashing", "ModelLoading", "ObjectModel",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "MappingInferenceTests",
            dependencies: [
                "Diagnostics", "MappingInference", "ModelDiffing", "ModelLoading", "ObjectModel",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "MigrationPlanningTests",
            dependencies: [
                "Diagnostics", "MappingInference", "MigrationPlanning", "ModelDiffing",
                "ModelHashing", "ModelLoading", "ObjectModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelLoadingTests",
            dependencies: [
                "Diagnostics", "ModelLoading", "ObjectModel", "TestSupport", "XMLReading",
            ]
        ),
        .testTarget(
            name: "StoreMigrationTests",
            dependencies: [
                "CorpusStores", "Diagnostics", "LossCases", "MappingInference", "MigrationPlanning",
                "MigrationTesting", "ModelCompiling", "ModelHashing", "ModelLanguage",
                "ModelLoading", "ObjectModel",
                "PropertyLists", "RowExchange", "SettingsFiles", "SQLiteAccess", "StoreFormat",
                "StoreMigration", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SettingsFilesTests",
            dependencies: [
                "Diagnostics", "MigrationPlanning", "ModelChecking", "ModelLanguage", "ObjectModel",
                "SettingsFiles", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MomtoolTests",
            dependencies: [
                "Diagnostics", "FileSystem", "MigrationPlanning", "MigrationTesting",
                "ModelCompiling",
                "ModelHashing", "ModelLanguage", "ModelLoading", "Momtool", "ObjectModel",
                "Program", "PropertyLists",
                "SettingsFiles", "SQLiteAccess", "StoreFormat", "StoreMigration", "TestSupport",
            ]
        ),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "SwiftDataReadingTests",
            dependencies: [
                "Diagnostics", "ModelHashing", "ModelLoading", "ObjectModel", "StoreFormat",
                "SwiftDataReading", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SafetyTests",
            dependencies: [
                "CFileSystem", "DatabaseFaults", "Diagnostics", "FaultyMomtool",
                "MigrationPlanning", "ModelHashing", "ModelLoading", "ObjectModel", "Program",
                "RowExchange", "SQLiteAccess", "StoreFormat", "StoreMigration", "TestSupport",
            ]
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Diagnostics", "LossCases", "ModelCompiling", "ModelHashing", "ModelLanguage",
                "ModelLoading", "ObjectModel", "Program", "PropertyLists", "SQLiteAccess",
                "StoreFormat",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelHashingTests",
            dependencies: [
                "Diagnostics", "ModelHashing", "ModelLoading", "ObjectModel", "TestSupport",
            ]
        ),
        .testTarget(name: "TextMatchingTests", dependencies: ["TestSupport", "TextMatching"]),
        .testTarget(name: "YAMLReadingTests", dependencies: ["YAMLReading"]),
        .testTarget(name: "ModelLanguageTests", dependencies: ["ModelLanguage"]),
        .testTarget(
            name: "StoreFormatTests",
            dependencies: [
                "Diagnostics", "ModelCompiling", "ModelHashing", "ModelLoading", "ObjectModel",
                "PropertyLists", "SQLiteAccess", "StoreFormat", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: ["Diagnostics", "ModelChecking", "Reporting", "XMLReading"]
        ),
        .testTarget(
            name: "ModelMergingTests",
            dependencies: [
                "Diagnostics", "ModelDiffing", "ModelHashing", "ModelLoading", "ModelMerging",
                "ObjectModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelDrawingTests",
            dependencies: [
                "Diagnostics", "ModelDiffing", "ModelDrawing", "ModelLoading", "ObjectModel",
                "TestSupport", "XMLReading",
            ]
        ),
        .testTarget(
            name: "LogReadingTests",
            dependencies: [
                "Diagnosing", "Diagnostics", "LogReading", "MappingInference", "ModelHashing",
                "ModelLoading", "ObjectModel", "StoreFormat", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelRebuildingTests",
            dependencies: [
                "CorpusStores", "Diagnostics", "ModelHashing", "ModelLoading", "ModelRebuilding",
                "ObjectModel",
                "SQLiteAccess",
                "StoreFormat", "TestSupport",
            ]
        ),
        .testTarget(
            name: "CloudKitSchemaTests",
            dependencies: [
                "CloudKitSchema", "Diagnostics", "ModelChecking", "ModelLoading", "ObjectModel",
                "SwiftDataReading", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelCheckingTests",
            dependencies: [
                "Diagnostics", "ModelChecking", "ModelLoading", "ObjectModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "RowExchangeTests",
            dependencies: [
                "Diagnostics", "ModelHashing", "ModelLoading", "ObjectModel", "PropertyLists",
                "RowExchange",
                "SQLiteAccess", "StoreFormat", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PropertyListsTests",
            dependencies: ["Diagnostics", "PropertyLists", "TestSupport"]
        ),
        .testTarget(
            name: "CodeGenerationTests",
            dependencies: [
                "CodeGeneration", "Diagnostics", "ModelHashing", "ModelLoading", "ObjectModel",
                "StoreFormat", "SwiftDataReading", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelCompilingTests",
            dependencies: [
                "Diagnostics", "ModelCompiling", "ModelHashing", "ModelLanguage", "ModelLoading",
                "ObjectModel", "PropertyLists", "StoreFormat", "TestSupport",
            ]
        ),
    ]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "momtool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "momtool", targets: ["momtool"]),
        .library(
            name: "Momtool",
            targets: [
                "Diagnostics", "FileSystem", "ObjectModel", "ModelLoading", "ModelHashing",
                "ModelCompiling", "ModelDecompiling", "CodeGeneration", "MappingModels",
                "ModelDiffing",
                "MappingInference", "MigrationPlanning", "SQLiteAccess", "StoreFormat",
                "RowExchange",
                "StoreMigration",
                "PropertyLists", "MigrationTesting",
            ]
        ),
        .library(name: "MomtoolTesting", targets: ["MomtoolTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
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
        .systemLibrary(name: "CFileSystem"),
        .target(name: "Diagnostics"),
        .target(name: "FileSystem", dependencies: ["CFileSystem"]),
        .target(name: "SQLiteAccess", dependencies: ["CSQLite"]),
        .target(name: "XMLReading", dependencies: ["CLibXML2", "Diagnostics"]),
        .target(name: "PropertyLists", dependencies: ["Diagnostics", "XMLReading"]),
        .target(name: "ObjectModel", dependencies: ["Diagnostics"]),
        .target(name: "ModelLanguage", dependencies: ["Diagnostics"]),
        .target(
            name: "ModelLoading",
            dependencies: [
                "Diagnostics", "FileSystem", "XMLReading", "PropertyLists", "ObjectModel",
                "ModelLanguage",
            ]
        ),
        .target(
            name: "ModelHashing",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLanguage",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "ModelCompiling",
            dependencies: [
                "Diagnostics", "PropertyLists", "ObjectModel", "ModelLanguage", "ModelHashing",
            ]
        ),
        .target(
            name: "MappingModels",
            dependencies: [
                "Diagnostics", "FileSystem", "XMLReading", "PropertyLists", "ObjectModel",
                "ModelLanguage",
                "ModelLoading", "ModelHashing", "ModelCompiling",
            ]
        ),
        .target(name: "CodeGeneration", dependencies: ["Diagnostics", "ObjectModel"]),
        .target(name: "ModelDecompiling", dependencies: ["Diagnostics", "ObjectModel"]),
        .target(
            name: "ModelDiffing",
            dependencies: ["Diagnostics", "ObjectModel", "ModelHashing"]
        ),
        .target(
            name: "MappingInference",
            dependencies: ["Diagnostics", "ObjectModel", "ModelHashing", "ModelDiffing"]
        ),
        .target(
            name: "MigrationPlanning",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLanguage", "ModelHashing", "ModelDiffing",
                "MappingInference",
            ]
        ),
        .target(
            name: "ModelChecking",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelHashing", "ModelDiffing",
                "MappingInference",
            ]
        ),
        .target(
            name: "StoreFormat",
            dependencies: [
                "CZlib", "Diagnostics", "FileSystem", "PropertyLists", "ObjectModel",
                "ModelLanguage", "ModelHashing", "ModelLoading", "ModelCompiling", "SQLiteAccess",
            ]
        ),
        .target(
            name: "RowExchange",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLanguage", "ModelHashing", "SQLiteAccess",
                "StoreFormat",
            ]
        ),
        .target(
            name: "StoreMigration",
            dependencies: [
                "Diagnostics", "FileSystem", "ObjectModel", "ModelLanguage", "PropertyLists",
                "ModelHashing",
                "ModelCompiling", "ModelDiffing", "MappingInference", "MigrationPlanning",
                "SQLiteAccess", "StoreFormat", "RowExchange",
            ]
        ),
        .target(
            name: "Configuring",
            dependencies: [
                "Diagnostics", "ModelChecking", .product(name: "Yams", package: "Yams"),
            ]
        ),
        .target(
            name: "StagesFiles",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLanguage", "ModelHashing", "MappingModels",
                "MigrationPlanning", .product(name: "Yams", package: "Yams"),
            ]
        ),
        .target(
            name: "ModelDrawing",
            dependencies: ["Diagnostics", "ObjectModel", "ModelDiffing"]
        ),
        .target(
            name: "MigrationTesting",
            dependencies: [
                "Diagnostics", "FileSystem", "ObjectModel", "ModelLoading", "ModelHashing",
                "MappingInference",
                "MappingModels", "MigrationPlanning", "StagesFiles", "SQLiteAccess", "StoreFormat",
                "RowExchange",
                "StoreMigration", .product(name: "Yams", package: "Yams"),
            ]
        ),
        .target(name: "MomtoolTesting", dependencies: ["MigrationTesting"]),
        .target(
            name: "Reporting",
            dependencies: [
                "MigrationTesting", "Diagnostics", "ObjectModel", "ModelHashing", "ModelChecking",
                "ModelDrawing", "ModelDiffing", "MappingInference", "MigrationPlanning",
                "StoreFormat", "StoreMigration", "XMLReading",
            ]
        ),
        .target(
            name: "Commands",
            dependencies: [
                "MigrationTesting", "ModelChecking", "ModelDrawing", "Configuring", "StagesFiles",
                "CodeGeneration", "Diagnostics", "FileSystem", "ObjectModel", "ModelLoading",
                "ModelHashing",
                "ModelCompiling",
                "ModelDecompiling", "MappingModels", "PropertyLists", "ModelDiffing",
                "MappingInference", "MigrationPlanning", "SQLiteAccess", "StoreFormat",
                "StoreMigration",
                "Reporting", "RowExchange",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "momtool",
            dependencies: [
                "Commands"
            ]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Diagnostics", "MigrationPlanning", "MappingInference", "ModelChecking",
                "ModelDiffing", "ModelLoading",
                "ObjectModel", "SQLiteAccess", "StoreFormat", "StoreMigration", "RowExchange",
            ]
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Configuring", "Diagnostics", "FileSystem", "MappingInference", "MappingModels",
                "MigrationPlanning", "MigrationTesting", "ModelChecking", "ModelCompiling",
                "ModelDecompiling", "ModelDiffing", "ModelDrawing", "ModelHashing", "ModelLoading",
                "ObjectModel", "ModelLanguage", "PropertyLists", "RowExchange", "StagesFiles",
                "SQLiteAccess", "StoreFormat", "StoreMigration",
            ]
        ),
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "TestSupport"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
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
                "Diagnostics", "MigrationTesting", "ModelLoading", "MomtoolTesting", "ObjectModel",
                "RowExchange", "StoreFormat", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelDiffingTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelHashing", "ModelLoading", "ModelDiffing",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "MappingInferenceTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelHashing", "ModelLoading", "ModelDiffing",
                "MappingInference", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MigrationPlanningTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelHashing", "ModelLoading", "ModelDiffing",
                "MappingInference", "MigrationPlanning", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelLoadingTests",
            dependencies: [
                "Diagnostics", "XMLReading", "ObjectModel", "ModelLoading", "TestSupport",
            ]
        ),
        .testTarget(
            name: "StoreMigrationTests",
            dependencies: [
                "Diagnostics", "MigrationTesting",
                "ObjectModel", "PropertyLists", "ModelLoading", "ModelHashing", "MappingInference",
                "MigrationPlanning", "StagesFiles", "MappingModels", "ModelLanguage",
                "SQLiteAccess", "StoreFormat",
                "RowExchange",
                "StoreMigration", "TestSupport",
            ]
        ),
        .testTarget(
            name: "StagesFilesTests",
            dependencies: [
                "Diagnostics", "MigrationPlanning", "ObjectModel", "ModelLanguage",
                "StagesFiles", "TestSupport",
            ]
        ),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "SafetyTests",
            dependencies: [
                "CFileSystem", "DatabaseFaults", "FaultyMomtool", "Diagnostics",
                "MigrationPlanning",
                "ModelHashing", "ModelLoading", "ObjectModel", "RowExchange", "SQLiteAccess",
                "StoreFormat",
                "StoreMigration", "TestSupport", "momtool",
            ]
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLoading", "SQLiteAccess", "StoreFormat",
                "ModelHashing",
                "TestSupport",
                "momtool",
            ]
        ),
        .testTarget(
            name: "ModelHashingTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLoading", "ModelHashing", "TestSupport",
            ]
        ),
        .testTarget(name: "ModelLanguageTests", dependencies: ["ModelLanguage"]),
        .testTarget(
            name: "StoreFormatTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "PropertyLists", "ModelLoading", "ModelHashing",
                "ModelCompiling",
                "SQLiteAccess", "StoreFormat", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: ["Diagnostics", "ModelChecking", "Reporting", "XMLReading"]
        ),
        .testTarget(
            name: "ModelDrawingTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLoading", "ModelDiffing", "ModelDrawing",
                "TestSupport", "XMLReading",
            ]
        ),
        .testTarget(
            name: "ConfiguringTests",
            dependencies: ["Configuring", "Diagnostics", "ModelChecking"]
        ),
        .testTarget(
            name: "ModelCheckingTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLoading", "ModelHashing", "ModelChecking",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "RowExchangeTests",
            dependencies: [
                "Diagnostics", "ObjectModel", "ModelLoading", "ModelHashing", "StoreFormat",
                "RowExchange", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PropertyListsTests",
            dependencies: ["PropertyLists", "TestSupport"]
        ),
        .testTarget(
            name: "CodeGenerationTests",
            dependencies: [
                "CodeGeneration", "Diagnostics", "ModelLoading", "ObjectModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelDecompilingTests",
            dependencies: [
                "Diagnostics", "PropertyLists", "ObjectModel", "ModelLoading", "ModelCompiling",
                "ModelDecompiling", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ModelCompilingTests",
            dependencies: [
                "Diagnostics", "PropertyLists", "ObjectModel", "ModelLoading", "ModelHashing",
                "ModelCompiling", "MappingModels", "ModelLanguage", "StoreFormat",
                "TestSupport",
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

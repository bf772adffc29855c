// swift-tools-version: 6.2

import PackageDescription

/// The house: its floors from the ground up, on each its modules, behind each what it imports.
let floors: KeyValuePairs<String, KeyValuePairs<String, String>> = [
    "Sources/Ground": [
        "Essentials": "",
        "TextMatching": "CPCRE2",
        "Diagnostics": "Essentials",
        "ModelLanguage": "",
        "ObjectModel": "Diagnostics Essentials ModelLanguage",
    ],
    "Sources/System": [
        "CFileSystem": "",
        "FileSystem": "CFileSystem Diagnostics Essentials",
        "SQLiteAccess": "CSQLite Diagnostics Essentials",
        "XMLReading": "CLibXML2 Diagnostics Essentials",
        "YAMLReading": "CYAML",
        "PropertyLists": "Diagnostics Essentials XMLReading",
    ],
    "Sources/Models": [
        "ModelHashing": "Diagnostics Essentials ModelLanguage ObjectModel",
        "SwiftDataReading": """
        Diagnostics Essentials ObjectModel SwiftParser SwiftSyntax
        """,
        "ModelLoading": """
        Diagnostics Essentials FileSystem ModelLanguage ObjectModel PropertyLists
        SwiftDataReading XMLReading
        """,
        "ModelCompiling": """
        Diagnostics Essentials ModelHashing ModelLanguage ObjectModel PropertyLists
        XMLReading
        """,
        "ModelMerging": """
        Diagnostics Essentials ModelEditing ModelHashing ModelLoading ObjectModel
        PropertyLists XMLReading
        """,
        "ModelEditing": """
        Diagnostics Essentials ModelCompiling ModelLoading ObjectModel PropertyLists XMLReading
        YAMLReading
        """,
        "CodeGeneration": "Diagnostics Essentials ObjectModel SwiftDataReading",
        "CloudKitSchema": "Diagnostics ObjectModel",
    ],
    "Sources/Judgement": [
        "ModelDiffing": "Diagnostics Essentials ModelHashing ObjectModel",
        "MappingInference": "Diagnostics Essentials ModelDiffing ModelLanguage ObjectModel",
        "MigrationPlanning": """
        Diagnostics MappingInference ModelDiffing ModelHashing ModelLanguage ObjectModel
        """,
        "ModelChecking": """
        Diagnostics Essentials MappingInference MigrationPlanning ModelCompiling ModelDiffing
        ModelEditing ModelHashing ModelLanguage ObjectModel TextMatching YAMLReading
        """,
        "LogReading": "Diagnostics Essentials MappingInference ObjectModel",
    ],
    "Sources/Stores": [
        "StoreFormat": """
        CZlib Diagnostics Essentials FileSystem ModelCompiling ModelHashing
        ModelLanguage ObjectModel PropertyLists SQLiteAccess TextMatching
        """,
        "RowExchange": """
        Diagnostics Essentials ModelHashing ModelLanguage ObjectModel PropertyLists
        SQLiteAccess StoreFormat TextMatching
        """,
        "StoreMigration": """
        Diagnostics Essentials FileSystem MappingInference MigrationPlanning
        ModelCompiling ModelDiffing ModelHashing ModelLanguage ObjectModel PropertyLists
        RowExchange SQLiteAccess StoreFormat TextMatching
        """,
    ],
    "Sources/Library": [
        "SettingsFiles": """
        Diagnostics Essentials FileSystem MigrationPlanning ModelChecking ModelLanguage
        ObjectModel SwiftDataReading YAMLReading
        """,
        "Diagnosing": """
        Diagnostics Essentials FileSystem LogReading MappingInference ModelDiffing
        ModelHashing ModelLoading ObjectModel SQLiteAccess StoreFormat StoreMigration
        """,
        "Momtool": """
        CodeGeneration Diagnosing Diagnostics Essentials FileSystem LogReading MappingInference
        MigrationPlanning ModelChecking ModelCompiling ModelDiffing ModelEditing ModelHashing
        ModelLoading ObjectModel
        RowExchange SettingsFiles SQLiteAccess StoreFormat StoreMigration SwiftDataReading
        """,
        "MigrationTesting": """
        Diagnostics Essentials FileSystem MappingInference MigrationPlanning ModelChecking Momtool
        ModelCompiling ModelDiffing ModelHashing ModelLoading ObjectModel PropertyLists RowExchange
        SettingsFiles SQLiteAccess StoreFormat StoreMigration SwiftDataReading YAMLReading
        """,
        "ProjectChecking": """
        Diagnostics Essentials FileSystem MappingInference MigrationPlanning MigrationTesting
        ModelChecking ModelDiffing ModelHashing ModelLoading Momtool ObjectModel SettingsFiles
        YAMLReading
        """,
        "MomtoolTesting": "MigrationPlanning MigrationTesting Momtool SettingsFiles",
    ],
    "Sources/Tool": [
        "ModelDrawing": "Diagnostics ModelDiffing ObjectModel XMLReading",
        "MomtoolReporting": """
        Diagnosing Diagnostics Essentials LogReading MappingInference MigrationPlanning
        MigrationTesting ModelChecking ModelDiffing ModelDrawing ModelHashing
        ObjectModel RowExchange StoreFormat StoreMigration XMLReading
        """,
        "AgentServing": "Essentials FileSystem",
        "MomtoolCommands": """
        AgentServing ArgumentParser CloudKitSchema CodeGeneration Diagnosing Diagnostics Essentials
        FileSystem LogReading MappingInference MigrationPlanning MigrationTesting
        ModelChecking ModelCompiling ModelDiffing ModelDrawing ModelEditing ModelHashing
        ModelLoading ModelMerging Momtool MomtoolReporting ObjectModel ProjectChecking
        PropertyLists RowExchange SettingsFiles SQLiteAccess StoreFormat StoreMigration
        """,
        "MomtoolProgram": "MomtoolCommands",
    ],
    "Sources/Development": [
        "Benchmarks": "",
        "FuzzTargets": """
        CloudKitSchema CodeGeneration Diagnosing Diagnostics FileSystem LogReading
        MappingInference MigrationPlanning MigrationTesting ModelChecking ModelCompiling
        ModelDiffing ModelDrawing ModelEditing ModelHashing ModelLanguage ModelLoading
        ModelMerging ObjectModel PropertyLists RowExchange SettingsFiles SQLiteAccess
        StoreFormat StoreMigration SwiftDataReading
        """,
        "Fuzz": "FuzzTargets TestSupport",
    ],
    "Tests/Ground": [
        "ModelLanguageTests": "ModelLanguage",
        "TextMatchingTests": "TestSupport TextMatching",
    ],
    "Tests/System": [
        "PropertyListsTests": "Diagnostics PropertyLists TestSupport",
        "YAMLReadingTests": "YAMLReading",
    ],
    "Tests/Models": [
        "ModelHashingTests": "Diagnostics ModelHashing ModelLoading ObjectModel TestSupport",
        "SwiftDataReadingTests": """
        Diagnostics ModelHashing ModelLoading ObjectModel StoreFormat SwiftDataReading
        TestSupport
        """,
        "ModelLoadingTests": "Diagnostics ModelLoading ObjectModel TestSupport XMLReading",
        "ModelCompilingTests": """
        Diagnostics FuzzTargets ModelCompiling ModelHashing ModelLanguage ModelLoading ObjectModel
        PropertyLists StoreFormat TestSupport
        """,
        "ModelMergingTests": """
        Diagnostics ModelDiffing ModelHashing ModelLoading ModelMerging ObjectModel
        TestSupport
        """,
        "ModelEditingTests": """
        Diagnostics ModelEditing ModelHashing ModelLoading ObjectModel TestSupport
        """,
        "CodeGenerationTests": """
        CodeGeneration Diagnostics ModelHashing ModelLoading ObjectModel StoreFormat
        SwiftDataReading TestSupport
        """,
        "CloudKitSchemaTests": """
        CloudKitSchema Diagnostics ModelChecking ModelLoading ObjectModel
        SwiftDataReading TestSupport
        """,
    ],
    "Tests/Judgement": [
        "ModelDiffingTests": """
        Diagnostics ModelDiffing ModelHashing ModelLoading ObjectModel TestSupport
        """,
        "MappingInferenceTests": """
        Diagnostics MappingInference ModelDiffing ModelLoading ObjectModel TestSupport
        """,
        "MigrationPlanningTests": """
        Diagnostics MappingInference MigrationPlanning ModelDiffing ModelHashing ModelLanguage
        ModelLoading ObjectModel TestSupport
        """,
        "ModelCheckingTests": """
        Diagnostics ModelChecking ModelLanguage ModelLoading ObjectModel TestSupport
        """,
        "LogReadingTests": """
        Diagnosing Diagnostics LogReading MappingInference ModelHashing ModelLoading
        ObjectModel StoreFormat TestSupport
        """,
    ],
    "Tests/Stores": [
        "StoreFormatTests": """
        Diagnostics ModelCompiling ModelHashing ModelLoading ObjectModel PropertyLists
        SQLiteAccess StoreFormat TestSupport
        """,
        "RowExchangeTests": """
        Diagnostics ModelHashing ModelLoading ObjectModel PropertyLists RowExchange
        SQLiteAccess StoreFormat TestSupport
        """,
        "StoreMigrationTests": """
        CorpusStores Diagnostics LossCases MappingInference MigrationPlanning
        MigrationTesting ModelCompiling ModelHashing ModelLanguage ModelLoading
        ObjectModel PropertyLists RowExchange SettingsFiles SQLiteAccess StoreFormat
        StoreMigration TestSupport
        """,
    ],
    "Tests/Library": [
        "SettingsFilesTests": """
        Diagnostics Essentials FileSystem MigrationPlanning ModelChecking ModelLanguage
        ObjectModel SettingsFiles TestSupport
        """,
        "MomtoolTests": """
        Diagnostics FileSystem MappingInference MigrationPlanning MigrationTesting ModelChecking
        ModelCompiling ModelDiffing ModelEditing
        ModelHashing ModelLanguage ModelLoading Momtool MomtoolProgram MomtoolTesting ObjectModel
        PropertyLists SettingsFiles SQLiteAccess StoreFormat StoreMigration TestSupport
        """,
        "MigrationTestingTests": """
        Diagnostics MigrationPlanning MigrationTesting ModelLoading Momtool
        MomtoolTesting ObjectModel ProjectChecking RowExchange SQLiteAccess StoreFormat TestSupport
        """,
    ],
    "Tests/Tool": [
        "ModelDrawingTests": """
        Diagnostics ModelDiffing ModelDrawing ModelLoading ObjectModel TestSupport
        """,
        "ReportingTests": "Diagnostics ModelChecking MomtoolReporting XMLReading",
        "CommandsTests": """
        Diagnostics Essentials FuzzTargets ModelChecking ModelHashing ModelLoading Momtool
        MomtoolCommands MomtoolProgram ObjectModel SQLiteAccess StoreFormat TestSupport XMLReading
        YAMLReading
        """,
        "PagesTests": """
        Diagnosing Diagnostics Essentials LogReading LossCases MappingInference ModelCompiling
        ModelLanguage ModelLoading MomtoolProgram MomtoolReporting ObjectModel PropertyLists SQLiteAccess
        SettingsFiles StoreFormat TestSupport YAMLReading
        """,
    ],
    "Tests/House": [
        "ArchitectureTests": "TestSupport",
        "SafetyTests": """
        CFileSystem DatabaseFaults Diagnostics FaultyMomtool MigrationPlanning
        ModelHashing ModelLoading MomtoolProgram ObjectModel RowExchange SQLiteAccess
        StoreFormat StoreMigration TestSupport
        """,
        "Mutations": "SwiftParser SwiftSyntax TestSupport",
        "MutationsTests": "Mutations TestSupport",
        "FuzzTargetsTests": "FuzzTargets TestSupport",
    ],
    "Tests/Support": [
        "TestSupport": "CSQLite Essentials MomtoolCommands ObjectModel",
        "LossCases": "ObjectModel TestSupport",
        "CorpusStores": "Diagnostics ModelHashing ModelLoading ObjectModel StoreFormat TestSupport",
        "DatabaseFaults": "",
        "SystemFaults": "",
        "FaultyMomtool": "MomtoolCommands SystemFaults",
    ],
]

/// The modules that are exported.
let exported = """
    Diagnostics Essentials MigrationPlanning Momtool ObjectModel SQLiteAccess StoreMigration
    """

/// The modules that belong to the product besides: a client's `moduleAliases` reach the targets of a product and what these
/// import, and nothing further below.
let renamed = "XMLReading YAMLReading"

let programs = ["Benchmarks", "FaultyMomtool", "Fuzz", "MomtoolProgram", "Mutations"]

/// Libraries of the system: their package in pkg-config, in Debian and in Homebrew.
let systemLibraries: KeyValuePairs = [
    "CLibXML2": ("libxml-2.0", "libxml2-dev", "libxml2"),
    "CPCRE2": ("libpcre2-8", "libpcre2-dev", "pcre2"),
    "CSQLite": ("sqlite3", "libsqlite3-dev", "sqlite"),
    "CYAML": ("yaml-0.1", "libyaml-dev", "libyaml"),
    "CZlib": ("zlib", "zlib1g-dev", "zlib"),
]

/// What comes out of packages.
let products: [String: Target.Dependency] = [
    "ArgumentParser": .product(name: "ArgumentParser", package: "swift-argument-parser"),
    "SwiftParser": .product(
        name: "SwiftParser",
        package: "swift-syntax",
        condition: .when(traits: ["SwiftData"])
    ),
    "SwiftSyntax": .product(
        name: "SwiftSyntax",
        package: "swift-syntax",
        condition: .when(traits: ["SwiftData"])
    ),
]

/// A section for each function, of which the linker drops the unused ones, where `.ci/release` asks for them.
///
/// They take 1.4 MB from the executable. Sections for the functions of swift-syntax and of the modules that use most of theirs
/// would take 1.5 MB more, and their compilation half as long again.
func sections(of module: String, on floor: String) -> [SwiftSetting] {
    let isUsed = ["Sources/Judgement", "Sources/Stores"].contains(floor) || module == "Momtool"
    guard !isUsed, Context.environment["MOMTOOL_SECTIONS"] != nil else { return [] }
    return [.unsafeFlags(["-Xfrontend", "-function-sections"])]
}

/// The modules in which tests spend half of their time: optimized, they take a fifth of it in debug builds too.
let hot = words(
    "Essentials ModelHashing ObjectModel PropertyLists SQLiteAccess StoreFormat TestSupport XMLReading"
)

/// SwiftPM may refuse flags in a package that another one depends on; its manifest is then read from a checkout or a
/// repository.
let isDependency =
    Context.packageDirectory == "/" || Context.packageDirectory.contains("/checkouts/")

func optimization(of module: String) -> [SwiftSetting] {
    guard hot.contains(module), !isDependency else { return [] }
    return [.unsafeFlags(["-O"], .when(configuration: .debug))]
}

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
}

func target(_ name: String, on floor: String, imports: String) -> Target {
    let dependencies = words(imports).map { products[$0] ?? .byName(name: $0) }
    let path = "\(floor)/\(name)"
    let settings = settings + sections(of: name, on: floor) + optimization(of: name)
    // What the module is and must not know.
    let exclude = floor.hasPrefix("Sources") ? ["README.md"] : []
    if programs.contains(name) {
        return .executableTarget(
            name: name,
            dependencies: dependencies,
            path: path,
            exclude: exclude,
            swiftSettings: settings
        )
    }
    if name.hasSuffix("Tests") {
        return .testTarget(
            name: name,
            dependencies: dependencies,
            path: path,
            swiftSettings: settings
        )
    }
    return .target(
        name: name,
        dependencies: dependencies,
        path: path,
        exclude: exclude,
        swiftSettings: settings
    )
}

/// Whether there are plugins, with a tool from source: SwiftPM compiles all that this consists of a second time.
///
/// `.ci/release plugins` makes a package of them with the released executable.
let hasPlugins = Context.environment["MOMTOOL_PLUGINS"] != nil

let pluginProducts: [Product] = [
    .plugin(name: "CompileModels", targets: ["CompileModelsPlugin"]),
    .plugin(name: "MomtoolCommand", targets: ["CommandPlugin"]),
]

let pluginTargets: [Target] = [
    .plugin(
        name: "CompileModelsPlugin",
        capability: .buildTool(),
        dependencies: ["MomtoolProgram"],
        path: "Sources/Plugins/CompileModelsPlugin",
        exclude: ["README.md"]
    ),
    .plugin(
        name: "CommandPlugin",
        capability: .command(
            intent: .custom(verb: "momtool", description: "Run momtool in this package.")
        ),
        dependencies: ["MomtoolProgram"],
        path: "Sources/Plugins/CommandPlugin",
        exclude: ["README.md"]
    ),
]

let package = Package(
    name: "momtool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "momtool", targets: ["MomtoolProgram"]),
        .library(name: "Momtool", targets: words(exported) + words(renamed)),
        .library(name: "MomtoolTesting", targets: ["MomtoolTesting"]),
    ] + (hasPlugins ? pluginProducts : []),
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
    targets: floors.flatMap { floor, modules in
        modules.map { target($0, on: floor, imports: $1) }
    }
        + systemLibraries.map { name, packages in
            .systemLibrary(
                name: name,
                path: "Sources/System/\(name)",
                pkgConfig: packages.0,
                providers: [.apt([packages.1]), .brew([packages.2])]
            )
        } + (hasPlugins ? pluginTargets : [])
)

/// A module, with its purpose and its allowed imports.
struct Module {
    enum Floor: String, CaseIterable {
        case ground = "Ground"
        case system = "System"
        case models = "Models"
        case judgement = "Judgement"
        case stores = "Stores"
        case library = "Library"
        case tool = "Tool"
        case plugins = "Plugins"
        case development = "Development"
    }

    var name: String
    var floor: Floor
    /// Its purpose, for the page.
    var does: String
    /// What it must not know, for the page; the imports enforce it.
    var strangers: String
    /// The exact modules and packages that it imports.
    var imports: Set<String>

    /// A module as the tables below have it: its name, floor, what it does, what it must not know, and its imports.
    typealias Row = (String, Floor, String, String, Set<String>)

    /// The page in its folder.
    var page: String {
        let known =
            imports.isEmpty
            ? "It imports no other module."
            : "It imports \(imports.sorted().joined(separator: ", "))."
        return """
            # \(name)

            \(does.prefix(1).uppercased() + does.dropFirst()).

            It must not know: \(strangers).

            \(known) Tests/House/ArchitectureTests/ModuleTable.swift says so, and makes this page.

            """
    }

    /// Every module in `Sources` with Swift in it; each imports only modules above it.
    static let table =
        [ground, system, models, judgement, stores, library, tool, plugins, development].joined()
        .map { Module(name: $0, floor: $1, does: $2, strangers: $3, imports: $4) }

    private static let ground: [Row] = [
        (
            "Essentials", .ground,
            "Foundation without ICU, threads and a lock; nearly every module imports it",
            "every other module", []
        ),
        (
            "TextMatching", .ground,
            "text folding as for `[cd]`, and regular expressions compatible with ICU's; the only user of PCRE2",
            "models, files", ["CPCRE2"]
        ),
        (
            "Diagnostics", .ground,
            "diagnostics with positions and rule IDs; values with what was noticed while they were read",
            "models, files", ["Essentials"]
        ),
        (
            "ModelLanguage", .ground,
            "Apple's language of predicates and expressions: parser, syntax tree, text",
            "models, files, SQL", []
        ),
        (
            "ObjectModel", .ground, "models, versions and mapping models as values",
            "XML, archives, hashing, stores", ["Diagnostics", "Essentials", "ModelLanguage"]
        ),
    ]

    private static let system: [Row] = [
        (
            "FileSystem", .system,
            "paths, reading, drafts that are renamed when complete, copying, locks, temporary folders",
            "models, stores", ["CFileSystem", "Diagnostics", "Essentials"]
        ),
        (
            "SQLiteAccess", .system,
            "connections, statements, values and names in SQL; the only user of SQLite",
            "models, Core Data's tables", ["CSQLite", "Diagnostics", "Essentials"]
        ),
        (
            "XMLReading", .system,
            "XML elements with exact positions, and escaping; the only user of libxml2", "models",
            ["CLibXML2", "Diagnostics", "Essentials"]
        ),
        (
            "YAMLReading", .system,
            "YAML documents as values with positions; the only user of libyaml", "models", ["CYAML"]
        ),
        (
            "PropertyLists", .system, "property lists and keyed archives, read and written",
            "models", ["Diagnostics", "Essentials", "XMLReading"]
        ),
    ]

    private static let models: [Row] = [
        (
            "ModelHashing", .models, "version hashes, checksums and digests, with SHA-2",
            "files, XML, stores", ["Diagnostics", "Essentials", "ModelLanguage", "ObjectModel"]
        ),
        (
            "SwiftDataReading", .models,
            "Swift sources with `@Model` classes → values; the only user of swift-syntax",
            "files, hashing, stores",
            ["Diagnostics", "Essentials", "ObjectModel", "SwiftParser", "SwiftSyntax"]
        ),
        (
            "ModelLoading", .models, "sources, compiled models and mapping models → values",
            "hashing, stores",
            [
                "Diagnostics", "Essentials", "FileSystem", "ModelLanguage", "ObjectModel",
                "PropertyLists", "SwiftDataReading", "XMLReading",
            ]
        ),
        (
            "ModelCompiling", .models,
            "values → archives of models and mapping models, and back to sources", "files, stores",
            [
                "Diagnostics", "Essentials", "ModelHashing", "ModelLanguage", "ObjectModel",
                "PropertyLists", "XMLReading",
            ]
        ),
        (
            "ModelEditing", .models,
            "edits of a source, byte for byte as Xcode would, and what leads from one to another",
            "files, git",
            [
                "Diagnostics", "Essentials", "ModelCompiling", "ModelLoading", "ObjectModel",
                "PropertyLists", "XMLReading", "YAMLReading",
            ]
        ),
        (
            "ModelMerging", .models,
            "merges the sources of a model from two branches, or lists the conflicts", "files, git",
            [
                "Diagnostics", "Essentials", "ModelEditing", "ModelHashing", "ModelLoading",
                "ObjectModel", "PropertyLists", "XMLReading",
            ]
        ),
        (
            "CodeGeneration", .models,
            "classes of managed objects in Swift and Objective-C, and `@Model` classes",
            "files, stores", ["Diagnostics", "Essentials", "ObjectModel", "SwiftDataReading"]
        ),
        (
            "CloudKitSchema", .models,
            "CloudKit schemas: reading and writing, prediction from a model, comparison",
            "files, stores", ["Diagnostics", "ObjectModel"]
        ),
    ]

    private static let judgement: [Row] = [
        (
            "ModelDiffing", .judgement,
            "what differs between two models, as a closed type of changes", "files, stores",
            ["Diagnostics", "Essentials", "ModelHashing", "ObjectModel"]
        ),
        (
            "MappingInference", .judgement,
            "what Core Data does with the differences, or why it refuses them", "files, SQL",
            ["Diagnostics", "Essentials", "ModelDiffing", "ModelLanguage", "ObjectModel"]
        ),
        (
            "MigrationPlanning", .judgement,
            "routes between versions: bridging versions, stages, value expressions", "files, SQL",
            [
                "Diagnostics", "MappingInference", "ModelDiffing", "ModelHashing", "ModelLanguage",
                "ObjectModel",
            ]
        ),
        (
            "ModelChecking", .judgement,
            "the rules of lint, their fixes, and the lock of shipped versions", "files, stores",
            [
                "Diagnostics", "Essentials", "MappingInference", "MigrationPlanning",
                "ModelCompiling", "ModelDiffing", "ModelEditing", "ModelHashing", "ModelLanguage",
                "ObjectModel", "TextMatching", "YAMLReading",
            ]
        ),
        (
            "LogReading", .judgement, "hashes and errors in logs and pasted messages",
            "files, stores", ["Diagnostics", "Essentials", "MappingInference", "ObjectModel"]
        ),
    ]

    private static let stores: [Row] = [
        (
            "StoreFormat", .stores,
            "what Core Data makes of a model in SQLite: layout, metadata, creating, reading, verifying",
            "differences between models, the terminal",
            [
                "CZlib", "Diagnostics", "Essentials", "FileSystem", "ModelCompiling",
                "ModelHashing", "ModelLanguage", "ObjectModel", "PropertyLists", "SQLiteAccess",
                "TextMatching",
            ]
        ),
        (
            "RowExchange", .stores, "rows as canonical JSON, out of a store and into one",
            "migration, the terminal",
            [
                "Diagnostics", "ModelHashing", "ModelLanguage", "ObjectModel", "PropertyLists",
                "SQLiteAccess", "StoreFormat", "TextMatching", "Essentials",
            ]
        ),
        (
            "StoreMigration", .stores,
            "a mapping → a program of typed steps, and its run in one transaction",
            "sources of models, the terminal",
            [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelCompiling", "ModelDiffing", "ModelHashing", "ModelLanguage", "ObjectModel",
                "PropertyLists", "RowExchange", "SQLiteAccess", "StoreFormat", "TextMatching",
            ]
        ),
    ]
}

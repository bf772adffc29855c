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

    init(
        _ name: String,
        _ floor: Floor,
        _ does: String,
        not strangers: String,
        imports: Set<String> = []
    ) {
        self.name = name
        self.floor = floor
        self.does = does
        self.strangers = strangers
        self.imports = imports
    }

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
        ground + system + models + judgement + stores + library + tool + plugins + development

    private static let ground = [
        Module(
            "Essentials",
            .ground,
            "Foundation without ICU, threads and a lock; nearly every module imports it",
            not: "every other module"
        ),
        Module(
            "TextMatching",
            .ground,
            "text folding as for `[cd]`, and regular expressions compatible with ICU's; the only user of PCRE2",
            not: "models, files",
            imports: ["CPCRE2"]
        ),
        Module(
            "Diagnostics",
            .ground,
            "diagnostics with positions and rule IDs; values with what was noticed while they were read",
            not: "models, files",
            imports: ["Essentials"]
        ),
        Module(
            "ModelLanguage",
            .ground,
            "Apple's language of predicates and expressions: parser, syntax tree, text",
            not: "models, files, SQL"
        ),
        Module(
            "ObjectModel",
            .ground,
            "models, versions and mapping models as values",
            not: "XML, archives, hashing, stores",
            imports: ["Diagnostics", "Essentials", "ModelLanguage"]
        ),
    ]

    private static let system = [
        Module(
            "FileSystem",
            .system,
            "paths, reading, drafts that are renamed when complete, copying, locks, temporary folders",
            not: "models, stores",
            imports: ["CFileSystem", "Diagnostics", "Essentials"]
        ),
        Module(
            "SQLiteAccess",
            .system,
            "connections, statements, values and names in SQL; the only user of SQLite",
            not: "models, Core Data's tables",
            imports: ["CSQLite", "Essentials"]
        ),
        Module(
            "XMLReading",
            .system,
            "XML elements with exact positions, and escaping; the only user of libxml2",
            not: "models",
            imports: ["CLibXML2", "Diagnostics", "Essentials"]
        ),
        Module(
            "YAMLReading",
            .system,
            "YAML documents as values with positions; the only user of libyaml",
            not: "models",
            imports: ["CYAML"]
        ),
        Module(
            "PropertyLists",
            .system,
            "property lists and keyed archives, read and written",
            not: "models",
            imports: ["Diagnostics", "Essentials", "XMLReading"]
        ),
    ]

    private static let models = [
        Module(
            "ModelHashing",
            .models,
            "version hashes, checksums and digests, with SHA-2",
            not: "files, XML, stores",
            imports: ["Diagnostics", "Essentials", "ModelLanguage", "ObjectModel"]
        ),
        Module(
            "SwiftDataReading",
            .models,
            "Swift sources with `@Model` classes → values; the only user of swift-syntax",
            not: "files, hashing, stores",
            imports: [
                "Diagnostics", "Essentials", "ObjectModel", "SwiftParser",
                "SwiftSyntax",
            ]
        ),
        Module(
            "ModelLoading",
            .models,
            "sources, compiled models and mapping models → values",
            not: "hashing, stores",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "ModelLanguage", "ObjectModel",
                "PropertyLists", "SwiftDataReading", "XMLReading",
            ]
        ),
        Module(
            "ModelCompiling",
            .models,
            "values → archives of models and mapping models, and back to sources",
            not: "files, stores",
            imports: [
                "Diagnostics", "Essentials", "ModelHashing", "ModelLanguage", "ObjectModel",
                "PropertyLists", "XMLReading",
            ]
        ),
        Module(
            "ModelEditing",
            .models,
            "edits of a source, byte for byte as Xcode would, and what leads from one to another",
            not: "files, git",
            imports: [
                "Diagnostics", "Essentials", "ModelCompiling", "ModelLoading", "ObjectModel",
                "PropertyLists", "XMLReading", "YAMLReading",
            ]
        ),
        Module(
            "ModelMerging",
            .models,
            "merges the sources of a model from two branches, or lists the conflicts",
            not: "files, git",
            imports: [
                "Diagnostics", "Essentials", "ModelEditing", "ModelHashing", "ModelLoading",
                "ObjectModel", "PropertyLists", "XMLReading",
            ]
        ),
        Module(
            "CodeGeneration",
            .models,
            "classes of managed objects in Swift and Objective-C, and `@Model` classes",
            not: "files, stores",
            imports: ["Diagnostics", "Essentials", "ObjectModel", "SwiftDataReading"]
        ),
        Module(
            "CloudKitSchema",
            .models,
            "CloudKit schemas: reading and writing, prediction from a model, comparison",
            not: "files, stores",
            imports: ["Diagnostics", "ObjectModel"]
        ),
    ]

    private static let judgement = [
        Module(
            "ModelDiffing",
            .judgement,
            "what differs between two models, as a closed type of changes",
            not: "files, stores",
            imports: ["Diagnostics", "ModelHashing", "ObjectModel"]
        ),
        Module(
            "MappingInference",
            .judgement,
            "what Core Data does with the differences, or why it refuses them",
            not: "files, SQL",
            imports: ["Diagnostics", "Essentials", "ModelDiffing", "ModelLanguage", "ObjectModel"]
        ),
        Module(
            "MigrationPlanning",
            .judgement,
            "routes between versions: bridging versions, stages, value expressions",
            not: "files, SQL",
            imports: [
                "Diagnostics", "MappingInference", "ModelDiffing", "ModelHashing", "ModelLanguage",
                "ObjectModel",
            ]
        ),
        Module(
            "ModelChecking",
            .judgement,
            "the rules of lint, their fixes, and the lock of shipped versions",
            not: "files, stores",
            imports: [
                "Diagnostics", "Essentials", "MappingInference", "MigrationPlanning",
                "ModelCompiling", "ModelDiffing", "ModelEditing", "ModelHashing", "ModelLanguage",
                "ObjectModel", "TextMatching", "YAMLReading",
            ]
        ),
        Module(
            "LogReading",
            .judgement,
            "hashes and errors in logs and pasted messages",
            not: "files, stores",
            imports: ["Diagnostics", "Essentials", "MappingInference", "ObjectModel"]
        ),
    ]

    private static let stores = [
        Module(
            "StoreFormat",
            .stores,
            "what Core Data makes of a model in SQLite: layout, metadata, creating, reading, verifying",
            not: "differences between models, the terminal",
            imports: [
                "CZlib", "Diagnostics", "Essentials", "FileSystem", "ModelCompiling",
                "ModelHashing", "ModelLanguage", "ObjectModel", "PropertyLists", "SQLiteAccess",
                "TextMatching",
            ]
        ),
        Module(
            "RowExchange",
            .stores,
            "rows as canonical JSON, out of a store and into one",
            not: "migration, the terminal",
            imports: [
                "Diagnostics", "ModelHashing", "ModelLanguage", "ObjectModel", "PropertyLists",
                "SQLiteAccess", "StoreFormat", "TextMatching", "Essentials",
            ]
        ),
        Module(
            "StoreMigration",
            .stores,
            "a mapping → a program of typed steps, and its run in one transaction",
            not: "sources of models, the terminal",
            imports: [
                "Diagnostics", "Essentials", "FileSystem", "MappingInference", "MigrationPlanning",
                "ModelCompiling", "ModelDiffing", "ModelHashing", "ModelLanguage", "ObjectModel",
                "PropertyLists", "RowExchange", "SQLiteAccess", "StoreFormat", "TextMatching",
            ]
        ),
    ]
}

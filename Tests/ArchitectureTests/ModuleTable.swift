/// A room of the house: what a module does, and what it may know.
struct Module {
    /// What the modules of a floor have in common, from the ground up.
    enum Floor: String, CaseIterable {
        case ground = "Ground"
        case edges = "Edges"
        case models = "Readers and writers"
        case judgement = "Judgement"
        case stores = "Stores"
        case door = "Front door"
        case faces = "Faces"
        case tools = "Tools of this repository"
    }

    var name: String
    var floor: Floor
    /// What it does, for the README.
    var does: String
    /// What it must not know, for the README; the imports hold it.
    var strangers: String
    /// The modules and packages that it imports: neither more nor fewer.
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

    /// Every module in `Sources` with Swift in it; each imports only what stands above it.
    static let table = ground + edges + models + judgement + stores + door + faces + tools

    private static let ground = [
        Module(
            "Essentials",
            .ground,
            "Foundation without ICU, threads and a lock; what nearly every module imports",
            not: "everything else"
        ),
        Module(
            "TextMatching",
            .ground,
            "texts folded as `[cd]` has it, and regular expressions as ICU has them",
            not: "models, files"
        ),
        Module(
            "Diagnostics",
            .ground,
            "places, findings and rule IDs; values with what was noticed on reading them",
            not: "models, files",
            imports: ["Essentials"]
        ),
        Module(
            "ModelLanguage",
            .ground,
            "Apple's language of predicates and expressions: grammar, tree, text",
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

    private static let edges = [
        Module(
            "FileSystem",
            .edges,
            "paths, reading, drafts that take their place when they are whole, copying, locks, temporary folders",
            not: "models, stores",
            imports: ["CFileSystem", "Diagnostics", "Essentials"]
        ),
        Module(
            "SQLiteAccess",
            .edges,
            "connections, statements, values and names in SQL; alone knows SQLite",
            not: "models, Core Data's tables",
            imports: ["CSQLite", "Essentials"]
        ),
        Module(
            "XMLReading",
            .edges,
            "elements with exact places, and markup escaped; alone knows libxml2",
            not: "models",
            imports: ["CLibXML2", "Diagnostics", "Essentials"]
        ),
        Module(
            "YAMLReading",
            .edges,
            "YAML documents as values with places; alone knows libyaml",
            not: "models",
            imports: ["CYAML"]
        ),
        Module(
            "PropertyLists",
            .edges,
            "property lists and keyed archives, read and written",
            not: "models",
            imports: ["Diagnostics", "Essentials", "XMLReading"]
        ),
    ]

    private static let models = [
        Module(
            "ModelHashing",
            .models,
            "Apple's hashes, checksums and digests; with SHA-2",
            not: "files, XML, stores",
            imports: ["Diagnostics", "Essentials", "ModelLanguage", "ObjectModel"]
        ),
        Module(
            "SwiftDataReading",
            .models,
            "Swift sources with `@Model` classes → values; alone knows swift-syntax",
            not: "files, hashing, stores",
            imports: [
                "CLateConformances", "Diagnostics", "Essentials", "ObjectModel", "SwiftParser",
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
            "CodeGeneration",
            .models,
            "classes of managed objects in Swift and Objective-C, and `@Model` classes",
            not: "files, stores",
            imports: ["Diagnostics", "Essentials", "ObjectModel", "SwiftDataReading"]
        ),
        Module(
            "CloudKitSchema",
            .models,
            "CloudKit's schemas: their text, what a model makes of them, what differs",
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
            "what Core Data makes of the differences, or why it refuses them",
            not: "files, SQL",
            imports: ["Diagnostics", "ModelDiffing", "ModelLanguage", "ObjectModel"]
        ),
        Module(
            "MigrationPlanning",
            .judgement,
            "the way between versions: bridges, stages, value expressions",
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
                "Diagnostics", "MappingInference", "MigrationPlanning", "ModelCompiling",
                "ModelDiffing",
                "ModelHashing", "ModelLanguage", "ObjectModel", "XMLReading",
            ]
        ),
        Module(
            "LogReading",
            .judgement,
            "hashes and errors out of logs and pasted messages, in every form that they are printed in",
            not: "files, stores",
            imports: ["Essentials", "MappingInference", "ObjectModel"]
        ),
        Module(
            "ModelMerging",
            .judgement,
            "two branches' texts of a model → one, and where they contradict each other",
            not: "files, git",
            imports: [
                "Diagnostics", "Essentials", "ModelHashing", "ModelLoading", "ObjectModel",
                "PropertyLists", "XMLReading",
            ]
        ),
        Module(
            "SettingsFiles",
            .judgement,
            "configurations, stages, maps and cases read strictly",
            not: "stores",
            imports: [
                "Diagnostics", "Essentials", "MigrationPlanning", "ModelChecking", "ModelLanguage",
                "ObjectModel", "SwiftDataReading", "YAMLReading",
            ]
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

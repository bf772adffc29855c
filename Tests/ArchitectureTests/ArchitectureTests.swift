import Foundation
import Testing
import TestSupport

/// Holds the shape of the house: who may import whom, how long files may be, what may not stand in sources.
struct ArchitectureTests {
    /// The libraries that one module alone may know, and what knows them.
    static let secrets: [(library: String, modules: Set<String>)] = [
        ("CLibXML2", ["XMLReading"]),
        ("CFileSystem", ["FileSystem"]),
        ("CZlib", ["StoreFormat"]),
        ("CSQLite", ["SQLiteAccess"]),
        ("Crypto", ["ModelHashing"]),
        ("ArgumentParser", ["Commands"]),
        ("Yams", ["SettingsFiles"]),
        ("XMLReading", ["PropertyLists", "ModelLoading", "ModelMerging", "Reporting"]),
        ("Testing", ["MomtoolTesting"]),
        ("SwiftParser", ["SwiftDataReading"]),
        ("SwiftSyntax", ["SwiftDataReading"]),
    ]

    /// For each module of the core, what it must not know.
    static let walls: [(module: String, strangers: Set<String>)] = [
        ("SQLiteAccess", ["ObjectModel", "ModelLoading", "StoreFormat", "FileSystem"]),
        ("FileSystem", ["Diagnostics", "ObjectModel", "ModelLoading", "StoreFormat"]),
        (
            "ObjectModel",
            ["XMLReading", "PropertyLists", "ModelHashing", "StoreFormat"]
        ),
        (
            "SwiftDataReading",
            [
                "FileSystem", "XMLReading", "PropertyLists", "ModelHashing", "ModelLoading",
                "StoreFormat",
            ]
        ),
        ("ModelHashing", ["XMLReading", "PropertyLists", "ModelLoading", "StoreFormat"]),
        ("ModelDiffing", ["ModelLoading", "MappingInference", "StoreFormat", "Reporting"]),
        ("MappingInference", ["ModelLoading", "StoreFormat", "StoreMigration", "Reporting"]),
        ("MigrationPlanning", ["ModelLoading", "StoreFormat", "StoreMigration", "Reporting"]),
        ("StoreFormat", ["ModelLoading", "MappingInference", "StoreMigration", "Reporting"]),
        ("StoreMigration", ["ModelLoading", "Reporting", "Commands"]),
        (
            "ModelChecking",
            [
                "ModelLoading", "XMLReading", "StoreFormat", "StoreMigration", "Reporting",
                "Commands",
            ]
        ),
        ("ModelMerging", ["FileSystem", "StoreFormat", "StoreMigration", "Reporting", "Commands"]),
        (
            "CloudKitSchema",
            [
                "FileSystem", "ModelLoading", "XMLReading", "StoreFormat", "StoreMigration",
                "Reporting", "Commands",
            ]
        ),
        ("ModelDrawing", ["ModelLoading", "StoreFormat", "Reporting", "Commands"]),
        ("SettingsFiles", ["ModelLoading", "StoreFormat", "Reporting", "Commands"]),
        ("RowExchange", ["ModelLoading", "StoreMigration", "Reporting", "Commands"]),
        ("Reporting", ["Commands", "ModelLoading"]),
    ]

    struct Source {
        var module: String
        var path: String
        var lines: [Substring]

        /// The modules that the file imports.
        var imports: Set<String> {
            Set(
                lines.compactMap { line in
                    let words = line.split(separator: " ")
                    guard let place = words.firstIndex(of: "import"), place <= 1,
                        let name = words.last
                    else { return nil }
                    return name.split(separator: ".").first.map(String.init)
                }
            )
        }
    }

    static let sources = files(below: "Sources")

    private static func files(below folder: String) -> [Source] {
        let root = Corpus.package.appending(path: folder)
        let walker = FileManager.default.enumerator(atPath: root.path)
        let paths = (walker?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
        return paths.sorted().compactMap { path in
            let module = path.split(separator: "/").first.map(String.init) ?? ""
            let url = root.appending(path: path)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return Source(module: module, path: "\(folder)/\(path)", lines: lines)
        }
    }

    @Test(arguments: secrets.indices)
    func `a library is known to its own modules only`(index: Int) {
        let (library, modules) = Self.secrets[index]
        let strangers = Self.sources.filter {
            $0.imports.contains(library) && !modules.contains($0.module)
        }
        #expect(strangers.map(\.path) == [])
    }

    @Test(arguments: walls.indices)
    func `a module does not know what it must not know`(index: Int) {
        let (module, strangers) = Self.walls[index]
        let own = Self.sources.filter { $0.module == module }
        #expect(!own.isEmpty)
        let faults = own.filter { !$0.imports.isDisjoint(with: strangers) }
        #expect(faults.map(\.path) == [])
    }

    @Test func `files are short enough to read`() {
        let long = (Self.sources + Self.files(below: "Tests")).filter { $0.lines.count > 401 }
        #expect(long.map(\.path) == [])
    }

    @Test(arguments: ["try!", "as!", "fatalError(", "TODO", "FIXME", "// MARK:"])
    func `sources hold none of the words that hide trouble`(word: String) {
        let faults = Self.sources.filter { source in
            source.lines.contains { $0.contains(word) && !$0.contains("\"\(word)") }
        }
        #expect(faults.map(\.path) == [])
    }

    @Test func `paths become URLs in one way, which leaves tildes alone`() {
        let faults = Self.sources.filter { source in
            !["Benchmarks", "Fuzz"].contains(source.module)
                && !source.path.hasSuffix("FilePaths.swift")
                && source.lines.contains { $0.contains("URL(fileURLWithPath:") }
        }
        #expect(faults.map(\.path) == [])
    }
}

import Foundation
import TestSupport
import Testing

struct ModuleTests {
    /// Modules of the system or the language.
    private static let systemModules: Set<String> = [
        "CoreData", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
        "PackagePlugin", "Synchronization", "sys",
    ]

    private static let imports = Dictionary(grouping: SourceFile.sources, by: \.module).mapValues {
        files in
        files.reduce(into: Set<String>()) { $0.formUnion($1.imports) }.subtracting(systemModules)
    }

    @Test func `every module has its row`() {
        #expect(Set(Module.table.map(\.name)) == Set(Self.imports.keys))
    }

    @Test func `a module lies on the floor that its row names, and there are ten floors at most`() {
        let floors = Dictionary(SourceFile.sources.map { ($0.module, $0.floor) }) { $1 }
        for module in Module.table {
            #expect(floors[module.name] == module.floor.rawValue, "\(module.name)")
        }
        #expect(Set(floors.values).count <= 10)
    }

    @Test func `the folder of a module says what it is and what it must not know`() throws {
        for module in Module.table {
            let path = Corpus.package
                .appending(path: "Sources/\(module.floor.rawValue)/\(module.name)/README.md")
            if isRecording { try Data(module.page.utf8).write(to: path) }
            #expect(
                (try? fileText(path)) == module.page,
                "stale: run MOMTOOL_RECORD=1 swift test --filter ModuleTests"
            )
        }
    }

    @Test(arguments: Module.table.indices)
    func `a module imports what its row says, neither more nor less`(index: Int) throws {
        let module = Module.table[index]
        let found = try #require(Self.imports[module.name]).subtracting([module.name])
        #expect(
            found.sorted() == module.imports.sorted(),
            "the row of \(module.name) in ModuleTable.swift is to say what it imports"
        )
    }

    @Test func `a module imports only what stands above it in the table`() {
        var above: Set<String> = []
        let names = Set(Module.table.map(\.name))
        for module in Module.table {
            #expect(
                module.imports.intersection(names).subtracting(above).sorted() == [],
                "\(module.name)"
            )
            above.insert(module.name)
        }
        #expect(Module.table.map(\.floor.index) == Module.table.map(\.floor.index).sorted())
    }

    @Test func `each library in C and each package is known to one module`() {
        let names = Set(Module.table.map(\.name))
        for stranger in Set(Module.table.flatMap(\.imports)).subtracting(names) {
            let modules = Module.table.filter { $0.imports.contains(stranger) }
            #expect(modules.count == 1, "\(stranger): \(modules.map(\.name))")
        }
    }

    private static let programs: Set<String> = ["FaultyMomtool", "MomtoolProgram", "momtool"]

    private static let inC: Set<String> = ["CFileSystem", "DatabaseFaults", "SystemFaults"]

    @Test func `a target declares what it imports, neither more nor less`() throws {
        let tests = Dictionary(grouping: SourceFile.tests, by: \.module).mapValues { files in
            files.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
        }
        let found = Self.imports.merging(tests) { $0.union($1) }
        let targets = Set(Manifest.package.dependencies.keys)
        let products = Set(["ArgumentParser", "SwiftParser", "SwiftSyntax"])
        let systemLibraries = Set(["CLibXML2", "CPCRE2", "CSQLite", "CYAML", "CZlib"])
        #expect(targets.count >= 50)
        for (target, declared) in Manifest.package.dependencies {
            let needed = try #require(found[target] ?? (Self.inC.contains(target) ? [] : nil))
                .intersection(targets.union(products).union(systemLibraries)).subtracting([target])
            #expect(
                declared.subtracting(Self.programs.subtracting(needed)).sorted() == needed.sorted(),
                "the dependencies of \(target) in Package.swift are to be its imports"
            )
        }
    }

    @Test func `what the library exports says nothing of what it does not export`() throws {
        let exported = try #require(Manifest.package.libraries["Momtool"])
        let modules = Set(Module.table.map(\.name))
        for file in SourceFile.sources where exported.contains(file.module) {
            let imports = file.lines.lazy.filter { $0.hasPrefix("public import ") }
                .compactMap { $0.firstMatch(of: /^public import (\w+)$/)?.1 }
            let missing = Set(imports.map(String.init)).intersection(modules).subtracting(exported)
            #expect(missing.sorted() == [], "\(file.path): add it to the product in Package.swift")
        }
    }

    /// SwiftPM renames the targets of a product and those that these import.
    @Test func `a client can rename each module of the library`() throws {
        let package = Manifest.package
        let exported = try #require(package.libraries["Momtool"])
        let own = Set(package.dependencies.keys)
        func imports(of modules: Set<String>) -> Set<String> {
            Set(modules.flatMap { package.dependencies[$0] ?? [] }).intersection(own)
        }
        var all = exported
        while !imports(of: all).isSubset(of: all) { all.formUnion(imports(of: all)) }
        let reached = exported.union(imports(of: exported))
        let missing = all.subtracting(reached).subtracting(Self.inC)
        #expect(missing == package.renamed, "list them as renamed in Package.swift")
    }

    @Test func `what no product exports is not public`() {
        let exported = Set(Manifest.package.libraries.values.joined())
        for file in SourceFile.sources where !exported.contains(file.module) {
            let isPublic = /^\s*(@\w+ |final |indirect |static )*public (?!import )/
            // A line with an interpolation is generated code.
            let lines = file.lines.filter {
                // Few lines come to the slow pattern.
                $0.contains("public ") && $0.prefixMatch(of: isPublic) != nil
                    && !$0.contains("\\(")
            }
            #expect(lines == [], "\(file.path): write 'package'")
        }
    }

    @Test func `the tables of modules on the page are those of the rows`() throws {
        let url = Corpus.package.appending(path: ".github/Architecture.md")
        let text = try fileText(url)
        let (begin, end) = ("<!-- modules -->\n", "<!-- end of modules -->")
        let head = try #require(text.range(of: begin))
        let tail = try #require(text.range(of: end))
        let fresh = text[..<head.upperBound] + Self.tables + text[tail.lowerBound...]
        if ProcessInfo.processInfo.environment["MOMTOOL_RECORD"] != nil {
            try Data(fresh.utf8).write(to: url)
        }
        #expect(
            text == fresh,
            "Architecture.md is stale: run MOMTOOL_RECORD=1 swift test --filter ModuleTests"
        )
    }

    private static var tables: String {
        Module.Floor.allCases.map { floor in
            let rows = Module.table.filter { $0.floor == floor }.map { module in
                let imports = module.imports.sorted().map { "`\($0)`" }.joined(separator: ", ")
                let names = imports.isEmpty ? "nothing" : imports
                return "| `\(module.name)` | \(module.does) | \(module.strangers) | \(names) |"
            }
            let head = [
                "### \(floor.rawValue)", "", "| module | does | knows nothing of | imports |",
                "| --- | --- | --- | --- |",
            ]
            return (head + rows).joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}

extension Module.Floor {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

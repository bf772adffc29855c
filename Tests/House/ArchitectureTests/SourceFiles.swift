import Foundation
import TestSupport

struct SourceFile {
    var floor: String
    var module: String
    var path: String
    var lines: [Substring]
    var imports: Set<String>

    private init(floor: String, module: String, path: String, text: String) {
        (self.floor, self.module, self.path) = (floor, module, path)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        imports = Set(
            lines.prefix(while: Self.mayPrecedeImports).compactMap(Self.imported)
        )
    }

    /// Spares the declarations a look.
    private static func mayPrecedeImports(_ line: Substring) -> Bool {
        line.isEmpty || line.hasPrefix("    ") || line.hasPrefix("@") || line.hasPrefix("#")
            || line.hasPrefix("//") || line.prefix(24).contains("import ")
    }

    /// The module that a line imports, or imports something from.
    private static func imported(_ line: Substring) -> String? {
        let words = line.split(separator: " ").drop {
            modifiers.contains($0) || $0.hasPrefix("@")
        }
        guard words.first == "import", !line.hasPrefix("     ") else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol"]
        let name = words.dropFirst().drop(while: kinds.contains).first
        return name.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }

    /// The functions, initializers and computed properties, by their first line from 1 and their number of lines.
    ///
    /// By the format, the closing brace is below the first letter of the declaration.
    var functions: [(line: Int, length: Int)] {
        lines.indices.compactMap { start in
            guard Self.startsFunction(lines[start]) else { return nil }
            let indent = lines[start].prefix { $0 == " " }
            let end = lines[start...].dropFirst().firstIndex { line in
                !line.isEmpty && line.prefix { $0 == " " }.count <= indent.count
                    && !line.dropFirst(indent.count).hasPrefix(")")
            }
            guard let end, lines[end] == indent + "}" else { return nil }
            return (start + 1, end - start + 1)
        }
    }

    private static func startsFunction(_ line: Substring) -> Bool {
        guard !line.hasSuffix("}") else { return false }
        let kind = line.split(separator: " ").drop {
            Self.modifiers.contains($0) || $0.hasPrefix("@")
        }
        guard let word = kind.first else { return false }
        return word == "func" || word.hasPrefix("init(") || word.hasPrefix("init?(")
            || word.hasPrefix("init<") || word == "subscript" || word.hasPrefix("subscript(")
            || word == "var" && line.hasSuffix("{")
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "private", "fileprivate", "internal", "static", "mutating", "override",
        "nonisolated", "final", "convenience", "class",
    ]

    static let sources = files(below: "Sources")
    static let tests = files(below: "Tests")

    private static func files(below folder: String) -> [SourceFile] {
        let root = Corpus.package.appending(path: folder)
        let walker = FileManager.default.enumerator(atPath: root.path)
        let paths = (walker?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
        return paths.sorted().compactMap { path in
            let rooms = path.split(separator: "/").map(String.init)
            let (floor, module) = (rooms[0], rooms[1])
            let url = root.appending(path: path)
            guard let text = try? fileText(url) else { return nil }
            return SourceFile(floor: floor, module: module, path: "\(folder)/\(path)", text: text)
        }
    }
}

struct Manifest {
    private(set) var dependencies: [String: Set<String>] = [:]
    private(set) var libraries: [String: Set<String>] = [:]
    /// The other targets of the library.
    let renamed: Set<String>

    static let package = Manifest()

    private init() {
        let file = Corpus.package.appending(path: "Package.swift")
        let text = (try? fileText(file)) ?? ""
        let head = text.components(separatedBy: "let systemLibraries").first ?? ""
        for row in head.matches(of: /"(\w+)":\s*(?:"""\n([^"]*)"""|"([^"]*)")/) {
            dependencies[String(row.1)] = Self.words(row.2 ?? row.3 ?? "")
        }
        let exported = head.firstMatch(of: /let exported = """\n([^"]*)"""/)?.1 ?? ""
        let renamed = head.firstMatch(of: /let renamed = "([^"]*)"/)?.1 ?? ""
        self.renamed = Self.words(renamed)
        libraries = ["Momtool": Self.words(exported), "MomtoolTesting": ["MomtoolTesting"]]
    }

    private static func words(_ text: Substring) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}

import Foundation
import TestSupport

/// A file of Swift in this package.
struct SourceFile {
    var module: String
    var path: String
    var lines: [Substring]
    /// The modules that the file imports, whatever the level of access.
    var imports: Set<String>

    private init(module: String, path: String, text: String) {
        (self.module, self.path) = (module, path)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        imports = Set(
            lines.lazy.filter(Self.mayImport).compactMap {
                $0.firstMatch(of: Self.importLine).map { String($0.1) }
            }
        )
    }

    /// Spares most lines the slow look of a pattern.
    private static func mayImport(_ line: Substring) -> Bool {
        guard let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") }) else { return false }
        return [UInt8(ascii: "i"), UInt8(ascii: "p"), UInt8(ascii: "@")].contains(first)
    }

    private static var importLine: Regex<(Substring, Substring)> {
        /^(?: {4})?(?:@\w+ )*(?:(?:public|package|internal|private) )?import (?:(?:struct|class|enum|func|protocol) )?(\w+)/
    }

    static let sources = files(below: "Sources")
    static let tests = files(below: "Tests")

    private static func files(below folder: String) -> [SourceFile] {
        let root = Corpus.package.appending(path: folder)
        let walker = FileManager.default.enumerator(atPath: root.path)
        let paths = (walker?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
        return paths.sorted().compactMap { path in
            let module = path.split(separator: "/").first.map(String.init) ?? ""
            let url = root.appending(path: path)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
            return SourceFile(module: module, path: "\(folder)/\(path)", text: text)
        }
    }
}

/// What `Package.swift` declares.
struct Manifest {
    /// The dependencies of each target by name: targets and products of packages.
    private(set) var dependencies: [String: Set<String>] = [:]
    /// The targets of each library.
    private(set) var libraries: [String: Set<String>] = [:]

    static let package = Manifest()

    private init() {
        let file = Corpus.package.appending(path: "Package.swift")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        for entry in text.components(separatedBy: "\n        .").dropFirst() {
            guard let name = entry.firstMatch(of: /name: "(\w+)"/)?.1 else { continue }
            if entry.hasPrefix("library(") {
                libraries[String(name)] = Self.names(behind: "targets: [", in: entry)
            } else if entry.firstMatch(of: /^(target|executableTarget|testTarget)\(/) != nil {
                dependencies[String(name)] = Self.names(behind: "dependencies: [", in: entry)
            }
        }
    }

    /// Returns the names in a list; that of a product stands for it, its package and condition do not count.
    private static func names(behind head: String, in entry: String) -> Set<String> {
        guard let start = entry.range(of: head) else { return [] }
        var depth = 1
        let list = entry[start.upperBound...].prefix { character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return depth > 0
        }
        let plain = list.replacing(/package: "[^"]*"/, with: "")
            .replacing(/\.when\([^)]*\)/, with: "")
        return Set(plain.matches(of: /"([^"]+)"/).map { String($0.1) })
    }
}

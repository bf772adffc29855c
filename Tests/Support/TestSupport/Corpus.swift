package import Foundation

/// The folder of real models and stores, which tests read when it is there.
///
/// It is never part of the repository: `MOMTOOL_CORPUS` names it, else `../shared/corpus` beside the package.
package enum Corpus {
    package static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    package static let folder: URL = {
        let path = ProcessInfo.processInfo.environment["MOMTOOL_CORPUS"]
        return path.map { URL(fileURLWithPath: $0) }
            ?? package.deletingLastPathComponent().appending(path: "shared/corpus")
    }()

    /// Whether the folder is there; otherwise tests over the corpus are skipped, which is printed once.
    package static let isPresent: Bool = {
        let isPresent = FileManager.default.fileExists(atPath: folder.path)
        if !isPresent {
            let note =
                "note: no corpus of real models and stores at \(folder.path): the tests that read it are"
                + " skipped, and Fixtures/Vectors takes its place. MOMTOOL_CORPUS names another folder.\n"
            FileHandle.standardError.write(Data(note.utf8))
        }
        return isPresent
    }()

    package static func path(_ relative: String) -> String { folder.appending(path: relative).path }

    /// All paths below the corpus, sorted; nobody writes there while tests run.
    private static let all: [String] = {
        guard let walker = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return walker.compactMap { $0 as? String }.sorted()
    }()

    package static func paths(where matches: (String) -> Bool) -> [String] { all.filter(matches) }

    package static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line]
    {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
    }
}

/// The folder of models beside the corpus, with what Apple's tools made of them; tests are skipped when it is not
/// there.
package enum Evidence {
    package static let folder = Corpus.folder.deletingLastPathComponent().appending(
        path: "evidence"
    )

    package static func path(_ relative: String) -> String { folder.appending(path: relative).path }

    package static func has(_ part: String) -> Bool {
        FileManager.default.fileExists(atPath: path(part))
    }
}

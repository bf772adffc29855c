import Foundation
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

struct SourceHistoryTests {
    /// The one pass must find exactly the versions that revisions declare when read separately.
    @Test func `one pass over the commits finds what each of them declares`() throws {
        let edits = EditedSources(seed: 7)
        try withFolder { folder in
            try Data(edits.stream(of: 60).utf8).write(to: folder.appending(path: "stream"))
            let script = "git init -q -b main . && git fast-import --quiet < stream"
            let shell = URL(fileURLWithPath: "/bin/sh")
            #expect(try result(of: shell, ["-c", script], in: folder).status == 0)
            let sources = folder.appending(path: "App").path
            let history = try ModelHistory(of: sources)
            var expected: Set<ModelHashes> = []
            for commit in 0..<60 {
                let place = ModelPlace(sources, at: "t\(commit)")
                let bundle = try place.read().value
                for version in bundle.versions where version.entitiesWithGaps.isEmpty {
                    expected.insert(version.hashes)
                    let tagged = history.versions.filter { $0.hashes == version.hashes }
                        .flatMap { history.commits[$0.name]?.tags ?? [] }
                    #expect(tagged.contains("t\(commit)"), "\(version.name) of \(commit)")
                }
            }
            #expect(expected.count > 4)
            #expect(Set(history.versions.map(\.hashes)) == expected)
        }
    }
}

/// Sources of two versions that commits edit at random, with a branch that is merged now and then.
private struct EditedSources {
    let seed: Int

    func stream(of count: Int) -> String {
        var generator = SeededGenerator(seed: seed)
        var stream = ""
        for commit in 0..<count {
            var edits: [(path: String, text: String)] = []
            if commit == 0 { edits.append(("App/Schema.swift", Self.schema)) }
            let number = Int.random(in: 0..<4, using: &generator)
            if commit == 0 {
                edits += (0..<4).map { file($0, 0) }
            } else {
                edits.append(file(number, Int.random(in: 0..<4, using: &generator)))
            }
            stream += """
                commit refs/heads/main
                mark :\(commit + 1)
                committer A <a@example.org> \(1_700_000_000 + 60 * commit) +0000
                data 1
                .

                """
            if commit > 2, commit.isMultiple(of: 7) { stream += "merge :\(commit - 2)\n" }
            for (path, text) in edits {
                stream += "M 100644 inline \(path)\ndata \(text.utf8.count)\n\(text)\n"
            }
            stream += "reset refs/tags/t\(commit)\nfrom :\(commit + 1)\n\n"
        }
        return stream
    }

    private static let schema = """
        import SwiftData
        enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [V1.Item.self] }
        }
        enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { all }
        }
        """

    private func file(_ number: Int, _ form: Int) -> (path: String, text: String) {
        switch number {
        case 0:
            let name = ["name", "title", "name", "label"][form]
            return (
                "App/Old.swift",
                "extension V1 { @Model class Item { var \(name) = \"\"; func f\(form)() {} } }"
            )
        case 1:
            let type = ["Int", "Int?", "Place", "Set<Int>"][form]
            return (
                "App/New.swift",
                "extension V2 { @Model class Item { var count: \(type) } }\nextension V2 "
                    + "{ static let all: [any PersistentModel.Type] = [V2.Item.self] }"
            )
        case 2:
            let fields = [
                "var x: Int", "var x: Int; var y: Kind", "var z: String", "var x: Double",
            ]
            return ("App/Types/Place.swift", "struct Place: Codable { \(fields[form]) }")
        default:
            let raw = ["String", "Int", "Int16", "String"][form]
            return ("App/Types/Kind.swift", "enum Kind: \(raw), Codable { case a, b\(form) }")
        }
    }
}

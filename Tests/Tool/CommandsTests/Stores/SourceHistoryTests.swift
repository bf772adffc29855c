import Foundation
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

struct SourceHistoryTests {
    private func inRepository(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            func write(_ text: String, _ path: String) throws {
                let file = folder.appending(path: path)
                try makeFolder(file.deletingLastPathComponent())
                try Data(text.utf8).write(to: file)
            }
            #expect(try git("init", "-q", in: folder).status == 0)
            try write("struct Unrelated { struct Place { var x = 1 } }", "App/View.swift")
            let places = ["var town: String", "var town: String; var street: String?"]
            for (number, edit) in [
                ("var name: String = \"\"", places[0]),
                ("var name: String = \"\"; func f() {}", places[0]),
                ("var name: String = \"\"", places[1]),
                ("var name: Int = 0", places[1]),
            ].enumerated() {
                try write(
                    "import SwiftData\n@Model class Item { \(edit.0); var place: Place? }",
                    "App/Models/Item.swift"
                )
                try write("struct Place: Codable { \(edit.1) }", "App/Types/Place.swift")
                if number == 0 {
                    #expect(try momtool("create Old.sqlite --model App", in: folder).status == 0)
                }
                #expect(try git("add", "App", in: folder).status == 0)
                #expect(try git("commit", "-q", "-m", "\(number)", in: folder).status == 0)
                #expect(try git("tag", "v\(number)", in: folder).status == 0)
            }
            try body(folder)
        }
    }

    private let identify = ["identify", "Old.sqlite", "--model", "App"]

    @Test func `the version, its commits and its tags are named`() throws {
        try inRepository { folder in
            #expect(try momtool(identify, in: folder).status == 3)
            let found = try expectRun(identify + ["--git"], in: folder, 0)
            let form = /unversioned \([0-9a-f]{7} of \d{4}-\d\d-\d\d to [0-9a-f]{7}, tags v0, v1\)/
            #expect(found.output.contains(form), "\(found.output)")
            let here = ["identify", "Old.sqlite", "--model", ".", "--git"]
            #expect(try momtool(here, in: folder).output.contains(form))
            let told = try momtool("doctor Old.sqlite --model App --git", in: folder)
            #expect(told.output.contains("tags v0, v1), by the hashes of all entities"))
            try expectRun("hash v0:App", in: folder, 0, "Item")
            try expectRun("diff App --against v2", in: folder, nil, "Item.name")
        }
    }

    @Test func `sources that are gone are found, and in a range only what it holds`() throws {
        try inRepository { folder in
            try FileManager.default.removeItem(at: folder.appending(path: "App"))
            #expect(try momtool(identify + ["--git"], in: folder).status == 0)
            #expect(try momtool(identify + ["--git", "--range", "v2..v3"], in: folder).status == 3)
            #expect(try momtool(identify + ["--git", "--range", "v0..v1"], in: folder).status == 0)
            #expect(try momtool(identify + ["--git", "--range", "v9"], in: folder).status == 66)
            #expect(try momtool("identify Old.sqlite --model None --git", in: folder).status == 66)
        }
    }

    @Test func `folders and files that were moved are followed to where they were`() throws {
        try inRepository { folder in
            #expect(try git("mv", "App", "Shop", in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "move", in: folder).status == 0)
            let sources = folder.appending(path: "Sources")
            try makeFolder(sources)
            #expect(try git("mv", "Shop", "Sources/Shop", in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "again", in: folder).status == 0)
            let found = try momtool("identify Old.sqlite --model Sources/Shop --git", in: folder)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.output.contains("tags v0, v1)"), "\(found.output)")
            try expectRun("diff Sources/Shop --against v2", in: folder, nil, "Item.name")
        }
    }

    @Test func `what the configuration leaves out and tests declare is not searched`() throws {
        try inRepository { folder in
            let other = "import Testing\n@Model class Item { var other = 1 }"
            let file = folder.appending(path: "App/Mocks/Item.swift")
            try makeFolder(file.deletingLastPathComponent())
            try Data(other.utf8).write(to: file)
            #expect(try git("add", "App", in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "mock", in: folder).status == 0)
            #expect(try momtool(identify + ["--git"], in: folder).status == 0)
            let settings = "swift:\n  sources: [App]\n  exclude: [Types]\n"
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            let found = try momtool(identify + ["--git"], in: folder)
            #expect(found.status != 0)
            #expect(found.errors.contains("not understood: Item"), "\(found.errors)")
        }
    }

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

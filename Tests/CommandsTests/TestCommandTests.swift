import Foundation
import TestSupport
import Testing

struct TestCommandTests {
    private static let cases = Corpus.package.appending(path: "Fixtures/Cases").path

    @Test func `the repository's own cases pass`() throws {
        let result = try momtool("test", Self.cases, "--jobs", "2")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "74 passed, 0 failed\n")
    }

    @Test func `shards share the cases without leaving one out`() throws {
        let counts = try (1...5).map { part in
            let result = try momtool("test", Self.cases, "--shard", "\(part)/5")
            return Int(result.output.split(separator: " ").first ?? "") ?? 0
        }
        #expect(counts.reduce(0, +) == 74)
        #expect(counts.allSatisfy { $0 >= 14 })
    }

    /// Copies a case and changes one of its files.
    private func changed(
        _ name: String,
        _ file: String,
        _ old: String,
        _ new: String,
        _ arguments: [String] = [],
        _ body: (CommandResult, URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let copy = folder.appending(path: name)
            let original = URL(fileURLWithPath: Self.cases).appending(path: name)
            try FileManager.default.copyItem(at: original, to: copy)
            let path = copy.appending(path: file)
            let text = try String(contentsOf: path, encoding: .utf8)
            #expect(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: path)
            try body(try momtool(["test", copy.path] + arguments), folder)
        }
    }

    @Test(arguments: [
        (
            "attribute-renamed", "after.json", "\"Ada\"", "\"Eve\"",
            "fullName is \"Ada\", expected \"Eve\""
        ),
        (
            "inverse-removed", "after.json", "\"employer\": \"Company/p1\", \"name\": \"Ada\"",
            "\"name\": \"Ada\"", "Person \"Ada\": employer is Company \"Engines\", expected none"
        ),
        (
            "attribute-added-mandatory-without-default", "case.yml", "134110", "134190",
            "the refusal does not say '134190'"
        ),
        ("attribute-renamed", "case.yml", "from: V1", "from: V7", "there are: V1, V2"),
        (
            "attribute-renamed", "case.yml", "expect: migrated", "expect: refused",
            "the store was migrated, though a refusal is expected"
        ),
    ])
    func `what is not as expected is told as a person would say it`(
        name: String,
        file: String,
        old: String,
        new: String,
        message: String
    ) throws {
        try changed(name, file, old, new) { result, _ in
            #expect(result.status == 1)
            #expect(result.output.contains(message), "\(result.output)")
            #expect(result.output.contains("1 failed"))
        }
    }

    @Test func `keys do not matter, links do`() throws {
        let (old, new) = ("\"p1\", \"follow", "\"p9\", \"follow")
        try changed("self-many-to-many-kept", "after.json", old, new) { result, _ in
            // p1 is still named by the others, which now lead nowhere.
            #expect(result.status == 1)
        }
        try withFolder { folder in
            let copy = folder.appending(path: "case")
            let original = URL(fileURLWithPath: Self.cases).appending(
                path: "to-one-becomes-to-many"
            )
            try FileManager.default.copyItem(at: original, to: copy)
            let path = copy.appending(path: "after.json")
            let text = try String(contentsOf: path, encoding: .utf8)
            let renamed = text.replacing("Person/p1", with: "Person/p77")
                .replacing(
                    "\"@id\": \"p1\", \"employers\"",
                    with: "\"@id\": \"p77\", \"employers\""
                )
            #expect(renamed != text)
            try Data(renamed.utf8).write(to: path)
            let result = try momtool("test", copy.path)
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test func `an expectation is recorded only when asked for`() throws {
        try withFolder { folder in
            let copy = folder.appending(path: "case")
            let original = URL(fileURLWithPath: Self.cases).appending(path: "attribute-renamed")
            try FileManager.default.copyItem(at: original, to: copy)
            let after = copy.appending(path: "after.json")
            try FileManager.default.removeItem(at: after)
            let artifacts = folder.appending(path: "artifacts").path
            #expect(try momtool("test", copy.path, "--artifacts", artifacts).status == 1)
            #expect(!FileManager.default.fileExists(atPath: after.path))
            #expect(FileManager.default.fileExists(atPath: artifacts + "/case/after.sqlite"))
            #expect(try momtool("test", copy.path, "--record").output.contains("1 recorded"))
            #expect(try momtool("test", copy.path).status == 0)
        }
    }

    @Test func `every version of the library goes to the current one`() throws {
        let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        let result = try momtool("test", "--matrix", model, "--rows", "300")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "5 passed, 0 failed\n")
        let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        let field = try momtool("test", "--model", model, "--stores", fixture, "--format", "junit")
        #expect(field.status == 0, "\(field.output)")
        #expect(field.output.contains("tests=\"1\" failures=\"0\""))
    }

    static let misuses: [(arguments: [String], status: Int32)] = [
        (["test"], 64), (["test", "/nonexistent"], 65), (["test", "Sources"], 66),
        (["test", "Fixtures/Cases", "--shard", "6/5"], 64), (["test", "--stores", "x"], 64),
    ]

    @Test(arguments: misuses)
    func `what cannot be run is said by the status`(arguments: [String], status: Int32) throws {
        #expect(try momtool(arguments).status == status)
    }
}

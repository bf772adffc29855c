import Foundation
import TestSupport
import Testing

struct DiffLevelTests {
    @Test(arguments: ["Library", "Everything"])
    func `a source and its own compiled model are equal`(name: String) throws {
        try withFolder { folder in
            let source = "Models/\(name).xcdatamodeld"
            #expect(try momtool("compile", source, "-o", folder.path).status == 0)
            let compiled = folder.appending(path: "\(name).momd").path
            for pair in [[source, compiled], [compiled, source]] {
                let result = try momtool(["diff"] + pair + ["--exit-code"])
                #expect(result.status == 0, "\(result.output)")
                #expect(result.output.contains("no difference"))
            }
            let all = try momtool("diff", source, compiled, "--level", "source", "--exit-code")
            #expect(all.status == 2)
        }
    }

    private func withEdit(
        of text: String,
        to new: String,
        _ body: (String, String) throws -> Void
    ) throws {
        try withFolder { folder in
            let source = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            let edited = folder.appending(path: "Library.xcdatamodeld")
            try FileManager.default.copyItem(at: source, to: edited)
            let contents = edited.appending(path: "V6.xcdatamodel/contents")
            let before = try String(contentsOf: contents, encoding: .utf8)
            let after = before.replacing(text, with: new, maxReplacements: 1)
            try #require(before != after)
            try Data(after.utf8).write(to: contents)
            try body(source.path, edited.path)
        }
    }

    @Test func `what Xcode alone reads counts for sources only`() throws {
        try withEdit(of: "codeGenerationType=\"class\"", to: "codeGenerationType=\"category\"") {
            for (level, status) in [("hash", 0), ("store", 0), ("source", 2)] {
                let result = try momtool("diff", $0, $1, "--level", level, "--exit-code")
                #expect(result.status == status, "\(level): \(result.output)")
            }
        }
    }

    @Test func `a class name counts for stores and not for hashes`() throws {
        try withEdit(of: "representedClassName=\"Author\"", to: "representedClassName=\"Writer\"") {
            for (level, status) in [("hash", 0), ("store", 2), ("source", 2)] {
                let result = try momtool("diff", $0, $1, "--level", level, "--exit-code")
                #expect(result.status == status, "\(level): \(result.output)")
                if status == 2 { #expect(result.output.contains("contents:3:")) }
            }
        }
    }

    @Test func `a new type counts for everything`() throws {
        try withEdit(of: "attributeType=\"String\"", to: "attributeType=\"Integer 64\"") {
            for level in ["hash", "store", "source"] {
                let result = try momtool("diff", $0, $1, "--level", level, "--exit-code")
                #expect(result.status == 2)
            }
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the compiled models of public projects are equal to their sources`() throws {
        let folder = "Karim-ezzedine+CartKit/Sources/CartKitStorageCoreData/Resources/"
        let (source, compiled) = (
            Corpus.path(folder + "CartStorage.xcdatamodeld"),
            Corpus.path(folder + "CartStorage.momd")
        )
        let result = try momtool("diff", source, compiled, "--exit-code")
        #expect(result.status == 0, "\(result.output)")
    }
}

import Foundation
import TestSupport
import Testing

struct RootGateTests {
    private static func schema(_ properties: String) -> String {
        """
        import SwiftData
        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model class Item {
                var a: Int?
                \(properties)
                init() {}
            }
        }

        """
    }

    private func withRepository(_ body: (_ above: URL, _ root: URL) throws -> Void) throws {
        try withFolder { above in
            let root = above.appending(path: "Repo")
            try write(Self.schema(""), "ios/App/Schema.swift", in: root)
            try git("init", "-q", "-b", "main", "--template=", in: root)
            let lock = try momtool(["lock", "."], in: root)
            #expect(lock.status == 0, "\(lock.output)\(lock.errors)")
            try git("add", "-A", in: root)
            try git("commit", "-q", "-m", "one", in: root)
            try body(above, root)
        }
    }

    @Test func `an edit of a locked schema is seen against a revision, whatever was locked since`()
        throws
    {
        try withRepository { above, root in
            let clean = try momtool(["check", "--against", "main"], in: root)
            #expect(clean.status == 0, "\(clean.output)\(clean.errors)")
            try write(Self.schema("var foo: Int = 0"), "ios/App/Schema.swift", in: root)
            let anew = try momtool(["lock", ".", "--relock"], in: root)
            #expect(anew.status == 0, "\(anew.output)\(anew.errors)")
            for (words, folder) in [
                (["check", "--against", "main"], root),
                (["check", ".", "--against", "main"], root),
                (["check", "Repo", "--against", "main"], above),
            ] {
                let check = try momtool(words, in: folder)
                #expect(check.status == 1, "\(words): \(check.output)\(check.errors)")
                #expect(check.output.contains("since main: Item.foo"), "\(words): \(check.output)")
                #expect(check.output.contains("main:"), "\(words): \(check.output)")
            }
            let diff = try momtool(["diff", ".", "--against", "main"], in: root)
            #expect(diff.output.contains("foo"), "\(diff.output)\(diff.errors)")
            let hash = try momtool(["hash", "main:."], in: root)
            #expect(
                hash.status == 0 && hash.output.contains("Item"),
                "\(hash.output)\(hash.errors)"
            )
        }
    }

    @Test func `no path in a report begins at the folder that the command runs in`() throws {
        try withRepository { _, root in
            try write(Self.schema("var foo: Missing = Missing()"), "ios/App/Schema.swift", in: root)
            let formats = [
                "text", "github", "sarif", "junit", "json", "gitlab", "markdown",
            ]
            for command in [["lint", "."], ["check", "."], ["lint", "./ios"]] {
                for format in formats {
                    let report = try momtool(command + ["--format", format], in: root).output
                    #expect(
                        report.contains("ios/App/Schema.swift"),
                        "\(command) \(format): \(report)"
                    )
                    #expect(!report.contains("./ios/App"), "\(command) \(format): \(report)")
                }
            }
            let words = ["check", ".", "--comment", "comment.md"]
            _ = try momtool(words, in: root)
            let comment = try String(
                contentsOf: root.appending(path: "comment.md"),
                encoding: .utf8
            )
            #expect(!comment.contains("./ios"), "\(comment)")
        }
    }

    @Test func `a model that a revision has and that cannot be read there is an error`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let text = "<model><entity name='Item'/></model>"
            try writeBundle(["V1": "<<<<<<< ours"], current: "V1", at: bundle)
            try git("init", "-q", "-b", "main", "--template=", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-q", "-m", "one", in: folder)
            try writeBundle(["V1": text], current: "V1", at: bundle)
            let broken = try momtool(["check", "--against", "main"], in: folder)
            #expect(broken.status == 1, "\(broken.output)\(broken.errors)")
            #expect(broken.output.contains("nothing is compared"), "\(broken.output)")
            try writeBundle(
                ["V1": text],
                current: "V1",
                at: folder.appending(path: "New.xcdatamodeld")
            )
            let new = try momtool(["check", "New.xcdatamodeld", "--against", "main"], in: folder)
            #expect(new.status == 0, "\(new.output)\(new.errors)")
        }
    }

    @Test func `the lock of the root holds for the folder with all its models`() throws {
        try withRepository { _, root in
            for (path, folder) in [
                ("ios/App", root), (".", root.appending(path: "ios/App")), ("ios", root),
            ] {
                let check = try momtool(["check", path], in: folder)
                #expect(check.output.contains("1 lock"), "\(path): \(check.output)")
                #expect(try momtool(["lock", path], in: folder).status == 0)
            }
            let state = try git("status", "--porcelain", in: root)
            #expect(state.output.isEmpty, "\(state.output)")
            // A lock that covers other sources too is not for a part of them.
            try write(
                "import SwiftData\n@Model class Note { var b: Int? }\n",
                "Other/Note.swift",
                in: root
            )
            let part = try momtool(["check", "ios/App"], in: root)
            #expect(part.output.contains("0 locks"), "\(part.output)")
        }
    }
}

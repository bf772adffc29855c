import Foundation
import TestSupport
import Testing

struct LockedGapTests {
    private static let sources = """
        @Model final class Member {
            var bio: String = ""
            var stats: Stats?
        }
        struct Stats: Codable { var subject: [String: Int] }
        @Model final class Episode { var title: String = "" }
        """

    private func write(_ text: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: "Models.swift"))
    }

    private func lock(in folder: URL) throws -> String {
        try fileText(folder.appending(path: "SwiftData.lock"))
    }

    @Test func `an unknown type in a locked version is an edit, and hides no other`() throws {
        try withFolder { folder in
            let other = """
                <entity name="Other" syncable="YES">
                <attribute name="kept" optional="YES" attributeType="String"/>
                <attribute name="gone" optional="YES" attributeType="String"/>
                </entity>
                </model>
                """
            let whole = ShopVersions.source("a", "b").replacing("</model>", with: other)
            try ShopVersions.write([whole], in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            let gone = "<attribute name=\"gone\" optional=\"YES\" attributeType=\"String\"/>"
            let edited = whole.replacing(gone, with: "")
                .replacing(
                    "name='a' optional='YES' attributeType='String'",
                    with: "name='a' attributeType='Strng'"
                )
            try ShopVersions.write([edited], in: folder)
            let commands = [
                ["check", "--fail-on", "error"], ["lint", ShopVersions.bundle],
                ["lock", "--check"],
            ]
            for words in commands {
                let run = try expectRun(words, in: folder, 1)
                #expect(
                    run.output.contains(
                        "error: 'V1' shipped and was edited: 'Item' was understood when it was locked"
                    ),
                    "\(words): \(run.output)"
                )
                #expect(run.output.contains("'Other.gone' was removed"), "\(words): \(run.output)")
                #expect(!run.output.contains("has no lock yet"), "\(words): \(run.output)")
                #expect(
                    (run.output + run.errors).contains("did you mean 'String'"),
                    "\(words): \(run.output)"
                )
            }
            #expect(try momtool("lock", in: folder).status == 3)
        }
    }

    @Test func `an entity that is understood now is asked for until the lock has it`() throws {
        try withFolder { folder in
            try write(Self.sources, in: folder)
            #expect(try momtool("lock .", in: folder).status == 0)
            let before = try lock(in: folder)
            #expect(before.contains("unknown Member\n"))
            try ShopVersions.say("types: {Stats.subject: Data}\n", in: folder)
            let words = "Member of 'unversioned' was not understood when it was locked, and is now"
            for command in [["check"], ["lock", ".", "--check"]] {
                try expectRun(command, in: folder, nil, words)
            }
            #expect(try momtool("check", in: folder).status == 1)
            let filled = try momtool("lock .", in: folder)
            #expect(filled.output.contains("Member of 'unversioned' is understood now, and locked"))
            let after = try lock(in: folder)
            #expect(!after.contains("unknown "))
            for line in before.split(separator: "\n") where line.hasPrefix("entity ") {
                #expect(after.contains(line))
            }
            #expect(try momtool("check", in: folder).status == 0)
            try write(
                Self.sources.replacing("bio: String = \"\"", with: "bio: Int = 0"),
                in: folder
            )
            for command in [["check"], ["lock", ".", "--check"]] {
                try expectRun(command, in: folder, 1, "'Member.bio' was edited")
            }
        }
    }

    @Test func `a refusal is no loss that could be meant`() throws {
        try withFolder { folder in
            try write(Self.sources, in: folder)
            #expect(try momtool("lock .", in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            try write(
                Self.sources.replacing("var bio: String = \"\"", with: "var bio: Int = 0"),
                in: folder
            )
            func check() throws -> CommandResult { try momtool("check --against base", in: folder) }
            let refused = try check()
            #expect(refused.status == 1, "\(refused.output)")
            #expect(refused.output.contains("Member.bio: Core Data refuses"), "\(refused.output)")
            #expect(!refused.output.contains("losses: {"), "\(refused.output)")
            #expect(refused.output.contains("make it in a new version"), "\(refused.output)")
            try ShopVersions.say("losses: {unversioned: [Member.bio]}\n", in: folder)
            #expect(try check().status == 1)
            // Once it is understood, the reason is that it was not.
            try ShopVersions.say(
                "types: {Stats.subject: Data}\nlosses: {unversioned: [Member.bio]}\n",
                in: folder
            )
            let said = try check()
            #expect(said.status == 1, "\(said.output)")
        }
    }
}

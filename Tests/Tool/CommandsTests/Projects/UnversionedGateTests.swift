import Foundation
import TestSupport
import Testing

struct UnversionedGateTests {
    private static let against = ["check", "--against", "base"]

    private static let base = """
        @Model final class Episode {
            var airdate: String = ""
            var desc: String = ""
        }
        @Model final class Member {
            var bio: String = ""
            var stats: Stats?
        }
        struct Stats: Codable { var subject: Counts }
        typealias Counts = [String: Int]
        """

    private func write(_ text: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: "Models.swift"))
    }

    private func edited(_ old: String, _ new: String, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write(Self.base, in: folder)
            #expect(try momtool("lock .", in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            try write(Self.base.replacing(old, with: new), in: folder)
            try body(folder)
        }
    }

    private func check(
        _ folder: URL,
        gives status: Int32,
        _ words: String...,
        not others: [String] = [],
        location: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let run = try momtool(Self.against, in: folder)
        #expect(run.status == status, "\(run.output)\(run.errors)", sourceLocation: location)
        for word in words {
            #expect(run.output.contains(word), "\(run.output)", sourceLocation: location)
        }
        for word in others {
            #expect(!run.output.contains(word), "\(run.output)", sourceLocation: location)
        }
    }

    @Test func `an edit of an entity that its lock does not know is graded as without a lock`()
        throws
    {
        try edited("var bio: String = \"\"", "var bio: String = \"\"\nvar must: Double") { folder in
            try check(
                folder,
                gives: 1,
                "warning: since base: Member.must: any existing object makes the migration fail",
                "its lock does not judge 'Member'",
                "losses: {unversioned: [Member.must]}"
            )
            // What is in the lock has shipped, whatever the settings say.
            try ShopVersions.say("lock: {unshipped: [unversioned]}\n", in: folder)
            try check(folder, gives: 1, "warning: since base: Member.must")
            try ShopVersions.say("losses: {unversioned: [Member.must]}\n", in: folder)
            try check(folder, gives: 0, "note: since base: Member.must")
        }
        try edited("var bio: String", "var biography: String") { folder in
            try check(folder, gives: 1, "warning: since base: Member.bio: the values are dropped")
            let settings = """
                lint:
                  ignore:
                    - {rule: changed-since, element: Member.bio, reason: unused}

                """
            try ShopVersions.say(settings, in: folder)
            try check(folder, gives: 0, not: ["Member.bio:"])
        }
    }

    @Test func `a rename that keeps its values is a note, locked again or not`() throws {
        let rename = "@Attribute(originalName: \"airdate\") var airingDate: String"
        try edited("var airdate: String", rename) { folder in
            try check(
                folder,
                gives: 0,
                "note: 'unversioned' shipped and was edited: 'Episode.airdate' was renamed",
                "momtool lock . --relock"
            )
            #expect(try momtool("check", in: folder).status == 1)
            #expect(try momtool("lock . --relock", in: folder).status == 0)
            try check(folder, gives: 0, "values are kept under the new name")
            try ShopVersions.commitAgain(in: folder)
            try check(folder, gives: 0, not: ["was edited"])
        }
    }

    @Test func `an edit that loses something is an error until that is named`() throws {
        try edited("var airdate: String = \"\"", "") { folder in
            try check(
                folder,
                gives: 1,
                "error: 'unversioned' shipped and was edited: 'Episode.airdate' was removed",
                "losses: {unversioned: [Episode.airdate]}"
            )
            // Locking the edit does not hide it from the lock of the revision.
            let lock = try fileText(folder.appending(path: "SwiftData.lock"))
            #expect(try momtool("lock . --relock", in: folder).status == 0)
            try check(folder, gives: 1, "'Episode.airdate' was removed")
            try Data(lock.utf8).write(to: folder.appending(path: "SwiftData.lock"))
            try ShopVersions.say("losses: {unversioned: [Episode.airdate]}\n", in: folder)
            try check(
                folder,
                gives: 0,
                "note: 'unversioned' shipped and was edited",
                not: ["unmatched-loss"]
            )
        }
    }

    @Test func `what is ignored is ignored in the lock of the revision, too`() throws {
        try edited("var airdate: String = \"\"", "") { folder in
            let settings = """
                lint:
                  ignore:
                    - {rule: locked-version-edited, element: Episode.airdate, reason: unused}

                """
            try ShopVersions.say(settings, in: folder)
            try check(folder, gives: 0, not: ["was edited"])
            try ShopVersions.say("lint: {rules: {locked-version-edited: off}}\n", in: folder)
            try check(folder, gives: 0, not: ["was edited"])
        }
    }

    @Test func `an edit that the revision has already is an error until it is locked`() throws {
        let rename = "@Attribute(originalName: \"airdate\") var airingDate: String"
        try edited("var airdate: String", rename) { folder in
            try ShopVersions.commitAgain(in: folder)
            // The sources of the revision are no longer those that were locked.
            try check(
                folder,
                gives: 1,
                "error: 'unversioned' shipped and was edited",
                "if no store loses by it: momtool lock . --relock"
            )
            #expect(try momtool("lock . --relock", in: folder).status == 0)
            try check(folder, gives: 0, not: ["was edited"])
        }
    }

    @Test func `a class that is gone is told at the lock, not at another class`() throws {
        let gone = """
            @Model final class Episode {
                var airdate: String = ""
                var desc: String = ""
            }

            """
        try edited(gone, "") { folder in
            let lock = try fileText(folder.appending(path: "SwiftData.lock"))
            let lines = lock.split(separator: "\n", omittingEmptySubsequences: false)
            let line = lines.firstIndex { $0.hasPrefix("entity ") && $0.hasSuffix(" Episode") }
            try check(
                folder,
                gives: 1,
                "SwiftData.lock:\((line ?? 0) + 1): error: 'unversioned' shipped and was edited: "
                    + "the entity 'Episode' was removed or renamed",
                not: ["Models.swift:1"]
            )
        }
    }

    @Test func `what is not understood of a struct is said with the name that settles it`() throws {
        try withFolder { folder in
            try write(Self.base, in: folder)
            let open = try momtool("check", in: folder)
            #expect(open.output.contains("note: it is a dictionary inside a struct"))
            #expect(open.output.contains("as Stats.subject: Data"), "\(open.output)")
            try ShopVersions.say("types: {Counts: \"[String: Int]\", Stats.sum: Int}\n", in: folder)
            let idle = try momtool("check", in: folder)
            #expect(idle.output.contains("note: types: the entry 'Counts'"), "\(idle.output)")
            #expect(idle.output.contains("Stats has no property 'sum'"), "\(idle.output)")
            try ShopVersions.say("types: {Stats.subject: Data}\n", in: folder)
            try expectRun("check", in: folder, nil, not: ["not judged", "the entry"])
        }
    }
}

extension ShopVersions {
    fileprivate static func commitAgain(in folder: URL) throws {
        try TestSupport.commit("next", in: folder)
        try git("tag", "-f", "base", in: folder)
    }
}

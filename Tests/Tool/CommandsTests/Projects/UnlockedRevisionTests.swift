import Foundation
import TestSupport
import Testing

struct UnlockedRevisionTests {
    private static let against = ["check", "--against", "base"]

    @Test func `a version that is gone is told where no lock tells`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [ShopVersions.source("name"), ShopVersions.source("name", "b")],
                in: folder
            )
            try ShopVersions.commit(in: folder)
            let gone = folder.appending(path: "\(ShopVersions.bundle)/V1.xcdatamodel")
            let source = FileManager.default.contents(atPath: gone.path + "/contents")
            try FileManager.default.removeItem(at: gone)
            let red = try expectRun(Self.against, in: folder, 1)
            let words = "warning: since base: version 'V1' is gone: its stores no longer open"
            #expect(red.output.contains(words), "\(red.output)")
            let other = folder.appending(path: "\(ShopVersions.bundle)/V 1.xcdatamodel")
            try makeFolder(other)
            try source?.write(to: other.appending(path: "contents"))
            try expectRun(Self.against, in: folder, nil, not: ["is gone"])
        }
    }

    @Test func `an edit in place that loses something is a warning where no lock guards it`() throws
    {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("name", "code")], in: folder)
            try ShopVersions.commit(in: folder)
            try ShopVersions.write([ShopVersions.source("name", "code", "more")], in: folder)
            try expectRun(Self.against, in: folder, 0)
            try ShopVersions.write([ShopVersions.source("name")], in: folder)
            let red = try momtool(Self.against, in: folder)
            #expect(red.status == 1, "\(red.output)")
            #expect(red.output.contains("warning: since base: Item.code: "), "\(red.output)")
            #expect(red.output.contains("no lock says whether it shipped"), "\(red.output)")
            for settings in ["lock: {unshipped: [V1]}\n", "losses: {V1: [Item.code]}\n"] {
                try ShopVersions.say(settings, in: folder)
                try expectRun(Self.against, in: folder, 0)
            }
        }
    }

    @Test func `nothing is compared with a version that cannot be read`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [ShopVersions.source("name"), ShopVersions.source("name", "b")],
                in: folder
            )
            try ShopVersions.commit(in: folder)
            let broken = ShopVersions.source("name", "c").replacing(
                "</entity>",
                with: "<<<<<<< HEAD\n</entity>"
            )
            try ShopVersions.write(
                [ShopVersions.source("name"), ShopVersions.source("name", "b"), broken],
                in: folder
            )
            for arguments in [Self.against, ["check"]] {
                let run = try momtool(arguments + ["--comment", "comment.md"], in: folder)
                #expect(run.status == 1)
                #expect(!run.output.contains("dropped"), "\(run.output)")
                let comment = try fileText(folder.appending(path: "comment.md"))
                #expect(!comment.contains("loses data"), "\(comment)")
                try FileManager.default.removeItem(at: folder.appending(path: "comment.md"))
            }
        }
    }
}

struct MissingRevisionTests {
    @Test func `a revision that is not here is told as by diff, with what CI needs`() throws {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("name")], in: folder)
            try ShopVersions.commit(in: folder)
            for command in [["check", "--against"], ["diff", ShopVersions.bundle, "--against"]] {
                let run = try momtool(command + ["HEAD~1"], in: folder)
                #expect(run.status == 66)
                #expect(run.errors.contains("there is no revision 'HEAD~1'"), "\(run.errors)")
                #expect(run.errors.contains("fetch-depth: 0"), "\(run.errors)")
            }
        }
    }

    @Test(arguments: [
        ("", "the name of the revision is empty"), (":0", "':0'"),
        ("HEAD\nHEAD", "HEAD\\u000AHEAD"),
    ])
    func `what names no revision is told by both`(revision: String, reason: String) throws {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("name")], in: folder)
            try ShopVersions.commit(in: folder)
            for command in [["check", "--against"], ["diff", ShopVersions.bundle, "--against"]] {
                let run = try expectRun(command + [revision], in: folder, 66, errors: [reason])
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            }
        }
    }
}

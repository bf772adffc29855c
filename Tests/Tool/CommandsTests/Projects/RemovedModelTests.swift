import Foundation
import TestSupport
import Testing

struct RemovedModelTests {
    private static let shop = "App/Shop.xcdatamodeld"

    private func withShop(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(
                [textModel("Item", ["name"]), textModel("Item", ["name", "note"])],
                Self.shop,
                in: folder
            )
            try writeBundle(
                ["Only": textModel("Other", ["title"])],
                "App/Other.xcdatamodeld",
                in: folder
            )
            try lock(Self.shop, in: folder)
            try commit("one", in: folder)
            try body(folder)
        }
    }

    private func lock(_ model: String, _ words: String..., in folder: URL) throws {
        try expectRun(["lock", model] + words, in: folder, 0)
    }

    private func check(
        _ words: String...,
        in folder: URL,
        gives status: Int32,
        _ parts: String...
    ) throws {
        let run = try expectRun(["check", "--against", "main"] + words, in: folder, status)
        for part in parts { #expect(run.output.contains(part), "\(part): \(run.output)") }
        if status == 0 { #expect(!run.output.contains("warning: "), "\(run.output)") }
    }

    private static let way =
        "a line 'pruned DAY', such as 'pruned 2026-11-24', below the checksum of each"

    private func prune(_ version: String, in lock: String, _ folder: URL) throws {
        let text = try fileText(folder.appending(path: lock))
        var lines = text.components(separatedBy: "\n")
        let index = try #require(lines.firstIndex(of: "version \(version)"))
        lines.insert("pruned 2026-11-24", at: index + 2)
        try write(lines.joined(separator: "\n"), lock, in: folder)
    }

    private func remove(_ paths: String..., in folder: URL) throws {
        for path in paths { try FileManager.default.removeItem(at: folder.appending(path: path)) }
    }

    private func move(_ path: String, _ other: String, in folder: URL) throws {
        let target = folder.appending(path: other)
        try makeFolder(target.deletingLastPathComponent())
        try FileManager.default.moveItem(at: folder.appending(path: path), to: target)
    }

    @Test(arguments: [true, false])
    func `a model that is deleted with its lock is red, and says what is lost`(
        isAlone: Bool
    ) throws {
        try withShop { folder in
            try check(in: folder, gives: 0)
            try remove(Self.shop, Self.shop + ".lock", in: folder)
            if isAlone { try remove("App/Other.xcdatamodeld", in: folder) }
            for words in [".", "App"] {
                try check(
                    words,
                    in: folder,
                    gives: 1,
                    "\(Self.shop).lock: error: since main: '\(Self.shop)' is gone with 'V1', 'V2'",
                    "as 'main:\(Self.shop).lock' says",
                    "nothing opens their stores [locked-version-removed]",
                    Self.way
                )
            }
            #expect(try momtool("check", in: folder).status == (isAlone ? 66 : 0))
        }
    }

    @Test func `a model that is deleted on purpose leaves its lock with pruned versions`() throws {
        try withShop { folder in
            try remove(Self.shop, in: folder)
            try check(in: folder, gives: 1, "[locked-version-removed]", Self.way)
            try prune("V1", in: "\(Self.shop).lock", folder)
            try check(in: folder, gives: 1, "[locked-version-removed]")
            try prune("V2", in: "\(Self.shop).lock", folder)
            try check(
                in: folder,
                gives: 0,
                "note: since main: 'V1' was pruned",
                "note: since main: 'V2' was pruned",
                " 1 lock,"
            )
            #expect(try momtool("check", in: folder).status == 0)
            try commit("two", in: folder)
            try remove(Self.shop + ".lock", in: folder)
            try check(in: folder, gives: 0)
        }
    }

    @Test(arguments: ["App/New.xcdatamodeld", "Kit/Shop.xcdatamodeld"])
    func `a model that was moved is found by its hashes, and wants its lock`(new: String) throws {
        try withShop { folder in
            try move(Self.shop, new, in: folder)
            let way = "its versions are in '\(new)' now; take it along as '\(new).lock'"
            try check(in: folder, gives: 1, way, "[unread-lock]")
            try move(Self.shop + ".lock", new + ".lock", in: folder)
            try check(in: folder, gives: 0)
            try check("App", in: folder, gives: 0)
            try remove(new + ".lock", in: folder)
            try check(
                in: folder,
                gives: 1,
                "warning: since main: '\(new)' has 'V1', 'V2', which shipped, and no lock has them",
                "[missing-lock]"
            )
            try lock(new, in: folder)
            try check(in: folder, gives: 0)
        }
    }

    @Test func `a model that is moved and loses a version is red, whatever was locked since`()
        throws
    {
        let new = "App/New.xcdatamodeld"
        try withShop { folder in
            let file = "\(new)/V2.xcdatamodel/contents"
            try move(Self.shop, new, in: folder)
            try write(textModel("Item", ["name", "note", "more"]), file, in: folder)
            try remove(Self.shop + ".lock", in: folder)
            try lock(new, in: folder)
            let note = "'\(Self.shop)' of main is '\(new)' now, which must keep all that shipped"
            try check(in: folder, gives: 1, "'V2' shipped and was edited", note)
            try write(textModel("Item", ["name", "note"]), file, in: folder)
            try remove("\(new)/V1.xcdatamodel", in: folder)
            try lock(new, "--relock", in: folder)
            try check(in: folder, gives: 1, "'V1' shipped and is missing", note, Self.way)
            try git("show", "main:\(Self.shop).lock", in: folder).output
                .write(to: folder.appending(path: new + ".lock"), atomically: true, encoding: .utf8)
            try prune("V1", in: "\(new).lock", folder)
            try check(in: folder, gives: 0, "note: since main: 'V1' was pruned")
        }
    }

    @Test func `a version that is taken out of its lock and stays is a warning`() throws {
        try withShop { folder in
            try lock(Self.shop, "--relock", "--unshipped", "V2", in: folder)
            try check(
                in: folder,
                gives: 1,
                "has 'V2', which shipped, and no lock has it any more",
                "[missing-lock]"
            )
            try write("lock: {unshipped: [V2]}\n", ".momtool.yml", in: folder)
            try check(in: folder, gives: 0)
        }
    }

    private static func classes(_ type: String) -> String {
        """
        import SwiftData
        @Model class Item {
            var count: \(type)?
            init() {}
        }

        """
    }

    private func withSwift(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write(Self.classes("Int"), "Sources/Shop/Models.swift", in: folder)
            let other = Self.classes("Date").replacing("Item", with: "Other")
            try write(other, "Sources/Kit/Models.swift", in: folder)
            try lock("Sources/Shop", in: folder)
            try commit("one", in: folder)
            try body(folder)
        }
    }

    @Test func `Swift sources that are deleted with their lock are red, and moved ones are not`()
        throws
    {
        try withSwift { folder in
            try move("Sources/Shop", "Sources/Store", in: folder)
            try remove("Sources/Shop.lock", in: folder)
            try check(in: folder, gives: 1, "which shipped, and no lock has it any more")
            try lock("Sources/Store", in: folder)
            try check(in: folder, gives: 0)
            try write("struct Nothing {}\n", "Sources/Shop/Nothing.swift", in: folder)
            try remove("Sources/Store", "Sources/Store.lock", in: folder)
            try check(
                in: folder,
                gives: 1,
                "Sources/Shop.lock: error: since main: 'Sources/Shop' is gone with 'unversioned'",
                "nothing opens its stores"
            )
            try git("checkout", "main", "--", "Sources/Shop.lock", in: folder)
            try prune("unversioned", in: "Sources/Shop.lock", folder)
            try check(in: folder, gives: 0, "note: since main: 'unversioned' was pruned")
        }
    }

    @Test func `a part of Swift sources is compared with its lock of the revision`() throws {
        try withSwift { folder in
            try check(in: folder, gives: 0)
            try write(Self.classes("String"), "Sources/Shop/Models.swift", in: folder)
            try lock("Sources/Shop", "--relock", in: folder)
            try check(in: folder, gives: 1, "[locked-version-edited]")
        }
    }
}

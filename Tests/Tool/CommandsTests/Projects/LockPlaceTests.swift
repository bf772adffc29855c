import Foundation
import TestSupport
import Testing

struct LockPlaceTests {
    private func source(_ name: String, _ type: String) -> String {
        """
        import SwiftData
        @Model class \(name) {
            var count: \(type)?
            init() {}
        }

        """
    }

    private func withShop(_ lock: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write(source("Item", "Int"), "Sources/Shop/Models.swift", in: folder)
            try git("init", "-q", "-b", "main", "--template=", in: folder)
            let locked = try momtool(["lock"] + lock, in: folder)
            #expect(locked.status == 0, "\(locked.output)\(locked.errors)")
            try git("add", "-A", in: folder)
            try git("commit", "-q", "-m", "one", in: folder)
            try body(folder)
        }
    }

    private static let commands = [
        ["check"], ["check", "Sources"], ["check", "Sources/Shop"], ["lint", "."],
        ["lint", "Sources"], ["lint", "Sources/Shop"], ["check", "--against", "main"],
        ["lock", "--check"], ["lock", ".", "--check"],
    ]

    @Test(arguments: [
        (["Sources/Shop"], "Sources/Shop.lock"), (["Sources"], "Sources.lock"),
        (["."], "SwiftData.lock"), ([], "SwiftData.lock"),
        (["Sources/Shop/Models.swift"], "Sources/Shop/Models.swift.lock"),
    ])
    func `an edit of a locked model is red from wherever it is checked`(
        words: [String],
        lock: String
    ) throws {
        try withShop(words) { folder in
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: lock).path))
            for command in Self.commands {
                let clean = try momtool(command, in: folder)
                #expect(clean.status == 0, "\(command): \(clean.output)\(clean.errors)")
            }
            #expect(try momtool(["check"], in: folder).output.contains(" 1 lock,"))
            try write(source("Item", "String"), "Sources/Shop/Models.swift", in: folder)
            for command in Self.commands {
                let red = try momtool(command, in: folder)
                #expect(red.status == 1, "\(command): \(red.output)\(red.errors)")
                #expect(red.output.contains("[locked-version-edited]"), "\(command): \(red.output)")
            }
            let inside = try momtool(["check"], in: folder.appending(path: "Sources/Shop"))
            #expect(inside.status == 1, "\(inside.output)\(inside.errors)")
        }
    }

    @Test func `init and lock keep the lock that is there`() throws {
        try withShop(["Sources/Shop"]) { folder in
            let made = try momtool(["init"], in: folder)
            #expect(made.output.contains("kept Sources/Shop.lock\n"), "\(made.output)")
            let locked = try momtool(["lock"], in: folder)
            #expect(locked.output.contains("Sources/Shop.lock: 1 version"), "\(locked.output)")
            let inside = folder.appending(path: "SwiftData.lock").path
            #expect(!FileManager.default.fileExists(atPath: inside))
        }
    }

    @Test func `a lock of a part of the models is compared with that part`() throws {
        try withShop(["Sources/Shop"]) { folder in
            try write(source("Other", "Int"), "Sources/Kit/Other.swift", in: folder)
            let clean = try momtool(["check"], in: folder)
            #expect(clean.status == 0, "\(clean.output)\(clean.errors)")
            #expect(clean.output.contains(" 1 lock,"), "\(clean.output)")
            try write(source("Item", "String"), "Sources/Shop/Models.swift", in: folder)
            for command in [["check"], ["lint", "."], ["lint", "Sources"]] {
                let red = try momtool(command, in: folder)
                #expect(red.status == 1, "\(command): \(red.output)\(red.errors)")
                #expect(red.output.contains("[locked-version-edited]"), "\(red.output)")
            }
        }
    }

    @Test func `a lock that nothing reads is a warning`() throws {
        try withShop(["Sources/Shop"]) { folder in
            try FileManager.default.moveItem(
                at: folder.appending(path: "Sources/Shop.lock"),
                to: folder.appending(path: "Sources/Store.lock")
            )
            try write("a lock of a package manager\n", "Podfile.lock", in: folder)
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 1, "\(check.output)")
            #expect(
                check.output.contains("Sources/Store.lock: warning: nothing reads this lock"),
                "\(check.output)"
            )
            #expect(!check.output.contains("Podfile"), "\(check.output)")
            #expect(try momtool("rules", "unread-lock").status == 0)
        }
    }

    @Test func `a lock below the folder that is removed is a warning, and still compared with`()
        throws
    {
        try withShop(["Sources/Shop"]) { folder in
            let lock = folder.appending(path: "Sources/Shop.lock")
            try FileManager.default.removeItem(at: lock)
            let check = ["check", "--against", "main"]
            let removed = try momtool(check, in: folder)
            #expect(removed.status == 1, "\(removed.output)\(removed.errors)")
            let start = "Sources/Shop.lock: warning: since main: this lock was removed"
            #expect(removed.output.contains(start), "\(removed.output)")
            try write(source("Item", "String"), "Sources/Shop/Models.swift", in: folder)
            let edited = try momtool(check, in: folder)
            #expect(edited.output.contains("[locked-version-edited]"), "\(edited.output)")
            try FileManager.default.removeItem(at: folder.appending(path: "Sources/Shop"))
            #expect(try !momtool(check, in: folder).output.contains("[missing-lock]"))
        }
    }

    @Test(arguments: [["."], ["Sources"], ["Sources/Shop/Models.swift"]])
    func `a lock that another one takes the place of is not missed`(words: [String]) throws {
        try withShop(["Sources/Shop"]) { folder in
            try FileManager.default.removeItem(at: folder.appending(path: "Sources/Shop.lock"))
            #expect(try momtool(["lock"] + words, in: folder).status == 0)
            let check = try momtool(["check", "--against", "main"], in: folder)
            #expect(check.status == 0, "\(check.output)\(check.errors)")
        }
    }

    @Test func `lock says what to type where there is no model`() throws {
        try withFolder { folder in
            let lock = try momtool(["lock"], in: folder)
            #expect(lock.status == 66, "\(lock.errors)")
            #expect(lock.errors.contains("momtool lock MODEL"), "\(lock.errors)")
        }
    }
}

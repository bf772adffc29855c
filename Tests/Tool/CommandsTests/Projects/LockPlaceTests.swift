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
            try expectRun(["lock"] + lock, in: folder, 0)
            try commit("one", in: folder)
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
            // Every command for one place, and each third for the others.
            let commands =
                words == ["Sources/Shop"] ? Self.commands : Sweep.part(of: Self.commands, every: 3)
            for command in commands { try expectRun(command, in: folder, 0) }
            #expect(try momtool("check", in: folder).output.contains(" 1 lock,"))
            try write(source("Item", "String"), "Sources/Shop/Models.swift", in: folder)
            for command in commands {
                try expectRun(command, in: folder, 1, "[locked-version-edited]")
            }
            try expectRun("check", in: folder.appending(path: "Sources/Shop"), 1)
        }
    }

    @Test func `init and lock keep the lock that is there`() throws {
        try withShop(["Sources/Shop"]) { folder in
            try expectRun("init", in: folder, nil, "kept Sources/Shop.lock\n")
            try expectRun("lock", in: folder, nil, "Sources/Shop.lock: 1 version")
            let inside = folder.appending(path: "SwiftData.lock").path
            #expect(!FileManager.default.fileExists(atPath: inside))
        }
    }

    @Test func `a lock of a part of the models is compared with that part`() throws {
        try withShop(["Sources/Shop"]) { folder in
            try write(source("Other", "Int"), "Sources/Kit/Other.swift", in: folder)
            try expectRun("check", in: folder, 0, " 1 lock,")
            try write(source("Item", "String"), "Sources/Shop/Models.swift", in: folder)
            for command in [["check"], ["lint", "."], ["lint", "Sources"]] {
                try expectRun(command, in: folder, 1, "[locked-version-edited]")
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
            let check = try momtool("check", in: folder)
            #expect(check.status == 1, "\(check.output)")
            #expect(check.output.contains("Sources/Store.lock: warning: nothing reads this lock"))
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
            let removed = try expectRun(check, in: folder, 1)
            let start = "Sources/Shop.lock: warning: since main: this lock was removed"
            #expect(removed.output.contains(start), "\(removed.output)")
            try write(source("Item", "String"), "Sources/Shop/Models.swift", in: folder)
            try expectRun(check, in: folder, nil, "[locked-version-edited]")
            try FileManager.default.removeItem(at: folder.appending(path: "Sources/Shop"))
            #expect(try !momtool(check, in: folder).output.contains("[missing-lock]"))
        }
    }

    @Test(arguments: [["."], ["Sources"], ["Sources/Shop/Models.swift"]])
    func `a lock that another one takes the place of is not missed`(words: [String]) throws {
        try withShop(["Sources/Shop"]) { folder in
            try FileManager.default.removeItem(at: folder.appending(path: "Sources/Shop.lock"))
            #expect(try momtool(["lock"] + words, in: folder).status == 0)
            try expectRun("check --against main", in: folder, 0)
        }
    }

    @Test func `lock says what to type where there is no model`() throws {
        try withFolder { folder in
            _ = try expectRun("lock", in: folder, 66, errors: ["momtool lock MODEL"])
        }
    }
}

struct LockPathTests {
    @Test(arguments: [["lock"], ["lock", "."], ["lock", "./App"]])
    func `no path in a refusal begins at the current folder`(command: [String]) throws {
        try withFolder { folder in
            let version = { (number: Int, members: String) in
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model class Item { \(members); init() {} }
                }

                """
            }
            let plan = """
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                    static var stages: [MigrationStage] {
                        [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
                    }
                }

                """
            let text =
                "import SwiftData\n" + version(1, "var a: Int = 0; var b: Int?")
                + version(2, "var a: Int = 0") + plan
            try write(text, "App/Models.swift", in: folder)
            let run = try expectRun(command, in: folder, 3, errors: ["[data-loss]"])
            let paths = run.errors.split(separator: "\n").filter { $0.contains("Models.swift:") }
            #expect(paths.allSatisfy { $0.hasPrefix("App/Models.swift:") }, "\(run.errors)")
        }
    }
}

struct FirstLockTests {
    private func version(_ others: String...) -> String {
        ShopVersions.source("a").replacing("</entity>", with: others.joined() + "</entity>")
    }

    private static let date = "<attribute name='c' optional='YES' attributeType='Date'/>"

    private func mandatory(default value: String = "") -> String {
        "<attribute name='b' attributeType='String'\(value)/>"
    }

    private func text(_ name: String, in folder: URL) throws -> String {
        try fileText(folder.appending(path: name))
    }

    @Test func `what is understood of Swift sources is locked`() throws {
        try withFolder { folder in
            let source = """
                import SwiftData
                struct Entry: Codable { var a: Int }
                struct History: Codable { var all: [Date: Entry] }
                @Model class Note { var text: String = ""; init() {} }
                @Model class Item { var history: History; init() {} }

                """
            try write(source, "Models.swift", in: folder)
            try expectRun("init", in: folder, 0)
            let made = try text("SwiftData.lock", in: folder)
            #expect(made.contains("unknown Item") && made.contains(" Note\n"), "\(made)")
            try FileManager.default.removeItem(at: folder.appending(path: "SwiftData.lock"))
            #expect(try momtool("lock", in: folder).status == 0)
            #expect(try text("SwiftData.lock", in: folder) == made)
        }
    }

    @Test func `a version that stores do not reach without a loss is left out, with what cures it`()
        throws
    {
        try withFolder { folder in
            // Only the version between gives rows a value.
            let versions = [
                version(), version(mandatory(default: " defaultValueString='x'")),
                version(mandatory(), Self.date),
            ]
            try ShopVersions.write(versions, in: folder)
            let first = try momtool("init", in: folder)
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.output.contains("'V3' is left out of the lock"), "\(first.output)")
            #expect(first.output.contains("migration: stepwise in .momtool.yml cures that"))
            let lock = try text("Shop.xcdatamodeld.lock", in: folder)
            #expect(lock.contains("version V2") && !lock.contains("version V3"), "\(lock)")
            let settings = try text(".momtool.yml", in: folder)
            #expect(settings.contains("\n# migration: stepwise\n"), "\(settings)")
            #expect(settings.contains("#   V3: [Item.b]"), "\(settings)")
            try ShopVersions.say("migration: stepwise\n", in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            try expectRun("check", in: folder, nil, not: ["error:"])
        }
    }

    @Test func `a version that cannot be read is told by the status`() throws {
        try withFolder { folder in
            try ShopVersions.write([version(), "<model>", version(Self.date)], in: folder)
            let first = try momtool("init", in: folder)
            #expect(first.status == 1, "\(first.output)")
            #expect(first.output.contains("'V2' is left out of the lock, as it cannot be read"))
        }
    }
}

import Foundation
import TestSupport
import Testing

struct LostBlockTests {
    private let lock = "Shop.xcdatamodeld.lock"

    /// The second and the third of three versions share an entity; all are locked and committed.
    private func withShop(_ body: (URL) throws -> Void) throws {
        let kept = """
            <entity name='Kept'><attribute name='a' optional='YES' attributeType='Date'/></entity>
            """
        func keeping(_ source: String) -> String {
            source.replacing("</model>", with: kept + "</model>")
        }
        try withFolder { folder in
            let versions = [
                ShopVersions.source("a"), keeping(ShopVersions.source("a", "b")),
                keeping(ShopVersions.source("a", "b", "c")),
            ]
            try ShopVersions.write(versions, in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            try body(folder)
        }
    }

    private func cut(_ name: String, in folder: URL) throws {
        let file = folder.appending(path: lock)
        let blocks = try fileText(file).components(separatedBy: "\n\n")
        let kept = blocks.filter { !$0.hasPrefix("version \(name)\n") }
        #expect(kept.count + 1 == blocks.count)
        try Data(kept.joined(separator: "\n\n").utf8).write(to: file)
    }

    @Test func `a version that a lock lost is not told as a new one`() throws {
        try withShop { folder in
            try cut("V1", in: folder)
            let alone = try expectRun("lock --check", in: folder, 1)
            #expect(
                alone.output.contains(
                    "if it shipped too, the lock has lost its block: bring that back"
                ),
                "\(alone.output)"
            )
            let check = try expectRun("check --against base", in: folder, 1)
            #expect(
                check.output.contains(
                    "has 'V1', which shipped, and no lock has it any more, so nothing keeps it from being edited: restore what"
                ),
                "\(check.output)"
            )
            #expect(!check.output.contains("new version"), "\(check.output)")
            try git("checkout", "-q", lock, in: folder)
            #expect(try momtool("check --against base", in: folder).status == 0)
        }
    }

    @Test func `the current version that a lock lost is not told as one that never shipped`()
        throws
    {
        try withShop { folder in
            try cut("V3", in: folder)
            let check = try momtool("check --against base", in: folder)
            #expect(check.output.contains("has 'V3', which shipped"), "\(check.output)")
            #expect(!check.output.contains("has no lock yet"), "\(check.output)")
        }
    }

    @Test func `a block that others refer to is missing, and nothing was edited`() throws {
        try withShop { folder in
            try cut("V2", in: folder)
            for command in [["lock", "--check"], ["check", "--against", "base"]] {
                let run = try expectRun(command, in: folder, 1)
                #expect(
                    run.output.contains(
                        "the block of 'V2' is not above, which has 'Kept': restore"
                    ),
                    "\(run.output)"
                )
                #expect(!run.output.contains("was edited"), "\(run.output)")
            }
        }
    }

    @Test(arguments: ["V2b", "Z"])
    func `a version that was renamed is one note, and the lock takes its name over`(
        name: String
    ) throws {
        try withShop { folder in
            let bundle = folder.appending(path: ShopVersions.bundle)
            try FileManager.default.moveItem(
                at: bundle.appending(path: "V2.xcdatamodel"),
                to: bundle.appending(path: "\(name).xcdatamodel")
            )
            let before = try momtool("lock --check", in: folder)
            #expect(before.status == 0, "\(before.output)")
            #expect(before.output.contains("'V2' shipped and is now named '\(name)'"))
            #expect(before.output.contains(": 1 note"), "\(before.output)")
            #expect(try momtool("check --against base", in: folder).status == 0)
            #expect(try momtool("lock", in: folder).status == 0)
            let text = try fileText(folder.appending(path: lock))
            let names = text.split(separator: "\n").filter { $0.hasPrefix("version ") }
            #expect(names == ["version V1", "version \(name)", "version V3"])
            let after = try momtool("check --against base", in: folder)
            #expect(after.status == 0 && !after.output.contains("renamed"), "\(after.output)")
        }
    }

    @Test func `a version that the plan dropped is told as dropped`() throws {
        func source(_ listed: [Int]) -> String {
            let versions = (1...3).map { number in
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model class Item { \((1...number).map { "var a\($0): Int?" }.joined(separator: "; ")); init() {} }
                }

                """
            }
            let names = listed.map { "V\($0).self" }.joined(separator: ", ")
            let stages = zip(listed, listed.dropFirst()).map {
                ".lightweight(fromVersion: V\($0).self, toVersion: V\($1).self)"
            }.joined(separator: ", ")
            let plan = """
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [\(names)] }
                    static var stages: [MigrationStage] { [\(stages)] }
                }

                """
            return "import SwiftData\n" + versions.joined() + plan
        }
        try withFolder { folder in
            try write(source([1, 2, 3]), "Models.swift", in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            try write(source([1, 3]), "Models.swift", in: folder)
            for command in [["lock", "--check"], ["check"], ["lint", "."]] {
                let run = try expectRun(command, in: folder, 1)
                #expect(
                    run.output.contains(
                        "'V2' shipped and was dropped from the migration plan, so its stores fail with 134504: list it again"
                    ),
                    "\(run.output)"
                )
                #expect(!run.output.contains("comes before"), "\(run.output)")
                #expect(!run.output.contains("[version-not-in-plan]"), "\(run.output)")
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

struct FirstLockTests {
    private func version(_ others: String...) -> String {
        ShopVersions.source("a").replacing("</entity>", with: others.joined() + "</entity>")
    }

    private static let date = "<attribute name='c' optional='YES' attributeType='Date'/>"

    private func mandatory(default value: String = "") -> String {
        "<attribute name='b' attributeType='String'\(value)/>"
    }

    private func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
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
            let first = try momtool(["init"], in: folder)
            #expect(first.status == 0, "\(first.output)\(first.errors)")
            let made = try text("SwiftData.lock", in: folder)
            #expect(made.contains("unknown Item") && made.contains(" Note\n"), "\(made)")
            try FileManager.default.removeItem(at: folder.appending(path: "SwiftData.lock"))
            #expect(try momtool(["lock"], in: folder).status == 0)
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
            let first = try momtool(["init"], in: folder)
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.output.contains("'V3' is left out of the lock"), "\(first.output)")
            #expect(first.output.contains("migration: stepwise in .momtool.yml cures that"))
            let lock = try text("Shop.xcdatamodeld.lock", in: folder)
            #expect(lock.contains("version V2") && !lock.contains("version V3"), "\(lock)")
            let settings = try text(".momtool.yml", in: folder)
            #expect(settings.contains("\n# migration: stepwise\n"), "\(settings)")
            #expect(settings.contains("#   V3: [Item.b]"), "\(settings)")
            try ShopVersions.say("migration: stepwise\n", in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let check = try momtool(["check"], in: folder)
            #expect(!check.output.contains("error:"), "\(check.output)\(check.errors)")
        }
    }

    @Test func `a version that cannot be read is told by the status`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [version(), "<model>", version(Self.date)],
                in: folder
            )
            let first = try momtool(["init"], in: folder)
            #expect(first.status == 1, "\(first.output)")
            #expect(first.output.contains("'V2' is left out of the lock, as it cannot be read"))
        }
    }
}

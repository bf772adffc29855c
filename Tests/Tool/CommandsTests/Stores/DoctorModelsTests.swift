import Foundation
import TestSupport
import Testing

struct DoctorModelsTests {
    private func entity(_ name: String, _ further: String = "") -> String {
        "<entity name='\(name)'><attribute name='title' optional='YES' attributeType='String'/>\(further)</entity>"
    }

    private let more = "<attribute name='more' optional='YES' attributeType='String'/>"

    private func write(_ folder: URL, _ name: String, _ versions: [(String, String)]) throws
        -> String
    {
        let bundle = folder.appending(path: "\(name).xcdatamodeld")
        for (version, entities) in versions {
            let model = bundle.appending(path: "\(version).xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            try Data("<model>\(entities)</model>".utf8)
                .write(to: model.appending(path: "contents"))
        }
        let last = versions.last?.0 ?? ""
        let current =
            "<plist version='1.0'><dict><key>_XCCurrentVersionName</key><string>\(last).xcdatamodel</string></dict></plist>"
        try Data(current.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
        return bundle.path
    }

    private func withModels(
        _ body: (_ folder: URL, _ shop: String, _ mail: String) throws -> Void
    ) throws {
        try withFolder { folder in
            let shop = try write(
                folder,
                "Shop",
                [("S1", entity("Item")), ("S2", entity("Item", more))]
            )
            let mail = try write(
                folder,
                "Mail",
                [("M1", entity("Letter")), ("M2", entity("Letter", more))]
            )
            try body(folder, shop, mail)
        }
    }

    @Test func `a store of two models merged is of a version of each`() throws {
        try withModels { folder, shop, mail in
            let both = try write(folder, "Both", [("B", entity("Item", more) + entity("Letter"))])
            let store = folder.appending(path: "Both.sqlite").path
            #expect(try momtool("create", store, "--model", both).status == 0)
            let found = try momtool("doctor", store, "--model", shop, "--model", mail)
            #expect(found.output.contains("S2 + M1"), "\(found.output)\(found.errors)")
            #expect(found.output.contains("inferred"), "\(found.output)")
            let now = try write(
                folder,
                "Now",
                [("N", entity("Item", more) + entity("Letter", more))]
            )
            let new = folder.appending(path: "Now.sqlite").path
            #expect(try momtool("create", new, "--model", now).status == 0)
            let healthy = try momtool("doctor", new, "--model", shop, "--model", mail)
            #expect(healthy.status == 0, "\(healthy.output)")
        }
    }

    @Test(arguments: [true, false])
    func `a store of one of several models is compared with that one`(isFirst: Bool) throws {
        try withModels { folder, shop, mail in
            let store = folder.appending(path: "One.sqlite").path
            let made = try momtool(
                "create",
                store,
                "--model",
                isFirst ? shop : mail,
                "--version",
                isFirst ? "S1" : "M1"
            )
            #expect(made.status == 0, "\(made.errors)")
            let found = try momtool("doctor", store, "--model", shop, "--model", mail)
            #expect(found.output.contains(isFirst ? "  S1" : "  M1"), "\(found.output)")
            #expect(found.output.contains("inferred"), "\(found.output)")
            #expect(found.output.contains(isFirst ? shop : mail), "\(found.output)")
        }
    }

    @Test func `what belongs together stays together where sources are left out`() throws {
        try withModels { folder, shop, _ in
            let sources = folder.appending(path: "Sources")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data(
                "import SwiftData\n@Model final class Odd { var a: Unknown<Int> = what() }\n".utf8
            )
            .write(to: sources.appending(path: "Odd.swift"))
            let store = folder.appending(path: "One.sqlite").path
            #expect(try momtool("create", store, "--model", shop, "--version", "S1").status == 0)
            let found = try momtool("doctor", store, "--model", shop, "--model", sources.path)
            #expect(found.output.contains("momtool migrate"), "\(found.output)\(found.errors)")
            let commands = found.output.split(separator: "\n").filter { $0.contains("momtool ") }
            #expect(commands.allSatisfy { !$0.contains("Sources") }, "\(commands)")
        }
    }
}

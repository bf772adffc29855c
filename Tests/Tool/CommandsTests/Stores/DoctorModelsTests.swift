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
            try makeFolder(model)
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
            #expect(found.output.contains("134130"), "\(found.output)")
            let now = try write(
                folder,
                "Now",
                [("N", entity("Item", more) + entity("Letter", more))]
            )
            let new = folder.appending(path: "Now.sqlite").path
            #expect(try momtool("create", new, "--model", now).status == 0)
            try expectRun(["doctor", new, "--model", shop, "--model", mail], 0)
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
            try makeFolder(sources)
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

struct DoctorPipeTests {
    @Test func `a pipe among stores is told, and the others are looked at`() throws {
        try withFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            try write("\(store)\n\(pipe)\n", "l", in: folder)
            for words in [[store, store, pipe], ["--from-list", "l"]] {
                let run = try result(
                    of: URL(fileURLWithPath: "/usr/bin/env"),
                    ["timeout", "60", commandURL.path, "doctor"] + words,
                    in: folder
                )
                #expect(run.status == 65, "\(run.errors)")
                #expect(run.output.contains("which version wrote it"), "\(run.output)")
                #expect(run.errors.contains("\(pipe): error: this is a device or a pipe"))
            }
        }
    }
}

struct IdentifyHereTests {
    private func model(_ entity: String, _ attributes: [String]) -> String {
        let lines = attributes.map {
            "<attribute name='\($0)' optional='YES' attributeType='String'/>"
        }
        return "<model><entity name='\(entity)'>\(lines.joined())</entity></model>"
    }

    private func write(_ name: String, _ entity: String, in folder: URL) throws {
        let texts = ["V1": model(entity, ["a"]), "V2": model(entity, ["a", "b"])]
        let bundle = folder.appending(path: "App/\(name).xcdatamodeld")
        try writeBundle(texts, current: "V2", at: bundle)
    }

    private func create(_ store: String, _ model: String, in folder: URL) throws {
        let made = try momtool(
            ["create", store, "--model", "App/\(model).xcdatamodeld", "--version", "V1"],
            in: folder
        )
        #expect(made.status == 0, "\(made.errors)")
    }

    @Test func `the only model is taken, and named`() throws {
        try withFolder { folder in
            try write("Shop", "Book", in: folder)
            try create("S.sqlite", "Shop", in: folder)
            let found = try expectRun("identify S.sqlite", in: folder, 0)
            #expect(found.output == "S.sqlite: V1\n", "\(found.output)")
            #expect(found.errors.contains("compared with App/Shop.xcdatamodeld, as no --model"))
        }
    }

    @Test func `of several models each store gets its own`() throws {
        try withFolder { folder in
            try write("Shop", "Book", in: folder)
            try write("Cache", "Image", in: folder)
            try create("S.sqlite", "Shop", in: folder)
            try create("C.sqlite", "Cache", in: folder)
            let found = try expectRun("identify S.sqlite C.sqlite --format json", in: folder, 0)
            let reports = try #require(
                JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]]
            )
            let models = reports.compactMap { $0["model"] as? String }
            #expect(models == ["App/Shop.xcdatamodeld", "App/Cache.xcdatamodeld"])
            try write("Shop", "Novel", in: folder)
            try expectRun("identify C.sqlite S.sqlite", in: folder, 3, "C.sqlite: V1\n")
        }
    }

    @Test func `without a model anywhere the next step is said`() throws {
        try withFolder { folder in
            try write("Shop", "Book", in: folder)
            try create("S.sqlite", "Shop", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: "App"))
            let found = try momtool("identify S.sqlite", in: folder)
            #expect(found.status == 66)
            #expect(found.errors.contains("no model lies below this folder; name one with --model"))
        }
    }
}

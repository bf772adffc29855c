import Foundation
import TestSupport
import Testing

struct FieldCommandTests {
    /// A bundle for each version, the newer of which lacks an attribute, and a store of the older one.
    private func withBundles(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(
                ["V1": textModel("Song", ["a", "gone"])],
                current: "V1",
                at: folder.appending(path: "Old.xcdatamodeld")
            )
            try writeBundle(
                ["V2": textModel("Song", ["a"])],
                current: "V2",
                at: folder.appending(path: "New.xcdatamodeld")
            )
            try Data(#"{"Song": {"a": "x", "gone": "y"}}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let words = [
                "create", "S.sqlite", "--model", "Old.xcdatamodeld", "--rows", "rows.json",
            ]
            let made = try momtool(words, in: folder)
            try #require(made.status == 0, "\(made.errors)")
            try body(folder)
        }
    }

    @Test(arguments: [false, true])
    func `stores of an older bundle are tested as they are migrated`(isNamed: Bool) throws {
        try withBundles { folder in
            if isNamed {
                try Data("losses: {V2: [Song.gone]}\n".utf8)
                    .write(to: folder.appending(path: ".momtool.yml"))
            }
            let models = ["--model", "Old.xcdatamodeld", "--model", "New.xcdatamodeld"]
            let run = try momtool(["test", "--stores", "S.sqlite"] + models, in: folder)
            #expect(run.status == (isNamed ? 0 : 1), "\(run.output)\(run.errors)")
            #expect(run.output.contains("at stake"), "\(run.output)")
            #expect(run.output.contains("agreed: Song.gone") == isNamed, "\(run.output)")
            let migrated = try momtool(
                ["migrate", "S.sqlite", "-o", "M.sqlite"] + models,
                in: folder
            )
            #expect(migrated.status == (isNamed ? 0 : 3), "\(migrated.errors)")
        }
    }

    @Test(arguments: ["verify", "identify", "export", "repair"])
    func `a command for one model drops none of several`(_ command: String) throws {
        try withBundles { folder in
            let output = command == "repair" ? ["-o", "R.sqlite"] : []
            let models = ["--model", "Old.xcdatamodeld", "--model=New.xcdatamodeld"]
            let run = try momtool([command, "S.sqlite"] + output + models, in: folder)
            #expect(run.status == 64, "\(run.output)")
            let words = "--model is given 2 times, and this command takes one model [usage]"
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func `stores are listed, or found in any folders`() throws {
        let names = ["Field/a.sqlite", "Field/1/a.sqlite", "Field/1/2/a.sqlite"]
        try FleetStores.with(names + ["Field/.old/a.sqlite", "Field/1/b.sqlite"]) { stores in
            try stores.write(names.joined(separator: "\r\n"), to: "list")
            func found(_ words: String) throws -> Set<String> {
                let run = try stores.run("test --model MODEL --format json=t \(words)")
                #expect(run.status == 1, "\(run.errors)")
                let parts = try stores.text("t").components(separatedBy: "\"name\" : \"")
                    .dropFirst()
                return Set(parts.map { String($0.prefix { $0 != "\"" }) })
            }
            #expect(try found("--from-list list") == Set(names))
            let below = Set(names.map { String($0.dropFirst("Field/".count)) })
            for pattern in ["Field/**/a.sqlite", "**/a.sqlite", "./Field/**/**/a.s*"] {
                #expect(try found("--stores \(pattern)") == below, "\(pattern)")
            }
            #expect(try found("--stores Field/**").count == 4)
            #expect(try found("--stores Field/*/**/b.sqlite") == ["b.sqlite"])
            let none = try stores.run("test --model MODEL --stores **/c.sqlite")
            #expect(none.status == 66 && none.errors.contains("no file matches"))
            try stores.write("", to: "list")
            let empty = try stores.run("test --model MODEL --from-list list")
            #expect(empty.status == 66 && empty.errors.contains("names no store [no-stores]"))
            let lone = try stores.run("test --from-list list")
            #expect(lone.status == 64 && lone.errors.contains("--from-list needs --model"))
        }
    }

    @Test func `a new case has one model`() throws {
        try withBundles { folder in
            let models = ["--model", "Old.xcdatamodeld", "--model", "New.xcdatamodeld"]
            let run = try momtool(["test", "Cases", "--new", "one"] + models, in: folder)
            #expect(run.status == 64 && run.errors.contains("one --model, for a new case"))
        }
    }
}

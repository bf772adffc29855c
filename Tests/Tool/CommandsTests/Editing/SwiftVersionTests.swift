import Foundation
import TestSupport
import Testing

struct SwiftVersionTests {
    private static func plan(_ unit: String) -> String {
        """
        enum Plan: SchemaMigrationPlan {
        \(unit)static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        \(unit)static var stages: [MigrationStage] {
        \(unit)\(unit)[.lightweight(fromVersion: V1.self, toVersion: V2.self)]
        \(unit)}
        }

        """
    }

    private static func version(
        _ number: Int,
        _ list: String,
        _ classes: [String],
        _ unit: String
    ) -> String {
        """
        enum V\(number): VersionedSchema {
        \(unit)static let versionIdentifier = Schema.Version(\(number), 0, 0)
        \(unit)static var models: [any PersistentModel.Type] { [\(list)] }
        \(classes.map { "\n" + $0.indented(unit) + "\n" }.joined())}

        """
    }

    private static func item(_ name: String, _ unit: String) -> String {
        """
        @Model final class \(name) {
        \(unit)var title: String = ""
        \(unit)/// Not stored.
        \(unit)var shown: String {
        \(unit)\(unit)title + "!"
        \(unit)}
        \(unit)init() {}
        }
        """
    }

    @Test(arguments: ["  ", "\t", "    "])
    func `a class of another version is copied into the next one`(unit: String) throws {
        let source =
            "import SwiftData\n\n" + Self.version(1, "Item.self", [Self.item("Item", unit)], unit)
            + "\n" + Self.version(2, "V1.Item.self, Tag.self", [Self.item("Tag", unit)], unit)
            + "\n" + Self.plan(unit)
        try SwiftApp.with(["Models.swift": source]) { app in
            let before = try #require(app.hashes("V2"))
            let first = try #require(app.hashes("V1"))
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("V2") == before && app.hashes("V3") == before)
            let new = try app.text("V3.swift")
            #expect(new.contains("[Item.self, Tag.self]") && !new.contains("V1."), "\(new)")
            let copy = Self.item("Item", unit).indented(unit)
            #expect(new.contains("\n\n\(copy)\n}\n"), "\(new)")
            try app.edit("V3.swift", "var title", to: "var name")
            #expect(app.hashes("V1") == first && app.hashes("V2") == before)
            #expect(app.hashes("V3") != before)
        }
    }

    @Test(arguments: ["  ", "\t"])
    func `all versions that list the classes of the app get copies`(unit: String) throws {
        let source =
            "import SwiftData\n\n" + Self.version(1, "Item.self", [], unit) + "\n"
            + Self.version(2, "Item.self, Tag.self", [], unit) + "\n" + Self.item("Item", unit)
            + "\n\n" + Self.item("Tag", unit) + "\n\n" + Self.plan(unit)
        try SwiftApp.with(["Models.swift": source]) { app in
            let lint = try momtool("lint App", in: app.folder)
            #expect(lint.output.contains("in place of the declaration that is there"))
            let before = [app.hashes("V1"), app.hashes("V2")]
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            let text = try app.text("Models.swift")
            #expect(text.components(separatedBy: "\n\(unit)final class Item {\n").count == 3)
            #expect(text.contains("\n\(unit)\(unit)var title: String = \"\"\n"), "\(text)")
            #expect(text.components(separatedBy: "import Foundation").count == 2)
            #expect(unit == "  " ? !text.contains("\n    static") : !text.contains("\n  "))
            let last = "\nfinal class Item {\n"
            try app.edit("Models.swift", last, to: last + "    var rank: Int?\n")
            #expect([app.hashes("V1"), app.hashes("V2")] == before)
        }
    }

    @Test func `a version inside another type is frozen as deep as it stands`() throws {
        let source = """
            import SwiftData

            enum App {
              enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
              }
            }

            \(Self.item("Item", "  "))
            """
        try SwiftApp.with(["Models.swift": source]) { app in
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            let text = try app.text("Models.swift")
            #expect(text.contains("\n    @Model\n    final class Item {\n      var title"))
            #expect(text.contains("\n    }\n  }\n}\n"), "\(text)")
        }
    }

    @Test func `files are made with the indentation of the others`() throws {
        let source = "import SwiftData\n\n" + Self.item("Item", "\t") + "\n"
        try SwiftApp.with(["Models.swift": source]) { app in
            #expect(try app.run("new-version").status == 0)
            for file in ["SchemaV1.swift", "SchemaV2.swift"] {
                let text = try app.text(file)
                #expect(text.contains("\n\tstatic") && !text.contains("\n "), "\(text)")
            }
        }
    }

    @Test func `what is both owned and shared, or not understood, is refused with a next step`()
        throws
    {
        let mixed =
            "import SwiftData\n\n" + Self.version(1, "Item.self", [], "  ")
            + Self.version(2, "Item.self, Tag.self", [Self.item("Tag", "  ")], "  ")
            + Self.item("Item", "  ") + "\n\n" + Self.plan("  ")
        let gap = "import SwiftData\n@Model class Item { var strange: Mystery?; init() {} }\n"
        for (source, words) in [
            (mixed, "declares Tag itself and lists Item of the app"),
            (gap, "types: and swift: inverses: in .momtool.yml say"),
        ] {
            try SwiftApp.with(["Models.swift": source]) { app in
                let before = try app.files()
                let run = try app.run("new-version")
                #expect(run.status == 3 && run.errors.contains(words), "\(run.errors)")
                #expect(try app.files() == before)
            }
        }
    }

    @Test func `a locked version that was edited is not kept as it is now`() throws {
        let source =
            "import SwiftData\n\n"
            + Self.version(1, "Item.self", [Self.item("Item", "    ")], "    ")
        try SwiftApp.with(["Models.swift": source]) { app in
            #expect(try momtool("lock App", in: app.folder).status == 0)
            let name = "var title: String = \"\""
            let edited = source.replacing(name, with: name + "\n    var color: Int = 0")
            try write(edited, "App/Models.swift", in: app.folder)
            let run = try app.run("new-version")
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("'V1' is locked and was edited since"), "\(run.errors)")
            #expect(run.errors.contains("momtool lock App --relock"))
            #expect(try app.files().count == 1)
            try write(source, "App/Models.swift", in: app.folder)
            #expect(try app.run("new-version").status == 0)
        }
    }
}

extension String {
    fileprivate func indented(_ blanks: String) -> String {
        split(separator: "\n").map { blanks + $0 }.joined(separator: "\n")
    }
}

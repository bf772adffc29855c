import Foundation
import TestSupport
import Testing

struct ModelEditCommandTests {
    @Test func `an attribute is added as Xcode writes it, and nothing else changes`() throws {
        try EditedShop.with { shop in
            let run = try shop.run("add", "attribute", "Book.rating", "Double", "--default", "-1.5")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.hasSuffix("1 edit applied; Shop → Shop 2: lightweight\n"))
            #expect(
                try shop.changes() == [
                    #"+<attribute name="rating" optional="YES" attributeType="Double" defaultValueString="-1.5" usesScalarValueType="YES"/>"#
                ]
            )
            #expect(try shop.text("Shop") == EditedShop.source)
        }
    }

    @Test func `a relationship gets its inverse, or says that it has none`() throws {
        try EditedShop.with { shop in
            #expect(try shop.run("add", "entity", "Tag").status == 0)
            let lone = try shop.run("add", "relationship", "Book.tags", "--to", "Tag", "--many")
            #expect(lone.status == 0 && lone.errors.contains("warning: give 'tags' an inverse"))
            #expect(try shop.run("remove", "Book.tags").status == 0)
            let run = try shop.run(
                "add",
                "relationship",
                "Book.tags",
                "--to",
                "Tag",
                "--many",
                "--inverse",
                "books",
                "--delete",
                "cascade"
            )
            #expect(run.status == 0, "\(run.errors)")
            let text = try shop.text()
            #expect(
                text.contains(
                    #"<relationship name="tags" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>"#
                )
            )
            #expect(
                text.contains(
                    #"<relationship name="books" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/>"#
                )
            )
            // The former inverse is left without one, which Xcode warns about.
            let other = try shop.run("set", "Book.stop", "--inverse", "readers")
            #expect(other.status == 0 && other.output.contains("1 edit "), "\(other.errors)")
            #expect(try momtool("lint \(EditedShop.model)", in: shop.folder).status < 2)
        }
    }

    @Test func `a renamed attribute keeps its values, and the plan says so`() throws {
        try EditedShop.with { shop in
            let run = try shop.run("rename", "Stop.label", "caption", "--plan")
            #expect(run.status == 0 && run.output.contains("values are kept under the new name"))
            #expect(
                try shop.changes() == [
                    #"-<attribute name="label" optional="YES" attributeType="String"/>"#,
                    #"+<attribute name="caption" optional="YES" attributeType="String" elementID="label"/>"#,
                ]
            )
        }
    }

    @Test func `the line says what a step loses, and what rows decide`() throws {
        try EditedShop.with { shop in
            let lost = try shop.run("remove", "Stop.label")
            #expect(lost.output.hasSuffix("Shop → Shop 2: loses Stop.label\n"))
            let asked = try shop.run("set", "Book.title", "--optional", "no")
            #expect(asked.output.contains("depends on the rows: Book.title: "))
            let filled = try shop.run("set", "Book.title", "--default", "")
            #expect(filled.output.hasSuffix("Shop → Shop 2: loses Stop.label\n"))
            #expect(
                try shop.text().contains(
                    #"<attribute name="title" attributeType="String" defaultValueString=""/>"#
                )
            )
        }
    }

    @Test func `what refers to a removed entity is told, and goes along where that is said`() throws
    {
        try EditedShop.with { shop in
            let before = try shop.files()
            let refused = try shop.run("remove", "entity", "Stop")
            #expect(refused.status == 3 && refused.errors.contains("relationship Book.stop"))
            #expect(try shop.files() == before)
            #expect(try shop.run("remove", "Stop", "--with-references").status == 0)
            #expect(try !shop.text().contains("Stop"))
        }
    }

    @Test func `a dry run is a patch that git applies, and writes nothing`() throws {
        try EditedShop.with { shop in
            let before = try shop.files()
            let run = try shop.run("rename", "Stop", "Place", "--dry-run")
            #expect(run.status == 0 && run.errors.contains("note: Shop → Shop 2: lightweight"))
            #expect(try shop.files() == before)
            try write(run.output, "p.patch", in: shop.folder)
            let applied = try git("apply", "p.patch", in: shop.folder)
            #expect(applied.status == 0, "\(applied.errors)")
            let patched = try shop.text()
            try write(
                EditedShop.source,
                "\(EditedShop.model)/Shop 2.xcdatamodel/contents",
                in: shop.folder
            )
            #expect(try shop.run("rename", "Stop", "Place").status == 0)
            #expect(try shop.text() == patched)
        }
    }

    @Test func `the edits of a file are applied all or none, from standard input too`() throws {
        try EditedShop.with { shop in
            let before = try shop.files()
            func apply(_ edits: String) throws -> CommandResult {
                let script = "printf '%s' '\(edits)' | '\(commandURL.path)' model apply "
                return try result(
                    of: URL(fileURLWithPath: "/bin/sh"),
                    ["-c", script + "\(EditedShop.model) -"],
                    in: shop.folder
                )
            }
            let half = try apply("[{rename: Stop, to: X}]")
            #expect(half.status == 65, "\(half.errors)")
            let second = try apply(
                "[{rename: entity Stop, to: Place}, {remove: attribute Place.none}]"
            )
            #expect(second.status == 3 && second.errors.contains("attribute Place.none"))
            #expect(try shop.files() == before)
            let both = try apply(
                "[{rename: entity Stop, to: Place}, {remove: attribute Place.label}]"
            )
            #expect(both.status == 0 && both.output.contains("2 edits"), "\(both.errors)")
            #expect(both.output.hasSuffix("loses Stop.label\n"))
        }
    }

    @Test func `a locked version is not edited, whatever names it`() throws {
        try EditedShop.with { shop in
            #expect(try momtool("lock \(EditedShop.model)", in: shop.folder).status == 0)
            let before = try shop.files()
            let version = "\(EditedShop.model)/Shop 2.xcdatamodel"
            for path in [
                EditedShop.model, EditedShop.model + "#Shop", version, version + "/contents",
            ] {
                let run = try momtool(
                    ["model", "add", path, "entity", "Tag", "--force"],
                    in: shop.folder
                )
                #expect(run.status == 3 && run.errors.contains("new-version"), "\(path)")
            }
            #expect(try shop.files() == before)
        }
    }

    @Test(
        arguments: [
            ["add", "attribute", "Book.x", "Text"], ["add", "attribute", "Book.a b", "String"],
            ["add", "attribute", "Book.\u{1B}x", "String"], ["add", "entity", "../x"],
            ["add", "attribute", "None.x", "String"], ["add", "entity", "Book"],
            ["add", "attribute", "Book.x", "String", "--set", "a\" b=\"c=1"],
            ["add", "attribute", "Book.x", "String", "--default", "\u{1}"],
            ["add", "attribute", "Book.x", "Integer 16", "--default", "many"],
            ["add", "entity", "Sub", "--set", "parentEntity=None"], ["rename", "Book", "Stop"],
            ["rename", "Book.titel", "x"], ["set", "Book.title", "--inverse", "x"],
            ["set", "Book.stop", "--to", "Book"], ["add", "attribute", "Book.hash", "String"],
            ["add", "attribute", "Book.x", "String", "--set", "optonal=NO"],
            ["add", "attribute", "Book.x", "String", "--set", "derivationExpression=foo:(((nope)"],
            [
                "add", "fetchRequest", "F", "--set", "entity=Book", "--set",
                "predicateString=title == 3 AND (",
            ],
            ["set", "Book", "--optional", "no"], ["remove", "model"], ["move", "Book.title", "Up"],
            ["add", "userInfo", "a"], ["add", "nothing", "x"], ["set", "Book.title"],
        ]
    )
    func `what cannot be is refused, and nothing is written`(words: [String]) throws {
        try EditedShop.with { shop in
            let before = try shop.files()
            let run = try momtool(
                ["model", words[0], EditedShop.model] + words.dropFirst(),
                in: shop.folder
            )
            #expect([3, 64].contains(run.status) && !run.wasKilled, "\(run.status) \(run.errors)")
            #expect(!run.errors.isEmpty && !run.errors.contains("\u{1B}"))
            #expect(try shop.files() == before)
        }
    }

    @Test func `nothing is written through a link, or to what is no source`() throws {
        try EditedShop.with { shop in
            let version = shop.folder.appending(path: "\(EditedShop.model)/Shop 2.xcdatamodel")
            let outside = shop.folder.appending(path: "outside")
            try Data(EditedShop.source.utf8).write(to: outside)
            try FileManager.default.removeItem(at: version.appending(path: "contents"))
            try FileManager.default.createSymbolicLink(
                at: version.appending(path: "contents"),
                withDestinationURL: outside
            )
            let run = try shop.run("add", "entity", "Tag")
            #expect(run.status == 3 && run.errors.contains("symbolic link"))
            #expect(try fileText(outside) == EditedShop.source)
            for path in ["-", "none.xcdatamodeld", "outside"] {
                let run = try momtool(["model", "add", path, "entity", "Tag"], in: shop.folder)
                #expect([64, 65, 66].contains(run.status), "\(path) \(run.status)")
            }
        }
    }
}

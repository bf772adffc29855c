import Foundation
import TestSupport
import Testing

struct TypeEditTests {
    @Test(arguments: [
        (
            ["Double"],
            #"attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>"#
        ),
        (
            ["Integer 32"],
            #"attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>"#
        ),
        (["Decimal"], #"attributeType="Decimal" defaultValueString="0.0"/>"#),
        (["Boolean"], #"attributeType="Boolean" usesScalarValueType="YES"/>"#),
        (["Date"], #"attributeType="Date" usesScalarValueType="NO"/>"#),
        (["Binary"], #"attributeType="Binary"/>"#),
    ])
    func `a type is changed as it is added`(_ words: [String], _ expected: String) throws {
        let line = #"<attribute name="isbn" optional="YES" "# + expected
        try EditedShop.with { shop in
            let added = try shop.run("add", "attribute", "Stop.isbn", words[0])
            #expect(added.status == 0, "\(added.errors)")
            let set = try shop.run("set", "Book.isbn", "--type", words[0])
            #expect(set.status == 0, "\(set.errors)")
            let lines = try shop.text().components(separatedBy: "\n").map { $0.drop { $0 == " " } }
            #expect(lines.filter { $0 == line }.count == 2, "\(lines)")
            #expect(try shop.run("remove", "Stop.isbn").status == 0)
            let back = try shop.apply(
                "- set: attribute Book.isbn\n  with: {attributeType: String}\n"
            )
            #expect(back.status == 0, "\(back.errors)")
            #expect(try shop.text() == EditedShop.source)
        }
    }

    @Test
    func `a default that somebody chose stays, and none is made up for a mandatory attribute`()
        throws
    {
        try EditedShop.with { shop in
            let chosen = try shop.run("set", "Book.isbn", "--type", "Integer 16", "--default", "7")
            #expect(chosen.status == 0, "\(chosen.errors)")
            #expect(try shop.run("set", "Book.isbn", "--type", "Integer 64").status == 0)
            #expect(
                try shop.text().contains(
                    #"attributeType="Integer 64" defaultValueString="7" usesScalarValueType="YES"/>"#
                )
            )
            let mandatory = try shop.run(
                "set",
                "Book.title",
                "--type",
                "Integer 32",
                "--optional",
                "no"
            )
            #expect(mandatory.status == 0, "\(mandatory.errors)")
            #expect(
                try shop.text().contains(
                    #"<attribute name="title" attributeType="Integer 32" usesScalarValueType="YES"/>"#
                )
            )
        }
    }

    @Test func `the edits between two files say what a type would bring along`() throws {
        try withFolder { folder in
            let old = EditedShop.source
            // As Xcode may have left it: other settings than a new attribute gets.
            let new = old.replacing(
                #"name="isbn" optional="YES" attributeType="String""#,
                with: #"name="isbn" optional="YES" attributeType="Double""#
            )
            let bundle = folder.appending(path: EditedShop.model)
            try writeBundle(["Shop": old, "Shop 2": new], current: "Shop", at: bundle)
            let edits = try momtool(
                [
                    "diff", "\(EditedShop.model)#Shop", "\(EditedShop.model)#Shop 2", "--format",
                    "edits",
                ],
                in: folder
            )
            let shop = EditedShop(folder: folder)
            let run = try shop.apply(edits.output)
            #expect(run.status == 0, "\(edits.output)\(run.errors)")
            #expect(try shop.text("Shop") == new)
        }
    }
}

struct EditSuggestionTests {
    private static let mistakes: [(words: [String], message: String)] = [
        (["rename", "Book.titel", "caption"], "no 'Book.titel'; did you mean 'Book.title' ["),
        (
            ["rename", "attribute", "Book.titel", "caption"],
            "no attribute Book.titel; did you mean 'Book.title' ["
        ),
        (["set", "Book.isbm", "--optional", "no"], "no 'Book.isbm'; did you mean 'Book.isbn' ["),
        (["remove", "Book.stpo"], "no 'Book.stpo'; did you mean 'Book.stop' ["),
        (["move", "Book.titel", "Stop"], "no 'Book.titel'; did you mean 'Book.title' ["),
        (["move", "Book.title", "Stpo"], "no entity Stpo; did you mean 'Stop' ["),
        (["rename", "Bok.title", "caption"], "no 'Bok.title'; did you mean 'Book.title' ["),
        (["rename", "Boook", "Volume"], "no 'Boook'; did you mean 'Book' ["),
        (
            ["add", "attribute", "Bok.pages", "Integer 32"],
            "no entity Bok; did you mean 'Book' ["
        ),
        (
            ["add", "relationship", "Book.next", "--to", "Bok", "--inverse", "last"],
            "no entity Bok; did you mean 'Book' ["
        ),
        (["remove", "Novel.title"], "no 'Novel.title'; it is inherited: name 'Book.title' ["),
        (["set", "index", "Book.x", "--set", "properties=y"], "no index Book.x ["),
        (["remove", "Book.price"], "no 'Book.price' ["),
    ]

    @Test func `a name that nothing has is answered with the near one, in every command`() throws {
        try EditedShop.with { shop in
            #expect(
                try shop.run("add", "entity", "Novel", "--set", "parentEntity=Book").status == 0
            )
            let files = try shop.files()
            for (words, message) in Self.mistakes {
                let run = try momtool(
                    ["model", words[0], EditedShop.model] + words.dropFirst(),
                    in: shop.folder
                )
                #expect(run.status == 3, "\(words): \(run.errors)")
                #expect(run.errors.contains("there is \(message)impossible-edit]"), "\(run.errors)")
                #expect(try shop.files() == files, "\(words)")
            }
        }
    }

    @Test(arguments: [
        (["set", "Book.title", "--type", "Strng"], "'Strng' is no type; did you mean 'String'?"),
        (["add", "attribute", "Book.x", "Integer64"], "'Integer64' is no type; did you mean"),
        (["set", "Book.title", "--optional=maybe"], "give one of 'yes' or 'no'"),
        (["set", "Book.stop", "--delete", "nulify"], "; did you mean 'nullify'"),
        (["add", "attribut", "Book.x", "String"], "; did you mean 'attribute'; there are model, "),
    ])
    func `an option with a list of words names them and the near one`(
        _ words: [String],
        _ message: String
    ) throws {
        try EditedShop.with { shop in
            let files = try shop.files()
            let run = try momtool(
                ["model", words[0], EditedShop.model] + words.dropFirst(),
                in: shop.folder
            )
            #expect(run.status != 0)
            let wanted = message.replacing("?", with: "")
            #expect(run.errors.contains(wanted), "\(run.errors)")
            if words.contains("--type") { #expect(run.errors.contains("there are Integer 16, ")) }
            #expect(try shop.files() == files)
        }
    }
}

/// SwiftData finds the old values of a property by its originalName, and has no such thing for a class.
struct ClassRenameTests {
    private static func version(_ number: Int, _ classes: [String]) -> String {
        let list = classes.map { "\($0).self" }.joined(separator: ", ")
        let bodies = classes.map { "@Model final class \($0) { var name = \"\"; var rank = 0 }" }
        return """
            enum SchemaV\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [\(list)] }
                \(bodies.joined(separator: "\n    "))
            }

            """
    }

    private static let plan = """
        enum AppPlan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
            static var stages: [MigrationStage] {
                [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
            }
        }

        """

    private func withRenamed(_ classes: [String], _ body: (SwiftApp) throws -> Void) throws {
        let text =
            "import SwiftData\n" + Self.version(1, classes)
            + Self.version(2, classes.map { "Saved\($0)" }) + Self.plan
        try SwiftApp.with(["Models.swift": text], body)
    }

    @Test func `no report asks for the renaming identifier of a class`() throws {
        try withRenamed(["Filter"]) { app in
            let question =
                "SwiftData cannot rename a class: if 'SavedFilter' is 'Filter' renamed, keep the name 'Filter', or "
                + "carry its objects over in a custom stage; else the data of 'Filter' is dropped"
            let cure =
                "if it was renamed, keep its name, as SwiftData cannot rename a class, or carry its objects over in a "
                + "custom stage"
            let commands: [(words: [String], said: String)] = [
                (["lint", "App"], question), (["check"], question), (["diff", "App"], question),
                (["diff", "App"], cure), (["diff", "App", "--format", "json"], cure),
                (["diff", "App", "--format", "markdown"], question),
            ]
            for (words, said) in commands {
                let run = try momtool(words, in: app.folder)
                let text = run.output + run.errors
                #expect(text.contains(said), "\(words): \(text)")
                #expect(!text.contains("renaming identifier of"), "\(words): \(text)")
            }
        }
    }

    @Test func `several classes are asked about in one sentence`() throws {
        try withRenamed(["Filter", "Preset"]) { app in
            let report = try momtool("diff App --format markdown", in: app.folder).output
            let parts = report.components(separatedBy: "SwiftData cannot rename a class: if it is")
            #expect(parts.count == 2, "\(report)")
            #expect(!report.contains("set the renaming identifier"), "\(report)")
        }
    }
}

struct VersionOrderCommandTests {
    private static func source(_ names: String...) -> String {
        let attributes = names.map {
            "        <attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>\n"
        }
        return xcodeSource(
            "    <entity name=\"A\" representedClassName=\"A\" syncable=\"YES\">\n"
                + attributes.joined() + "    </entity>\n"
        )
    }

    private func withShipped(_ names: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let sources = [
                Self.source("a1"), Self.source("a1", "a2"), Self.source("a1", "a2", "a3"),
            ]
            try writeBundle(
                Dictionary(uniqueKeysWithValues: zip(names, sources)),
                "S.xcdatamodeld",
                in: folder,
                current: names[2]
            )
            #expect(try momtool("lock", in: folder).status == 0)
            try body(folder)
        }
    }

    @Test func `a new version comes behind the current one that shipped`() throws {
        try withShipped(["P", "A 1", "A 2"]) { folder in
            try expectRun("model new-version S.xcdatamodeld", in: folder, nil, "'A 3'")
            let edit = try momtool("model remove S.xcdatamodeld A.a3", in: folder)
            #expect(edit.output.contains("A 2 → A 3: loses A.a3"), "\(edit.output)\(edit.errors)")
            try expectRun("diff S.xcdatamodeld", in: folder, nil, "A 2 → A 3: loses data")
            try expectRun("lock --check", in: folder, nil, not: ["locked-versions-reordered"])
        }
    }

    @Test func `a name with a lower number is told, and 'order' settles it for edits as well`()
        throws
    {
        try withShipped(["V1", "V2", "V10"]) { folder in
            _ = try momtool("model new-version S.xcdatamodeld V3", in: folder)
            let lock = try momtool("lock --check", in: folder)
            #expect(lock.output.contains("or list the versions under order: in .momtool.yml"))
            try write("order: [V1, V2, V10, V3]\n", ".momtool.yml", in: folder)
            try expectRun("lock --check", in: folder, nil, not: ["locked-versions-reordered"])
            let edit = try momtool("model remove S.xcdatamodeld A.a3", in: folder)
            #expect(edit.output.contains("V10 → V3: loses A.a3"), "\(edit.output)\(edit.errors)")
        }
    }
}

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

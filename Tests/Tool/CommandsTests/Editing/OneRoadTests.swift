import Foundation
import TestSupport
import Testing

struct OneRoadTests {
    typealias Pair = (words: [String], edits: String)

    static let pairs: [Pair] = [
        (
            ["set", "Book.stop", "--many", "--force"],
            #"[{"set": "relationship Book.stop", "with": {"toMany": true}}]"#
        ),
        (
            ["set", "Stop.books", "--many", "no"],
            #"[{"set": "relationship Stop.books", "with": {"toMany": null}}]"#
        ),
        (
            ["set", "Book.title", "--optional", "no"],
            #"[{"set": "attribute Book.title", "with": {"optional": false}}]"#
        ),
        (
            ["set", "Book", "--set", "isAbstract=YES"],
            #"[{"set": "entity Book", "with": {"isAbstract": "true"}}]"#
        ),
        (
            ["set", "Book.stop", "--inverse", "readers"],
            #"[{"set": "relationship Book.stop", "with": {"inverseName": "readers"}}]"#
        ),
        (
            [
                "add", "attribute", "Book.d", "String", "--set",
                "derivationExpression=canonical:(title)",
            ],
            #"[{"add": "attribute Book.d", "with": {"attributeType": "String", "derivationExpression": "canonical:(title)"}}]"#
        ),
        (
            ["add", "relationship", "Book.next", "--to", "Stop", "--many", "--inverse", "first"],
            #"[{"add": "relationship Book.next", "with": {"destinationEntity": "Stop", "toMany": true, "inverseName": "first", "inverseEntity": "Stop"}}]"#
        ),
        (
            [
                "add", "fetchedProperty", "Book.recent", "--set", "entity=Book", "--set",
                "predicateString=title != nil",
            ],
            #"[{"add": "fetchedProperty Book.recent", "with": {"entity": "Book", "predicateString": "title != nil"}}]"#
        ),
        (
            ["add", "index", "Book.i", "--set", "properties=title,isbn"],
            #"[{"add": "index Book.i", "with": {"properties": "title, isbn"}}]"#
        ),
        (
            ["add", "relationship", "Book.lone", "--to", "Stop"],
            #"[{"add": "relationship Book.lone", "with": {"destinationEntity": "Stop"}}]"#
        ),
        (["remove", "Stop.books"], "- remove: relationship Stop.books"),
        (
            ["remove", "Stop.books", "--with-references"],
            #"[{"remove": "relationship Stop.books", "withReferences": true}]"#
        ),
    ]

    @Test(arguments: pairs)
    func `an edit in a list does what the command of its name does`(pair: Pair) throws {
        try EditedShop.with { one in
            try EditedShop.with { other in
                let single = try momtool(
                    ["model", pair.words[0], EditedShop.model] + pair.words.dropFirst(),
                    in: one.folder
                )
                let options = pair.words.filter { $0 == "--force" }
                let listed = try other.apply(pair.edits, options)
                #expect(single.status == listed.status, "\(single.errors)\n\(listed.errors)")
                #expect(try one.text() == other.text())
                #expect(try one.changes().isEmpty == (single.status != 0))
                if single.status != 0 { #expect(single.errors == listed.errors) }
            }
        }
    }

    @Test func `a fetched property has its fetch request inside, as Xcode writes it`() throws {
        try EditedShop.with { shop in
            let added = try shop.apply(
                #"[{"add": "fetchedProperty Book.recent", "with": {"entity": "Book", "predicateString": "title != nil"}}]"#
            )
            #expect(added.status == 0, "\(added.errors)")
            #expect(
                try shop.changes() == [
                    #"+<fetchedProperty name="recent" optional="YES">"#,
                    #"+<fetchRequest name="fetchedPropertyFetchRequest" entity="Book" predicateString="title != nil"/>"#,
                    "+</fetchedProperty>",
                ]
            )
            let set = try shop.apply(
                #"[{"set": "fetchedProperty Book.recent", "with": {"predicateString": "title == nil"}}]"#
            )
            #expect(set.status == 0, "\(set.errors)")
            #expect(try shop.text().contains(#"entity="Book" predicateString="title == nil"/>"#))
        }
    }

    private static let refused: [(edits: String, messages: [String])] = [
        (
            #"[{"set": "relationship Book.stop", "with": {"destinationEntity": "Book"}}]"#,
            ["'Stop.books' is no relationship of 'Book'", "[broken-inverse]", "--force would"]
        ),
        (
            #"[{"add": "fetchRequest F", "with": {"entity": "Book", "predicateString": "a == 3 AND ("}}]"#,
            ["correct the predicate of 'F' at character", "[invalid-predicate]"]
        ),
        (
            #"[{"add": "attribute Book.d", "with": {"attributeType": "String", "derivationExpression": "foo:(((nope)"}}]"#,
            ["correct the expression of 'Book.d'", "[invalid-predicate]"]
        ),
        (
            #"[{"add": "attribute Book.d", "with": {"attributeType": "String", "derivationExpression": "canonical:(nope)"}}]"#,
            ["it has no 'nope'", "[unknown-derivation]"]
        ),
        (
            #"[{"add": "attribute Book.objectID", "with": {"attributeType": "String"}}]"#,
            ["rename 'objectID'", "[reserved-property-name]"]
        ),
        (
            #"[{"add": "entity Novel", "with": {"parentEntity": "Book"}}, {"add": "attribute Novel.title", "with": {"attributeType": "String"}}]"#,
            ["[redeclared-property]"]
        ),
        (
            #"[{"set": "relationship Stop.books", "with": {"minCount": 3, "maxCount": 1}}]"#,
            ["[impossible-count]"]
        ),
        (
            #"[{"add": "attribute Book.q", "with": {"attributeType": "String", "optonal": "NO"}}]"#,
            ["a source has no 'optonal' for the attribute; did you mean 'optional'"]
        ),
        (
            #"[{"set": "index Book.none", "with": {"properties": "title"}}]"#, ["there is no index"]
        ),
        (
            #"[{"remove": "entity Stop"}]"#,
            [
                "1 thing would be left without meaning: relationship Book.stop; --with-references, or "
                    + "withReferences: YES in a list of edits, removes that too"
            ]
        ),
        (#"[{"remove": "entity Nope"}]"#, ["there is no entity Nope; there are Book, Stop"]),
        (
            #"[{"add": "attribute Book.c", "with": {"attributeType": "Composite"}}]"#,
            ["name the composite type of attribute Book.c with composite:"]
        ),
    ]

    @Test(arguments: refused.indices)
    func `a faulty edit is refused with what is wrong, and nothing is written`(index: Int) throws {
        let (edits, messages) = Self.refused[index]
        try EditedShop.with { shop in
            let run = try shop.apply(edits, ["--format", "json"])
            #expect(run.status == 3, "\(edits): \(run.errors)")
            for message in messages { #expect(run.errors.contains(message), "\(run.errors)") }
            #expect(!run.errors.contains(": warning: "), "\(run.errors)")
            #expect(run.output.contains(#""severity" : "error""#), "\(run.output)")
            #expect(!run.output.contains(#""severity" : "warning""#), "\(run.output)")
            #expect(try shop.changes().isEmpty)
        }
    }

    private static let misread = [
        ("- foo: entity Book", "'foo' is no word of an edit; it has one of add, insert, "),
        ("- add: model Shop", "the model has no name"),
        ("- add: member Book", "name the member as configuration.Book"),
    ]

    @Test(arguments: misread.indices)
    func `a list that is none says what it should be`(index: Int) throws {
        let (edits, message) = Self.misread[index]
        try EditedShop.with { shop in
            let run = try shop.apply(edits)
            #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func `members and requests are named in lists as in commands`() throws {
        try EditedShop.with { shop in
            let run = try shop.apply("- add: configuration Cloud\n- add: member Cloud.Book")
            #expect(run.status == 0, "\(run.errors)")
            #expect(try shop.text().contains(#"<memberEntity name="Book"/>"#))
        }
    }

    @Test func `what is only worth a look is told in the findings, and written`() throws {
        try EditedShop.with { shop in
            let run = try shop.apply(
                """
                - {set: attribute Book.isbn, with: {elementID: code}}
                - {set: attribute Book.title, with: {elementID: code}}
                """,
                ["--format", "json"]
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("warning: ") && run.output.contains(#""warning""#))
            #expect(run.output.contains("ambiguous-renaming-identifier"))
            let again = try shop.apply("- {set: attribute Book.title, with: {optional: null}}")
            #expect(again.status == 0 && !again.errors.contains("ambiguous"), "\(again.errors)")
        }
    }

    @Test func `an element with an old fault is renamed, and new faults are not hidden`() throws {
        try EditedShop.with { shop in
            let lone = "- {add: relationship Book.lone, with: {destinationEntity: Stop}}"
            let warned = try shop.apply(lone)
            #expect(warned.status == 0 && warned.errors.contains("[missing-inverse]"))
            let renamed = try shop.apply("- {rename: entity Book, to: Work}")
            #expect(renamed.status == 0, "\(renamed.errors)")
            let other = "- {add: relationship Work.other, with: {destinationEntity: None}}"
            #expect(try shop.apply(other).status == 3)
        }
    }

    @Test(arguments: ["-q", "--help", "a#b", "a:b"])
    func `a version has no name that means something else`(name: String) throws {
        try EditedShop.with { shop in
            let before = try shop.files()
            let words = ["model", "new-version", EditedShop.model, "--", name]
            try expectRun(words, in: shop.folder, 64, errors: ["is no name of a version"])
            #expect(try shop.files() == before)
        }
    }
}

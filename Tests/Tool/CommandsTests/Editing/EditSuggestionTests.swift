import Foundation
import TestSupport
import Testing

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

import TestSupport
import Testing

struct OneRoadTests {
    /// The words of a command, and the edit of a list that does the same.
    static let pairs = [
        ("set Book.stop --many --force", "{set: relationship Book.stop, with: {toMany: true}}"),
        ("set Stop.books --many no", "{set: relationship Stop.books, with: {toMany: null}}"),
        ("set Book.title --optional no", "{set: attribute Book.title, with: {optional: false}}"),
        ("set Book --set isAbstract=YES", "{set: entity Book, with: {isAbstract: 'true'}}"),
        (
            "set Book.stop --inverse readers",
            "{set: relationship Book.stop, with: {inverseName: readers}}"
        ),
        (
            "add attribute Book.d String --set derivationExpression=canonical:(title)",
            "{add: attribute Book.d, with: {attributeType: String, derivationExpression: 'canonical:(title)'}}"
        ),
        (
            "add relationship Book.next --to Stop --many --inverse first",
            "{add: relationship Book.next, with: {destinationEntity: Stop, toMany: true, inverseName: first, inverseEntity: Stop}}"
        ),
        (
            "add fetchedProperty Book.recent --set entity=Book --set predicateString=title!=nil",
            "{add: fetchedProperty Book.recent, with: {entity: Book, predicateString: title!=nil}}"
        ),
        (
            "add index Book.i --set properties=title,isbn",
            "{add: index Book.i, with: {properties: 'title, isbn'}}"
        ),
        (
            "add relationship Book.lone --to Stop",
            "{add: relationship Book.lone, with: {destinationEntity: Stop}}"
        ),
        ("remove Stop.books", "{remove: relationship Stop.books}"),
        (
            "remove Stop.books --with-references",
            "{remove: relationship Stop.books, withReferences: true}"
        ),
    ]

    @Test(arguments: pairs)
    func `an edit in a list does what the command of its name does`(
        command: String,
        edit: String
    ) throws {
        try EditedShop.with { one in
            try EditedShop.with { other in
                let words = command.split(separator: " ").map(String.init)
                let single = try one.run(words)
                try write("[\(edit)]", "edits.yml", in: other.folder)
                let force = words.filter { $0 == "--force" }
                let listed = try other.run(["apply", "edits.yml"] + force)
                #expect(single.status == listed.status, "\(single.errors)\n\(listed.errors)")
                let text = try fileText(one.file("Shop 2"))
                #expect(try text == fileText(other.file("Shop 2")))
                #expect((text == EditedShop.source) == (single.status != 0))
                if single.status != 0 { #expect(single.errors == listed.errors) }
            }
        }
    }
}

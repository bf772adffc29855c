import Foundation
import TestSupport
import Testing

struct SwiftDefaultTests {
    private func write(_ text: String, to name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    @Test(arguments: [
        ("[String] = []", "[]"), ("[String] = [String]()", "[]"), ("[Part] = []", "[]"),
        ("[String: Int] = [:]", "{}"), ("Data = Data()", "\"\""),
    ])
    func `an empty collection is a default that existing rows get`(
        type: String,
        value: String
    ) throws {
        func version(_ number: Int, _ more: String) -> String {
            """
            enum V\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
                struct Part: Codable { var x: Int }
                @Model final class Item { var name: String = ""\(more) }
            }

            """
        }
        try withFolder { folder in
            try write(version(1, "") + version(2, "; var all: \(type)"), to: "M.swift", in: folder)
            try write(#"{"Item":[{"@id":"a","name":"A"}]}"#, to: "r.json", in: folder)
            for arguments in [
                ["create", "A.sqlite", "--model", "M.swift#V1", "--rows", "r.json"],
                ["diff", "M.swift"], ["check", "M.swift"],
                ["plan", "M.swift", "--store", "A.sqlite"],
                ["migrate", "A.sqlite", "--model", "M.swift", "-o", "B.sqlite"],
                ["create", "C.sqlite", "--model", "M.swift", "--rows", "r.json"],
            ] {
                try expectRun(arguments, in: folder, 0, not: ["not understood"])
            }
            for store in ["B.sqlite", "C.sqlite"] {
                let output = try momtool(["export", store], in: folder).output
                let form = output.filter { $0 != " " }
                let json = #""all":{"@json":\#(value)}"#
                #expect(form.contains(#""all":\#(value)"#) || form.contains(json), "\(output)")
            }
        }
    }

    @Test func `a new property is not said to have been anywhere`() throws {
        func version(_ number: Int, _ more: String) -> String {
            """
            enum V\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
                @Model final class Item { var name: String = ""\(more) }
            }

            """
        }
        try withFolder { folder in
            try write(version(1, "") + version(2, "; var n: Int"), to: "M.swift", in: folder)
            let check = try momtool("check M.swift", in: folder)
            #expect(check.output.contains("[new-required-without-default]"), "\(check.output)")
            #expect(!check.output.contains("it was here"), "\(check.output)")
        }
    }

    @Test(arguments: [
        ("var b: Int = 0", 0), ("var b: Int?", 0), ("var b: [String] = []", 0), ("var b: Int", 1),
    ])
    func `without a plan an addition that needs no value is a note`(
        property: String,
        status: Int32
    ) throws {
        try withFolder { folder in
            try write("@Model class Item { var a: Int? }\n", to: "M.swift", in: folder)
            #expect(try momtool("lock M.swift", in: folder).status == 0)
            try write("@Model class Item { var a: Int?; \(property) }\n", to: "M.swift", in: folder)
            let check = try momtool("check M.swift", in: folder)
            #expect(check.status == status, "\(check.output)")
            #expect(check.output.contains("[locked-version-edited]"), "\(check.output)")
            let advice =
                status == 0
                ? "momtool lock M.swift --relock" : "momtool model new-version M.swift"
            #expect(check.output.contains(advice), "\(check.output)")
        }
    }

    @Test func `a misspelled relationship below inverses is named`() throws {
        try withFolder { folder in
            let classes = """
                @Model class Shelf { var books: [Book] = [] }
                @Model class Book { @Relationship(inverse: \\Shelf.books) var shelf: Shelf? }

                """
            try write(classes, to: "M.swift", in: folder)
            let settings = "swift:\n  inverses:\n    Shelv.books: Book.shelf\n"
            try write(settings, to: ".momtool.yml", in: folder)
            let lint = try momtool("lint M.swift", in: folder)
            #expect(
                lint.output.contains(
                    "warning: inverses: no version has the relationship 'Shelv.books'; "
                        + "did you mean 'Shelf.books'"
                ),
                "\(lint.output)"
            )
        }
    }

    @Test func `two relationships with one inverse are not told to write it`() throws {
        try withFolder { folder in
            let classes = """
                @Model class Yard {
                    @Relationship(inverse: \\Plant.yard) var leading: [Plant] = []
                    @Relationship(inverse: \\Plant.yard) var trailing: [Plant] = []
                }
                @Model class Plant { var yard: Yard? }

                """
            try write(classes, to: "M.swift", in: folder)
            let lint = try momtool("lint M.swift", in: folder)
            #expect(lint.output.contains("say which below swift: inverses:"), "\(lint.output)")
            #expect(!lint.output.contains("Other.property"), "\(lint.output)")
        }
    }

    @Test func `a value of an enum that is no object is told the form`() throws {
        try withFolder { folder in
            let classes = """
                enum Tag: String, Codable { case red }
                @Model class Item { var tag: Tag = Tag.red }

                """
            try write(classes, to: "M.swift", in: folder)
            try write(#"{"Item":[{"@id":"a","tag":"red"}]}"#, to: "r.json", in: folder)
            let made = try momtool("create A.sqlite --model M.swift --rows r.json", in: folder)
            #expect(made.errors.contains(#"an object is expected, such as {"tag": …}"#))
        }
    }

    @Test func `doctor compares what is understood and does not ask for the model again`() throws {
        try withFolder { folder in
            let known = """
                @Model class Item { var name: String = "" }
                @Model class Seat { var numbers: [Int] = [] }

                """
            try write(known, to: "M.swift", in: folder)
            #expect(try momtool("create A.sqlite --model M.swift", in: folder).status == 0)
            try write(known.replacing("[Int]", with: "Set<Int>"), to: "M.swift", in: folder)
            let same = try momtool("doctor A.sqlite --model M.swift", in: folder)
            #expect(same.errors.contains("what is understood of unversioned has the hashes"))
            #expect(same.output.contains("momtool hash M.swift --fit A.sqlite"), "\(same.output)")
            #expect(!same.output.contains("--model MODEL"), "\(same.output)")
            let other = known.replacing("[Int]", with: "Set<Int>").replacing("name", with: "title")
            try write(other, to: "M.swift", in: folder)
            let result = try momtool("doctor A.sqlite --model M.swift", in: folder)
            #expect(result.errors.contains("not as in unversioned: Item"), "\(result.errors)")
        }
    }
}

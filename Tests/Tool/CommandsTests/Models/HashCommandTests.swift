import TestSupport
import Testing

struct HashCommandTests {
    struct Report: Decodable {
        struct Version: Decodable {
            var name: String
            var current: Bool
            var checksum: String
            var digest: String
            var entities: [String: String]
        }

        var model: String
        var versions: [Version]
    }

    /// Sources, and how `--fit` ends with a store of `a`, `b` and `c`: each outcome of it.
    @Test(arguments: [
        ("Item", "var b = \"\"; var c = \"\"", 0, "nothing is left open"),
        ("Item", "var b: P; var c = \"\"", 0, "one reading"),
        ("Other", "var b = \"\"; var c = \"\"", 1, "another version: Item, Other"),
        ("Item", "var b = 1; var c: P", 1, "no reading"),
        ("Item", "var b: P; var c: Q; var d: R; var e: S", 1, "too many readings"),
        ("Item", "let (b, c) = (\"\", \"\")", 1, "settings cannot supply"),
    ])
    func `one reading settles it`(name: String, body: String, end: Int32, said: String) throws {
        try withFolder { folder in
            let whole = "@Model class Item { var a = 1; var b = \"\"; var c = \"\" }"
            try write(whole, "Whole.swift", in: folder)
            try write("@Model class \(name) { var a = 1; \(body) }", "App.swift", in: folder)
            try expectRun("create S.sqlite --model Whole.swift", in: folder, 0)
            try expectRun("hash App.swift --fit S.sqlite", in: folder, end, said)
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the compiled models of public projects are equal to their sources`() throws {
        let folder = "Karim-ezzedine+CartKit/Sources/CartKitStorageCoreData/Resources/CartStorage."
        let models = ["xcdatamodeld", "momd"].map { Corpus.path(folder + $0) }
        try expectRun(["diff"] + models + ["--exit-code"], 0)
    }
}

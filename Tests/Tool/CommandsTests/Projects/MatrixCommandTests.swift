import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct MatrixCommandTests {
    @Test func `every version of the library goes to the current one`() throws {
        try withLibrary { model in
            let unnamed = try momtool("test", "--matrix", model.path, "--rows", "20")
            #expect(unnamed.status == 1)
            #expect(unnamed.output.contains("losses: {V6: [Notice]}"))
            try name("Notice", beside: model)
            let result = try momtool("test", "--matrix", model.path, "--rows", "300")
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("\n5 passed, 0 failed in "))
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            let field = try momtool("test --model \(model.path) --stores \(fixture) --format junit")
            #expect(field.status == 0, "\(field.output)")
            #expect(field.output.contains("tests=\"1\" failures=\"0\""))
        }
    }

    @Test func `a matrix goes to every version where that is asked, and says how`() throws {
        try withFolder { folder in
            let versions = [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]].map { names in
                let lines = names.map {
                    "<attribute name='\($0)' optional='YES' attributeType='String'/>"
                }
                return "<model><entity name='A'>\(lines.joined())</entity></model>"
            }
            let named = versions.enumerated().map { ("V\($0 + 1)", $1) }
            try writeBundle(
                Dictionary(uniqueKeysWithValues: named),
                "M.xcdatamodeld",
                in: folder,
                current: "V4"
            )
            func names(_ words: String...) throws -> [String] {
                let result = try momtool(
                    ["test", "--matrix"] + words + ["--rows", "2", "--format", "junit"],
                    in: folder
                )
                #expect(result.status == 0, "\(result.output)\(result.errors)")
                return result.output.matches(of: /<testcase [^>]* name="([^"]*)"/)
                    .map { String($0.1) }
            }
            let all = try names("M.xcdatamodeld", "--to-every-version")
            let pairs = ["V1 → V2", "V1 → V3", "V2 → V3", "V1 → V4", "V2 → V4", "V3 → V4"]
            #expect(pairs.allSatisfy { pair in all.contains { $0.contains(pair) } }, "\(all)")
            #expect(all.count == pairs.count)
            #expect(try names("M.xcdatamodeld#V3", "--to-every-version").count == 3)
            #expect(try names("M.xcdatamodeld#V3").count == 2)
            let asked = try momtool("test --matrix M.xcdatamodeld --to V3", in: folder)
            #expect(asked.status == 64)
            #expect(asked.errors.contains("MODEL#VERSION, or with --to-every-version"))
        }
    }

    @Test func `a matrix starts from the versions alone that are locked`() throws {
        try withLibrary { model in
            #expect(try momtool("lock", model.path).status == 3)
            try name("Notice", beside: model)
            #expect(try momtool("lock", model.path).status == 0)
            let lock = URL(fileURLWithPath: model.path + ".lock")
            let text = try fileText(lock)
            let result = try momtool("test", "--matrix", model.path, "--locked", "--rows", "3")
            #expect(result.status == 0, "\(result.errors)\(text)")
            #expect(result.output.contains("5 passed"))
        }
    }

    @Test func `stores from the field are found by a pattern, and their objects counted`() throws {
        try withLibrary { model in
            try name("Notice", beside: model)
            let pattern = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            let result = try momtool(
                ["test", "--model", model.path, "--stores", pattern, "--format", "json"]
            )
            #expect(result.status == 0, "\(result.output)")
            let counts =
                "Author 6 → 6, Book 11 → 11, Loan 14 → 14, Member 6 → Patron 6, Notice 5 → 0"
            #expect(result.output.contains(counts), "\(result.output)")
        }
    }

    @Test func `stores of one file name are told apart, also by what they leave`() throws {
        let names = ["Device 1/Shop.sqlite", "Device 2/Shop.sqlite"]
        try FleetStores.with(names.map { "Field/\($0)" }) { stores in
            let words = ["test", "--model", FleetStores.model, "--stores", "Field/*/Shop.sqlite"]
            let outputs = ["--format", "junit=all.xml", "--artifacts", "Failed"]
            try expectRun(words + outputs, in: stores.folder, 1)
            let junit = try stores.text("all.xml")
            for name in names { #expect(junit.contains(" name=\"\(name)\""), "\(junit)") }
            let kept = stores.files(below: "Failed").filter { $0.hasSuffix("before.sqlite") }
            #expect(
                kept == [
                    "Device 1-Shop.sqlite/before.sqlite", "Device 2-Shop.sqlite/before.sqlite",
                ]
            )
            let twice = try momtool(words + ["Field/Device 1/Shop.sqlite"], in: stores.folder)
            #expect(twice.status == 64)
            #expect(twice.errors.contains("[repeated-store]"), "\(twice.errors)")
        }
    }

    @Test func `steps of two models with one name keep what they leave apart`() throws {
        try withFolder { folder in
            let models = ["A.xcdatamodeld", "B.xcdatamodeld"]
            for name in models {
                let versions = ["<attribute name='gone' attributeType='String'/>", ""].map {
                    "<model><entity name='Song'><attribute name='a' attributeType='String'/>\($0)"
                        + "</entity></model>"
                }
                let model = folder.appending(path: name)
                try writeBundle([versions[0], versions[1]], at: model)
            }
            let words = models.flatMap { ["--matrix", $0] } + ["--artifacts", "Failed"]
            let run = try expectRun(["test"] + words, in: folder, 1)
            let kept = try FileManager.default
                .contentsOfDirectory(atPath: folder.appending(path: "Failed").path)
            #expect(kept.sorted() == models.map { "\($0)-V1 → V2" }, "\(run.output)")
        }
    }

    @Test(arguments: [["test", "."], ["test", "A", "B"], ["check"]])
    func `cases of one name keep what they leave apart`(_ command: [String]) throws {
        try withFolder { folder in
            let text = """
                model: \(Corpus.package.path)/Models/Library.xcdatamodeld
                from: V1
                before: {}
                after: {Nothing: []}

                """
            for name in ["A", "B"] { try write(text, "\(name)/one/case.yml", in: folder) }
            for _ in 0..<2 {
                try expectRun(
                    command + ["--artifacts", "Failed", "--allow-outside"],
                    in: folder,
                    1
                )
                let kept = try FileManager.default
                    .contentsOfDirectory(atPath: folder.appending(path: "Failed").path)
                #expect(kept.count == 2 && kept.allSatisfy { !$0.hasPrefix(".") }, "\(kept)")
                let lines = try kept.map {
                    let file = folder.appending(path: "Failed/\($0)/difference.txt")
                    return try fileText(file)
                }
                #expect(lines.contains { $0.contains("A/one") }, "\(lines)")
                #expect(lines.contains { $0.contains("B/one") }, "\(lines)")
            }
        }
    }

    @Test func `a folder of stores is named, with the pattern for what lies in it`() throws {
        try withLibrary { model in
            let folder = model.deletingLastPathComponent()
            let stores = folder.appending(path: "Field")
            try makeFolder(stores)
            let run = try momtool("test --model Library.xcdatamodeld --stores Field/", in: folder)
            #expect(run.status == 66, "\(run.output)")
            let words =
                "Field/: error: this is a folder, not a store; name its stores, as 'Field/*.sqlite'"
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }

    private func makeStore(
        _ rows: String,
        _ model: URL,
        in folder: URL,
        _ name: String = "Field's.sqlite",
        version: String = "V1"
    ) throws -> URL {
        let path = folder.appending(path: name)
        try write(rows, "rows.json", in: folder)
        let words = ["--model", model.path, "--version", version, "--rows", "rows.json"]
        try expectRun(["create", path.path] + words, in: folder, 0)
        return path
    }

    /// The question about a log that is missing beside an empty store.
    private static let question =
        "no rows at all, and no Field's.sqlite-wal beside it (was the log copied too?)"

    /// Sets the header of a store: whether writers keep a write-ahead log.
    private func setLog(_ usesLog: Bool, of store: URL) throws {
        var bytes = try Data(contentsOf: store)
        (bytes[18], bytes[19]) = usesLog ? (2, 2) : (1, 1)
        try bytes.write(to: store)
    }

    /// An app that closed an empty store leaves no log, as whoever forgets to copy it: nobody could agree to that.
    @Test(arguments: [true, false], ["V1", "V6"])
    func `a store whose log may be missing passes with a remark`(usesLog: Bool, version: String)
        throws
    {
        try withLibrary { model in
            let folder = model.deletingLastPathComponent()
            let path = try makeStore("{}", model, in: folder, version: version)
            try setLog(usesLog, of: path)
            let words = ["--model", model.path, "--stores", path.path]
            for format in ["text", "json", "markdown"] {
                let run = try expectRun(["test"] + words + ["--format", format], in: folder, 0)
                #expect(run.output.contains(Self.question) == usesLog, "\(run.output)")
                #expect(!run.output.contains("before.sqlite"), "\(run.output)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `a case whose store may lack its log has a remark`(usesLog: Bool) throws {
        try withLibrary { model in
            let folder = model.deletingLastPathComponent()
            let cases = folder.appending(path: "Cases/empty")
            try makeFolder(cases)
            let store = try makeStore("{}", model, in: folder)
            try setLog(usesLog, of: store)
            try FileManager.default.moveItem(at: store, to: cases.appending(path: "Field's.sqlite"))
            let text = """
                model: ../../Library.xcdatamodeld
                from: V1
                before: Field's.sqlite
                expect: migrated
                after: {}

                """
            try write(text, "case.yml", in: cases)
            let made = folder.appending(path: "Cases/made")
            try makeFolder(made)
            try write(text.replacing("Field's.sqlite", with: "{}"), "case.yml", in: made)
            let run = try momtool("test Cases --format json", in: folder)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(!run.output.contains("before.sqlite"), "\(run.output)")
            let said = "Cases/empty/case.yml:3: \(Self.question)"
            let output = run.output.replacing("\\/", with: "/")
            #expect(output.contains(said) == usesLog, "\(run.output)")
        }
    }

    /// The report once had the path of the copy, which was gone by then.
    @Test(arguments: ["text", "junit", "github", "json"])
    func `a store that does not fit its model is named by its own path`(format: String) throws {
        try withLibrary { model in
            let folder = model.deletingLastPathComponent()
            let cases = folder.appending(path: "Cases/torn")
            try makeFolder(cases)
            let store = try makeStore(#"{"Author": {"name": "A"}}"#, model, in: folder, "F.sqlite")
            try SQLiteConnection(path: store.path, mode: .readWrite)
                .execute("ALTER TABLE ZAUTHOR DROP COLUMN ZBORN")
            try copyFile(store, to: cases.appending(path: "before.sqlite"))
            let text = "model: ../../Library.xcdatamodeld\nfrom: V1\nexpect: migrated\n"
            try write(text, "case.yml", in: cases)
            let kept = ["--artifacts", "Kept", "--format", format]
            for (words, name) in [
                (["--model", model.path, "--stores", "F.sqlite"], "F.sqlite"),
                (["Cases"], "Cases/torn/before.sqlite"),
            ] {
                let run = try expectRun(["test"] + words + kept, in: folder, 1)
                let output = run.output.replacing("\\/", with: "/")
                #expect(output.contains("\(name): the layout is not that of"), "\(run.output)")
                #expect(!output.contains("momtool-store"), "\(run.output)")
            }
            for name in ["F.sqlite", "torn"] {
                let copy = folder.appending(path: "Kept/\(name)/before.sqlite")
                #expect(FileManager.default.fileExists(atPath: copy.path), "\(copy.path)")
            }
        }
    }

    @Test func `what helps against damage names the store, not its copy`() throws {
        try withLibrary { model in
            let folder = model.deletingLastPathComponent()
            let path = try makeStore(
                #"{"Author": {"name": "A"}}"#,
                model,
                in: folder,
                "Field.sqlite"
            )
            let connection = try SQLiteConnection(path: path.path, mode: .readWrite)
            try connection.execute("UPDATE ZAUTHOR SET Z_ENT = 77")
            let words = ["test", "--model", model.path, "--stores", path.path]
            let run = try momtool(words + ["--format", "json"], in: folder)
            let command = "momtool repair \(path.lastPathComponent) --model "
            #expect(run.output.contains(command), "\(run.output)")
            #expect(!run.output.contains("before.sqlite"), "\(run.output)")
        }
    }

    @Test func `a store of no version has its file, and what looks for the version`() throws {
        try withLibrary { model in
            let folder = model.deletingLastPathComponent()
            let other = folder.appending(path: "Other.xcdatamodeld")
            let source =
                "<model><entity name='Song'><attribute name='a' attributeType='String'/></entity></model>"
            try writeBundle([source], at: other)
            _ = try makeStore(#"{"Song": {"a": "x"}}"#, other, in: folder)
            let words = ["--model", "Library.xcdatamodeld", "--stores", "Field's.sqlite"]
            let run = try expectRun(["test"] + words + ["--format", "github"], in: folder, 1)
            let advice = "momtool identify 'Field'\\''s.sqlite' --model Library.xcdatamodeld --git"
            #expect(run.output.contains(advice), "\(run.output)")
            #expect(run.output.hasPrefix("::error file=Field's.sqlite,"), "\(run.output)")
        }
    }

    @Test func `generated objects have values that the enums of an app have`() throws {
        let model = Corpus.package.appending(path: "Models/Journal").path
        let result = try momtool(["test", "--matrix", model, "--rows", "50", "--format", "json"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(!result.output.contains("no case of the enum"), "\(result.output)")
    }

    private func withLibrary(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let model = folder.appending(path: "Library.xcdatamodeld")
            let original = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            try copyFile(original, to: model)
            try body(model)
        }
    }

    private func name(_ loss: String, beside model: URL) throws {
        let file = model.deletingLastPathComponent().appending(path: ".momtool.yml")
        try Data("losses: {V3: [Book.notes], V6: [\(loss)]}\n".utf8).write(to: file)
    }
}

import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct DoctorCommandTests {
    private static let model = ["--model", "Models/Library.xcdatamodeld"]
    private static let library = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    private struct Report: Decodable {
        struct Writer: Decodable {
            var versions: [String]
            var nearest: String?
            var outcome: String
            var codes: [Int]
        }
        struct Way: Decodable { var command: String? }
        var writers: [Writer]
        struct Finding: Decodable { var rule: String }
        var findings: [Finding]
        var waysOut: [Way]
    }

    private func report(_ subject: String, _ further: [String] = []) throws -> (Int32, Report) {
        let arguments = ["doctor", subject] + Self.model + further + ["--format", "json"]
        let result = try momtool(arguments)
        #expect(result.errors.isEmpty)
        return (
            result.status, try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        )
    }

    @Test func `a store of an old version is told by name, with what Core Data does`() throws {
        let (status, report) = try report(Self.library.path)
        #expect(status == 1)
        #expect(report.writers.map(\.versions) == [["V1"]])
        #expect(report.writers[0].outcome == "migrates")
        #expect(report.waysOut.contains { $0.command?.hasPrefix("momtool migrate ") == true })
    }

    @Test func `a healthy store of the current version ends with 0`() throws {
        let (status, report) = try report(Self.library.path, ["--version", "V1"])
        #expect(status == 0)
        #expect(report.writers[0].outcome == "opens")
    }

    @Test func `a store and a log are told of in one answer`() throws {
        try withFolder { folder in
            let hashes = try momtool("hash", Self.library.path).output.split(separator: "\n")
            func log(_ name: String, _ change: (Substring) -> Substring) throws -> String {
                let lines = hashes.dropFirst(3).compactMap { line -> String? in
                    let words = line.split(separator: " ")
                    guard words.count == 2, words[1].count == 64 else { return nil }
                    return
                        "    \(words[0]) = <\(words[0] == "Book" ? change(words[1]) : words[1])>;"
                }
                let text =
                    "NSStoreModelVersionHashes = {\n\(lines.joined(separator: "\n"))\n};\ncode 134100\n"
                let file = folder.appending(path: name)
                try Data(text.utf8).write(to: file)
                return file.path
            }
            let same = try log("same.log") { $0 }
            let other = try log("other.log") { _ in Substring(String(repeating: "ab", count: 32)) }
            struct Both: Decodable {
                struct Agreement: Decodable {
                    var isSame: Bool
                    var differences: [String]
                }
                struct Symptom: Decodable { var code: Int? }
                struct File: Decodable { var pages: Int }
                var log: String
                var agreement: Agreement
                var symptoms: [Symptom]
                var file: File
                var writers: [Report.Writer]
            }
            for arguments in [[Self.library.path, same], [same, Self.library.path]] {
                let json = try momtool(["doctor"] + arguments + Self.model + ["--format", "json"])
                #expect(json.status == 1, "\(json.errors)")
                let both = try JSONDecoder().decode(Both.self, from: Data(json.output.utf8))
                #expect((both.log, both.agreement.isSame) == (same, true))
                #expect(both.symptoms.map(\.code) == [134100])
                #expect(both.file.pages > 0)
                #expect(both.writers.map(\.versions) == [["V1"]])
            }
            try expectRun(["doctor", Self.library.path, other], nil, "what differs: Book\n")
            let two = try momtool("doctor", same, other)
            #expect((two.status, two.errors.contains("two logs")) == (64, true))
            #expect(try momtool("doctor", same, other, same).status == 64)
        }
    }

    @Test func `a text in which nothing is recognized is neither healthy nor ill`() throws {
        try withFolder { folder in
            let log = folder.appending(path: "build.log").path
            for text in ["", "Compiling Shop.swift\nBuild complete, 12 s\n"] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: log))
                let result = try momtool(["doctor", log] + Self.model)
                #expect(result.status == 65)
                #expect(result.output.contains("unknown: no hash was found"))
                #expect(result.errors.hasPrefix("\(log): error: no error, message or version hash"))
            }
        }
    }

    @Test func `what needs no repair is copied all the same`() throws {
        try withFolder { folder in
            let new = folder.appending(path: "New.sqlite").path
            let result = try expectRun(["repair", Self.library.path, "-o", new], 0)
            let said = "\(Self.library.path): nothing to repair; \(new) is a copy of it\n"
            #expect(result.output == said)
            #expect(
                try momtool("export", new).output == momtool("export", Self.library.path).output
            )
            #expect(try momtool("repair", Self.library.path, "-o", new).status == 73)
            let backup = folder.appending(path: "Backups").path
            let here = try momtool("repair", new, "--backup", backup)
            #expect(here.output == "\(new): nothing to repair; nothing was written\n")
            #expect(!FileManager.default.fileExists(atPath: backup))
        }
    }

    @Test func `a store without a model is told by its metadata alone`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Bare.sqlite").path
            try FileManager.default.copyItem(atPath: Self.library.path, toPath: path)
            let whole = try momtool("hash", path, "--format", "json").output
            try SQLiteConnection(path: path, mode: .readWrite).execute("DROP TABLE Z_MODELCACHE")
            let bare = try expectRun(["hash", path, "--format", "json"], 0)
            func hashes(_ text: String) -> [String] {
                text.split(separator: "\n").map(String.init).filter {
                    !$0.contains("\"name\"") && !$0.contains("\"current\"")
                }
            }
            #expect(hashes(bare.output) == hashes(whole))
            #expect(try report(path).1.writers.map(\.versions) == [["V1"]])
        }
    }

    @Test func `a store that nobody's model fits is searched for`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Other.sqlite").path
            let model = "<model><entity name='Author'/></model>"
            let version = folder.appending(path: "M.xcdatamodel")
            try write(model, "contents", in: version)
            try expectRun(["create", path, "--model", version.path], 0)
            func commands() throws -> [String] { try report(path).1.waysOut.compactMap(\.command) }
            let own = try commands()
            #expect(own.contains { $0.hasSuffix("--git") })
            #expect(own.contains { $0.contains("decompile") })
            try SQLiteConnection(path: path, mode: .readWrite).execute("DROP TABLE Z_MODELCACHE")
            #expect(try !commands().contains { $0.contains("decompile") })
            #expect(Set(own).count == own.count)
        }
    }

    @Test func `a store and a message need no model`() throws {
        try expectRun(["doctor", Self.library.path], 0, "the model in the store", "--model MODEL")
        let message = try momtool("doctor", "NSCocoaErrorDomain Code=134100")
        #expect(message.status == 1)
        #expect(message.output.contains("134100 NSPersistentStoreIncompatibleVersionHashError"))
        #expect(try momtool("doctor", "Missing.sqlite").status == 66)
        #expect(try momtool("doctor", "My Store.sqlite").status == 66)
        let words = try momtool("doctor", "hello world")
        #expect(words.status == 65, "\(words.errors)")
        #expect(words.errors.contains("no file has this name, and no error"), "\(words.errors)")
    }

    @Test(arguments: ["cut off", "begins with zeros", "does not begin as an SQLite database"])
    func `a file that SQLite does not open has ways out`(_ damage: String) throws {
        try withFolder { folder in
            var bytes = try Data(contentsOf: Self.library)
            switch damage {
            case "cut off": bytes = bytes.prefix(50_000)
            case "begins with zeros": bytes.replaceSubrange(0..<4096, with: Data(count: 4096))
            default: bytes.replaceSubrange(0..<100, with: Data(count: 100))
            }
            let path = folder.appending(path: "Broken.sqlite").path
            try bytes.write(to: URL(fileURLWithPath: path))
            let result = try expectRun(["doctor", path], 1, damage)
            let further = [
                "momtool verify Broken-saved/Recovered.sqlite",
                "the folder .Broken_SUPPORT as .Recovered_SUPPORT",
            ]
            for way in ["-wal", "backup", ".recover"] + further {
                #expect(result.output.contains(way), "\(damage): \(way)")
            }
        }
    }
}

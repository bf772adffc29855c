import Diagnosing
import Foundation
import LogReading
import MappingInference
import MomtoolReporting
import TestSupport
import Testing

struct ErrorDocumentationTests {
    private struct Report: Decodable {
        struct Symptom: Decodable { var title, meaning: String }
        struct Writer: Decodable {
            var versions: [String]
            var nearest: String?
            var outcome: String
        }
        struct Way: Decodable {
            var advice: String
            var command: String?
        }
        var symptoms: [Symptom]
        var writers: [Writer]
        var waysOut: [Way]
    }

    private enum Form { case groups, cut, base64, none }

    private static let messages: [(text: String, version: String, form: Form)] = [
        ("addPersistentStore failed with Cocoa error 134100", "V1", .groups),
        ("Code=134130: Can't find model for source store", "V2", .cut),
        ("Code=134140, no mapping model from our old version", "V3", .cut),
        ("Code=134190, types are incompatible, it says, for one attribute", "V4", .cut),
        ("Code=134504 with the staged migration, only on old phones", "V1", .cut),
        ("terminating: unknown model version, staged", "V5", .groups),
        ("Code=134505 while staging", "V2", .base64),
        ("cannot be migrated backwards with staged migration, after a downgrade", "V6", .cut),
        (
            "Code=134110 missing attribute values on mandatory destination attribute, entity=Book, attribute=pages",
            "V1", .cut
        ),
        ("Code=134110, UNIQUE constraint failed: ZBOOK.ZISBN", "V2", .cut),
        ("(1) I/O error for database: no such table: ZBOOK", "V1", .cut),
        ("SQLite error code:1, 'no such column: t0.ZPAGES'", "V3", .groups),
        ("database disk image is malformed, after the phone died", "V2", .cut),
        ("NSSQLiteErrorDomain=13 on save", "V4", .cut),
        ("NSSQLiteErrorDomain Code=14 while in the background", "V4", .none),
        ("Duplicate version checksums detected, SwiftData plan", "V5", .none),
        ("Can't merge models with two different entities named 'Book'", "V1", .none),
        ("Cannot merge multiple root entity source tables into one", "V3", .cut),
        ("Cannot create or modify field 'CD_pages' in record 'CD_Book'", "V6", .none),
        ("CloudKit integration requires that all attributes be optional", "V6", .none),
        ("could not locate an entity named 'Book' in this model", "V6", .none),
        ("Code=1570, 'author' is a required value, when saving", "V6", .none),
        ("Code=1660 on save after the import", "V6", .none),
        ("Code=134060 after we changed a class", "V5", .base64),
    ]

    private func metadata(of version: String, _ form: Form) throws -> String {
        let result = try momtool("hash", "Models/Library.xcdatamodeld#\(version)")
        let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
        return lines.filter { $0.count == 2 && $0[1].count == 64 }.map { words in
            let digits = String(words[1])
            switch form {
            case .groups: return "    \(words[0]) = <\(digits)>;"
            case .cut:
                return "    \(words[0]) = {length = 32, bytes = 0x\(digits.prefix(16)) ... "
                    + "\(digits.suffix(16)) };"
            case .base64:
                var bytes = Data()
                for start in stride(from: 0, to: 64, by: 2) {
                    bytes.append(UInt8(digits.dropFirst(start).prefix(2), radix: 16) ?? 0)
                }
                return "    \(words[0]): \(bytes.base64EncodedString())"
            case .none: return ""
            }
        }
        .joined(separator: "\n")
    }

    private func row(_ message: (text: String, version: String, form: Form)) throws -> String {
        try withFolder { folder in
            let log = folder.appending(path: "crash.log")
            let hashes = try metadata(of: message.version, message.form)
            let text =
                message.form == .none
                ? message.text : "\(message.text)\nNSStoreModelVersionHashes = {\n\(hashes)\n}\n"
            try Data(text.utf8).write(to: log)
            let model = "Models/Library.xcdatamodeld"
            let result = try momtool("doctor", log.path, "--model", model, "--format", "json")
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            #expect(result.status == 1, "\(message.text)")
            #expect(!report.symptoms.isEmpty, "\(message.text)")
            #expect(!report.waysOut.isEmpty, "\(message.text)")
            if message.form != .none {
                #expect(report.writers.first?.versions == [message.version], "\(message.text)")
            }
            let said = report.symptoms.map { "**\($0.title)**: \($0.meaning)" }
            let writer = report.writers.first.map { "\($0.versions[0]), \($0.outcome)" } ?? ""
            let ways = report.waysOut.prefix(2).map { way in
                way.command.map { "\(way.advice): `\($0)`" } ?? way.advice
            }
            let cells = [
                "`\(message.text)`", said.joined(separator: "; "), writer,
                ways.joined(separator: "; "),
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }

    private struct Row {
        var title: String
        var meaning: String
        var advice: String
        var isDocumented: Bool

        var answer: [String] { [meaning, advice] }
    }

    private static func row(_ kind: LoggedSymptom.Kind, _ title: String, isDocumented: Bool)
        -> Row
    {
        let log = LogContents(symptoms: [LoggedSymptom(kind, line: 1)])
        let ways = diagnose(log, path: "-", nil).waysOut.prefix(2).map { way in
            let advice = way.advice.commandWords
            return way.command.map { "\(advice): `\($0.commandWords)`" } ?? advice
        }
        return Row(
            title: title,
            meaning: kind.words.meaning,
            advice: ways.joined(separator: "; "),
            isDocumented: isDocumented
        )
    }

    /// The table of some errors: those with one answer share a line, and an advice is not repeated below itself.
    private static func table(_ rows: [Row]) -> String {
        let titles = Dictionary(grouping: rows, by: \.answer)
            .mapValues { $0.map(\.title).joined(separator: ", ") }
        var seen: Set<[String]> = []
        var last = ""
        var lines = ["| code or text | meaning | what to try first |", "| --- | --- | --- |"]
        for row in rows where seen.insert(row.answer).inserted {
            let advice = row.advice == last && !last.isEmpty ? "as above" : row.advice
            lines.append("| \(titles[row.answer] ?? "") | \(row.meaning) | \(advice) |")
            last = row.advice
        }
        return lines.joined(separator: "\n")
    }

    private static let codes = CoreDataErrorCode.allCases.map { code in
        row(.code(code), "\(code.number) `\(code.constantName)`", isDocumented: true)
    }

    private static let sqliteCodes = SQLiteCode.all.map { code in
        row(.sqlite(code.code), "SQLite \(code.code)", isDocumented: true)
    }

    private static let texts = KnownMessage.all.map { message in
        let codes = message.codes.count > 2 ? [] : message.codes.map(String.init)
        let title = (codes + message.phrases.map { "`\($0)`" }).joined(separator: ", ")
        return row(.message(message), title, isDocumented: message.evidence == .documented)
    }

    private func check(_ file: URL, _ text: String) throws {
        if isRecording { try Data(text.utf8).write(to: file) }
        #expect(
            (try? fileText(file)) == text,
            "\(file.path) is stale: run MOMTOOL_RECORD=1 swift test --filter ErrorDocumentationTests"
        )
    }

    @Test func `the page of errors has what the doctor knows`() throws {
        let rows = Self.codes + Self.sqliteCodes + Self.texts
        let page = """
            # What errors mean

            After this page you know what an error of Core Data, SQLite, SwiftData or CloudKit means, and what to try first.

            ```sh
            momtool doctor crash.log --model Shop.xcdatamodeld
            ```

            `momtool doctor` answers from these tables, with your model and store in the place of `MODEL` and `STORE`.
            <doc:WhenAStoreFails> explains what to do next.

            ## Documented

            \(Self.table(rows.filter(\.isDocumented)))

            ## Reported

            These rest on reports of people who had the message.

            \(Self.table(rows.filter { !$0.isDocumented }))

            """
        try check(pagesFolder.appending(path: "WhatErrorsMean.md"), page)
    }

    @Test func `the doctor says of each posted message what is recorded`() throws {
        let rows = try Self.messages.map(row)
        let text = """
            Messages as people post them, followed by the version hashes of a store where the third column names a version.

            | message | meaning | written by, and what Core Data does | what to do first |
            | --- | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            """
        try check(Corpus.package.appending(path: "Fixtures/Errors.md"), text)
        #expect(rows.count >= 20)
    }
}

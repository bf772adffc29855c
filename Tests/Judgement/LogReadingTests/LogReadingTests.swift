import Foundation
@testable import LogReading
import MappingInference
import ObjectModel
import Testing

private enum Printed {
    static let groups = "00070e15 1c232a31 383f464d 545b6269 70777e85 8c939aa1 a8afb6bd c4cbd2d9"
    static let digits = groups.filter { $0 != " " }
    static let base64 = "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tk="
}

struct LogReadingTests {
    static let bytes = (0..<32).map { UInt8($0 * 7 & 0xFF) }
    static let hash = HashFragment(start: bytes)
    static let cut = HashFragment(start: Array(bytes.prefix(8)), end: Array(bytes.suffix(4)))

    @Test(arguments: [
        "Book = <\(Printed.groups)>;",
        "    \"Book\" = <\(Printed.digits)>",
        "Book = {length = 32, bytes = 0x\(Printed.groups) };",
        "Book: \(Printed.digits)",
        "Book=0x\(Printed.digits.uppercased())",
        "{\"Book\":\"\(Printed.base64)\"}",
        "AnyHashable(\"Book\"): <\(Printed.groups)>",
        "<key>Book</key>\n\t<data>\n\t\(Printed.base64)\n\t</data>",
        "[Book : \(Printed.digits)]",
    ])
    func `a hash is read in every form that it is printed in`(text: String) {
        #expect(readLog(text).hashes.map(\.entities) == [["Book": Self.hash]])
    }

    @Test(arguments: [
        "Book = {length = 32, bytes = 0x00070e15 1c232a31 ... c4cbd2d9 };",
        "Book = {length = 32, bytes = 0x00070e15 1c232a31 … c4cbd2d9}",
        "\"Book\" : {length = 32, bytes = 0x00070e151c232a31 ... c4cbd2d9 },",
        "Book = <00070e15 1c232a31 ... c4cbd2d9>;",
    ])
    func `a hash whose middle is left out keeps its ends`(text: String) {
        #expect(readLog(text).hashes.map(\.entities) == [["Book": Self.cut]])
        #expect(Self.cut.matches(Self.bytes))
        #expect(!Self.cut.matches(Self.bytes.reversed()))
    }

    /// The words before the number of an error, in the languages in which messages were seen.
    @Test(arguments: [
        ("Code=134100", true), ("Cocoa error 134100", true), ("failed: 134100", true),
        ("NSCocoaErrorDomain(134100)", true), ("错误 134100", true), ("Fehler 134100", true),
        ("erreur 134100", true), ("エラー 134100", true), ("Error “134100”", true),
        ("code: '134100'", true), ("134100", true), ("page 134100", false),
        ("handler 134100", false), ("Code=1341001", false),
    ])
    func `a number is an error where a word says so`(text: String, isError: Bool) {
        #expect(
            readLog(text).symptoms.map(\.kind) == (isError ? [.code(.incompatibleVersionHash)] : [])
        )
    }

    @Test func `where only the size is printed there is no hash`() {
        let log = readLog("[AnyHashable(\"Book\"): 32 bytes, AnyHashable(\"Person\"): 32 bytes]")
        #expect(log.hashes.isEmpty)
    }

    @Test func `the hashes of a store and those of a model are told apart`() {
        let hash = "<\(Printed.groups)>"
        let log = readLog(
            """
            metadata = {
                NSPersistenceFrameworkVersion = 1345;
                NSStoreModelVersionHashes =     {
                    Book = \(hash);
                    Person = \(hash);
                };
                NSStoreModelVersionHashesDigest = "\(String(repeating: "A", count: 86))==";
                NSStoreModelVersionHashesVersion = 3;
            }
            model: entityVersionHashesByName { Book = \(hash); Shelf = \(hash); }
            """
        )
        #expect(log.hashes.map(\.isOfStore) == [true, false])
        let names = log.hashes.map { $0.entities.keys.sorted() }
        #expect(names == [["Book", "Person"], ["Book", "Shelf"]])
        #expect(log.hashes.map(\.line) == [4, 10])
        #expect(log.values.map(\.name) == ["NSStoreModelVersionHashesDigest"])
        #expect(log.values.first?.bytes.start.count == 64)
    }

    @Test(arguments: [
        "uuid <00070e15-1c23>", "<0x104a2f>", "thread 0x00007ff81c2f", "sha 1234567890abcdef",
        "Book = {length = 16, bytes = 0x00070e15 1c232a31 383f464d 545b6269 }", "", "{length = ",
        "<data>", "<data>====</data>", "{length = 99999999999999999999, bytes = 0x00",
        "<00070e15", "…", "x = <>",
    ])
    func `what is no hash is passed over`(text: String) { #expect(readLog(text).isEmpty) }

    @Test(arguments: [
        (
            "Error Domain=NSCocoaErrorDomain Code=134100 \"x\"",
            LoggedSymptom.Kind.code(.incompatibleVersionHash)
        ),
        ("failed (134130)", .code(.migrationMissingSourceModel)),
        ("NSMigrationMissingMappingModelError", .code(.migrationMissingMappingModel)),
        (
            "couldn’t be completed. (Cocoa error 1570.)",
            .code(.validationMissingMandatoryProperty)
        ),
        ("NSSQLiteErrorDomain=522", .sqlite(522)),
        ("SQLite error code:1, 'no such table: ZBOOK'", .missingTable("ZBOOK")),
        ("no such column: t0.ZAGE, in ...", .missingColumn("t0.ZAGE")),
        (
            "UNIQUE constraint failed: ZBOOK.ZISBN, ZBOOK.ZLANG}",
            .duplicateValues("ZBOOK.ZISBN, ZBOOK.ZLANG")
        ),
        ("merge models with two different entities named 'Book'", .mergedModels(entity: "Book")),
        (
            "Cannot create new type CD_Book in production schema",
            .missingCloudKitType("CD_Book")
        ),
        (
            "CloudKit integration does not support ordered relationships. So:\r\nBook: pages, tags\r\nA: b\r\n\r\nC: d",
            .modelUnfitForCloudKit(.noOrder, properties: ["Book.pages", "Book.tags", "A.b"])
        ),
        (
            #"x "CloudKit integration requires that all attributes be optional, or y:\nBook: title\nNo names here""#,
            .modelUnfitForCloudKit(.optionalAttributes, properties: ["Book.title"])
        ),
        (
            "CloudKit integration does not support pigeons.\nBook: title",
            .modelUnfitForCloudKit(nil, properties: [])
        ),
        (
            #""NSConstraintConflict (0x28) for constraint (\n    isbn,\n    \"number\"\n): database: 0xa""#,
            .brokenConstraint(["isbn", "number"])
        ),
        ("NSConstraintConflict (0x28) for constraint (\nisbn\n): x", .brokenConstraint(["isbn"])),
    ])
    func `what went wrong is read`(text: String, kind: LoggedSymptom.Kind) {
        #expect(readLog(text).symptoms.map(\.kind).contains(kind))
    }

    @Test func `numbers that mean something else are no codes`() {
        let text = "pid 1570, 1342 objects, 0x134100f, 13410012, version 134.100, at line 1600"
        #expect(readLog(text).symptoms.isEmpty)
    }

    @Test func `every phrase and every name of a code is found in its line`() {
        for message in KnownMessage.all {
            for phrase in message.phrases {
                let kinds = readLog("a\nx \(phrase) y\n").symptoms.map(\.kind)
                let others = kinds.contains { if case .message = $0 { true } else { false } }
                #expect(kinds.contains(.message(message)) || others, "\(phrase)")
            }
        }
        for code in CoreDataErrorCode.allCases {
            #expect(readLog("a\n\(code.constantName)\n").symptoms.map(\.kind) == [.code(code)])
            #expect(readLog("x Code=\(code.number) y").symptoms.map(\.kind) == [.code(code)])
        }
    }

    @Test func `lines that say nothing cost little`() {
        func seconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let text = String(repeating: "a b\n", count: 100_000) + "no such table: ZBOOK\n"
        let start = seconds()
        #expect(readLog(text).symptoms == [LoggedSymptom(.missingTable("ZBOOK"), line: 100_001)])
        #expect(seconds() - start < 5)
    }
}

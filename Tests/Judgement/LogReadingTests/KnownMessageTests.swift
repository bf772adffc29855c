import Diagnosing
import Diagnostics
import Foundation
import LogReading
import MappingInference
import TestSupport
import Testing

struct KnownMessageTests {
    private func titles(_ text: String) -> [String] {
        diagnose(readLog(text), path: "-", nil).symptoms.map(\.kind.words.title)
    }

    /// A line of each kind, in our words around its phrase.
    static let messages: [(text: String, title: String)] = [
        (
            "warning: Multiple NSEntityDescriptions claim the subclass 'Book'",
            "one class in several"
        ),
        ("No NSEntityDescriptions in any model claim the subclass 'Book'", "no loaded model has"),
        (
            "Failed to find a unique match for an NSEntityDescription to Book",
            "one class in several"
        ),
        ("entityForName: nil is not a legal NSManagedObjectContext for 'Book'", "no loaded model"),
        ("keypath title not found in entity Book", "a fetch or a key names a property"),
        ("This coordinator has no persistent stores (migration failure).", "no store is loaded"),
        ("The model configuration used to open the store is incompatible with it", "134020"),
        ("No se ha podido completar. (Error de Cocoa 134130.)", "134130"),
        ("Cannot create a coordinator with a nil model", "no model was found"),
        ("An NSManagedObject of class 'Book' must have a valid NSEntityDescription.", "no loaded"),
        ("Cannot use staged migration with an unknown coordinator model version.", "134504: no"),
        (
            "The current model reference and the next model reference cannot be equal.",
            "a custom stage leads"
        ),
        (
            "Persistent History (9) has to be truncated due to the following entities being removed:",
            "persistent history ends"
        ),
        (
            "Row (pk = 3) for entity 'Book' is missing mandatory text data for property 'title'",
            "a row has no value"
        ),
        (
            "SwiftData/SchemaProperty.swift:379: Fatal error: Unexpected property within Persisted Struct/Enum: X",
            "a stored struct or enum has a member"
        ),
        ("Fatal error: Inverse already exists", "two relationships have one"),
        (
            "Couldn't find \\Book.size on Book with fields [SwiftData.Schema.PropertyMetadata(",
            "a key path does not name"
        ),
        ("Unable to load class named 'Book' for entity 'Book'.", "the class of an entity"),
        (
            "NSArray element failed to match the Swift Array Element type, Book it should be",
            "the class of an entity"
        ),
        ("countForRequest: A fetch request must have an entity, none given", "no loaded model has"),
        (
            "entity 0x6 'Book' of the request appears to be from a different NSManagedObjectModel",
            "one class in several"
        ),
        (
            "[<Book 0x6> valueForUndefinedKey:]: the entity Book has nothing like \"size\"",
            "a fetch or a key names a property"
        ),
        ("Multiple commands produce '/x/M/Book+CoreDataClass.swift'", "a class exists twice"),
        ("SQL query, and a to-many key not allowed here", "a predicate or sort order goes"),
        ("M.xcdatamodel:Book: error: Book.shelf must have an inverse", "the model is not valid"),
        ("Fatal error: Unexpected type for Expansion: Tags", "a stored struct or enum has a mem"),
        (
            "Mutating a managed object 0x1 (0x2) after it has been removed from its context.",
            "an object is used after its row"
        ),
        (
            "transformable properties with transformer names that are unset",
            "a transformer without secure"
        ),
        ("M.xcdatamodel:Book.size: error: Book.size must have a default value [8]", "the model is"),
        ("error: cdtool cannot compile [0]", "Xcode does not compile the model"),
        ("Object of class Mark is not among allowed top level class list (", "a transformable"),
        ("Failed to locate relationship for StringCodingKey: shelf", "an object is used with"),
        ("CloudKit integration forbids renaming 'A' to 'B'", "the model is not valid for"),
        (
            "Store opened without NSPersistentHistoryTrackingKey, it says",
            "persistent history was on"
        ),
        ("NSCocoaErrorDomain(134081), on the second start", "one file is added twice"),
        ("Error Domain=NSCocoaErrorDomain Code=134030 on save", "134030"),
        ("Error Domain=NSCocoaErrorDomain Code=134301 in the widget", "134301"),
        ("Termination Reason: 0xdead10cc", "0xdead10cc"),
        ("SwiftDataError.loadIssueModelContainer at launch", "SwiftData could not load"),
        ("Could not materialize Objective-C class named \"Array\"", "an array is stored"),
        ("Fatal error: Unable to have an Attribute named description", "a property has a name"),
        ("Fatal error: Composite Coder only supports Keyed Container", "a struct or enum is not"),
        (
            "Expected only Arrays for Relationships - Set<Tag>",
            "a to-many relationship is not an array"
        ),
        (
            "KeyPath \\Book.size points to a field (size) that is unknown to Book",
            "a key path does not name"
        ),
        ("What kind of backing data is this? _KKMDBackingData<V1.Book>", "an object is used with"),
        ("failed to find a currently active container for Book", "an object is created before"),
        (
            "This model instance was invalidated because its backing data could no longer be found",
            "an object is used after its row"
        ),
        (
            "Never access a full future backing data - PersistentIdentifier",
            "the values of an object"
        ),
        ("Illegal attempt to establish a relationship 'shelf' between", "a relationship connects"),
        (
            "Could not cast value of type 'NSNull' (0x1) to 'Swift.String'",
            "a value does not have"
        ),
        ("couldn’t be completed. (SwiftData.SwiftDataError error 1.)", "SwiftData could not load"),
        ("Class property within Persisted Struct/Enum is not supported: Spot", "a stored struct"),
        (
            "Declared Objective-C type \"[Int]\" for attribute named marks",
            "a transformable attribute"
        ),
        ("No current version for model at path /a/M.xcdatamodeld: [0]", "Xcode finds no current"),
        ("The file “default.store” couldn’t be opened.", "a file could not be opened"),
        ("NSCocoaErrorDomain Code=134400, simulator", "134400"),
        ("NSCocoaErrorDomain Code=134407, after a reload", "134407"),
        ("NSCocoaErrorDomain Code=134419", "mirroring to CloudKit"),
        ("Field 'recordName' is not marked queryable", "a field of CloudKit"),
        ("could not fulfill a fault for '<x-coredata://A/Book/p1>'", "an object refers"),
        ("[\"Book\": 32 bytes]", "version hashes without their bytes"),
        ("NSSQLiteErrorDomain = 264;", "SQLite error 264"),
        ("SQLite error code:522, 'not an error'", "SQLite error 522"),
        ("NSSQLiteErrorDomain Code=21", "SQLite error 21"),
        ("database is locked", "SQLite error 5"),
        ("134110", "134110 NSMigrationError"),
        ("“Cocoa”错误 134100。", "134100"),
    ]

    @Test(arguments: messages.indices)
    func `a message is known without a model, and has a first step`(index: Int) {
        let message = Self.messages[index]
        let found = titles(message.text)
        #expect(found.contains { $0.hasPrefix(message.title) }, "\(message.text): \(found)")
        #expect(!diagnose(readLog(message.text), path: "-", nil).waysOut.isEmpty, "\(message.text)")
    }

    @Test func `an unknown coordinator model blames the app's stages and not the store`() {
        let text = "NSCocoaErrorDomain Code=134504 \"Cannot use staged migration with an unknown"
        #expect(
            titles("\(text) coordinator model version.\"").map { $0.prefix(14) } == [
                "134504: no sta"
            ]
        )
        #expect(
            titles("\(text) model version.\"") == [
                "134504 NSManagedObjectModelReferenceNotFoundError"
            ]
        )
    }

    @Test func `every message of the table has words, and is found by its own phrase`() {
        for message in KnownMessage.all {
            #expect(!message.meaning.isEmpty && !message.meaning.hasSuffix("."))
            #expect(!message.advice.isEmpty)
            for phrase in message.phrases {
                let kinds = readLog("x \(phrase) y").symptoms.map(\.kind)
                #expect(kinds.contains(.message(message)), "\(phrase)")
            }
        }
        #expect(Set(KnownMessage.all.map(\.name)).count == KnownMessage.all.count)
    }

    @Test(arguments: [
        "Downloaded 134110 bytes", "record 134100 of 200000", "port=134130", "took 134504 ns",
        "viewDidLoad called. Loaded 32 photos.", "Multiple commands produce 'Info.plist'",
        "compiling Book+CoreDataClass.swift",
    ])
    func `a number in a text is no code`(text: String) { #expect(readLog(text).isEmpty) }

    @Test func `a value without names is said so, and not twice`() {
        let phrase = "missing attribute values on mandatory destination attribute"
        #expect(titles(phrase).count == 1)
        let named = titles("\(phrase)\nattribute=born, entity=Person, \(phrase)")
        #expect(named.count == 1 && named[0].contains("Person.born"), "\(named)")
    }

    private static let texts = Corpus.folder.deletingLastPathComponent()
        .appending(path: "evidence/texts")

    /// The first step for a text that tells more than its code.
    private static let steps: [(text: String, step: String)] = [
        ("001", "name the app's model"), ("002", "shouldMigrateStoreAutomatically"),
        ("003", "all models merged with it"), ("004", "then delete this file"),
        ("005", "name the app's model"), ("006", "name the app's model"),
        ("007", "count the rows"), ("008", "count the rows"), ("009", "count the rows"),
        ("010", "compare the tables"), ("011", "Verb.plan"), ("012", "custom stage"),
        ("013", "equal values under the new constraint"), ("014", "every version of the plan"),
        ("015", "read the Core Data lines before it"), ("016", "Verb.plan"),
        ("017", "use a related model, or store Data"), ("018", "copy the store"),
        ("019", "free space"), ("020", "the folder of the store"), ("021", "-wal, -shm"),
        ("022", "close the store before you delete"),
        ("023", "what removes the store"), ("024", "compare the tables"),
        ("025", "momtool cannot work on this file"), ("026", "load the stores once"),
        ("027", "static constant"), ("028", "before the first use of the class"),
        ("029", "Bundle.module"), ("030", "before the first fetch"),
        ("031", "set the module"), ("032", "NSPersistentHistoryTrackingKey"),
        ("033", "deploy"), ("034", "everything that CloudKit does not support"),
        ("035", "queryable index"), ("036", "change of the account"),
        ("037", "keep one container alive"), ("038", "merge policy"),
        ("039", "links to missing rows"), ("040", "before the save"),
        ("041", "background task"), ("042", "by its URL"), ("043", "base64EncodedString"),
        ("044", "name the app's model"), ("046", "Verb.plan"),
    ]

    @Test(.enabled(if: FileManager.default.fileExists(atPath: texts.path), "there are no texts"))
    func `the first step for a text of a public thread is about its cause`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.texts.path)
            .filter { $0.hasSuffix(".txt") && $0 != "045.txt" }
        // 045 is a log without faults, with nothing to do.
        #expect(Set(names) == Set(Self.steps.map { "\($0.text).txt" }))
        for (name, step) in Self.steps {
            let file = Self.texts.appending(path: "\(name).txt")
            let text = try fileText(file)
            let way = diagnose(readLog(text), path: name, nil).waysOut.first
            let words = "\(way?.advice.text(in: .code) ?? "") \(String(describing: way?.command))"
            #expect(words.contains(step), "\(name): \(words)")
        }
    }

    @Test func `a hash in the print of old systems is read`() throws {
        let text = """
            6 : <CFString 0x1 [0x2]>{contents = "NSStoreModelVersionHashes"} = <CFBasicHash 0x3 [0x2]>{count = 1,
            1 : Book = <CFData 0x4 [0x2]>{length = 32, capacity = 32, bytes = 0xe02686bb 5839ace1 ... ff5e51a5 09e1db73}
            """
        let hashes = try #require(readLog(text).hashes.first)
        #expect(hashes.isOfStore)
        #expect(hashes.entities["Book"]?.description == "e02686bb5839ace1…ff5e51a509e1db73")
    }

    @Test func `the object of a message is named, and the history of the store asked for`() {
        let text = "could not fulfill a fault for '0x17 <x-coredata://00-AB/Book/p17>' while"
        #expect(titles(text).count == 2 && titles(text)[1].hasSuffix(" Book/p17"))
        let commands = diagnose(readLog(text), path: "-", nil).waysOut.compactMap(\.command)
        #expect(commands.contains(.call(.inspect, "STORE", .history)), "\(commands)")
        for other in ["<x-coredata://AB/Book/t17>", "<x-coredata://AB/Book>", "Book/p17"] {
            #expect(titles("could not fulfill a fault for '\(other)'").count == 1, "\(other)")
        }
    }

    @Test func `a hash that was made unreadable is left out, and that is said`() {
        let digits = Array(repeating: "0a1b2c3d", count: 7).joined(separator: " ")
        let log = readLog("A = <\(digits) 4f5apo99>;\nB = <\(digits) 00112233>;")
        #expect(log.hashes.map { Array($0.entities.keys) } == [["B"]])
        #expect(log.symptoms.map(\.kind) == [.unreadableHash(entity: "A")])
    }

    @Test func `a property that a message names is named`() {
        for (text, name) in [
            ("Code=134190 UserInfo={entity=Book, property=pages, reason=types}", "Book.pages "),
            ("Code=1570 \"title is a required value.\"", "'title' "),
            ("NSStoreModelVersionHashes =     {\n    };\n", "empty model"),
        ] { #expect(titles(text).contains { $0.contains(name) }, "\(titles(text))") }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: texts.path), "there are no texts"))
    func `texts of public threads are recognized, with a next step`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.texts.path)
            .filter { $0.hasSuffix(".txt") }.sorted()
        var unknown: [String] = []
        for name in names {
            let text = try fileText(Self.texts.appending(path: name))
            let log = readLog(text)
            let diagnosis = diagnose(log, path: name, nil)
            if diagnosis.saysNothing || diagnosis.waysOut.isEmpty { unknown.append(name) }
        }
        // One is a log without faults.
        #expect(unknown == ["045.txt"])
    }
}

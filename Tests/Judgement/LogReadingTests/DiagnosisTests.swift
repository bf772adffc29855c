import Diagnosing
import Diagnostics
import Foundation
import LogReading
import MappingInference
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import TestSupport
import Testing

private let library = readModelBundle(
    at: Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
).value

private func context(_ bundle: ModelBundle) throws -> ModelContext {
    ModelContext(
        argument: "App.xcdatamodeld",
        versions: bundle.versions,
        current: try #require(bundle.currentVersion ?? bundle.versions.last)
    )
}

enum PrintedForm: CaseIterable {
    case groups, described, cut, hexadecimal, base64, propertyList

    func text(_ name: String, _ bytes: [UInt8]) -> String {
        let digits = bytes.hex
        let words = stride(from: 0, to: digits.count, by: 8).map { digits.dropFirst($0).prefix(8) }
        let groups = words.joined(separator: " ")
        return switch self {
        case .groups: "    \(name) = <\(groups)>;"
        case .described: "    \"\(name)\" = {length = 32, bytes = 0x\(groups) };"
        case .cut:
            "    \(name) =     {length = 32, bytes = 0x\(words.prefix(4).joined(separator: " ")) ... "
                + "\(words.suffix(2).joined(separator: " ")) };"
        case .hexadecimal: "\(name): \(digits)"
        case .base64: "\"\(name)\": \"\(Data(bytes).base64EncodedString())\","
        case .propertyList:
            "<key>\(name)</key>\n<data>\n\(Data(bytes).base64EncodedString())\n</data>"
        }
    }
}

extension Sequence<UInt8> {
    fileprivate var hex: String { map { String(format: "%02x", $0) }.joined() }
}

struct DiagnosisTests {
    private func metadata(of version: ModelVersion, _ form: PrintedForm) -> String {
        let hashes = version.hashes.entityNames.map { name in
            form.text(name, version.hashes.entities[name]?.bytes ?? [])
        }
        return "NSStoreModelVersionHashes = {\n\(hashes.joined(separator: "\n"))\n};\n"
            + "NSStoreModelVersionHashesVersion = 3;"
    }

    @Test(arguments: PrintedForm.allCases)
    func `every form of a log names the version`(form: PrintedForm) throws {
        for version in library.versions {
            let log = readLog("Code=134100 metadata={\n\(metadata(of: version, form))\n}")
            let diagnosis = diagnose(log, path: "a.log", try context(library))
            let writer = try #require(diagnosis.writers.first)
            guard case .versions(let names, _) = writer.identity else {
                Issue.record("\(version.name): \(writer.identity)")
                continue
            }
            #expect(names.contains(version.name))
        }
    }

    @Test func `checksums and digests name the version`() throws {
        let version = library.versions[0]
        for text in [
            "version checksum: \(version.checksum)",
            "NSStoreModelVersionHashesDigest = \"\(version.hashes.digest)\";",
        ] {
            let diagnosis = diagnose(readLog(text), path: "-", try context(library))
            guard case .versions(let names, .checksum)? = diagnosis.writers.first?.identity else {
                Issue.record("\(text)")
                continue
            }
            #expect(names == [version.name])
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a cut hash of one entity names its version`() throws {
        var (count, named) = (0, 0)
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }) {
            let bundle = readModelBundle(at: Corpus.path(path)).value
            guard let current = bundle.currentVersion ?? bundle.versions.last else { continue }
            let context = ModelContext(argument: path, versions: bundle.versions, current: current)
            for version in bundle.versions.prefix(4) {
                for (name, hash) in version.hashes.entities.sorted(by: { $0.key < $1.key }) {
                    count += 1
                    let text = PrintedForm.cut.text(name, hash.bytes)
                    let writers = diagnose(readLog(text), path: "-", context).writers
                    if case .versions(let names, _)? = writers.first?.identity,
                        names.contains(version.name)
                    {
                        named += 1
                    }
                }
            }
        }
        print("\(named) of \(count) cut hashes name their version")
        #expect(count >= 100)
        #expect(Double(named) >= 0.9 * Double(count))
    }

    /// The codes of errors with one way out, and whether that is a command.
    private static let helps: [(codes: [Int], isCommand: Bool)] = [
        (Array(stride(from: 1550, through: 1680, by: 10)), true), ([133020, 133021], false),
        ([134060, 134150, 134160, 134170], false), ([134080, 134090], false),
        ([134100, 134130, 134504], true), ([134110], true), ([134111], true),
        ([134140, 134190], true), ([134505], true), ([134506], false),
        ([134010], false), ([134020], true), ([134120], false), ([134180], false),
    ]

    @Test func `each code has its way out`() throws {
        var codes: [[WayOut]: [Int]] = [:]
        for code in CoreDataErrorCode.allCases.map(\.number).sorted() {
            let ways = diagnose(readLog("Code=\(code)"), path: "-", nil).waysOut
            codes[ways, default: []].append(code)
        }
        #expect(Set(codes.values) == Set(Self.helps.map(\.codes)))
        for (ways, codes) in codes {
            let isCommand = Self.helps.first { $0.codes == codes }?.isCommand
            #expect(ways.contains { $0.command != nil } == isCommand, "\(codes)")
        }
    }

    /// A message, with a title among the symptoms and an outcome.
    static let messages: [(text: String, title: String)] = [
        ("open failed, Cocoa error 134100 for the store", "134100 NSPersistentStoreIncompat"),
        ("it said Can't find model for source store", "134130 NSMigrationMissingSource"),
        ("NSUnderlyingError Code=134140 no mapping", "134140 NSMigrationMissingMapping"),
        ("NSCocoaErrorDomain Code=134504 staged", "134504 NSManagedObjectModelRefer"),
        ("boom: staged migration with an unknown model version.", "134504 NSManaged"),
        ("Code=134505 while staging", "134505 NSStagedMigrationFramework"),
        ("A store file cannot be migrated backwards with staged migration", "134506 NSStaged"),
        (
            "attribute=born, entity=Person, missing attribute values on mandatory destination attribute",
            "Person.born"
        ),
        ("Code=134110 and UNIQUE constraint failed: ZBOOK.ZISBN", "ZBOOK.ZISBN"),
        ("reason=Source and destination attribute types are incompatible", "134190 NSInferred"),
        ("CoreData: error: (1) I/O error: no such table: ZBOOK", "ZBOOK"),
        ("SQLite error code:1, 'no such column: t0.ZPAGES'", "t0.ZPAGES"),
        ("error: database disk image is malformed", "SQLite error 11"),
        ("NSSQLiteErrorDomain=13 could not save", "SQLite error 13"),
        ("NSSQLiteErrorDomain Code=14", "SQLite error 14"),
        ("*** Duplicate version checksums detected", "checksum"),
        ("Can't merge models with two different entities named 'Book'", "Book"),
        ("Cannot merge multiple root entity source tables into one", "roots"),
        ("Cannot create or modify field 'CD_a' in record 'CD_B'", "CD_a"),
        (
            "CloudKit integration requires that all attributes be",
            "CloudKit"
        ),
        ("could not locate an entity named 'Book' in this model", "Book"),
    ]

    @Test(arguments: messages.indices)
    func `a message that somebody saw is explained, with a way out`(index: Int) throws {
        let message = Self.messages[index]
        let old = library.versions[0]
        let text = "\(message.text)\n\(metadata(of: old, .cut))"
        let diagnosis = diagnose(readLog(text), path: "-", try context(library))
        let words = diagnosis.symptoms.map(\.kind.words)
        #expect(words.contains { $0.title.contains(message.title) }, "\(words)")
        #expect(words.allSatisfy { !$0.meaning.isEmpty && !$0.meaning.hasSuffix(".") })
        guard case .versions(let names, .fragments)? = diagnosis.writers.first?.identity else {
            Issue.record("the version is not named")
            return
        }
        #expect(names == [old.name])
        #expect(diagnosis.waysOut.contains { $0.command != nil })
        #expect(!diagnosis.isHealthy)
    }

    @Test func `an edited version is the nearest, with what differs`() throws {
        var hashes = library.versions[0].hashes.entities
        let name = try #require(library.versions[0].hashes.entityNames.first)
        hashes[name] = VersionHash((0..<32).map { UInt8($0) })
        let lines = hashes.map { PrintedForm.groups.text($0.key, $0.value.bytes) }
        let diagnosis = diagnose(
            readLog(lines.joined(separator: "\n")),
            path: "-",
            try context(library)
        )
        guard case .nearest(let nearest, let differences, _)? = diagnosis.writers.first?.identity
        else {
            Issue.record("\(diagnosis.writers)")
            return
        }
        #expect(nearest == library.versions[0].name)
        #expect(differences == [EntityDifference(entity: name, kind: .differentHash)])
        guard case .sourceModelMissing? = diagnosis.writers.first?.forecast else {
            Issue.record("the forecast is another")
            return
        }
    }

    @Test func `hashes of entities that no version has are of another model`() throws {
        let lines = ["Song", "Album"].map { name in
            PrintedForm.groups.text(name, (0..<32).map { UInt8($0) })
        }
        let diagnosis = diagnose(
            readLog(lines.joined(separator: "\n")),
            path: "-",
            try context(library)
        )
        guard case .foreign(let entities)? = diagnosis.writers.first?.identity else {
            Issue.record("\(diagnosis.writers)")
            return
        }
        #expect(entities == ["Album", "Song"])
        let advice = diagnosis.waysOut.first?.advice.text(in: .code)
        #expect(advice?.contains("the model") == true)
    }

    @Test func `a store of an old version is migrated, by a command that does it`() throws {
        let path = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        let diagnosis = try diagnose(StoreFile(path: path), context(library))
        guard case .versions(["V1"], .hashes)? = diagnosis.writers.first?.identity else {
            Issue.record("\(diagnosis.writers)")
            return
        }
        #expect(diagnosis.findings.allSatisfy { $0.severity == .note })
        #expect(diagnosis.file?.pages ?? 0 > 0)
        #expect(diagnosis.waysOut.contains { $0.command?.begins(with: .migrate) == true })
    }
}

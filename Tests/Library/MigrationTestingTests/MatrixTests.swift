import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelLoading
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import Testing
import Momtool
import TestSupport

struct MatrixTests {
    private static func bundle(_ path: String) -> ModelBundle { readModelBundle(at: path).value }

    private static let own = ["Everything", "Library"].map {
        Corpus.package.appending(path: "Models/\($0).xcdatamodeld").path
    }

    private static func failures(_ path: String, seed: UInt64, rows: Int) throws -> [String] {
        let bundle = bundle(path)
        guard let target = bundle.currentVersion else { return [] }
        let options = MatrixOptions(
            rows: rows,
            seed: seed,
            skipsRefused: true,
            ledger: LossLedger(always: .all)
        )
        let tests = matrixTests(
            in: path,
            from: bundle.versions,
            to: target,
            by: try Migrator(models: [bundle]),
            options: options
        )
        return tests.map { $0.run() }.filter { $0.status == .failed }
            .map { "\($0.name): \($0.lines)" }
    }

    @Test(arguments: own, [1, 2, 3] as [UInt64])
    func `the repository's own models lose nothing`(path: String, seed: UInt64) throws {
        #expect(Self.bundle(path).versions.count >= 3)
        #expect(try Self.failures(path, seed: seed, rows: 12) == [])
    }

    @Test func `default values of data that may live in files are accounted for`() throws {
        func version(_ name: String, _ attributes: String...) -> ModelVersion {
            let data = attributes.map {
                Attribute(
                    name: $0,
                    type: .binary,
                    isOptional: false,
                    defaultValue: .binary(Data([2, 7])),
                    allowsExternalBinaryDataStorage: true
                )
            }
            let photo = Entity("Photo", data)
            let model = ManagedObjectModel([photo])
            return ModelVersion(name: name, isCurrent: name == "V2", model: model)
        }
        let versions = [version("V1", "copy"), version("V2", "copy", "data")]
        let bundle = ModelBundle(path: "Photos", versions: versions)
        let tests = matrixTests(
            in: "Photos",
            from: [versions[0]],
            to: versions[1],
            by: try Migrator(models: [bundle]),
            options: MatrixOptions(rows: 14, seed: 1)
        )
        #expect(tests.count == 1)
        for outcome in tests.map({ $0.run() }) { #expect(outcome.status == .passed, "\(outcome)") }
    }

    private func songs(_ name: String, moods: [String]?) -> ModelVersion {
        var mood = Attribute("mood", .composite, isOptional: false, compositeName: "Mood")
        let cases = moods?.map { EnumCases.Case(name: $0, value: .string($0)) }
        mood.enumCases = EnumCases(cases.map { ["mood": $0] } ?? [:])
        let added = name == "V2" ? [Attribute("number", .integer16)] : []
        let element = Attribute("mood", .string, isOptional: false)
        let model = ManagedObjectModel(
            [Entity("Song", [mood] + added)],
            composites: [CompositeType("Mood", [element])]
        )
        return ModelVersion(name: name, isCurrent: name == "V2", model: model)
    }

    @Test(
        arguments: [
            (["a", "b"], ["b", "c"], ["b"]), (nil, ["b", "c"], ["b", "c"]),
            (["a", "b"], nil, ["a", "b"]), (["a", "b", "c"], ["c", "b", "a"], ["a", "b", "c"]),
        ] as [([String]?, [String]?, Set<String>)]
    )
    func `generated values are those that an enum has on both sides`(
        old: [String]?,
        new: [String]?,
        values: Set<String>
    ) throws {
        let versions = [songs("V1", moods: old), songs("V2", moods: new)]
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let (model, target) = (versions[0].model, versions[1].model)
            try makeSampleStore(at: path, model: model, rows: 20, seed: 0, target: target)
            let rows = try StoreFile(path: path).connection.rows("SELECT * FROM ZSONG")
            #expect(Set(rows.flatMap { $0.compactMap(\.text) }) == values)
        }
        let bundle = ModelBundle(path: "Songs", versions: versions)
        let tests = matrixTests(
            in: "Songs",
            from: [versions[0]],
            to: versions[1],
            by: try Migrator(models: [bundle])
        )
        for outcome in tests.map({ $0.run() }) {
            #expect(outcome.status == .passed, "\(outcome)")
            #expect(!outcome.lines.contains { $0.contains("no case") }, "\(outcome)")
        }
    }

    static let corpus = Corpus.paths { path in
        ["xcdatamodeld", "momd"].contains { path.hasSuffix("." + $0) }
    }.map(Corpus.path)

    @Test(.enabled(if: Corpus.isPresent))
    func `models of real apps lose nothing`() throws {
        let bundles = Self.corpus.filter { Self.bundle($0).versions.count > 1 }
        #expect(bundles.count >= 10)
        for path in Sweep.part(of: bundles, every: 4) {
            #expect(try Self.failures(path, seed: 5, rows: 6) == [], "\(path)")
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `stores of a real app lose nothing, and their objects are counted`() throws {
        let app = "duckduckgo+BrowserServicesKit/"
        let bundle = Self.bundle(Corpus.path(app + "Sources/Bookmarks/BookmarksModel.xcdatamodeld"))
        let stores = Corpus.paths {
            $0.hasPrefix(app + "Tests/BookmarksTests") && $0.hasSuffix(".sqlite")
        }
        #expect(stores.count >= 5)
        let target = try #require(bundle.currentVersion)
        let tests = try fieldTests(
            in: "Bookmarks",
            ofStores: stores.map(Corpus.path),
            among: bundle.versions,
            to: target,
            by: try Migrator(models: [bundle]),
            options: MatrixOptions(ledger: LossLedger(always: .all))
        )
        for outcome in tests.map({ $0.run() }) {
            #expect(outcome.status == .passed, "\(outcome)")
            #expect(outcome.lines.last?.contains("BookmarkEntity") == true)
        }
    }

    private func rows(_ seed: UInt64) throws -> [UInt8] {
        let version = try #require(Self.bundle(Self.own[0]).versions.first)
        return try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: version.model, rows: 9, seed: seed)
            let dump = try StoreFile(path: path).connection.rows("SELECT * FROM ZSAMPLE")
            return Array("\(dump)".utf8)
        }
    }

    @Test func `the same seed gives the same objects, and another seed others`() throws {
        let first = try rows(1)
        #expect(try rows(1) == first)
        #expect(try rows(2) != first)
    }

    /// What generated objects must show, as conditions over the rows of the model that has everything.
    static let sights = [
        "ZOPTIONALINTEGER16 = -32768", "ZOPTIONALINTEGER16 = 32767",
        "ZOPTIONALINTEGER32 = -2147483648", "ZOPTIONALINTEGER64 = 9223372036854775807",
        "ZOPTIONALDOUBLE = 9e999", "ZOPTIONALDOUBLE > 1e308 AND ZOPTIONALDOUBLE < 9e999",
        "ZOPTIONALFLOAT > 3.4e38", "ZOPTIONALDECIMAL > 1e37", "ZOPTIONALDATE < -6e10",
        "ZOPTIONALDATE > 6e10", "ZOPTIONALSTRING = ''", "length(ZOPTIONALSTRING) > 50000",
        "ZOPTIONALSTRING LIKE '%👩‍👩‍👧%'", "ZOPTIONALSTRING IS NULL", "ZMANDATORYINTEGER32 = 70000",
        "length(ZOPTIONALBINARY) > 60000", "substr(ZPHOTO, 1, 1) = x'02'",
        "substr(ZPHOTO, 1, 1) = x'01'", "ZOPTIONALUUID = zeroblob(16)", "ZCITY IS NOT NULL",
        "ZFOLDER IS NULL", "ZFOLDER IS NOT NULL", "ZDEPTHD IS NOT NULL",
    ]

    @Test func `generated objects show the limits of every type, NULLs, defaults and links`() throws
    {
        let version = try #require(Self.bundle(Self.own[0]).versions.first)
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: version.model, rows: 20, seed: 0)
            let store = try StoreFile(path: path)
            #expect(
                try verify(store, against: version.model).filter { $0.severity == .error } == []
            )
            for sight in Self.sights {
                let sql = "SELECT count(*) FROM ZSAMPLE WHERE \(sight)"
                let count = try store.connection.value(sql)?.integer ?? 0
                #expect(count > 0, "\(sight)")
            }
        }
    }
}

import Diagnostics
import Foundation
import MigrationPlanning
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import SettingsFiles
import Testing

struct LibraryMigrationTests {
    static let steps = (0..<5).flatMap { from in ((from + 1)..<6).map { (from, $0) } }

    @Test(arguments: steps)
    func `the library goes from each version to each later one`(from: Int, to: Int) throws {
        let versions = libraryVersions()
        try withSample(versions[from].model, history: true) { store in
            let title = "\(versions[from].name) → \(versions[to].name)"
            let old = try store.file()
            let migration = try Migration(of: old, from: versions[from], to: versions[to])
            let before = try store.bytes()
            let result = try store.result(of: migration).path
            try expectWhole(result, from: old, migration, title)
            #expect(try store.bytes() == before)

            let other = store.place("InPlace.sqlite")
            try FileManager.default.copyItem(atPath: store.path, toPath: other)
            try migration.runInPlace(path: other, options: .agreed)
            try expectWhole(other, from: old, migration, "in place: \(title)")
            let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
            #expect(names.sorted() == ["InPlace.sqlite", "New.sqlite", "Store.sqlite"])
        }
    }

    @Test func `the app's metadata, the store's identity and the journal stay`() throws {
        let versions = libraryVersions()
        try withSample(versions[0].model) { store in
            do {
                let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
                var metadata = try StoreMetadata(connection)
                metadata.entries["com.example.syncToken"] = .data(Data([1, 2, 3]))
                metadata.entries["com.example.launches"] = .integer(7)
                try writeMetadata(metadata, on: connection)
            }
            let file = try store.file()
            let result = try store.result(of: store.migration(to: versions[3].model))
            let (old, new) = (try file.metadata(), try result.metadata())
            #expect(new.uuid == old.uuid)
            #expect(new.applicationKeys == ["com.example.launches", "com.example.syncToken"])
            #expect(new.entries["com.example.syncToken"] == .data(Data([1, 2, 3])))
            #expect(new.entries["com.example.launches"] == .integer(7))
            #expect(new.frameworkVersion == old.frameworkVersion)
            #expect(new.checksum == new.hashes.checksum)
            #expect(new.digest == new.hashes.digest)
            #expect(result.usesWriteAheadLog == file.usesWriteAheadLog)
        }
    }
}

struct BridgingRunTests {
    @Test func `values come through a proposed version between`() throws {
        let (old, new) = (modelOf("Item: value"), modelOf("Item: value:binary"))
        let plan = MigrationPlan(
            from: ModelVersion(name: "1", model: old),
            to: ModelVersion(name: "2", model: new)
        )
        let bridge = try #require(BridgingVersion(for: plan))
        try withStore(old, inserts("Item", "ZVALUE", "'abc'")) { store in
            let first = ManagedObjectModelReference(model: old, name: "1")
            let between = ManagedObjectModelReference(model: bridge.model, name: "between")
            let last = ManagedObjectModelReference(model: bridge.next, name: "2")
            let stages = StagedMigrationManager([
                .custom(CustomMigrationStage(migratingFrom: first, to: between)),
                .lightweight(LightweightMigrationStage([last])),
            ])
            let work = CustomStageWork.after("UPDATE Item SET newValue = CAST(value AS BLOB)")
            try Migration(of: store.file(), by: stages, works: [0: work])
                .runInPlace(path: store.path, options: .agreed)
            #expect(try store.file().metadata().hashes == versionHashes(of: new))
            #expect(try store.rows("SELECT ZVALUE FROM ZITEM") == [[.blob(Data("abc".utf8))]])
            #expect(try store.findings(new).map(\.description) == [])
        }
    }
}

struct CancelledMigrationTests {
    @Test func `a request to end that meets the check of the result is told as that`() throws {
        try StageModels.with { store in
            // The check of so many rows asks several times whether to stop.
            try store.execute(
                """
                INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZTITLE)
                WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
                SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Song'), 1, 'x' || i FROM n
                """,
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 30000 WHERE Z_NAME = 'Song'"
            )
            let migration = try Migration(of: store, StageModels.custom(1, 2, "stage"))
            let cancellation = MigrationCancellation()
            let options = MigrationOptions(cancellation: cancellation) { progress in
                if progress.isFinished { cancellation.cancel() }
            }
            #expect(
                throws: StoreMigrationError.interrupted(stage: "the migration", isTimeout: false)
            ) { try store.result(of: migration, options) }
            #expect(!FileManager.default.fileExists(atPath: store.place("New.sqlite")))
        }
    }
}

struct MappingModelRunTests {
    /// Every mapping model of the corpus, with the versions found by trying all pairs of all bundles beside it.
    private static func models(near mapping: String) -> [ModelVersion] {
        let repository = mapping.split(separator: "/").first.map(String.init) ?? ""
        if let known = known.withLock({ $0[repository] }) { return known }
        let paths = Corpus.paths { path in
            path.hasPrefix(repository + "/")
                && (path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel"))
        }
        let models = paths.flatMap { readModelBundle(at: Corpus.path($0)).value.versions }
        known.withLock { $0[repository] = models }
        return models
    }

    private static let known = Locked<[String: [ModelVersion]]>([:])

    private static func fits(
        _ mapping: MappingModelSource,
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel
    ) -> Bool {
        let (old, new) = (ModelGraph(old), ModelGraph(new))
        return mapping.entityMappings.allSatisfy { entity in
            let source = entity.sourceName.map { old.entity($0) != nil } ?? true
            guard let name = entity.destinationName else { return source }
            guard let destination = new.entity(name) else { return false }
            let known = Set(new.properties(of: destination).map(\.name))
            return source
                && (entity.attributes + entity.relationships).allSatisfy { known.contains($0.name) }
        }
    }

    /// The versions that a mapping names, where the new one has all that it maps.
    private static func versions(
        for mapping: MappingModelSource,
        near path: String,
        hashes: ModelHashes? = nil
    ) -> (ModelVersion, ModelVersion)? {
        func isNamed(_ version: ModelVersion, _ path: String?) -> Bool {
            let name = (path ?? "").split(separator: "/").last ?? ""
            return name.isEmpty || name == version.name + ".xcdatamodel"
        }
        let models = models(near: path)
        let news = models.filter { isNamed($0, mapping.destinationModelPath) }
        for old in models where isNamed(old, mapping.sourceModelPath) {
            let isNamed = mapping.sourceModelPath != nil && mapping.destinationModelPath != nil
            guard hashes == nil || old.hashes == hashes && isNamed else { continue }
            let fitting = news.filter { fits(mapping, old.model, $0.model) }
            // A store may be of any of the versions of one name.
            if let new = hashes == nil ? fitting.last : fitting.first { return (old, new) }
        }
        return nil
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `mapping models of the corpus run, or are refused by policy`() throws {
        let paths = Corpus.paths { $0.hasSuffix("/xcmapping.xml") || $0.hasSuffix(".cdm") }
        var (ran, refused) = (0, 0)
        var names: Set<String> = []
        for path in paths {
            let source = readMappingModel(at: Corpus.path(path))
            #expect(source.diagnostics == [], "\(path)")
            let map = stageMap(of: source.value, path: path)
            if map.hasErrors {
                let policies = source.value.entityMappings.compactMap(\.policyClassName)
                #expect(map.diagnostics.contains { $0.message.contains(policies.first ?? "?") })
                refused += 1
                names.formUnion(policies)
                continue
            }
            guard let (old, new) = Self.versions(for: source.value, near: path) else {
                Issue.record("no versions for \(path)")
                continue
            }
            try run(map.value, old.model, new.model, path)
            ran += 1
        }
        #expect(ran + refused == paths.count)
        let expected = [
            "CoreDataMigration_Example.Post2ToPost3MigrationPolicy",
            "Migrations.Country5ToCountry6Policy", "REPLACE_AT_RUNTIME.V2to3MakerPolicy",
        ]
        #expect(names.isSuperset(of: expected), "\(names.sorted())")
        #expect(ran >= 8 && refused >= 1, "\(ran) ran, \(refused) refused")
        print("mapping models: \(ran) ran, \(refused) refused by policy")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `mapping models of the corpus run on the real stores beside them`() throws {
        let mappings = Corpus.paths { $0.hasSuffix("/xcmapping.xml") }
        let stores = Corpus.paths { $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody") }
        var ran = 0
        var repositories: Set<String> = []
        for path in mappings {
            let source = readMappingModel(at: Corpus.path(path)).value
            let map = stageMap(of: source, path: path)
            guard !map.hasErrors else { continue }
            let repository = path.split(separator: "/").first ?? ""
            for name in stores where name.hasPrefix(repository + "/") {
                guard let store = try? StoreFile(path: Corpus.path(name)),
                    let hashes = try? store.metadata().hashes,
                    let (old, new) = Self.versions(for: source, near: path, hashes: hashes)
                else { continue }
                try runReal(map.value, old.model, new.model, store, "\(name) by \(path)")
                ran += 1
                repositories.insert(String(repository))
            }
        }
        print("mapping models: \(ran) runs on real stores of \(repositories.sorted())")
        let expected = [
            "apptentive+apptentive-ios", "objcio+core-data", "richardpiazza+XcodeServer",
        ]
        #expect(repositories.isSuperset(of: expected))
    }

    private func runReal(
        _ map: StageMap,
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel,
        _ store: StoreFile,
        _ title: String
    ) throws {
        try withFolder { folder in
            let result = folder.appending(path: "New.sqlite").path
            do {
                let work = CustomStageWork(map: map)
                try StageModels.migration(of: store, from: old, to: new, by: work)
                    .run(from: store, toNewFile: result, options: .agreed)
            } catch StoreMigrationError.unexpectedLayout {
                #expect(title.contains("Corrupt"))
                return
            } catch {
                Issue.record("\(title): \(error)")
                return
            }
            let known = try verify(store, against: old).map(\.rule)
            let findings = try verify(StoreFile(path: result), against: new).filter {
                $0.severity == .error && !known.contains($0.rule)
            }
            #expect(findings.map(\.description) == [], "\(title)")
        }
    }

    private func run(
        _ map: StageMap,
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel,
        _ title: String
    ) throws {
        try withSample(old) { store in
            let migration = try store.migration(to: new, by: CustomStageWork(map: map))
            do {
                let migrated = try store.result(of: migration)
                #expect(try migrated.metadata().hashes == versionHashes(of: new), "\(title)")
                #expect(try !migrated.rowCounts(of: migrated.schema()).isEmpty, "\(title)")
            } catch StoreMigrationError.rows(let findings) {
                // The rows of the sample may lack what a new mandatory property needs.
                let words = findings.map { $0.reason.text(in: .code) }
                let isMeant = words.allSatisfy { $0.contains("mandatory") }
                #expect(isMeant, "\(title): \(findings)")
            } catch StoreMigrationError.stageFindings(_, let findings) {
                let known = ["missing-value", "missing-destination", "destination-count"]
                let isMeant = findings.allSatisfy { known.contains($0.rule.rawValue) }
                #expect(isMeant, "\(title): \(findings)")
            }
        }
    }

    @Test(arguments: [
        "{from: Member, to: Nothing}", "{from: Nothing, to: Member}",
        "{from: Member, to: Member, set: {nickname: 1}}",
        "{from: Member, to: Member, set: {first: explode:(1)}}",
        "{from: Member, to: Member, set: {first: $source.age}}",
        "{from: Playlist, to: Playlist, set: {tracks: $source.title}}",
    ])
    func `what a map cannot do is said before anything is touched`(_ mapping: String) throws {
        try StageModels.with { store in
            let map = CustomStageWork.mapped("entities: [\(mapping)]")
            let error = #expect(throws: StoreMigrationError.self) {
                try Migration(of: store, StageModels.custom(1, 3, "s"), map)
                    .runInPlace(path: store.path)
            }
            if case .map(_, let diagnostics)? = error {
                #expect(diagnostics.count == 1)
            } else {
                Issue.record("\(String(describing: error))")
            }
            let checksum = try store.file().metadata().hashes.checksum
            #expect(checksum == StageModels.versions[0].checksum)
        }
    }

    @Test func `what is written again and what is counted is in the forecast`() throws {
        try withSample(modelOf("A: a b:integer64 c; B/A: d"), rows: 200) { store in
            func room(_ model: String) throws -> MigrationRoom {
                try store.migration(to: modelOf(model)).room(for: store.file())
            }
            let (one, two) = (try room("A: a b:integer64; B/A: d"), try room("A: a; B/A: d"))
            #expect(one.repeated > 0 && two.repeated > one.repeated)
            #expect(two.written == one.written)
            #expect(two.seconds(ofCopy: true) > one.seconds(ofCopy: true))
        }
    }
}

import Diagnostics
import Foundation
import MigrationPlanning
import ModelHashing
import ObjectModel
import ModelLoading
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import SettingsFiles
import Testing

/// `Country5ToCountry6Policy` of the corpus: the continent becomes an object, one for each code.
private struct ContinentPolicy: EntityMigrationPolicy {
    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        try manager.createDestinationInstance(forSource: source.id, in: mapping)
        let countries = try manager.destinationInstances(
            forEntityMappingName: mapping.name,
            sourceInstances: [source.id]
        )
        let code = try source.value("isoContinent")
        guard let country = countries.first, code != .null else { return }
        let store = manager.destinationContext
        let continent = try store.findOrCreate("Continent", ["numericISO3166Code": code])
        try store.update("Country", country, ["continent": .integer(continent)])
    }
}

private final class NotingPolicy: EntityMigrationPolicy {
    private let notes = Locked<[String]>([])

    var calls: [String] { notes.withLock { $0 } }
    private func note(_ call: String) { notes.withLock { $0.append(call) } }

    func begin(_ mapping: StageMap.EntityMap, with manager: MigrationManager) {
        note("begin \(mapping.name)")
        manager.userInfo["began"] = true
    }

    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        note("create \(try source.value("title").text ?? "-")")
        try manager.createDestinationInstance(forSource: source.id, in: mapping)
    }

    func endInstanceCreation(forMapping mapping: StageMap.EntityMap, manager: MigrationManager) {
        note("end of instances")
    }

    func createRelationships(
        forDestination destination: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        note("relate \(try destination.value("title").text ?? "-")")
        try manager.createRelationships(forDestination: destination.id, in: mapping)
    }

    func endRelationshipCreation(forMapping mapping: StageMap.EntityMap, manager: MigrationManager)
        throws
    {
        let songs = try manager.destinationContext.destinations("Playlist", "songs", of: 3)
        note("end of links: \(songs.count)")
        let again = try manager.sourceInstances(
            forEntityMappingName: mapping.name,
            destinationInstances: [4]
        )
        note("4 came of \(again)")
    }

    func performCustomValidation(forMapping mapping: StageMap.EntityMap, manager: MigrationManager)
    { note("validate \(manager.userInfo["began"] != nil)") }

    func end(_ mapping: StageMap.EntityMap, manager: MigrationManager) { note("end") }
}

struct MigrationPolicyTests {
    private static let folder = "objcio+core-data/Migrations/"

    @Test(.enabled(if: Corpus.isPresent))
    func `a registered policy carries out a mapping model of the corpus on its store`() throws {
        let mapping = Corpus.path(Self.folder + "Migrations/Moody 5-Moody 6.xcmappingmodel")
        let name = "Migrations.Country5ToCountry6Policy"
        let source = readMappingModel(at: mapping).value
        #expect(stageMap(of: source, path: mapping).diagnostics.map(\.rule) == [.mappingPolicy])
        let map = stageMap(of: source, path: mapping, policyNames: [name])
        #expect(map.diagnostics == [])

        let bundle = Corpus.path(Self.folder + "Migrations/Moody.xcdatamodeld")
        let versions = readModelBundle(at: bundle).value.versions
        let old = try #require(versions.first { $0.name == "Moody 5" }).model
        let new = try #require(versions.first { $0.name == "Moody 6" }).model
        let store = try StoreFile(path: Corpus.path(Self.folder + "MigrationsTests/Moody 5.moody"))
        let work = CustomStageWork(map: map.value)
        func migration(_ policies: MigrationPolicies) throws -> Migration {
            try StageModels.migration(of: store, from: old, to: new, by: work, policies)
        }
        try withFolder { folder in
            let result = folder.appending(path: "New.sqlite").path
            let error = #expect(throws: StoreMigrationError.self) {
                try migration(MigrationPolicies())
            }
            guard case .map(_, let told)? = error else { throw Fault() }
            #expect(told.map(\.rule) == ["unregistered-policy"] && told[0].message.contains(name))
            try migration(MigrationPolicies([name: ContinentPolicy()]))
                .run(from: store, toNewFile: result)
            let migrated = try StoreFile(path: result)
            #expect(try verify(migrated, against: new).filter { $0.severity == .error } == [])
            let moods = "(SELECT count(*) FROM ZMOOD AS m WHERE m.ZCOUNTRY = c.Z_PK)"
            let before = try store.connection.rows(
                "SELECT ZNUMERICISO3166CODE, ZISOCONTINENT, \(moods) FROM ZCOUNTRY AS c ORDER BY 1"
            )
            let after = try migrated.connection.rows(
                "SELECT c.ZNUMERICISO3166CODE, n.ZNUMERICISO3166CODE, \(moods) FROM ZCOUNTRY AS c "
                    + "LEFT JOIN ZCONTINENT AS n ON n.Z_PK = c.ZCONTINENT ORDER BY 1"
            )
            #expect(!before.isEmpty)
            #expect(after == before)
            let continents = try migrated.connection.value("SELECT count(*) FROM ZCONTINENT")
            #expect(continents == .integer(Int64(Set(before.map { $0[1] }).count)))
        }
    }

    /// Lets a policy perform the mapping of playlists, between two versions that are alike there.
    private func migrate(
        _ policy: any EntityMigrationPolicy,
        _ store: TestStore,
        timeout: Duration? = nil
    ) throws {
        let map = "{entities: [{from: Playlist, to: Playlist}], copyRest: true}"
        let work = CustomStageWork.mapped(map, policy: "App.Policy")
        let policies = MigrationPolicies(["App.Policy": policy])
        let options = MigrationOptions(timeout: timeout)
        try store.migrate(to: StageModels.v2, by: work, policies, options)
    }

    @Test func `the hooks of a policy are called as Core Data calls them`() throws {
        try StageModels.with { store in
            let policy = NotingPolicy()
            try migrate(policy, store)
            #expect(
                policy.calls == [
                    "begin PlaylistToPlaylist", "create Road", "create Home", "end of instances",
                    "relate Road", "relate Home", "end of links: 3", "4 came of [2]",
                    "validate true", "end",
                ]
            )
            let songs = "SELECT ZTITLE FROM ZSONG WHERE ZPLAYLIST = 3 ORDER BY Z_FOK_PLAYLIST"
            #expect(try store.texts(songs) == ["two", "four", "one"])
            #expect(try store.findings(StageModels.v2).map(\.description) == [])
        }
    }

    private struct Fault: Error {}

    private struct FaultyPolicy: EntityMigrationPolicy {
        var act: @Sendable (MigrationManager) throws -> Void

        func endRelationshipCreation(
            forMapping mapping: StageMap.EntityMap,
            manager: MigrationManager
        ) throws {
            try act(manager)
        }
    }

    private static let faults: [(act: @Sendable (MigrationManager) throws -> Void, word: String)] =
        [
            ({ _ in throw Fault() }, "Fault"),
            ({ try $0.sourceContext.insert("Song") }, "old_Song"),
            ({ try $0.sourceContext.update("Song", 1, ["title": .null]) }, "old_Song"),
            ({ try $0.destinationContext.rows("DELETE FROM Z_METADATA") }, "writing to"),
            ({ try $0.destinationContext.rows("DROP TABLE momtool_aside_0") }, "schema"),
            ({ while true { _ = try $0.destinationContext.count("Song") } }, "too long"),
        ]

    @Test(arguments: faults.indices)
    func `a policy that fails leaves the store as it was`(index: Int) throws {
        let fault = Self.faults[index]
        try StageModels.with { store in
            // Only what hangs may run out of time, however slow the machine is.
            let patience: Duration =
                fault.word == "too long" ? .milliseconds(300) : .seconds(600)
            let error = #expect(throws: (any Error).self) {
                try migrate(FaultyPolicy(act: fault.act), store, timeout: patience)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(fault.word), "\(text)")
            let checksum = try store.file().metadata().hashes.checksum
            #expect(checksum == StageModels.versions[0].checksum)
        }
    }

    @Test func `a policy of several mappings is told once`() {
        func mapping(_ name: String, _ policy: String) -> MappingModelSource.EntityMapping {
            MappingModelSource.EntityMapping(
                name: name,
                sourceName: name,
                destinationName: name,
                policyClassName: policy
            )
        }
        let source = MappingModelSource(
            entityMappings: [mapping("A", "Own"), mapping("B", "Other"), mapping("C", "Own")]
        )
        let told = stageMap(of: source, path: "m.cdm").diagnostics.map(\.message)
        #expect(told.count == 2)
        #expect(told[0].contains("'A', 'C'") && told[0].contains("'Own'"), "\(told)")
        #expect(told[1].contains("'B'") && told[1].contains("'Other'"), "\(told)")
    }
}

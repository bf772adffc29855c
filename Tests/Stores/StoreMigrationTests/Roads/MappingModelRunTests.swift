import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelHashing
import ModelLoading
import ObjectModel
import SettingsFiles
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MappingModelRunTests {
    struct Item: Sendable {
        var mapping: String
        var bundle: String
        var from: String
        var to: String
    }

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

    @Test(.enabled(if: Corpus.isPresent))
    func `mapping models of the corpus run on stores of their versions, or are refused by policy`()
        throws
    {
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
            let models = Self.models(near: path)
            let name = (source.value.sourceModelPath ?? "").split(separator: "/").last ?? ""
            let end = (source.value.destinationModelPath ?? "").split(separator: "/").last ?? ""
            func isNamed(_ model: String, _ path: Substring) -> Bool {
                path.isEmpty || path == model + ".xcdatamodel"
            }
            let old = models.first { old in
                isNamed(old.name, name)
                    && models.contains {
                        isNamed($0.name, end) && Self.fits(source.value, old.model, $0.model)
                    }
            }
            guard let old,
                let new = models.last(where: {
                    isNamed($0.name, end) && Self.fits(source.value, old.model, $0.model)
                })
            else {
                Issue.record("no versions for \(path): \(name) → \(end)")
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
            let models = Self.models(near: path)
            let end = (source.destinationModelPath ?? "").split(separator: "/").last ?? ""
            let repository = path.split(separator: "/").first ?? ""
            for name in stores where name.hasPrefix(repository + "/") {
                guard let store = try? StoreFile(path: Corpus.path(name)),
                    let hashes = try? store.metadata().hashes,
                    let old = models.first(where: { $0.hashes == hashes }),
                    (source.sourceModelPath ?? "").hasSuffix("/" + old.name + ".xcdatamodel"),
                    let new = models.first(where: {
                        $0.name + ".xcdatamodel" == end && Self.fits(source, old.model, $0.model)
                    })
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

    private func migration(
        of store: StoreFile,
        by map: StageMap,
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel
    ) throws -> Migration {
        let stage = CustomMigrationStage(
            migratingFrom: ManagedObjectModelReference(model: old, name: "old"),
            to: ManagedObjectModelReference(model: new, name: "new")
        )
        return try Migration(
            of: store,
            by: StagedMigrationManager([.custom(stage)]),
            works: [0: CustomStageWork(map: map)]
        )
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
                try migration(of: store, by: map, old, new)
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
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeSampleStore(at: path, model: old)
            let store = try StoreFile(path: path)
            let migration = try migration(of: store, by: map, old, new)
            let result = folder.appending(path: "New.sqlite").path
            do throws(StoreMigrationError) {
                try migration.run(from: store, toNewFile: result, options: .agreed)
            } catch {
                // The rows of the sample may lack what a new mandatory property needs.
                let known = ["missing-value", "missing-destination", "destination-count"]
                if case .rows(let findings) = error,
                    findings.allSatisfy({
                        $0.reason.text(in: .code).contains("the attribute is mandatory")
                    })
                {
                    return
                }
                guard case .stageFindings(_, let findings) = error else {
                    Issue.record("\(title): \(error)")
                    return
                }
                let faults = findings.filter { !known.contains($0.rule.rawValue) }
                let comment = Comment(rawValue: "\(title): \(error)")
                if !faults.isEmpty { Issue.record(comment) }
                return
            }
            let migrated = try StoreFile(path: result)
            #expect(try migrated.metadata().hashes == versionHashes(of: new), "\(title)")
            #expect(try !migrated.rowCounts(of: migrated.schema()).isEmpty, "\(title)")
        }
    }

    @Test func `what a map cannot do is said before anything is touched`() throws {
        let faults = [
            "entities: [{from: Member, to: Nothing}]", "entities: [{from: Nothing, to: Member}]",
            "entities: [{from: Member, to: Member, set: {nickname: 1}}]",
            "entities: [{from: Member, to: Member, set: {first: explode:(1)}}]",
            "entities: [{from: Member, to: Member, set: {first: $source.age}}]",
            "entities: [{from: Playlist, to: Playlist, set: {tracks: $source.title}}]",
        ]
        for fault in faults {
            let map = readStageMap(fault, path: "m.yml")
            #expect(map.diagnostics == [], "\(fault)")
            try withFolder { folder in
                let path = folder.appending(path: "Store.sqlite").path
                try StageModels.makeStore(at: path)
                let store = try StoreFile(path: path)
                do throws(StoreMigrationError) {
                    let migration = try Migration(
                        of: store,
                        by: StagedMigrationManager([StageModels.custom(1, 3, "s")]),
                        works: [0: CustomStageWork(map: map.value)]
                    )
                    try migration.runInPlace(path: path)
                    Issue.record("\(fault) was done")
                } catch {
                    guard case .map(_, let diagnostics) = error else {
                        Issue.record("\(fault): \(error)")
                        return
                    }
                    #expect(diagnostics.count == 1)
                }
                #expect(
                    try StoreFile(path: path).metadata().hashes.checksum
                        == StageModels.versions[0].checksum
                )
            }
        }
    }
}

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
        try withFolder { folder in
            let store = TestStore(folder: folder, model: old)
            try makeSampleStore(at: store.path, model: old)
            let migration = try store.migration(to: new, by: CustomStageWork(map: map))
            do {
                let migrated = try store.result(of: migration)
                #expect(try migrated.metadata().hashes == versionHashes(of: new), "\(title)")
                #expect(try !migrated.rowCounts(of: migrated.schema()).isEmpty, "\(title)")
            } catch StoreMigrationError.rows(let findings) {
                // The rows of the sample may lack what a new mandatory property needs.
                let words = findings.map { $0.reason.text(in: .code) }
                let isMeant = words.allSatisfy { $0.contains("the attribute is mandatory") }
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
}

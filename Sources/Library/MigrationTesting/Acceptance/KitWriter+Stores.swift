import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles
import StoreFormat
import StoreMigration

private let sampleCount = 5

extension KitWriter {
    /// Adds a case: its rows as a store, the store that momtool migrates it to, and what Core Data should do with both.
    package mutating func add(_ migrationCase: MigrationCase, named name: String) {
        attempt(name) { writer, name in
            let bundle = try readCaseModel(migrationCase.url(of: migrationCase.file.model).path)
            guard !bundle.hasErrors || bundle.isReadableInParts else {
                let errors = bundle.diagnostics.filter { $0.severity == .error }
                throw MomtoolError(.badData, saying: errors)
            }
            writer.addVersions(of: bundle.value, named: name)
            // Its models are still asked about.
            guard migrationCase.file.skipReason == nil else { return }
            try writer.addStore(of: migrationCase, name, bundle.value)
        }
    }

    private mutating func addStore(
        of migrationCase: MigrationCase,
        _ name: String,
        _ bundle: ModelBundle
    ) throws {
        // Core Data does not ask before it drops data, regardless of what the case allows.
        var agreed = migrationCase
        agreed.file.allowsDataLoss = .all
        guard let source = bundle.version(named: agreed.file.from),
            let target = agreed.file.to.map({ bundle.version(named: $0) }) ?? bundle.currentVersion,
            source.entitiesWithGaps.isEmpty, target.entitiesWithGaps.isEmpty
        else { return }
        var item = try item(name, from: source, to: target)
        let place = try newStoreFolder()
        let (before, after) = ("\(place)/before.sqlite", "\(place)/after.sqlite")
        let path = folder.appending(path: before).path
        try agreed.makeStore(at: path, source.model)
        item.before = before
        item.expected["old-opens"] = .string("opened")
        let store = try StoreFile(path: path)
        item.history = try store.schema().contains(where: \.isHistoryTable) ? true : nil
        let ending = try agreed.migrate(
            store,
            from: source,
            to: target,
            in: bundle,
            resultPath: folder.appending(path: after).path
        )
        try? Files.remove(at: folder.appending(path: "\(place)/plan.txt").path)
        var isMigrated = false
        if case .migrated = ending {
            isMigrated = true
            item.after = after
            try expectObjects(in: &item, target)
        }
        if let stages = agreed.file.stages {
            // A faulty list is neither migrated by momtool nor put to Core Data.
            guard let read = try? agreed.read(stages, in: bundle) else { return add(item) }
            try expectStages(read, isMigrated, in: &item)
        } else {
            let route = try? agreed.migrator(to: target, in: bundle).route(from: source)
            if route?.mappingModels.isEmpty ?? true {
                expectOwnMigration(from: source, to: target, isMigrated, in: &item)
            }
        }
        add(item)
    }

    mutating func addSampleStore(
        _ name: String,
        from source: ModelVersion,
        to target: ModelVersion,
        in bundle: ModelBundle
    ) throws {
        var item = try item(name, from: source, to: target)
        let place = try newStoreFolder()
        let (before, after) = ("\(place)/before.sqlite", "\(place)/after.sqlite")
        let path = folder.appending(path: before).path
        try makeSampleStore(
            at: path,
            model: source.model,
            rows: sampleCount,
            seed: 1,
            target: target.model,
            without: RowsLeftOut(from: source, to: target, .all)
        )
        item.before = before
        item.expected["old-opens"] = .string("opened")
        let migrator = try Migrator(models: [bundle], to: target.name)
        let store = try StoreFile(path: path)
        let migration = try migrator.migration(of: store, mayGoBack: true)
        let options = MigrationOptions(acceptsLosses: .all)
        let output = folder.appending(path: after).path
        _ = try migration.run(from: store, toNewFile: output, options: options)
        item.after = after
        try expectObjects(in: &item, target)
        expectOwnMigration(from: source, to: target, true, in: &item)
        add(item)
    }

    private mutating func item(
        _ name: String,
        from source: ModelVersion,
        to target: ModelVersion
    ) throws -> AcceptanceItem {
        var item = AcceptanceItem(.store, name)
        let (old, new) = (try files(of: source), try files(of: target))
        (item.from, item.to) = (old.model, new.model)
        item.models = [old.model, new.model]
        item.rules = Self.rules(of: inferMapping(from: source, to: target))
        return item
    }

    /// What Core Data is to find, without a migration, in the store that momtool migrated.
    private func expectObjects(in item: inout AcceptanceItem, _ target: ModelVersion) throws {
        guard let after = item.after else { return }
        let store = try StoreFile(path: folder.appending(path: after).path)
        item.expected["opens"] = .string("opened")
        item.expected["objects"] = try acceptanceObjects(of: store, model: target.model)
        item.expected["saves"] = .string("saved")
    }

    /// The expected result when Core Data migrates the old store itself, in one inferred step.
    private func expectOwnMigration(
        from source: ModelVersion,
        to target: ModelVersion,
        _ isMigrated: Bool,
        in item: inout AcceptanceItem
    ) {
        let mapping = inferMapping(from: source, to: target)
        guard mapping.isInferable else {
            item.expected["own-migration"] = Self.refusal(of: mapping)
            return
        }
        item.expected["own-migration"] = .string(isMigrated ? "migrated" : "refused")
        if isMigrated { item.expected["own-objects"] = item.expected["objects"] }
    }

    /// The expected result if Core Data runs the stages; it cannot run those with work of their own.
    private mutating func expectStages(
        _ stages: Stages,
        _ isMigrated: Bool,
        in item: inout AcceptanceItem
    ) throws {
        guard stages.works.isEmpty else { return }
        var list: [AcceptanceItem.Stage] = []
        for stage in stages.manager.stages {
            var versions: [AcceptanceItem.Version] = []
            for reference in stage.versions {
                guard let version = reference.version else { return }
                let model = try files(of: version).model
                versions.append(.init(model: model, checksum: reference.versionChecksum))
                item.models = (item.models ?? []).filter { $0 != model } + [model]
            }
            let isCustom = if case .custom = stage { true } else { false }
            list.append(AcceptanceItem.Stage(custom: isCustom, versions: versions))
        }
        item.stages = list
        item.expected["own-migration"] = .string(isMigrated ? "migrated" : "refused")
        if isMigrated { item.expected["own-objects"] = item.expected["objects"] }
    }
}

package import Diagnostics
package import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelCompiling
import ModelHashing
package import ModelLoading
import Momtool
import ObjectModel
import PropertyLists
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration

/// Writes a kit for the acceptance program: compiled models, stores that momtool makes and migrates, and expectations.
///
/// Files of a kit are numbered, so that no name of a model or a case leads out of its folder.
package struct KitWriter {
    package private(set) var kit: AcceptanceKit
    package private(set) var remarks: [Diagnostic] = []
    let folder: URL
    /// By the path and the name of the version.
    private var versions: [[String]: VersionFiles] = [:]
    private var steps: Set<[[String]]> = []
    private var storeCount = 0

    struct VersionFiles: Hashable {
        /// The compiled model; the source where only Apple's compiler may compile it.
        var model: String
        var source: String?
        var isCompiled: Bool
    }

    package init(folder: URL, momtool: String) throws {
        self.folder = folder
        kit = AcceptanceKit(momtool: momtool)
        for name in ["Models", "Sources", "Stores"] {
            try Files.makeFolder(at: folder.appending(path: name).path)
        }
    }

    /// Writes `kit.json`, which completes the kit.
    package func finish() throws {
        try kit.encoded().write(to: folder.appending(path: AcceptanceKit.fileName))
    }

    /// Adds a model's versions, the steps between them, and stores of generated objects that lead to the current one.
    package mutating func add(_ bundle: ModelBundle, named name: String) {
        addVersions(of: bundle, named: name)
        guard let target = bundle.currentVersion ?? bundle.versions.last,
            target.entitiesWithGaps.isEmpty
        else { return }
        for version in bundle.versions
        where !version.isSame(as: target) && version.entitiesWithGaps.isEmpty {
            let title = "\(name) objects of \(version.name)"
            attempt(title) { try $0.addSampleStore($1, from: version, to: target, in: bundle) }
        }
    }

    mutating func addVersions(of bundle: ModelBundle, named name: String) {
        for version in bundle.versions {
            attempt("\(name) \(version.name)") { try $0.addModel(version, $1) }
        }
        let known = bundle.versions.filter { $0.entitiesWithGaps.isEmpty }
        for from in known {
            for to in known where from.hashes != to.hashes {
                attempt("\(name) \(from.name) to \(to.name)") { try $0.addStep(from, to, $1) }
            }
        }
    }

    /// Runs some work; a fault stops only this work.
    mutating func attempt(_ name: String, _ body: (inout KitWriter, String) throws -> Void) {
        do { try body(&self, name) } catch {
            remark(name, "left out: \(MomtoolError(error).lines.joined(separator: "\n"))")
        }
    }

    mutating func remark(_ name: String, _ wording: Wording) {
        remarks.append(
            Diagnostic("left-out-of-kit", saying: "\(name): \(wording)", severity: .note)
        )
    }

    mutating func add(_ item: AcceptanceItem) { kit.items.append(item) }

    mutating func newStoreFolder() throws -> String {
        storeCount += 1
        let path = "Stores/\(storeCount)"
        try Files.makeFolder(at: folder.appending(path: path).path, alone: true)
        return path
    }

    mutating func files(of version: ModelVersion) throws -> VersionFiles {
        if let known = versions[[version.path, version.name]] { return known }
        let number = versions.count + 1
        var files = VersionFiles(model: "Models/\(number).mom", source: nil, isCompiled: true)
        let contents = fileURL(version.path).appending(path: "contents")
        if let text = try? Data(contentsOf: contents) {
            let source = "Sources/\(number).xcdatamodel"
            let place = folder.appending(path: source)
            try Files.makeFolder(at: place.path)
            try text.write(to: place.appending(path: "contents"))
            files.source = source
        }
        let compiled = compileModel(version.model)
        if version.entitiesWithGaps.isEmpty, !compiled.hasErrors {
            try compiled.value.binaryData.write(to: folder.appending(path: files.model))
        } else if let source = files.source {
            (files.model, files.isCompiled) = (source, false)
        } else {
            let reason: Wording = "momtool does not compile this version"
            throw MomtoolError(.refused, saying: reason, "not-compiled")
        }
        versions[[version.path, version.name]] = files
        return files
    }

    private mutating func addModel(_ version: ModelVersion, _ name: String) throws {
        guard versions[[version.path, version.name]] == nil else { return }
        let files = try files(of: version)
        var item = AcceptanceItem(.model, name)
        (item.compiled, item.source) = (files.model, files.source)
        item.expected["loads"] = .boolean(true)
        guard files.isCompiled else {
            // The answer is the result of Apple's compiler.
            item.expected["entity-hashes"] = .null
            add(item)
            return
        }
        let hashes = version.hashes.entities.mapValues { hash in
            JSONValue.string(Data(hash.bytes).base64EncodedString())
        }
        item.expected["entity-hashes"] = .object(hashes)
        item.expected["checksum"] = .string(version.checksum)
        item.expected["layout"] = try layout(of: version)
        if files.source != nil {
            item.expected["momc-hashes"] = .object(hashes)
            item.expected["equals-momc"] = .boolean(true)
            item.expected["momc-renamings"] = Self.renamings(in: version.model)
        }
        add(item)
    }

    /// The renaming identifiers that differ from the names, which no hash covers.
    private static func renamings(in model: ManagedObjectModel) -> JSONValue {
        var identifiers: [String: JSONValue] = [:]
        for entity in model.entities {
            if let identifier = entity.renamingIdentifier, identifier != entity.name {
                identifiers[entity.name] = .string(identifier)
            }
            let properties =
                entity.attributes.map { $0 as any Property }
                + entity.relationships.map { $0 as any Property }
            for property in properties {
                guard let identifier = property.renamingIdentifier, identifier != property.name
                else { continue }
                identifiers["\(entity.name).\(property.name)"] = .string(identifier)
            }
        }
        return .object(identifiers)
    }

    private func layout(of version: ModelVersion) throws -> JSONValue {
        let work = try TemporaryFolder()
        let path = work.url.appending(path: "Empty.sqlite").path
        try createStore(at: path, model: version.model)
        let rows = try StoreFile(path: path).connection.rows(
            """
            SELECT type || ' ' || name || ': ' || ifnull(sql, '') FROM sqlite_master
            WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name
            """
        )
        return .list(rows.compactMap { $0[0].text.map { .string($0) } })
    }

    private mutating func addStep(_ from: ModelVersion, _ to: ModelVersion, _ name: String) throws {
        guard steps.insert([[from.path, from.name], [to.path, to.name]]).inserted else { return }
        let (old, new) = (try files(of: from), try files(of: to))
        let mapping = inferMapping(from: from, to: to)
        var item = AcceptanceItem(.step, name)
        (item.from, item.to) = (old.model, new.model)
        item.rules = Self.rules(of: mapping)
        if mapping.isInferable {
            item.expected["inference"] = .string("inferred")
            let names = mapping.entityMappings.map(\.name).sorted {
                $0.utf16.lexicographicallyPrecedes($1.utf16)
            }
            item.expected["mapping"] = .list(names.map { .string($0) })
        } else {
            item.expected["inference"] = Self.refusal(of: mapping)
        }
        add(item)
    }

    /// The expectation for a refused step: null where that is a guess.
    static func refusal(of mapping: InferredMapping) -> JSONValue {
        mapping.refusals.allSatisfy(\.evidence.isGuess) ? .null : .string("refused")
    }

    static func rules(of mapping: InferredMapping) -> [AcceptanceRule] {
        let judged = mapping.judgements.map {
            AcceptanceRule(rule: $0.rule.rawValue, evidence: $0.evidence.rawValue)
        }
        let refused = mapping.refusals.map {
            AcceptanceRule(rule: $0.rule.rawValue, evidence: $0.evidence.rawValue)
        }
        return Set(judged + refused).sorted()
    }
}

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

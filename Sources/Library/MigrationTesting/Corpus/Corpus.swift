import Diagnostics
import Essentials
import FileSystem
import ModelHashing
package import ModelLoading
package import Momtool
import ObjectModel
import RowExchange
package import SettingsFiles
import StoreFormat
import StoreMigration

/// A folder with a store of each version that shipped, and what each must have when the app has migrated it.
///
/// The rows are those of the store, as far as the current version has them; where a migration gives other ones, a file
/// beside the store has them.
package struct Corpus: Sendable {
    package static let folderName = "Corpus"

    package let folder: String
    package let bundle: ModelBundle
    /// What `corpus.json` says; `nil` where there is none.
    package let index: CorpusIndex?
    package let shipped: [ShippedVersion]
    /// The files of the rows that the team gives, by the name of the store.
    private let rows: [String: String]

    package init(
        at folder: String,
        _ bundle: ModelBundle,
        _ settings: ToolConfiguration,
        _ swift: SwiftSettings
    ) {
        (self.folder, self.bundle) = (folder, bundle)
        index = CorpusIndex.read(in: folder)
        shipped = bundle.shippedVersions(settings, swift)
        rows = settings.rowFiles
    }

    package var stores: [String] { (index?.stores ?? []).map { path($0.name, ".sqlite") } }

    /// The rows that each store must have after its migration, by the path of the store.
    package var recordedRows: [String: RecordedRows] {
        let target = index.flatMap { bundle.version(named: $0.version) }
        let all = bundle.versions + shipped.map(\.version)
        return (index?.stores ?? []).reduce(into: [:]) { rows, store in
            let (path, file) = (path(store.name, ".sqlite"), path(store.name, ".json"))
            let isRecorded = Files.exists(at: file)
            let version = isRecorded ? target : all.first { $0.checksum == store.checksum }
            rows[path] = version.map {
                RecordedRows(path: isRecorded ? file : path, model: $0.model)
            }
        }
    }

    /// The shipped versions without a store in the corpus.
    package var missing: [ShippedVersion] {
        let known = Set((index?.stores ?? []).map(\.checksum))
        return shipped.filter { !known.contains($0.version.checksum) }
    }

    /// The names of the stores whose rows the team changed later.
    package var stale: [String] {
        (index?.stores ?? []).filter { $0.rows != (try? digest(ofRows: $0.name)) }.map(\.name)
    }

    /// The hash of the rows that the team gives for a store.
    private func digest(ofRows name: String) throws -> String? {
        try rows[name].map {
            String(stableHash(of: try readText($0, limit: 64 << 20).utf8), radix: 16)
        }
    }

    func path(_ name: String, _ ending: String) -> String { "\(folder)/\(name)\(ending)" }

    /// Makes the stores that are missing, and records the rows of all of them at the current version; returns what was
    /// done, and whether all of them are migrated.
    package func record(
        by migrator: Migrator,
        _ options: MatrixOptions
    ) throws -> (lines: [String], isWhole: Bool) {
        try Files.makeFolder(at: folder)
        try renameStores()
        let target = try bundle.chosenVersion(nil)
        var index = CorpusIndex(
            model: relativePath(
                from: fileURL(folder).standardizedFileURL,
                to: fileURL(bundle.path).standardizedFileURL
            ),
            version: target.name
        )
        var lines = rows.keys.sorted().filter { name in !shipped.contains { $0.name == name } }
            .map { "\(folder): the rows of '\($0)' are not used: no shipped version has that name" }
        var external: Set<[String]> = []
        var isWhole = true
        for version in shipped {
            // The files of one store show what those of the others would.
            let isFirst = external.insert(version.version.model.externalAttributes).inserted
            let path = path(version.name, ".sqlite")
            let digest = try digest(ofRows: version.name)
            let known = self.index?.stores.first {
                $0.name == version.name && $0.checksum == version.version.checksum
            }
            let isOfVersion =
                (try? StoreFile(path: path).metadata().hashes) == version.version.hashes
            let isThere = isOfVersion && known?.rows == digest
            if !isThere {
                let isKnown = known != nil && isOfVersion
                try make(version, at: path, for: target, isFirst ? 3 : 0, replacing: isKnown)
            }
            var (store, reason, facts) = try migrated(
                version,
                at: path,
                by: migrator,
                to: target,
                options
            )
            store.entities = facts.map { index.places(of: $0) }
            (store.tags, store.rows) = (version.tags, digest)
            index.stores.append(store)
            isWhole = isWhole && reason == nil
            let end = reason.map { ": \($0)" } ?? ""
            lines.append("\(path): \(isThere ? "recorded again" : "written")\(end)")
        }
        if let old = self.index { index.keepOthers(of: old) }
        try write(try index.encoded(), to: "\(folder)/\(CorpusIndex.fileName)")
        let source = Data(corpusTestSource(of: bundle).utf8)
        let test = "\(folder)/CorpusTests.swift"
        // What the app's test does to open a store is the team's own.
        if !Files.exists(at: test) {
            try write(source, to: test)
            lines.append("\(test): written")
        }
        return (lines, isWhole)
    }

    /// Gives the stores of versions that were renamed, or frozen under a name of their own, the present names.
    private func renameStores() throws {
        for store in index?.stores ?? [] {
            let twins = shipped.filter { $0.version.checksum == store.checksum }
            guard let name = twins.first?.name, !twins.contains(where: { $0.name == store.name }),
                !Files.exists(at: path(name, ".sqlite"))
            else { continue }
            let (old, new) = (path(store.name, ".sqlite"), path(name, ".sqlite"))
            for (from, to) in [
                (old, new), (path(store.name, ".json"), path(name, ".json")),
                (supportFolder(of: old), supportFolder(of: new)),
            ] where Files.exists(at: from) {
                try FileManager.default.moveItem(at: fileURL(from), to: fileURL(to))
            }
        }
    }

    private func supportFolder(of store: String) -> String {
        externalDataFolder(of: store).deletingLastPathComponent().path
    }

    /// Makes the store of a version: with the team's rows, else with generated ones.
    private func make(
        _ version: ShippedVersion,
        at path: String,
        for target: ModelVersion,
        _ files: Int,
        replacing isKnown: Bool
    ) throws {
        guard isKnown || !Files.exists(at: path) else {
            throw MomtoolError(
                .cannotCreate,
                path,
                "its version is not '\(version.name)'; move it away",
                "file-exists"
            )
        }
        // The store's identity follows from the model, so that two runs give the same bytes.
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) {
            $0.copyBytes(from: (Data(base64Encoded: version.version.checksum) ?? Data()).prefix(16))
        }
        let (model, uuid) = (version.version.model, UUID(uuid: bytes))
        guard let rows = rows[version.name] else {
            try remove(storeAt: path)
            return try makeSampleStore(
                at: path,
                model: model,
                seed: 0,
                target: target.model,
                uuid: uuid,
                smallWithFiles: files
            )
        }
        var options = StoreCreationOptions(uuid: uuid)
        options.pageSize = 512
        // Rows with a fault leave the old store.
        let work = try TemporaryFolder()
        defer { withExtendedLifetime(work) {} }
        for place in [work.url.appending(path: "trial.sqlite").path, path] {
            if place == path { try remove(storeAt: path) }
            try createStore(at: place, model: model, rows: RowSource(path: rows), options: options)
        }
    }

    private func remove(storeAt path: String) throws {
        for file in [path, externalDataFolder(of: path).path] where Files.exists(at: file) {
            try Files.remove(at: file)
        }
    }

    /// Migrates a store as the app does, and writes down its rows; or says why it is not migrated.
    private func migrated(
        _ version: ShippedVersion,
        at path: String,
        by migrator: Migrator,
        to target: ModelVersion,
        _ options: MatrixOptions
    ) throws -> (CorpusIndex.Store, reason: String?, [String: CorpusIndex.EntityFacts]?) {
        var entry = CorpusIndex.Store(
            name: version.name,
            version: version.version.name,
            tags: [],
            checksum: version.version.checksum
        )
        let isKnown = bundle.versions.contains { $0.hashes == version.version.hashes }
        guard isKnown || target.isMigratedUnasked else {
            entry.version = nil
            let reason = "no version of the model has its hashes: the app cannot open it (134130)"
            return (entry, reason, nil)
        }
        let store = try StoreFile(path: path)
        let work = try TemporaryFolder()
        defer { withExtendedLifetime(work) {} }
        var (result, isInferred) = (store, true)
        do {
            let migration = try migrator.migration(of: store, mayGoBack: true)
            if let refusal = migrator.refusal(of: migration.route) { return (entry, refusal, nil) }
            isInferred = migration.route.steps.allSatisfy { $0.kind == .lightweight }
            if !migration.steps.isEmpty {
                let after = work.url.appending(path: "after.sqlite").path
                let runOptions = options.running(migration, in: work.url)
                _ = try migrator.run(migration, from: store, toNewFile: after, options: runOptions)
                { _ in }
                result = try StoreFile(path: after)
            }
        } catch {
            let error = MomtoolError(error)
            let reason = error.description(in: options.words).trimmingPrefix("error: ")
            let isByRows = !error.findings.isEmpty && rows[version.name] == nil
            let next = isByRows ? "; or name other rows under 'rows:' in .momtool.yml" : ""
            return (entry, "not migrated: \(reason)\(next)", nil)
        }
        let own = RecordedRows(path: path, model: version.version.model)
        let file = self.path(version.name, ".json")
        if isInferred, try own.differences(in: result, target.model, work: work.url).isEmpty {
            if Files.exists(at: file) { try Files.remove(at: file) }
        } else {
            try write(Data(try exportedRows(of: result, model: target.model)), to: file)
        }
        return (entry, nil, try StoreDump(result, model: target.model).facts(target.model))
    }

    private func write(_ data: Data, to path: String) throws {
        try data.write(to: fileURL(path), options: .atomic)
    }
}

extension ManagedObjectModel {
    /// The attributes whose values may have files of their own.
    fileprivate var externalAttributes: [String] {
        entities.flatMap { entity in
            entity.attributes.filter(\.allowsExternalBinaryDataStorage)
                .map { "\(entity.name).\($0.name)" }
        }
    }
}

extension CorpusIndex {
    package static func read(in folder: String) -> CorpusIndex? {
        let text = try? readText("\(folder)/\(fileName)", limit: 64 << 20)
        let index = text.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
        // A name is that of files in the folder.
        guard let index, index.stores.allSatisfy({ !$0.name.contains("/") }) else { return nil }
        return index
    }

    fileprivate func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        // A line for each store and each entity, so that a difference in git is that of one.
        func list(_ name: String, _ values: [some Encodable]) throws -> String {
            "\"\(name)\":[\n\(try values.map(text).joined(separator: ",\n"))\n]"
        }
        var head = self
        (head.stores, head.facts) = ([], [])
        let whole = try text(head).replacing(#""stores":[]"#, with: try list("stores", stores))
            .replacing(#""facts":[]"#, with: try list("facts", facts))
        return Data("\(whole)\n".utf8)
    }
}

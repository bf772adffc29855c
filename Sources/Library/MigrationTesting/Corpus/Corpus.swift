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

/// A folder with a store of each version that shipped, and the rows that each must have when the app has migrated it.
///
/// ```swift
/// let corpus = Corpus(at: "Corpus", bundle, settings, SwiftSettings())
/// for line in try corpus.record(by: migrator, MatrixOptions()) { print(line) }
/// ```
package struct Corpus: Sendable {
    package static let folderName = "Corpus"

    package let folder: String
    package let bundle: ModelBundle
    /// What `corpus.json` says; `nil` where there is none.
    package let index: CorpusIndex?
    package let shipped: [ShippedVersion]

    package init(
        at folder: String,
        _ bundle: ModelBundle,
        _ settings: ToolConfiguration,
        _ swift: SwiftSettings
    ) {
        (self.folder, self.bundle) = (folder, bundle)
        index = CorpusIndex.read(in: folder)
        shipped = bundle.shippedVersions(settings, swift)
    }

    /// The paths of the stores.
    package var stores: [String] { (index?.stores ?? []).map { path($0.name, ".sqlite") } }

    /// The shipped versions without a store in the corpus.
    package var missing: [ShippedVersion] {
        let known = Set((index?.stores ?? []).map(\.checksum))
        return shipped.filter { !known.contains($0.version.checksum) }
    }

    func path(_ name: String, _ ending: String) -> String { "\(folder)/\(name)\(ending)" }

    /// Makes the stores that are missing, and records the rows of all of them at the current version.
    ///
    /// The same model gives the same bytes. Returns a line for each store.
    package func record(by migrator: Migrator, _ options: MatrixOptions) throws -> [String] {
        try Files.makeFolder(at: folder)
        let target = try bundle.chosenVersion(nil)
        var index = CorpusIndex(
            model: relativePath(
                from: fileURL(folder).standardizedFileURL,
                to: fileURL(bundle.path).standardizedFileURL
            ),
            version: target.name
        )
        let known = Set((self.index?.stores ?? []).map(\.checksum))
        var lines: [String] = []
        for version in shipped {
            let path = path(version.name, ".sqlite")
            let isThere = known.contains(version.version.checksum) && Files.exists(at: path)
            if !isThere { try make(version, at: path, for: target) }
            var (store, reason) = try migrated(version, at: path, by: migrator, to: target, options)
            store.tags = version.tags
            index.stores.append(store)
            let end = reason.map { ": \($0)" } ?? ""
            lines.append("\(path): \(isThere ? "recorded again" : "written")\(end)")
        }
        let gone = (self.index?.stores ?? []).filter { store in
            !index.stores.contains { $0.checksum == store.checksum }
        }
        index.stores += gone
        try write(try index.encoded(), to: "\(folder)/\(CorpusIndex.fileName)")
        let source = Data(corpusTestSource(ofModel: fileURL(bundle.path)).utf8)
        let test = "\(folder)/CorpusTests.swift"
        // What the app's test does to open a store is the team's own.
        if !Files.exists(at: test) {
            try write(source, to: test)
            lines.append("\(test): written")
        }
        return lines
    }

    private func make(_ version: ShippedVersion, at path: String, for target: ModelVersion) throws {
        guard !Files.exists(at: path) else {
            throw MomtoolError(
                .cannotCreate,
                path,
                "its version is not '\(version.name)'; move it away",
                "file-exists"
            )
        }
        // The store's identity follows from the model, so that two runs give the same bytes.
        var identity = UUID().uuid
        withUnsafeMutableBytes(of: &identity) {
            $0.copyBytes(from: (Data(base64Encoded: version.version.checksum) ?? Data()).prefix(16))
        }
        try makeSampleStore(
            at: path,
            model: version.version.model,
            rows: 7,
            seed: 0,
            target: target.model,
            uuid: UUID(uuid: identity),
            isSmall: true
        )
    }

    /// Migrates a store as the app does, and writes down its rows; or says why it is not migrated.
    private func migrated(
        _ version: ShippedVersion,
        at path: String,
        by migrator: Migrator,
        to target: ModelVersion,
        _ options: MatrixOptions
    ) throws -> (CorpusIndex.Store, reason: String?) {
        var entry = CorpusIndex.Store(
            name: version.name,
            version: version.version.name,
            tags: [],
            checksum: version.version.checksum
        )
        guard bundle.versions.contains(where: { $0.hashes == version.version.hashes }) else {
            entry.version = nil
            return (
                entry, "no version of the model has its hashes: the app cannot open it (134130)"
            )
        }
        let store = try StoreFile(path: path)
        let work = try TemporaryFolder()
        defer { withExtendedLifetime(work) {} }
        var result = store
        do {
            let migration = try migrator.migration(of: store, mayGoBack: true)
            if let refusal = migrator.refusal(of: migration.route) { return (entry, refusal) }
            if !migration.steps.isEmpty {
                let after = work.url.appending(path: "after.sqlite").path
                let runOptions = options.running(migration, in: work.url)
                _ = try migrator.run(migration, from: store, toNewFile: after, options: runOptions)
                { _ in }
                result = try StoreFile(path: after)
            }
        } catch { return (entry, MomtoolError(error).description(in: options.words)) }
        let rows = Data(try exportedRows(of: result, model: target.model))
        try write(rows, to: self.path(version.name, ".json"))
        entry.entities = try StoreDump(result, model: target.model).facts(target.model)
        return (entry, nil)
    }

    private func write(_ data: Data, to path: String) throws {
        try data.write(to: fileURL(path), options: .atomic)
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
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

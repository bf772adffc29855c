import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import ModelHashing
import ModelLoading
package import Momtool
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration

enum CaseEnding {
    /// With what kept an order that Core Data loses.
    case migrated([KeptOrder])
    /// Before anything was done.
    case refused(String)
    /// Before anything was done, and only by momtool: Core Data would continue and drop the data.
    case asked(String)
    /// While running.
    case failed(String)

    func adding(_ line: String) -> CaseEnding {
        switch self {
        case .migrated: self
        case .refused(let reason): .refused("\(reason)\n\(line)")
        case .asked(let reason): .asked("\(reason)\n\(line)")
        case .failed(let reason): .failed("\(reason)\n\(line)")
        }
    }
}

extension MigrationCase {
    func migrate(
        _ store: StoreFile,
        from source: ModelVersion,
        to target: ModelVersion,
        in bundle: ModelBundle,
        resultPath path: String,
        _ runOptions: CaseRunOptions = CaseRunOptions(),
        remark: (String) -> Void = { _ in }
    ) throws -> CaseEnding {
        let plan = fileURL(path).deletingLastPathComponent().appending(path: "plan.txt")
        let agreement = file.allowsDataLoss.union(
            try bundle.lossLedger(.recorded).agreement(from: source, to: target)
        )
        var options = MigrationOptions(acceptsLosses: agreement)
        options.allowsPrograms = runOptions.allowsPrograms
        var advice: String?
        var kept: [KeptOrder] = []
        let ending = try ending(in: agreeing(in: runOptions.words)) {
            let migrator = try migrator(to: target, in: bundle)
            for finding in migrator.stages?.value.findings() ?? []
            where finding.rule == .needlessCustomStage {
                remark(finding.description(in: runOptions.words))
            }
            let migration = try migrator.migration(of: store, mayGoBack: true)
            write(planText(of: migration), to: plan)
            if let reason = migrator.refusal(of: migration.route) { return reason }
            for note in migrator.stages?.value.unrunNotes(on: migration.route) ?? [] {
                remark(note.description(in: runOptions.words))
            }
            try migrator.run(migration, from: store, toNewFile: path, options: options) {
                advice = $0
            }
            kept = migration.keptOrders(inStoreAt: path)
            return nil
        }
        if case .migrated = ending { return .migrated(kept) }
        return advice.map(ending.adding) ?? ending
    }

    /// The names of what the migration of the case's rows loses, agreed to or not; none where no app takes the route.
    package func lossesAtStake() throws -> [String] {
        let work = try TemporaryFolder()
        defer { withExtendedLifetime(work) {} }
        let bundle = try readCaseModel(url(of: file.model).path).value
        guard let source = bundle.version(named: file.from) else { return [] }
        let before = work.url.appending(path: "before.sqlite").path
        try makeStore(at: before, source.model)
        let store = try StoreFile(path: before)
        let migrator = try migrator(to: bundle.chosenVersion(file.to), in: bundle)
        let migration = try migrator.migration(of: store, mayGoBack: true)
        guard migrator.refusal(of: migration.route) == nil else { return [] }
        let names = try migration.findings(in: store).filter(\.isLoss).map(\.name)
        return Set(names).sorted()
    }

    /// Finds the migrations of the case: through its own stages, or as `momtool migrate` does.
    func migrator(to target: ModelVersion, in bundle: ModelBundle) throws -> Migrator {
        guard let stages = file.stages else {
            let path = url(of: file.model).path
            try Migrator.requireNone(of: code.handlers, path)
            return try Migrator(
                by: settings(for: path),
                of: bundle,
                to: target.name,
                mappingModels: mappingModels()
            ).calling(code.policies)
        }
        let read = try read(stages, in: bundle).adding(code.handlers)
        let isListed = read.manager.version(target.name) != nil
        return try Migrator(stages: read, to: isListed ? target.name : nil).calling(code.policies)
    }

    /// Reads the stages of the case; throws the faults of the list and of the files it names.
    func read(_ stages: CaseFile.Stages, in bundle: ModelBundle) throws(MomtoolError) -> Stages {
        let mappings = try mappingModels()
        let read =
            switch stages {
            case .list(let list):
                try Stages.resolve(list, models: [bundle], mappingModels: mappings)
            case .file(let path):
                try Stages.read(url(of: path).path, models: [bundle], mappingModels: mappings)
            }
        let faults = read.diagnostics.filter { $0.severity == .error } + read.value.faults
        guard faults.isEmpty else { throw MomtoolError(.refused, saying: faults) }
        return read.value
    }

    /// Reads the configuration near the model, so that a mistake in it is reported once and not by each case.
    package func requireSettings() throws(MomtoolError) {
        guard file.skipReason == nil else { return }
        _ = try settings(for: url(of: file.model).path)
    }

    /// The mapping models of the case, or those of the configuration near its model, or those found near it.
    package func mappingModels() throws(MomtoolError) -> MappingModels {
        let model = url(of: file.model).path
        var settings = try settings(for: model)
        guard file.mappingModels.isEmpty else {
            var named = try MappingModels(
                settings: file.mappingModels,
                policies: file.policies,
                in: folder.path
            )
            named.isStepwise = settings.isStepwise
            return named.registering(code.policies.keys)
        }
        // Paths of the case start from its folder.
        let own = file.policies.mapValues { MappingPolicy(word: $0) == nil ? url(of: $0).path : $0 }
        settings.policies.merge(own) { $1 }
        return try MappingModels(around: model, settings).binding.registering(code.policies.keys)
    }

    /// The ending of a migration; `body` returns why no app would take it, if so.
    private func ending(in words: Words, _ body: () throws -> String?) throws -> CaseEnding {
        do {
            return try body().map { .refused($0) } ?? .migrated([])
        } catch {
            let error = MomtoolError(error)
            guard let migration = error.migration else {
                guard error.kind == .refused else { throw error }
                return .refused(error.description(in: words))
            }
            let text = migration.wording.text(in: words)
            switch migration {
            case .rows(let findings):
                return findings.allSatisfy(\.isLoss) ? .asked(text) : .refused(text)
            case .otherApp, .programNotAllowed, .noRoom: return .asked(text)
            case .notInferable, .stages, .map, .inTheWay, .damaged: return .refused(text)
            case .checkFailed, .script, .handler, .stageFindings, .interrupted: return .failed(text)
            case .store, .unexpectedLayout: throw migration
            }
        }
    }

    /// Only readers use the plan: a case does not fail because it cannot be written.
    private func write(_ text: String, to url: URL) { try? Data((text + "\n").utf8).write(to: url) }
}

/// A migration for people: for each step the treatment of the tables, then the statements.
func planText(of migration: Migration) -> String {
    let steps = migration.steps.map { step in
        guard let program = step.program else { return step.title }
        let changes = program.changes.map { "\($0.table): \($0.treatment.rawValue)" }
        let statements = program.steps.map { "-- \($0.purpose)\n\($0.sql);" }
        let title = migration.route.isDirect ? [] : [step.title]
        return (title + changes + [""] + statements).joined(separator: "\n")
    }
    return steps.isEmpty ? "nothing to do" : steps.joined(separator: "\n\n")
}

/// Reads the model of a case; cases share models.
///
/// The last models are kept until one of their files changes. Cases running in parallel wait for the one that reads: Swift
/// sources take longer to parse than a case to run.
func readCaseModel(_ path: String) throws -> Diagnosed<ModelBundle> {
    let place = ModelPlace(path)
    guard let files = place.filesRead else { return try place.read() }
    let state = files.map(FileState.init)
    return try memory.withLock { memory in
        if let known = memory.first(where: { $0.path == path && $0.state == state }) {
            return known.bundle
        }
        let bundle = try place.read()
        memory.removeAll { $0.path == path }
        memory.append((path, state, bundle))
        if memory.count > greatestCount { memory.removeFirst() }
        return bundle
    }
}

/// The state that shows whether a file has changed.
private struct FileState: Hashable, Sendable {
    var path: String
    var numbers: [Int64]

    init(_ path: String) {
        self.path = path
        var status = stat()
        guard fileStatus(path, &status) == 0 else {
            numbers = []
            return
        }
        #if os(macOS)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        numbers = [
            Int64(status.st_ino), Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec),
        ]
    }
}

private let memory = Locked<
    [(path: String, state: [FileState], bundle: Diagnosed<ModelBundle>)]
>([])
private let greatestCount = 8

/// Copies a store as a migration does: with its log and external files, without what its journal rolls back.
func copyStore(at path: String, to copy: String) throws {
    let store = try StoreFile(path: path)
    let connection = try store.copy(to: copy, reportedPath: path)
    if store.usesWriteAheadLog { try connection.setJournal("wal") }
    let external = externalDataFolder(of: path).deletingLastPathComponent().path
    if exists(external) {
        let target = externalDataFolder(of: copy).deletingLastPathComponent().path
        try copyFolder(from: external, to: target)
    }
    try store.requireUnchanged()
}

/// The external values that differ beside a migrated store, which may have moved some into itself.
func missingExternalFiles(of path: String, in result: String) throws(StoreError) -> [String] {
    let (old, new) = (externalDataFolder(of: path), externalDataFolder(of: result))
    let names = (try? Files.names(in: old.path)) ?? []
    guard !names.isEmpty else { return [] }
    let named = Set(try namedExternalFiles(on: StoreFile(path: result).connection))
    return names.sorted().filter(named.contains).filter { name in
        !Files.areEqual(old.appending(path: name).path, new.appending(path: name).path)
    }.map { "the large value in the file \($0) differs" }
}

/// The faults of a migrated store beside its rows: version identifiers and model cache.
func systemFaults(of store: StoreFile, _ version: ModelVersion) throws -> [String] {
    var faults: [String] = []
    let identifiers = try store.metadata().versionIdentifiers
    let expected = version.model.versionIdentifiers
    if identifiers != expected {
        faults.append("the version identifiers are \(identifiers), expected \(expected)")
    }
    guard let archive = try store.modelArchive() else { return faults }
    let cached = readCompiledModel(archive, path: store.path).value
    if versionHashes(of: cached) != version.hashes {
        faults.append("the model cache holds another version of the model")
    }
    return faults
}

extension MigrationCase {
    func missingFacts(in store: StoreFile) throws -> [String] {
        try file.facts.compactMap { fact in
            let rows = try store.connection.rows(fact.sql).map { row in
                row.map(words).joined(separator: "|")
            }
            guard !rows.elementsEqual(fact.gives, by: { haveSameBytes($0, $1) }) else { return nil }
            let place =
                fact.location.map { "\(FileLocation(path: $0.path, line: $0.line)): " } ?? ""
            return "\(place)\(fact.sql): gives \(rows), expected \(fact.gives)"
        }
    }

    private func words(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): "\(value)"
        case .text(let text): text
        case .blob(let data): "\(data.count.counted("byte"))"
        }
    }

    func keepArtifacts(of outcome: CaseOutcome, from work: URL, at artifacts: URL) {
        let bundle = try? readCaseModel(url(of: file.model).path).value
        let target = file.to.flatMap { bundle?.version(named: $0) } ?? bundle?.currentVersion
        MigrationTesting.keepArtifacts(
            of: outcome,
            from: work,
            given: try? givenStore(),
            at: artifacts,
            source: bundle?.version(named: file.from)?.model,
            target: target?.model
        )
    }
}

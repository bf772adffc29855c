package import Diagnostics
package import LogReading
import MappingInference
import ModelDiffing
import ModelHashing
import ModelLoading
package import ObjectModel
package import SQLiteAccess
package import StoreFormat
package import StoreMigration

/// A version that only the lock of a model has, or that was edited since it was locked.
package struct AbsentVersion: Sendable, Hashable {
    package var name: String
    package var hashes: ModelHashes
    /// What is wrong with its stores, for people.
    package var remark: String
    /// The day of its removal from the model; `nil` if its source is missing, was edited or cannot be read.
    package var prunedDay: String?

    package init(name: String, hashes: ModelHashes, remark: String, prunedDay: String? = nil) {
        (self.name, self.hashes, self.remark) = (name, hashes, remark)
        self.prunedDay = prunedDay
    }
}

package struct ModelContext: Sendable {
    /// The model as the user named it, for commands.
    package var argument: String
    package var versions: [ModelVersion]
    /// Those that commands can name in an argument: versions in git, or merged from several models, are not files.
    package var named: [ModelVersion]
    /// The models that the app merges, as the user named them; empty where there is one.
    package var merged: [String] = []
    package var current: ModelVersion
    /// The configuration to which the versions are narrowed; `nil` where they have all entities.
    package var configuration: String?
    /// Finds how the app migrates stores of a version; `nil` where only inference is known.
    package var route: (@Sendable (ModelVersion) -> AppRoute)?
    /// The versions that only the lock has, or that were edited since.
    package var absent: [AbsentVersion] = []
    package var unreadable: [String] = []
    package var isNewer: @Sendable (ModelVersion) -> Bool = { _ in false }
    /// Finds where git has a version that was removed from the app; `nil` for one that it has.
    package var gone: @Sendable (ModelVersion) -> GoneVersion? = { _ in nil }
    /// The app's stages that fail at launch for any store, with their faults.
    package var faultyStages: (path: String, faults: [Diagnostic])?
    /// Lists the mapping models for the steps of a route that cannot be used, a line each.
    package var notes: @Sendable (MigrationRoute) -> [Wording] = { _ in [] }
    /// Marks what a migration may lose by the configuration and the lock.
    package var markingAllowed: @Sendable ([RowFinding], Migration) -> [RowFinding] = { found, _ in
        found
    }

    package init(
        argument: String,
        versions: [ModelVersion],
        named: [ModelVersion]? = nil,
        current: ModelVersion
    ) {
        self.argument = argument
        self.named = named ?? versions
        (self.versions, self.current) = (versions, current)
    }
}

/// Diagnoses a store, and finds what to do; `context` is the app's model, and a total of progress is 0 while unknown.
package func diagnose(
    _ store: StoreFile,
    _ context: ModelContext?,
    cancellation: MigrationCancellation? = nil,
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil
) throws(StoreError) -> Diagnosis {
    let watch = DiagnosisWatch(progress: progress, cancellation: cancellation)
    let metadata = try store.metadata()
    // A model without entities has no hashes, and its store is intact.
    let isOfEmptyModel =
        context?.versions.contains {
            $0.model.entities.isEmpty && $0.hashes == metadata.hashes
        } ?? false
    guard metadata.saysVersion || isOfEmptyModel else {
        let reason = "they do not say which version wrote the store"
        let error = StoreError.damagedMetadata(path: store.path, reason: reason)
        return diagnoseUnreadable(store.path, because: error, context)
    }
    let own = try ownModel(of: store)
    let (writer, model) = writer(of: store, metadata, own, context, watch)
    try watch.check(store.path)
    var findings = try findings(in: store, against: model, watch)
    try watch.check(store.path)
    let hasStrayLog = findings.contains { $0.rule == .damagedDatabase } && isSpoiltByLog(store)
    if hasStrayLog { findings.append(Diagnostic(.damagedDatabase, strayLogWords(store.path))) }
    let file = try FileCondition(of: store, hasModel: own != nil)
    var diagnosis = Diagnosis(subject: store.path, writers: [writer], file: file)
    diagnosis.findings = findings
    diagnosis.hasStrayLog = hasStrayLog
    if !hasStrayLog, let model,
        writer.obstacle != nil || findings.contains(where: { $0.severity != .note })
    {
        diagnosis.repair = try? StoreRepair(
            of: store,
            against: model,
            isFileSound: !findings.contains { $0.rule == .damagedDatabase },
            cancellation: cancellation
        )
        try watch.check(store.path)
    }
    diagnosis.waysOut = waysOut(of: diagnosis, context, isOwnModelUsable: own != nil)
    return diagnosis
}

/// Whether a damaged store is intact without its log; an index that differs is rebuilt, and costs no saves.
private func isSpoiltByLog(_ store: StoreFile) -> Bool {
    guard StoreFile.isWholeWithoutLog(store.path), let faults = try? store.integrityFaults() else {
        return false
    }
    return damagedIndexes(by: faults) == nil
}

/// The version that wrote a store, and the model to look at its rows with.
private func writer(
    of store: StoreFile,
    _ metadata: StoreMetadata,
    _ own: ModelVersion?,
    _ context: ModelContext?,
    _ watch: DiagnosisWatch
) -> (Diagnosis.Writer, ManagedObjectModel?) {
    guard let context else {
        let name = own.map { _ in WriterIdentity.versions(["the model in the store"], .ownModel) }
        return (Diagnosis.Writer(identity: name ?? .unknown, Outlook(.unknown)), own?.model)
    }
    let versions = context.versions
    let equals = versions.places(withHashes: metadata.hashes).map { versions[$0] }
    let choice = WriterChoice(
        among: equals,
        identifiers: metadata.versionIdentifiers,
        embedded: { own?.model }
    )
    guard let choice else {
        let identity = nearest(metadata.hashes, own, context)
        var outlook = Outlook(.sourceModelMissing)
        if let own, context.current.isMigratedUnasked, !identity.isForeign {
            outlook = Outlook(from: own, context, store: store, watch)
        }
        return (Diagnosis.Writer(identity: identity, outlook), own?.model)
    }
    let source = equals[choice.place]
    // A version that differs from the current one only in name is the current one.
    let isCurrent = source.hashes == context.current.hashes
    var writer = Diagnosis.Writer(
        identity: .versions(equals.map(\.name), .hashes),
        Outlook(from: source, context, store: store, watch)
    )
    if equals.count > 1 { writer.distinction = (source.name, choice.proof) }
    writer.notes += context.configuration.map { ["the store is of configuration '\($0)'"] } ?? []
    return (writer, isCurrent ? context.current.model : source.model)
}

/// The faults of a store; without a model, only of its database.
private func findings(
    in store: StoreFile,
    against model: ManagedObjectModel?,
    _ watch: DiagnosisWatch
) throws(StoreError) -> [Diagnostic] {
    guard let model else {
        return try store.integrityFaults().map { Diagnostic(.damagedDatabase, $0) }
    }
    return try verify(
        store,
        against: model,
        notesJoinTables: true,
        notesOwnerless: ownerlessLimit,
        notesContents: true,
        progress: watch.progress(of: store)
    )
}

/// Diagnoses what a log shows about a store, and finds advice.
package func diagnose(_ log: LogContents, path: String, _ context: ModelContext?) -> Diagnosis {
    var diagnosis = Diagnosis(
        subject: path,
        writers: context.map { writers(of: log, $0) }
            ?? log.hashes.map {
                Diagnosis.Writer(place: "line \($0.line)", identity: .unknown, Outlook(.unknown))
            },
        symptoms: log.symptoms
    )
    diagnosis.waysOut = waysOut(of: diagnosis, context, isOwnModelUsable: false)
    return diagnosis
}

private func writers(of log: LogContents, _ context: ModelContext) -> [Diagnosis.Writer] {
    // A code that means another version excludes the current one.
    let isOther = log.symptoms.contains { differingCodes.contains($0.kind) }
    let others = context.versions.filter { !isOther || $0.hashes != context.current.hashes }
    let (narrow, search) = (WriterSearch(others), WriterSearch(context.versions))
    func find(_ hashes: LoggedHashes) -> (identity: WriterIdentity, version: ModelVersion?) {
        let found = narrow.find(hashes)
        if case .versions = found.0 { return found }
        let all = search.find(hashes)
        if case .versions = all.0 { return all }
        let absent = context.absent.first { version in
            version.hashes.entities.count == hashes.entities.count
                && hashes.entities.allSatisfy { name, fragment in
                    version.hashes.entities[name].map(fragment.matches) ?? false
                }
        }
        return absent.map { (.absent($0), nil) } ?? all
    }
    var writers: [Diagnosis.Writer] = []
    // The hashes of a store tell who wrote it; without any, all printed ones may be it.
    let ofStores = log.hashes.filter(\.isOfStore)
    for hashes in ofStores.isEmpty ? log.hashes : ofStores {
        writers.append(writer(find(hashes), at: hashes.line, context, isOther: isOther))
    }
    if writers.isEmpty {
        for value in log.values {
            guard let found = narrow.find(value) ?? search.find(value) else { continue }
            writers.append(writer(found, at: value.line, context, isOther: isOther))
        }
    }
    return writers
}

private let differingCodes: Set<LoggedSymptom.Kind> = [
    .code(.incompatibleVersionHash), .code(.migrationMissingSourceModel),
    .code(.migrationMissingMappingModel), .code(.inferredMappingModel),
    .code(.managedObjectModelReferenceNotFound), .code(.migration),
]

private func writer(
    _ found: (identity: WriterIdentity, version: ModelVersion?),
    at line: Int,
    _ context: ModelContext,
    isOther: Bool
) -> Diagnosis.Writer {
    var outlook = found.version.map { Outlook(from: $0, context) } ?? Outlook(.unknown)
    switch found.identity {
    case .nearest, .absent, .foreign: outlook = Outlook(.sourceModelMissing)
    case .versions, .unknown: break
    }
    if case .opens = outlook.forecast {
        // Some entities do not prove that all others are equal.
        if case .versions(_, .someEntities) = found.identity { outlook = Outlook(.unknown) }
        if isOther { outlook = Outlook(.unknown) }
    }
    return Diagnosis.Writer(place: "line \(line)", identity: found.identity, outlook)
}

/// The model that a store carries, when it can be read and agrees with the metadata.
func ownModel(of store: StoreFile) throws(StoreError) -> ModelVersion? {
    // A damaged cache tells nothing; the metadata count.
    guard let archive = try? store.modelArchive() else { return nil }
    let read = readCompiledModel(archive, path: store.path)
    guard !read.hasErrors else { return nil }
    let version = ModelVersion(name: "the store's own model", path: store.path, model: read.value)
    return try version.hashes == store.metadata().hashes ? version : nil
}

private func nearest(
    _ hashes: ModelHashes,
    _ own: ModelVersion?,
    _ context: ModelContext
) -> WriterIdentity {
    if let absent = context.absent.first(where: { $0.hashes == hashes }) { return .absent(absent) }
    let known = Set(context.versions.flatMap(\.hashes.entityNames))
    if !hashes.entities.isEmpty, known.isDisjoint(with: hashes.entityNames) {
        return .foreign(hashes.entityNames.sorted())
    }
    switch StoreFormat.identify(storeHashes: hashes, among: context.versions) {
    case .exact(let names): return .versions(names, .hashes)
    case .unknown: return .unknown
    case .nearest(let name, let differences):
        guard let own, let version = context.versions.last(where: { $0.name == name }) else {
            return .nearest(name, differences, changes: [])
        }
        let changes = inferMapping(from: own, to: version).judgements.filter {
            $0.change.movesVersionHash
        }
        return .nearest(name, differences, changes: changes)
    }
}

/// The progress and cancellation of a diagnosis.
struct DiagnosisWatch {
    var progress: ((_ done: Int, _ total: Int) -> Void)?
    var cancellation: MigrationCancellation?

    /// Progress for work on a store, which interrupts its statement when it is cancelled.
    func progress(of store: StoreFile) -> ((_ done: Int, _ total: Int) -> Void)? {
        guard let cancellation else { return progress }
        return { done, total in
            progress?(done, total)
            if cancellation.isCancelled { store.connection.interrupt() }
        }
    }

    func check(_ path: String) throws(StoreError) {
        guard cancellation?.isCancelled != true else { throw .cancelled(path) }
    }
}

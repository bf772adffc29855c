import Diagnostics
import Essentials
package import LogReading
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration

/// What to do with a sound database whose metadata are lost or garbled; `nil` for another fault.
func waysOut(ofUnrecordedVersion path: String, _ context: ModelContext?) -> [WayOut]? {
    guard let store = try? StoreFile(path: path, requiringSystemTables: false),
        (try? store.integrityFaults())?.isEmpty == true, (try? store.metadata().saysVersion) != true
    else { return nil }
    let lost = hasUUID(store) ? "" : "the UUID of the store and "
    let first =
        [copyWay] + (store.lacksLog ? [lostLogWay(path)] : []) + [
            WayOut(
                """
                restore it from a recent backup if there is one: \(lost)the app's own metadata \
                \(lost.isEmpty ? "is" : "are") lost here
                """
            )
        ]
    let (file, model) = (shellWord(path), context.map { shellWord($0.argument) })
    let candidates = candidates(for: store, context)
    guard let best = candidates.first else {
        if let ways = waysOut(byModelOf: store, context) { return first + ways }
        if let model, context?.named.isEmpty == false {
            return first + [adoption(of: path, by: model, context.map(\.named) ?? [])]
        }
        return first + [
            WayOut(
                "name the app's model to find the version that fits its tables",
                .call(.doctor, .text(file), .model("MODEL"))
            )
        ]
    }
    // What else is wrong is decided in the same call.
    if candidates.count == 1, let repair = best.repair(of: store), !repair.obstacles.isEmpty {
        return first + best.waysOut(by: repair, of: store, context)
    }
    let names = candidates.map { $0.name.map { "'\($0)'" } ?? "the model in the store" }
    return first + [
        WayOut(
            """
            write its metadata again: all tables fit \(names.joined(separator: ", "))\
            \(names.count > 1 ? "; name the one that the app had" : ""); \(.rehearsal)
            """,
            .call(.repair, [.text(file)] + best.words + [.output("Repaired.sqlite")])
        ), repairedWay(model ?? "MODEL"),
    ]
}

/// Whether the UUID of a store is beside its metadata.
///
/// A view instead of the table may never end.
private func hasUUID(_ store: StoreFile) -> Bool {
    let isTable = try? store.schema().contains { $0.kind == .table && $0.name == "Z_METADATA" }
    guard isTable == true else { return false }
    let uuid = try? store.connection.value("SELECT Z_UUID FROM Z_METADATA")?.text
    return uuid?.isEmpty == false
}

/// How to give metadata to a store that has lost tables too, so that no version fits.
private func adoption(of path: String, by model: String, _ versions: [ModelVersion]) -> WayOut {
    let rescue = RescueFolder(for: path, "metadata")
    let copy =
        "ATTACH \(rescue.quoted("Empty.sqlite")) AS empty; CREATE TABLE IF NOT EXISTS Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, "
        + "Z_UUID VARCHAR(255), Z_PLIST BLOB); INSERT OR REPLACE INTO Z_METADATA SELECT * FROM empty.Z_METADATA"
    return WayOut(
        """
        no version fits all tables; if you know which one wrote it, give a copy the metadata of an empty store of that \
        version, and try a repair; for VERSION write one of \
        \(versions.map { "'\($0.name)'" }.listed(most: 20))
        """,
        rescue.making
            // Names of versions have spaces.
            + .call(
                .create,
                .text(rescue.file("Empty.sqlite")),
                .model(model),
                .version("'VERSION'")
            ) + .shell("sqlite3 \(rescue.store) \(shellWord(copy))")
            + .call(.repair, .text(rescue.store), .model("\(model)'#VERSION'"))
    )
}

private struct Candidate {
    let model: ManagedObjectModel
    /// Whether the store carries it.
    var isOwn = false
    /// The name of the version; `nil` for the model in the store.
    var name: String?
    /// Its name in commands; none for the model in the store, which they take automatically.
    var words: [HelpfulCommand.Word] = []

    func repair(of store: StoreFile) -> StoreRepair? {
        var options = RepairOptions()
        options.isOwnModel = isOwn
        return try? StoreRepair(of: store, against: model, options: options)
    }

    func waysOut(
        by repair: StoreRepair,
        of store: StoreFile,
        _ context: ModelContext?
    ) -> [WayOut] {
        Diagnosing.waysOut(by: repair, StoreWords(shellWord(store.path), context), taking: words)
    }
}

private func carriedModel(of store: StoreFile) -> ManagedObjectModel? {
    (try? store.modelArchive()).flatMap { archive in
        let read = archive.map { readCompiledModel($0, path: store.path) }
        return read?.hasErrors == false ? read?.value : nil
    }
}

/// How to repair a store that lost tables by the model that it carries; `nil` where it carries none, or another's.
func waysOut(byModelOf store: StoreFile, _ context: ModelContext?) -> [WayOut]? {
    guard let own = carriedModel(of: store), StoreRepair.fits(own, in: store, isOwn: true) else {
        return nil
    }
    let candidate = Candidate(of: own, context)
    return candidate.repair(of: store).map { candidate.waysOut(by: $0, of: store, context) }
}

extension Candidate {
    fileprivate init(of own: ManagedObjectModel, _ context: ModelContext?) {
        let hashes = versionHashes(of: own)
        let same = context?.listed.last { $0.version.hashes == hashes }
        self.init(model: own, isOwn: true, name: same?.version.name, words: same?.words ?? [])
    }
}

/// The models that fit every table; the one in the store decides, otherwise the newest comes first.
private func candidates(for store: StoreFile, _ context: ModelContext?) -> [Candidate] {
    if let own = carriedModel(of: store), StoreRepair.fits(own, in: store) {
        return [Candidate(of: own, context)]
    }
    var known: Set<ModelHashes> = []
    return (context?.listed ?? []).reversed().filter { entry in
        known.insert(entry.version.hashes).inserted
            && StoreRepair.fits(entry.version.model, in: store)
    }
    .map { Candidate(model: $0.version.model, name: $0.version.name, words: $0.words) }
}

extension ModelContext {
    fileprivate var listed: [(version: ModelVersion, words: [HelpfulCommand.Word])] {
        let place = argument.split(separator: "#").first.map(String.init) ?? argument
        return named.map { version in
            let isOneOfSeveral = named.count > 1
            return (
                version,
                isOneOfSeveral
                    ? [.taking(version: version.name, model: place)] : [.model(shellWord(argument))]
            )
        }
    }
}

/// A version in git's history of a model that was removed from the app: Core Data does not open its stores.
package struct GoneVersion: Sendable, Hashable {
    package var commit: String
    package var path: String
    /// Its name in commands, quoted for a shell; `nil` where commands cannot read it there.
    package var argument: String?
    /// Restores it; `nil` where another version has its place, or that is done by hand.
    package var restoring: HelpfulCommand?

    package init(commit: String, path: String, argument: String?, restoring: HelpfulCommand?) {
        (self.commit, self.path) = (commit, path)
        (self.argument, self.restoring) = (argument, restoring)
    }
}

/// What to do with a store of a version that only git has: as for one in the app, with the model of the commit.
func waysOut(of writer: Diagnosis.Writer, gone: GoneVersion, _ words: StoreWords) -> [WayOut] {
    let edits: Wording = gone.restoring == nil ? "; put later edits into a new version" : ""
    let restoring = WayOut(
        """
        restore the version as it shipped, for users with such stores: the app no longer has it, but commit \
        \(gone.commit) has it at \(gone.path)\(edits)
        """,
        gone.restoring
    )
    let locking = WayOut(
        "only then lock the versions that shipped, so that none is lost again",
        .call(.lock, .text(words.model))
    )
    guard let older = gone.argument else { return [restoring, locking] }
    var (restored, words) = (writer, words)
    words.isOwnModelUsable = false
    (restored.gone, restored.forecast) = (nil, writer.restoredForecast)
    let ways = waysOut(of: restored, words)
    return [restoring]
        + ways.map { WayOut($0.advice, $0.command?.adding(older: older, to: words.model)) } + [
            locking
        ]
}

struct WriterSearch {
    let versions: [ModelVersion]

    init(_ versions: [ModelVersion]) {
        self.versions = versions
        hashTogether(versions)
    }

    func find(_ logged: LoggedHashes) -> (WriterIdentity, ModelVersion?) {
        let names = Set(logged.entities.keys)
        let fitting = versions.filter { version in
            logged.entities.allSatisfy { name, fragment in
                version.hashes.entities[name].map(fragment.matches) ?? false
            }
        }
        // All that was printed matches; of versions with more entities, the log shows a part.
        let whole = fitting.filter { $0.hashes.entities.count == names.count }
        if let best = preferred(whole) {
            let isWhole = logged.entities.values.allSatisfy(\.isWhole)
            return (.versions(whole.map(\.name), isWhole ? .hashes : .fragments), best)
        }
        guard let best = preferred(fitting) else { return nearest(logged) }
        let count = best.hashes.entities.count
        return (.versions(fitting.map(\.name), .someEntities(names.count, of: count)), best)
    }

    func find(_ value: LoggedValue) -> (WriterIdentity, ModelVersion?)? {
        let known = versions.filter { version in
            value.bytes.matches(base64Bytes(version.checksum))
                || value.bytes.matches(base64Bytes(version.hashes.digest))
        }
        if let best = preferred(known) { return (.versions(known.map(\.name), .checksum), best) }
        let having = versions.filter { version in
            version.hashes.entities.values.contains(where: value.bytes.matches)
        }
        guard let best = preferred(having) else { return nil }
        return (
            .versions(having.map(\.name), .someEntities(1, of: best.hashes.entities.count)), best
        )
    }

    /// The current one of indistinguishable versions, or the last one.
    private func preferred(_ versions: [ModelVersion]) -> ModelVersion? {
        versions.first(where: \.isCurrent) ?? versions.last
    }

    private func nearest(_ logged: LoggedHashes) -> (WriterIdentity, ModelVersion?) {
        let known = Set(versions.flatMap(\.hashes.entityNames))
        // A version without any of the entities is not near.
        if !known.isEmpty, known.isDisjoint(with: logged.entities.keys) {
            return (.foreign(logged.entities.keys.sorted()), nil)
        }
        var best: (version: ModelVersion, differences: [EntityDifference])?
        for version in versions {
            let found = differences(logged, version.hashes)
            if let best, best.differences.count < found.count { continue }
            best = (version, found)
        }
        guard let best else { return (.unknown, nil) }
        return (.nearest(best.version.name, best.differences, changes: []), nil)
    }

    private func differences(_ logged: LoggedHashes, _ model: ModelHashes) -> [EntityDifference] {
        Set(logged.entities.keys).union(model.entities.keys).sorted().compactMap { entity in
            switch (logged.entities[entity], model.entities[entity]) {
            case (nil, _): EntityDifference(entity: entity, kind: .missingInStore)
            case (_, nil): EntityDifference(entity: entity, kind: .missingInModel)
            case (let fragment?, let hash?):
                fragment.matches(hash)
                    ? nil : EntityDifference(entity: entity, kind: .differentHash)
            }
        }
    }
}

private func base64Bytes(_ text: String) -> [UInt8] {
    Data(base64Encoded: text).map(Array.init) ?? []
}

import Diagnostics
import Essentials
import LogReading
import MappingInference
import ObjectModel
import StoreFormat

/// Collects what to do, the best way first, each once.
func waysOut(
    of diagnosis: Diagnosis,
    _ context: ModelContext?,
    isOwnModelUsable: Bool
) -> [WayOut] {
    let store = diagnosis.file == nil ? unnamedStore : shellWord(diagnosis.subject)
    let model = context.map { shellWord($0.argument) } ?? "MODEL"
    // What a code alone says is said better by the version that wrote the store.
    let codes = diagnosis.symptoms.filter { if case .code = $0.kind { true } else { false } }
    let others = diagnosis.symptoms.filter { !codes.contains($0) }
    if let foreign = others.first(where: { $0.kind.isOfOtherLayout }) {
        return [wayOut(of: foreign.kind, store, model)].compactMap(\.self)
    }
    var ways = others.compactMap { wayOut(of: $0.kind, store, model) }
    ways += others.compactMap { attributes(of: $0.kind, in: context) }
    for writer in diagnosis.writers {
        ways += mergedModels(of: writer, diagnosis, context)
        ways += waysOut(of: writer, store, model, isOwnModelUsable: isOwnModelUsable)
    }
    if context == nil, !diagnosis.writers.isEmpty {
        let advice =
            "name the app's model, and every one that it merges with it, to learn which version wrote it and "
            + "what Core Data does"
        let subject = diagnosis.file == nil ? "LOG" : store
        ways.append(WayOut(advice, "momtool doctor \(subject) --model MODEL"))
    }
    ways += codes.compactMap { wayOut(of: $0.kind, store, model) }
    if others.isEmpty, codes.contains(where: { $0.kind == .code(.migration) }) {
        ways.append(
            WayOut(
                "look at the user info of the error: NSUnderlyingError in it names the property or the statement that failed"
            )
        )
    }
    ways += waysOut(ofFile: diagnosis, store, model)
    // Two findings may lead to one command.
    var known: Set<String> = []
    return ways.filter { known.insert($0.command ?? $0.advice).inserted }.map { way in
        // A store that carries its model needs no other.
        guard context == nil, isOwnModelUsable else { return way }
        guard let command = way.command, !command.hasPrefix("momtool doctor") else { return way }
        return WayOut(way.advice, command.replacing(" --model MODEL", with: ""))
    }
}

/// What to do where a store has entities that no version at hand has: an app may merge several models, and a store of
/// theirs is of no version of one of them.
private func mergedModels(
    of writer: Diagnosis.Writer,
    _ diagnosis: Diagnosis,
    _ context: ModelContext?
) -> [WayOut] {
    guard let context, case .nearest(_, let differences, _) = writer.identity else { return [] }
    let known = Set(context.versions.flatMap { $0.model.entities.map(\.name) })
    let foreign = differences.filter { $0.kind == .missingInModel && !known.contains($0.entity) }
        .map(\.entity)
    guard !foreign.isEmpty else { return [] }
    let names = foreign.prefix(3).joined(separator: ", ")
    let rest = foreign.count > 3 ? " and \(foreign.count - 3) more" : ""
    let subject = diagnosis.file == nil ? "LOG" : shellWord(diagnosis.subject)
    return [
        WayOut(
            "name every model that the app merges before the version counts as unknown: "
                + "\(names)\(rest) are in none that was named",
            "momtool doctor \(subject) --model \(shellWord(context.argument)) --model OTHER"
        )
    ]
}

extension LoggedSymptom.Kind {
    /// Whether it says that the file is none of Core Data's own stores.
    fileprivate var isOfOtherLayout: Bool {
        if case .message(let message) = self { message.name == "other-store-type" } else { false }
    }
}

/// Which attributes a message may mean that names no entity.
private func attributes(of symptom: LoggedSymptom.Kind, in context: ModelContext?) -> WayOut? {
    guard case .missingMandatoryValue(nil, let name?) = symptom, let context else { return nil }
    let owners = context.current.model.entities.filter { entity in
        entity.attributes.contains { $0.name == name }
    }
    guard !owners.isEmpty else { return nil }
    let names = owners.map { "\($0.name).\(name)" }.joined(separator: ", ")
    return WayOut("give it a default value or make it optional; in this model it is \(names)")
}

/// What to do about what is wrong with the file.
private func waysOut(ofFile diagnosis: Diagnosis, _ store: String, _ model: String) -> [WayOut] {
    var ways: [WayOut] = []
    if diagnosis.findings.contains(where: { $0.rule == "damaged-database" }) {
        ways.append(
            WayOut(
                "save what SQLite can still read, and check it",
                "sqlite3 \(store) .recover | sqlite3 Recovered.sqlite && momtool verify Recovered.sqlite --model \(model)"
            )
        )
    } else if diagnosis.findings.contains(where: { $0.severity != .note }) {
        ways.append(
            WayOut("see every row that is wrong", "momtool verify \(store) --model \(model)")
        )
        ways.append(
            WayOut(
                "repair what can be repaired without inventing values; without -o, only print what would be done",
                "momtool repair \(store) --model \(model) -o Repaired.sqlite"
            )
        )
    }
    for finding in diagnosis.findings
    where finding.rule == "ownerless-row" {
        guard let entity = finding.entity else { continue }
        ways.append(
            WayOut(
                "look whether \(finding.count.counted("object")) of \(entity) without an owner shall be there; if not, delete them in a copy",
                "momtool repair \(store) --model \(model) --drop-ownerless \(shellWord(entity)) --compact -o Smaller.sqlite"
            )
        )
    }
    if let file = diagnosis.file {
        if file.logBytes > 0 {
            ways.append(
                WayOut("copy the store with its write-ahead log, which alone holds the last saves")
            )
        }
        if file.freeShare > 0.25, file.freePages > 256 {
            ways.append(
                WayOut(
                    "release the free pages, on a copy or with the app closed",
                    "sqlite3 \(store) VACUUM"
                )
            )
        }
    }
    return ways
}

/// What stands for the store of a log.
private let unnamedStore = "STORE"

private func waysOut(
    of writer: Diagnosis.Writer,
    _ store: String,
    _ model: String,
    isOwnModelUsable: Bool
) -> [WayOut] {
    switch writer.forecast {
    case .opens, .unknown: []
    case .migrates(let mapping, let rows):
        if mapping.losses.isEmpty && rows.isEmpty {
            [
                WayOut(
                    "migrate a copy as Core Data would",
                    "momtool migrate \(store) --model \(model) -o Migrated.sqlite"
                )
            ]
        } else {
            [
                WayOut("see what would be lost", "momtool plan \(model) --store \(store)"),
                WayOut(
                    "migrate a copy and allow the loss",
                    "momtool migrate \(store) --model \(model) -o Migrated.sqlite --allow-data-loss"
                ),
            ]
        }
    case .failsOnRows:
        [
            WayOut("see the rows that are affected", "momtool plan \(model) --store \(store)"),
            WayOut(
                "give the new property a default value or make it optional; or fill the rows in a"
                    + " custom stage",
                "momtool migrate \(store) --stages Stages.yml -o Migrated.sqlite"
            ),
        ]
    case .migratesBy(_, let rows):
        [
            WayOut(
                rows.isEmpty
                    ? "migrate a copy by the mapping model" : "see what would be lost",
                rows.isEmpty
                    ? "momtool migrate \(store) --model \(model) -o Migrated.sqlite"
                    : "momtool plan \(model) --store \(store)"
            )
        ]
    case .refused:
        [
            WayOut(
                "see what is refused, and the way around it",
                "momtool plan \(model) --store \(store)"
            ),
            refusedWay(writer.roundabout, store, model),
        ]
    case .sourceModelMissing:
        searches(store, model, isOwnModelUsable: isOwnModelUsable, isPruned: writer.isPruned)
    }
}

/// What to do where Core Data refuses the step.
private func refusedWay(
    _ roundabout: Diagnosis.Roundabout?,
    _ store: String,
    _ model: String
) -> WayOut {
    let migrate = "momtool migrate \(store) --model \(model) -o Migrated.sqlite"
    switch roundabout {
    case nil: return WayOut("migrate a copy, through other versions where that helps", migrate)
    case .through(let title): return WayOut("migrate a copy: \(title)", migrate)
    case .nowhere?:
        return WayOut(
            "write a stages file with a map or a mapping model for the step, as no chain of versions leads there",
            "momtool migrate \(store) --stages Stages.yml -o Migrated.sqlite"
        )
    }
}

/// Where a version may be that no model at hand has.
private func searches(
    _ store: String,
    _ model: String,
    isOwnModelUsable: Bool,
    isPruned: Bool
) -> [WayOut] {
    (isOwnModelUsable
        ? [
            WayOut(
                "use the model in the store as a version of the app's model",
                "momtool decompile \(store) -o Model"
            ),
            WayOut(
                "migrate a copy, starting from the model in the store",
                "momtool migrate \(store) --model \(model) -o Migrated.sqlite"
            ),
        ] : [])
        + [
            WayOut(
                "look for the version in every commit of the repository",
                "momtool identify \(store) --model \(model) --git"
            )
        ]
        + (isOwnModelUsable || store == unnamedStore
            ? []
            : [
                WayOut(
                    "rebuild the model, which the store does not contain in readable form",
                    "momtool decompile \(store) --like \(model) -o Model"
                )
            ])
        + (isPruned
            ? []
            : [
                WayOut(
                    "freeze the versions that shipped, so that none is edited again",
                    "momtool lock \(model)"
                )
            ])
}

extension Diagnosis.Writer {
    /// Whether the version was taken out of the model.
    fileprivate var isPruned: Bool {
        if case .pruned = identity { true } else { false }
    }
}

private func wayOut(of symptom: LoggedSymptom.Kind, _ store: String, _ model: String) -> WayOut? {
    switch symptom {
    case .missingTable, .missingColumn:
        WayOut("compare the tables with the model", "momtool verify \(store) --model \(model)")
    case .duplicateValues, .missingMandatoryValue:
        WayOut("count the rows that are affected", "momtool plan \(model) --store \(store)")
    case .requiredValue:
        WayOut(
            "give it a value before the save; rows that lack one since a migration are counted",
            "momtool verify \(store) --model \(model) --validate"
        )
    case .uninferableProperty:
        WayOut(
            "keep the old property beside a new one and convert in a custom stage, or write a mapping model",
            "momtool plan \(model) --store \(store)"
        )
    case .mergedModels:
        WayOut(
            "load one model by its URL in place of mergedModel(from:), and remove stale .mom files from the bundle"
        )
    case .unknownEntity:
        WayOut(
            "load the stores before the first fetch, and look whether the model has the entity",
            "momtool inspect \(model)"
        )
    case .duplicateChecksums, .mergedHierarchies, .insecureTransformer:
        WayOut("check the versions of the model", "momtool lint \(model) --all-versions")
    case .missingCloudKitField, .missingCloudKitType:
        WayOut(
            "see everything that Production lacks, and deploy it",
            "momtool cloudkit check \(model) production.ckdb"
        )
    case .modelUnfitForCloudKit:
        WayOut(
            "see everything that CloudKit does not support",
            "momtool cloudkit check \(model) schema.ckdb"
        )
    case .sqlite(let number):
        WayOut(
            SQLiteCode.known(number).advice,
            SQLiteCode.known(number).command.map { filled($0, store, model) }
        )
    case .message(let message):
        WayOut(message.advice, message.command.map { filled($0, store, model) })
    case .code(let code): wayOut(of: code, store, model)
    }
}

private func wayOut(of code: CoreDataErrorCode, _ store: String, _ model: String) -> WayOut? {
    switch code {
    case .incompatibleVersionHash, .migrationMissingSourceModel,
        .managedObjectModelReferenceNotFound:
        WayOut("say which version wrote the store", "momtool identify \(store) --model \(model)")
    case .migrationConstraintViolation:
        WayOut(
            "count the equal values under the new constraint, and merge or delete such objects in a stage before it",
            "momtool plan \(model) --store \(store)"
        )
    case .migration, .inferredMappingModel, .migrationMissingMappingModel:
        WayOut("see what the migration does", "momtool plan \(model) --store \(store)")
    case .stagedMigrationBackward:
        WayOut("open the store with an app that has its version, or restore an older backup")
    case let code where (1550...1680).contains(code.number):
        WayOut(
            "count the rows that break the rules of the model",
            "momtool verify \(store) --model \(model) --validate"
        )
    case .managedObjectConstraintMerge, .managedObjectMerge:
        WayOut("set a merge policy, or look for the existing object before inserting another")
    case .persistentStoreOpen, .persistentStoreTimeout:
        WayOut("check the path and the folder, and whether another process holds the file")
    case .stagedMigrationFrameworkVersionMismatch:
        WayOut(
            "migrate the store once without stages",
            "momtool migrate \(store) --model \(model) -o Migrated.sqlite"
        )
    case .coreData, .migrationManagerSourceStore,
        .migrationManagerDestinationStore, .entityMigrationPolicy:
        WayOut("read the underlying error, which says more")
    default: nil
    }
}

/// A command with the user's own store and model.
private func filled(_ command: String, _ store: String, _ model: String) -> String {
    command.split(separator: " ").map { $0 == "STORE" ? store : $0 == "MODEL" ? model : String($0) }
        .joined(separator: " ")
}

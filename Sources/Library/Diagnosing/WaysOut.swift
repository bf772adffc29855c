import Diagnostics
import Essentials
import LogReading
import MappingInference
import ObjectModel
import StoreFormat
import StoreMigration

func waysOut(
    of diagnosis: Diagnosis,
    _ context: ModelContext?,
    isOwnModelUsable: Bool
) -> [WayOut] {
    let store = diagnosis.file == nil ? StoreWords.unnamed : shellWord(diagnosis.subject)
    let words = StoreWords(store, context, isOwnModelUsable: isOwnModelUsable)
    // The version that wrote the store tells more than a code.
    let codes = diagnosis.symptoms.filter { if case .code = $0.kind { true } else { false } }
    let others = diagnosis.symptoms.filter { !codes.contains($0) }
    // The log causes all other faults of the file.
    if diagnosis.hasStrayLog {
        return strayLogWays(diagnosis.subject, context.map { shellWord($0.argument) })
    }
    if let foreign = others.first(where: { $0.kind.isOfOtherLayout }) {
        return [wayOut(of: foreign.kind, words)].compactMap(\.self)
    }
    var ways = soundStore(diagnosis)
    if diagnosis.findings.contains(where: { $0.rule == .noRows }), diagnosis.file?.logBytes == 0 {
        ways.append(lostLogWay(diagnosis.subject))
    }
    // Advice from a log is not for a store without faults.
    let logged = diagnosis.isStoreSound && !diagnosis.symptoms.isEmpty ? words.ofLog : words
    ways += others.compactMap { wayOut(of: $0.kind, logged) }
    ways += others.compactMap { attributes(of: $0.kind, in: context) }
    if others.contains(where: { $0.kind == .duplicateChecksums }) {
        ways += waysOut(ofStagesIn: context, words)
    }
    ways += waysOut(ofRefusalIn: diagnosis, context)
    for writer in diagnosis.writers {
        ways += mergedModels(of: writer, diagnosis, context)
        // The hashes in the log belong to another store.
        let words = writer.place == nil ? words : words.ofLog
        ways += unreadableVersions(for: writer, context)
        if writer.place == nil, let repair = diagnosis.firstRepair {
            ways += waysOut(by: repair, words)
        } else if let context, !context.merged.isEmpty, case .sourceModelMissing = writer.forecast {
            ways.append(mergedWay(context.merged.map(shellWord), words.store))
        } else {
            ways += waysOut(of: writer, words)
        }
    }
    if context == nil, !diagnosis.writers.isEmpty {
        ways.append(wayToModel(of: diagnosis.file == nil ? "LOG" : words.store))
    }
    ways += waysOut(ofCodes: codes, in: diagnosis, logged).filter { way in
        way.command != words.planning || !ways.contains { $0.command?.begins(with: .plan) == true }
    }
    if others.isEmpty, codes.contains(where: { $0.kind == .code(.migration) }) {
        ways.append(
            WayOut(
                "look at the user info of the error: its NSUnderlyingError names the property or statement that failed"
            )
        )
    }
    ways += waysOut(ofFile: diagnosis, words)
    return ways.eachOnce(isOwnModelUsable: context == nil && isOwnModelUsable)
}

/// What to do about error codes; a version that is known is not searched for.
private func waysOut(
    ofCodes codes: [LoggedSymptom],
    in diagnosis: Diagnosis,
    _ words: StoreWords
) -> [WayOut] {
    let isKnown = diagnosis.writers.contains { writer in
        if case .versions = writer.identity { writer.place == nil } else { false }
    }
    return codes.compactMap { wayOut(of: $0.kind, words) }
        .filter { !isKnown || $0.command?.begins(with: .identify) != true }
}

extension [WayOut] {
    /// The advice without repeated commands, in order.
    ///
    /// `isOwnModelUsable` is whether no model was named, and the store carries its own.
    fileprivate func eachOnce(isOwnModelUsable: Bool) -> [WayOut] {
        // Two findings may lead to one command.
        var known: Set<WayOut> = []
        return filter { way in
            known.insert(way.command.map { WayOut("", $0) } ?? way).inserted
        }.map { way in
            // A store that carries its model needs no other.
            guard isOwnModelUsable, let command = way.command, !command.begins(with: .doctor)
            else { return way }
            return WayOut(way.advice, command.mappingWords { $0 == .model("MODEL") ? nil : $0 })
        }
    }
}

/// The first advice for a store without faults, where a log has errors.
private func soundStore(_ diagnosis: Diagnosis) -> [WayOut] {
    guard diagnosis.isStoreSound, !diagnosis.symptoms.isEmpty else { return [] }
    let store: Wording = "this store has no problem, so leave it alone: "
    guard case .same? = diagnosis.agreement else {
        return [
            WayOut(
                store
                    + "the log is about another store (STORE below) or an app with an older model; look for the path in the log"
            )
        ]
    }
    return [
        WayOut(
            store
                + "the log comes from an app with another model, such as an older release; find out which one the device has"
        )
    ]
}

/// Advice for a store with entities that no given version has: an app may merge several models, and no version of a single
/// one is that of its store.
private func mergedModels(
    of writer: Diagnosis.Writer,
    _ diagnosis: Diagnosis,
    _ context: ModelContext?
) -> [WayOut] {
    guard let context else { return [] }
    let subject = diagnosis.file == nil ? "LOG" : shellWord(diagnosis.subject)
    let foreign: [String]
    switch writer.identity {
    case .foreign:
        let advice: Wording = "name the model of its app, and all models merged with it"
        return [WayOut(advice, .call(.doctor, .text(subject), .model("OTHER")))]
    case .nearest(_, let differences, _):
        let known = Set(context.versions.flatMap { $0.model.entities.map(\.name) })
        foreign = differences.map(\.entity).filter { entity in
            !known.contains(entity)
                && differences.contains { $0.entity == entity && $0.kind == .missingInModel }
        }
    case .versions, .absent, .unknown: return []
    }
    guard !foreign.isEmpty else { return [] }
    return [
        WayOut(
            """
            before the version counts as unknown, name all models that the app merges: no named model has \
            \(foreign.listed(most: 3))
            """,
            .call(.doctor, .text(subject), .model(shellWord(context.argument)), .model("OTHER"))
        )
    ]
}

/// What comes first where no version fits, and some could not be read.
private func unreadableVersions(
    for writer: Diagnosis.Writer,
    _ context: ModelContext?
) -> [WayOut] {
    guard let names = context?.unreadable, !names.isEmpty else { return [] }
    switch writer.identity {
    case .versions, .absent, .foreign: return []
    case .nearest, .unknown:
        let list = names.map { "'\($0)'" }.listed(most: 3)
        return [
            WayOut(
                "correct \(list), which cannot be read, and try again: the store may have that version"
            )
        ]
    }
}

extension LoggedSymptom.Kind {
    /// Whether the file is none of Core Data's own stores.
    fileprivate var isOfOtherLayout: Bool {
        if case .message(let message) = self { message.name == "other-store-type" } else { false }
    }
}

/// The attributes that a message without an entity may mean.
private func attributes(of symptom: LoggedSymptom.Kind, in context: ModelContext?) -> WayOut? {
    guard case .missingMandatoryValue(nil, let name?) = symptom, let context else { return nil }
    let owners = context.current.model.entities.filter { entity in
        entity.attributes.contains { $0.name == name }
    }
    guard !owners.isEmpty else { return nil }
    let names = owners.map { "\($0.name).\(name)" }.joined(separator: ", ")
    return WayOut("give it a default value or make it optional; in this model it is \(names)")
}

private func waysOut(ofFile diagnosis: Diagnosis, _ names: StoreWords) -> [WayOut] {
    var ways: [WayOut] = []
    let repair = diagnosis.repair
    if diagnosis.findings.contains(where: { $0.rule == .damagedDatabase }),
        repair?.steps.isEmpty != false
    {
        ways += salvage(of: diagnosis.subject, names.model)
    } else if diagnosis.findings.contains(where: { $0.severity != .note }) {
        ways.append(WayOut("see every row that is wrong", names.verifying))
        // It was first.
        if let repair, diagnosis.firstRepair == nil { ways += waysOut(by: repair, names) }
    }
    let files = diagnosis.findings.filter { $0.rule == .missingExternalFile }
    ways += corrections(of: files, in: diagnosis.subject)
    for finding in diagnosis.findings where finding.rule == .ownerlessRow {
        guard let entity = finding.entity else { continue }
        let words: [HelpfulCommand.Word] = [
            .text(names.store), .model(names.model), .following(.dropOwnerless(entity)),
            .following(.compact), .output("Smaller.sqlite"),
        ]
        ways.append(
            WayOut(
                "check whether \(finding.count.counted("object")) of \(entity) should exist without an owner; if not, delete them in a copy",
                .call(.repair, words)
            )
        )
    }
    if let file = diagnosis.file {
        if file.logBytes > 0 {
            ways.append(
                WayOut("copy the store with its write-ahead log: only the log has the last saves")
            )
        }
        if file.freeShare > 0.25, file.freePages > 256 {
            ways.append(
                WayOut(
                    "release the free pages, in a copy or with the app closed",
                    .shell("sqlite3 \(names.store) VACUUM")
                )
            )
        }
    }
    return ways
}

private func wayOut(of symptom: LoggedSymptom.Kind, _ words: StoreWords) -> WayOut? {
    switch symptom {
    case .missingTable, .missingColumn: WayOut("compare the tables with the model", words.verifying)
    case .duplicateValues, .missingMandatoryValue, .goneObject, .requiredValue:
        wayOut(ofRows: symptom, words)
    case .uninferableProperty:
        WayOut(
            "keep the old property beside a new one and convert in a custom stage, or write a mapping model",
            words.planning
        )
    case .mergedModels:
        WayOut(
            "load one model by its URL instead of mergedModel(from:), and remove stale .mom files from the bundle"
        )
    case .unknownEntity:
        WayOut(
            "load the stores before the first fetch, and check that the model has the entity",
            .call(.inspect, .text(words.model))
        )
    case .unreadableHash: nil
    // The stages tell which of two causes it is.
    case .duplicateChecksums: nil
    case .mergedHierarchies, .insecureTransformer, .modelUnfitForCloudKit(.noRenaming, _):
        WayOut("check the versions of the model", words.linting)
    case .missingCloudKitField, .missingCloudKitType:
        WayOut(
            "see everything that Production lacks, and deploy it",
            .call(.checkSchema, .text(words.model), "production.ckdb")
        )
    case .modelUnfitForCloudKit:
        WayOut(
            "see everything that CloudKit does not support",
            .call(.checkSchema, .text(words.model), "schema.ckdb")
        )
    case .sqlite(let number):
        WayOut(
            Wording(SQLiteCode.known(number).advice),
            SQLiteCode.known(number).command.map(words.filled)
        )
    case .message(let message): WayOut(Wording(message.advice), message.command.map(words.filled))
    case .brokenConstraint: wayOut(of: .managedObjectConstraintMerge, words)
    case .code(let code): wayOut(of: code, words)
    }
}

private func wayOut(ofRows symptom: LoggedSymptom.Kind, _ words: StoreWords) -> WayOut? {
    switch symptom {
    case .duplicateValues:
        WayOut(
            "count the rows that are affected, and merge or delete such objects before the migration",
            words.planning
        )
    case .missingMandatoryValue:
        WayOut(
            "count the rows that are affected; then give the attribute a default value, make it optional, or fill it in a custom stage",
            words.planning
        )
    case .goneObject:
        WayOut(
            "if the store keeps history, see who changed objects of its entity, and until when",
            .call(.inspect, .text(words.store), .history)
        )
    case .requiredValue:
        WayOut(
            "give it a value before the save; rows that lack one since a migration are counted",
            words.validating
        )
    default: nil
    }
}

/// The words of commands about a store: its name and that of its model, quoted for a shell.
struct StoreWords {
    /// The name of the store of a log.
    static let unnamed = "STORE"

    var store: String
    let model: String
    /// Whether a model was named.
    let isNamed: Bool
    var isOwnModelUsable: Bool
    let isOfSwift: Bool

    init(_ store: String, _ context: ModelContext?, isOwnModelUsable: Bool = false) {
        let isOfSwift = context?.current.path.hasSuffix(".swift") == true
        (self.store, isNamed, self.isOfSwift) = (store, context != nil, isOfSwift)
        model = context.map { shellWord($0.argument) } ?? "MODEL"
        self.isOwnModelUsable = isOwnModelUsable
    }

    var ofLog: StoreWords {
        var copy = self
        copy.store = Self.unnamed
        return copy
    }

    var planning: HelpfulCommand { .call(.plan, .text(model), .store(store)) }

    var verifying: HelpfulCommand { .call(.verify, .text(store), .model(model)) }

    var validating: HelpfulCommand { .call(.verify, .text(store), .model(model), .validating) }

    var linting: HelpfulCommand { .call(.lint, .text(model), .allVersions) }

    var migrating: [HelpfulCommand.Word] {
        [.text(store), .model(model), .output("Migrated.sqlite")]
    }

    var migratingInStages: HelpfulCommand {
        .call(.migrate, .text(store), .stages("Stages.yml"), .output("Migrated.sqlite"))
    }

    func filled(_ command: HelpfulCommand) -> HelpfulCommand {
        command.mappingWords { word in
            switch word {
            case "STORE": .text(store)
            case "MODEL": .text(model)
            case .model("MODEL"): .model(model)
            default: word
            }
        }
    }
}

package import Diagnostics
package import LogReading
package import MappingInference
package import ModelDiffing
import ObjectModel
package import StoreFormat
package import StoreMigration

/// What is wrong with a store, or with the stores in a log, and what to do.
package struct Diagnosis: Sendable {
    package var subject: String
    package var log: String?
    /// Whether the log is about this store; `nil` if it has no hashes of a store.
    package var agreement: LogAgreement?
    /// The possible versions of the model, one answer for each store in question.
    package var writers: [Writer] = []
    package var symptoms: [LoggedSymptom] = []
    /// The state of the file; `nil` for a log.
    package var file: FileCondition?
    package var findings: [Diagnostic] = []
    package var waysOut: [WayOut] = []
    /// The repair of the store; `nil` if nothing is wrong, or its model is unknown.
    package var repair: StoreRepair?

    /// Whether the database is damaged, but its file is intact without the write-ahead log beside it.
    package var hasStrayLog = false

    /// Whether there is nothing to do, and nothing to fear.
    package var isHealthy: Bool {
        !saysNothing && symptoms.isEmpty && findings.allSatisfy { $0.severity == .note }
            && writers.allSatisfy(\.isContent)
    }

    /// Whether the named store is sound, regardless of the log.
    var isStoreSound: Bool {
        file != nil && findings.allSatisfy { $0.severity == .note }
            && writers.allSatisfy { $0.isContent || $0.place != nil }
    }

    /// The repair to make first: a migration may remove or fail on what it restores, and keeps what it removes.
    var firstRepair: StoreRepair? {
        guard let repair, case .versions? = writers.first(where: { $0.place == nil })?.identity
        else { return nil }
        let isFileDamaged = findings.contains { $0.rule == .damagedDatabase }
        let isNeeded = !isFileDamaged && writers.contains { $0.obstacle != nil }
        // Automatically, or by answers that a call can give.
        let helps =
            !repair.steps.isEmpty
            || !repair.obstacles.isEmpty && repair.obstacles.allSatisfy { !$0.advice.isEmpty }
        return isNeeded || helps ? repair : nil
    }

    /// Whether a log had nothing to tell, neither good nor bad.
    package var saysNothing: Bool {
        file == nil && symptoms.isEmpty && writers.isEmpty && findings.isEmpty
    }

    package struct Writer: Sendable {
        /// The place of the hashes, such as `line 12`; `nil` for a store.
        package var place: String?
        package var identity: WriterIdentity
        /// Of several versions with equal hashes, the one that wrote it or most likely did, and the evidence.
        package var distinction: (name: String, proof: WriterChoice.Proof)?
        package var forecast: OpeningForecast
        /// How momtool migrates it where Core Data refuses; `nil` where Core Data does not, or where that is unknown.
        package var roundabout: Roundabout?
        /// Why the store cannot be migrated as it is; `nil` where it can, or that is unknown.
        package var obstacle: Wording?
        /// Whether the result of a migration is unknown: rows cannot be asked, or the app's settings not be read.
        package var isUncertain = false
        package var goesBack = false
        /// Other remarks on the route, a line each.
        package var notes: [Wording] = []
        /// Where git has the version, when it was removed from the app.
        package var gone: GoneVersion?
        /// What happens when that version is in the app again.
        var restoredForecast: OpeningForecast = .unknown

        fileprivate var isContent: Bool {
            switch (forecast, identity) {
            case (.opens, _): true
            // No model was named, and the store fits its own.
            case (.unknown, .versions(_, .ownModel)): true
            default: false
            }
        }
    }

    /// How a store gets to a version where Core Data refuses the step.
    package enum Roundabout: Sendable, Hashable {
        /// Through these versions, such as `V1 → V2 → V3`.
        case through(String)
        /// By none of the versions and mapping models at hand.
        case nowhere
    }
}

/// Whether a log is about the store that came with it.
package enum LogAgreement: Sendable, Hashable {
    /// Its hashes, in this line, are this store's.
    case same(line: Int)
    /// It is about a store of another version, or this one at another time: these entities differ.
    case other(line: Int, entities: [String])
}

package enum WriterIdentity: Sendable {
    package enum Proof: Sendable, Hashable {
        /// Every entity has its hash.
        case hashes
        /// Every entity agrees with the parts of its hash in the log.
        case fragments
        case someEntities(Int, of: Int)
        case checksum
        /// The store's own model is the proof; no version of the bundle has its hashes.
        case ownModel
    }

    /// These versions have the same hashes.
    case versions([String], Proof)
    /// The model lacks it or has edited it; the lock keeps its hashes.
    case absent(AbsentVersion)
    /// No version has any of these entities of the store: it belongs to another model.
    case foreign([String])
    /// None fits; this one differs least.
    case nearest(String, [EntityDifference], changes: [Judgement])
    case unknown

    /// Whether the store belongs to another model.
    var isForeign: Bool { if case .foreign = self { true } else { false } }
}

/// Why the stages of a file do not lead stores of a version on; a guess where it is unknown if Core Data infers a step.
package typealias StageRefusal = (path: String, reason: Wording, isGuess: Bool)

/// What Core Data does with a store when the app's current model opens it.
package enum OpeningForecast: Sendable {
    case opens
    /// It migrates the store by an inferred mapping.
    case migrates(InferredMapping, rows: [RowFinding])
    /// It, or the app's own code, migrates the store by a mapping model or in several steps, through these versions.
    case migratesAlong(AppRoad, names: String, rows: [RowFinding])
    /// It migrates the store by this mapping model, which momtool cannot use.
    case migratesUnseen(mappingModel: String)
    /// The app's stages do not lead from the version to the current one.
    case stopsInStages(StageRefusal)
    /// It would infer a mapping, and the rows make it fail.
    case failsOnRows(InferredMapping, rows: [RowFinding])
    /// It cannot infer a mapping, and there is no other route.
    case refused(InferredMapping)
    /// It finds no model of the store's version in the app.
    case sourceModelMissing
    case unknown
}

package struct FileCondition: Sendable, Hashable {
    package var bytes: Int
    /// 0 when there is none.
    package var logBytes: Int
    /// The size of the journal of an interrupted write; 0 when there is none.
    package var journalBytes: Int
    package var pages: Int
    package var freePages: Int
    /// `nil` when SQLite does not tell.
    package var historyPages: Int?
    package var historyChanges: Int
    /// The system that wrote the store last, as a guess.
    package var system: String?
    package var hasModel: Bool
}

package struct WayOut: Sendable, Hashable {
    /// Imperative.
    package var advice: Wording
    /// The command; `nil` if the advice is something else.
    package var command: HelpfulCommand?

    package init(_ advice: Wording, _ command: HelpfulCommand? = nil) {
        (self.advice, self.command) = (advice, command)
    }
}

extension Diagnosis {
    /// Adds the contents of a log to the diagnosis of a store; hashes in the log count alone only for another store.
    package mutating func add(_ log: LogContents, path: String, _ context: ModelContext?) {
        let found = diagnose(log, path: path, context)
        self.log = path
        symptoms += found.symptoms
        let hashes = try? StoreFile(path: subject).metadata().hashes
        agreement = hashes.flatMap { LogAgreement(log, $0) }
        if case .same? = agreement {} else { writers += found.writers }
        guard file != nil else {
            // The remains of a file that cannot be opened come first.
            waysOut += found.waysOut.filter { !waysOut.contains($0) }
            return
        }
        waysOut = Diagnosing.waysOut(of: self, context, isOwnModelUsable: file?.hasModel == true)
    }
}

extension LogAgreement {
    /// Compares the hashes in a log with those of a store; `nil` if the log has no hashes of a store.
    fileprivate init?(_ log: LogContents, _ hashes: ModelHashes) {
        func differing(_ logged: LoggedHashes) -> [String] {
            logged.entities.filter { name, fragment in
                !(hashes.entities[name].map(fragment.matches) ?? false)
            }.map(\.key).sorted()
        }
        if let same = log.hashes.first(where: { !$0.entities.isEmpty && differing($0).isEmpty }) {
            self = .same(line: same.line)
        } else if let other = log.hashes.first(where: \.isOfStore) {
            self = .other(line: other.line, entities: differing(other))
        } else {
            return nil
        }
    }
}

/// How an app migrates stores of one version to its current one, by its models, stages, mapping models and settings.
package enum AppRoute: Sendable {
    case inferred(MigrationRoute)
    case found(MigrationRoute, AppRoad)
    /// Only by momtool: Core Data does not go through other versions automatically.
    case detour(MigrationRoute)
    /// By a mapping model that momtool cannot use, such as one with an undeclared policy.
    case mappingModel(path: String, reason: Wording)
    /// By none: Core Data does not go through other versions with mapping models, and momtool cannot run one of them.
    case chain(Wording, reason: Wording)
    /// The stages do not lead from the version to the current one.
    case noStage(StageRefusal)
    /// By none of the versions and mapping models at hand.
    case nowhere
    /// The app's configuration of migrations cannot be read.
    case unknown(reason: Wording)

    /// Whether Core Data takes it.
    package var isTaken: Bool {
        switch self {
        case .inferred, .found, .unknown: true
        case .detour, .mappingModel, .chain, .noStage, .nowhere: false
        }
    }
}

/// The means of a migration, other than inference.
package enum AppRoad: Sendable, Hashable {
    /// Core Data, in one step, by this mapping model.
    case mappingModel(String)
    /// Core Data, through the stages of this file.
    case stages(String)
    /// Core Data, through the versions that a plan in Swift sources lists.
    case plan
    /// Core Data, through these versions of a plan in Swift, whose custom stages run code that does not run here; some of
    /// it may run before a step, and change the rows that the step fails on.
    case planWithCode(path: String, names: String, mayChangeRows: Bool)
    case code

    /// Whether code takes part that does not run here, so that the result for the rows is unknown.
    package var runsUnknownCode: Bool { if case .planWithCode = self { true } else { false } }

    /// Whether such code may cure rows before a step fails on them.
    package var mayChangeRows: Bool {
        if case .planWithCode(_, _, let mayChangeRows) = self { mayChangeRows } else { false }
    }

    /// Whether the migration fails on such rows, whatever the app's code does.
    package func fails(on rows: [RowFinding]) -> Bool {
        !mayChangeRows && rows.contains(where: \.failsInCoreData)
    }
}

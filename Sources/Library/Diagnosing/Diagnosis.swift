package import MappingInference
package import Diagnostics
package import ModelDiffing
package import LogReading
package import StoreFormat
package import StoreMigration

/// What is the matter with a store, or with that which a log tells of, and what to do.
package struct Diagnosis: Sendable {
    /// The path of the store or the log.
    package var subject: String
    /// The path of the log that came with a store.
    package var log: String?
    /// Whether that log tells of this store; `nil` when it shows no hashes of one.
    package var agreement: LogAgreement?
    /// The versions of the model that come into question, one answer for each store that is told of.
    package var writers: [Writer]
    /// What went wrong by the words of a log.
    package var symptoms: [LoggedSymptom]
    /// What the file is like; `nil` for a log.
    package var file: FileCondition?
    /// What is wrong with the file, its layout and its rows.
    package var findings: [Diagnostic]
    /// What to do, the best way first.
    package var waysOut: [WayOut]
    /// What a repair does to the store; `nil` where nothing is wrong, or its model is not known.
    package var repair: StoreRepair?

    /// Whether the database is damaged, and its file is whole without the write-ahead log beside it.
    package var hasStrayLog = false

    /// Whether there is anything to do, or to fear.
    package var isHealthy: Bool {
        !saysNothing && symptoms.isEmpty && findings.allSatisfy { $0.severity == .note }
            && writers.allSatisfy(\.isContent)
    }

    /// Whether nothing is wrong with the store that was named, whatever a log says.
    var isStoreSound: Bool {
        file != nil && findings.allSatisfy { $0.severity == .note }
            && writers.allSatisfy { $0.isContent || $0.place != nil }
    }

    /// The repair that comes before all else: a migration may remove or stop at what it restores, and carries along what
    /// it removes.
    var firstRepair: StoreRepair? {
        guard let repair, case .versions? = writers.first(where: { $0.place == nil })?.identity
        else { return nil }
        let isFileDamaged = findings.contains { $0.rule == "damaged-database" }
        let isNeeded = !isFileDamaged && writers.contains { $0.obstacle != nil }
        return isNeeded || repair.isOfHelp ? repair : nil
    }

    /// Whether a log told nothing, neither good nor bad.
    package var saysNothing: Bool {
        file == nil && symptoms.isEmpty && writers.isEmpty && findings.isEmpty
    }

    /// Which version wrote a store, and what becomes of it.
    package struct Writer: Sendable {
        /// Where the hashes stand, such as `line 12`; `nil` for a store.
        package var place: String?
        /// Which version it was.
        package var identity: WriterIdentity
        /// Of several versions with equal hashes the one that wrote it, or is taken to have, and what tells.
        package var teller: (name: String, proof: WriterChoice.Proof)?
        /// What happens when the app's current model opens it.
        package var forecast: OpeningForecast
        /// How momtool brings it to the current version where Core Data refuses that; `nil` where it does not, or where
        /// that is unknown.
        package var roundabout: Roundabout?
        /// Why the store cannot be migrated as it is; `nil` where it can, or that is unknown.
        package var obstacle: Wording?
        /// Whether nobody knows what a migration does to the store: its rows could not be asked, or what the app says of
        /// its migrations cannot be read.
        package var isUncertain = false
        /// Whether the store is of a newer version than the app's current one.
        package var goesBack = false
        /// What else there is to know of the route, a line each.
        package var notes: [Wording] = []
        /// Where git has the version, when the app has it no more.
        package var gone: GoneVersion?
        /// What happens when that version is in the app again.
        var restoredForecast: OpeningForecast = .unknown

        /// Whether the store opens as it is.
        fileprivate var isContent: Bool {
            switch (forecast, identity) {
            case (.opens, _): true
            // No model was named, and the store fits its own.
            case (.unknown, .versions(_, .ownModel)): true
            default: false
            }
        }
    }

    /// How a store comes to a version where Core Data refuses the step.
    package enum Roundabout: Sendable, Hashable {
        /// Through these versions, such as `V1 → V2 → V3`.
        case through(String)
        /// By none of the versions and mapping models at hand.
        case nowhere
    }
}

/// Whether a log tells of the store that came with it.
package enum LogAgreement: Sendable, Hashable {
    /// What it shows of hashes, in this line, is this store's.
    case same(line: Int)
    /// It tells of a store of another version, or of this one at another time: these entities differ.
    case other(line: Int, entities: [String])
}

/// Which version of a model wrote a store.
package enum WriterIdentity: Sendable {
    /// How sure that is.
    package enum Proof: Sendable, Hashable {
        /// Every entity has its hash.
        case hashes
        /// Every entity has what the log shows of its hash.
        case fragments
        /// The log shows some of the entities only.
        case someEntities(Int, of: Int)
        /// It has the checksum or the digest.
        case checksum
        /// The store's own model is the proof; no version of the bundle has its hashes.
        case ownModel
    }

    /// These versions have the same hashes.
    case versions([String], Proof)
    /// One that the model does not have, or not as it was, whose hashes the lock keeps.
    case absent(AbsentVersion)
    /// None has any of these entities of the store: it is of another model.
    case foreign([String])
    /// None fits; this one differs least.
    case nearest(String, [EntityDifference], changes: [Judgement])
    /// Nothing says.
    case unknown
}

/// What Core Data does with a store when the app's current model opens it.
package enum OpeningForecast: Sendable {
    /// It opens the store as it is.
    case opens
    /// It migrates the store by an inferred mapping.
    case migrates(InferredMapping, rows: [RowFinding])
    /// It, or the app's own code, migrates the store by a mapping model or in several steps, through these versions.
    case migratesAlong(AppRoad, names: String, rows: [RowFinding])
    /// It migrates the store by this mapping model, which momtool cannot carry out.
    case migratesUnseen(mappingModel: String)
    /// The app's stages do not lead from the version to the current one.
    case stopsInStages(path: String, reason: Wording)
    /// It would infer a mapping, and the rows make it fail.
    case failsOnRows(InferredMapping, rows: [RowFinding])
    /// It infers no mapping, and nothing else leads there.
    case refused(InferredMapping)
    /// It finds no model of the store's version in the app.
    case sourceModelMissing
    /// What wrote the store is not known.
    case unknown
}

/// What the file of a store is like.
package struct FileCondition: Sendable, Hashable {
    /// The size of the main file in bytes.
    package var bytes: Int
    /// The size of the write-ahead log beside it; 0 when there is none.
    package var logBytes: Int
    /// The size of the journal of a write that was cut short; 0 when there is none.
    package var journalBytes: Int
    /// The number of pages.
    package var pages: Int
    /// The number of free pages.
    package var freePages: Int
    /// The number of pages that persistent history takes; `nil` when SQLite does not say.
    package var historyPages: Int?
    /// The number of changes in persistent history.
    package var historyChanges: Int
    /// The system that wrote the store last, about.
    package var system: String?
    /// Whether the store carries its model.
    package var hasModel: Bool
}

/// A way out.
package struct WayOut: Sendable, Hashable {
    /// What it does; imperative.
    package var advice: Wording
    /// The command; `nil` where something else is to be done.
    package var command: HelpfulCommand?

    package init(_ advice: Wording, _ command: HelpfulCommand? = nil) {
        self.advice = advice
        self.command = command
    }
}

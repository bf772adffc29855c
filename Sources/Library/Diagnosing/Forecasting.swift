import Diagnostics
import LogReading
import MappingInference
import ModelDiffing
import ModelHashing
import ObjectModel
import StoreFormat
import StoreMigration

extension Diagnosis.Writer {
    init(place: String? = nil, identity: WriterIdentity, _ outlook: Outlook) {
        (self.place, self.identity, forecast) = (place, identity, outlook.forecast)
        (roundabout, obstacle, notes) = (outlook.roundabout, outlook.obstacle, outlook.notes)
        (isUncertain, goesBack, gone) = (outlook.isUncertain, outlook.goesBack, outlook.gone)
        restoredForecast = outlook.restoredForecast
    }
}

/// The future of a store when the app's current model opens it, and its obstacles.
struct Outlook {
    var forecast: OpeningForecast
    var roundabout: Diagnosis.Roundabout?
    var obstacle: Wording?
    /// Whether the rows could not be asked, or the app's route cannot be read.
    var isUncertain = false
    var goesBack = false
    var notes: [Wording] = []
    var gone: GoneVersion?
    /// What happens when a removed version is in the app again.
    var restoredForecast: OpeningForecast = .unknown

    init(_ forecast: OpeningForecast) { self.forecast = forecast }

    /// Forecasts what an app does with a store of another version, by the route that every other command takes, and by
    /// its rows where the models do not decide.
    init(
        from source: ModelVersion,
        _ context: ModelContext,
        store: StoreFile? = nil,
        _ watch: DiagnosisWatch = DiagnosisWatch()
    ) {
        let isCurrent = source.hashes == context.current.hashes
        if let stages = context.faultyStages, let fault = stages.faults.first {
            // They end the app before it looks at a store.
            forecast = .stopsInStages((stages.path, fault.wording, isGuess: false))
        } else {
            forecast = .opens
            if !isCurrent, !context.merged.isEmpty {
                // Core Data looks for one model of the store, but the app has the models that were merged into it.
                forecast = .sourceModelMissing
            } else if !isCurrent {
                foretellMigration(from: source, context, in: store, watch)
            }
        }
        guard !isCurrent else { return }
        goesBack = context.isNewer(source)
        // SwiftData infers the step from the model in the store, though the app no longer has the version.
        let isInferredByStore =
            context.current.isMigratedUnasked && store.flatMap { try? ownModel(of: $0) } != nil
        guard !isInferredByStore, let gone = context.gone(source) else { return }
        // An app does this only while it has the version.
        (self.gone, restoredForecast, forecast) = (gone, forecast, .sourceModelMissing)
        goesBack = false
    }

    private mutating func foretellMigration(
        from source: ModelVersion,
        _ context: ModelContext,
        in store: StoreFile?,
        _ watch: DiagnosisWatch
    ) {
        let current = context.current
        let mapping = inferMapping(from: source, to: current)
        let direct = MigrationRoute(from: source, to: current)
        switch context.route?(source) ?? .inferred(direct) {
        case .mappingModel(let path, let reason):
            forecast = .migratesUnseen(mappingModel: path)
            notes = ["momtool cannot run the mapping model: \(reason)"]
        case .chain(let refusal, let reason):
            (forecast, roundabout) = (.refused(mapping), .nowhere)
            notes = [refusal, "momtool cannot run any of these mapping models: \(reason)"]
        case .noStage(let refusal): forecast = .stopsInStages(refusal)
        case .nowhere:
            // A step that Core Data infers needs no other.
            forecast = forecastOfInference(mapping, along: direct, context, in: store, watch)
            if !mapping.isInferable { roundabout = .nowhere }
        case .unknown(let reason):
            forecast = forecastOfInference(mapping, along: direct, context, in: store, watch)
            isUncertain = true
            notes.append("the app's description of its migrations cannot be read: \(reason)")
        case .detour(let route):
            forecast = .refused(mapping)
            roundabout = .through(route.versionNames)
            if let store {
                do throws(StoreMigrationError) {
                    _ = try Migration(of: store, along: route)
                } catch {
                    note(error)
                }
            }
            notes += context.notes(route)
        case .inferred(let route):
            forecast = forecastOfInference(mapping, along: route, context, in: store, watch)
            notes += context.notes(route)
        case .found(let route, let road):
            let rows = ask(along: route, context, in: store, watch)
            forecast = .migratesAlong(road, names: route.versionNames, rows: rows)
            notes += context.notes(route)
        }
        noteRenaming(in: mapping, from: source.model, store)
    }

    /// Notes that mirroring keeps a store from the step, which renames an entity (CloudKitSchemas, "Production").
    private mutating func noteRenaming(
        in mapping: InferredMapping,
        from model: ManagedObjectModel,
        _ store: StoreFile?
    ) {
        let renamed = mapping.judgements.first {
            $0.rule == "entity-renamed" && ($0.cloudKit != nil || model.cloudKitEntities.isEmpty)
        }
        guard let name = renamed?.change.subject.path, let schema = try? store?.schema(),
            schema.contains(where: \.isCloudKitTable)
        else { return }
        notes.append(
            "the store is mirrored to CloudKit, so Core Data does not migrate it to the renamed entity '\(name)': keep its name"
        )
    }

    /// Forecasts an inferred step, which rows may forbid.
    private mutating func forecastOfInference(
        _ mapping: InferredMapping,
        along route: MigrationRoute,
        _ context: ModelContext,
        in store: StoreFile?,
        _ watch: DiagnosisWatch
    ) -> OpeningForecast {
        guard mapping.isInferable else { return .refused(mapping) }
        let rows = ask(along: route, context, in: store, watch)
        return rows.contains(where: \.failsInCoreData)
            ? .failsOnRows(mapping, rows: rows) : .migrates(mapping, rows: rows)
    }

    /// Asks the rows of a store about a route; notes obstacles.
    private mutating func ask(
        along route: MigrationRoute,
        _ context: ModelContext,
        in store: StoreFile?,
        _ watch: DiagnosisWatch
    ) -> [RowFinding] {
        guard let store else { return [] }
        do throws(StoreMigrationError) {
            let migration = try Migration(of: store, along: route)
            let options = MigrationOptions(cancellation: watch.cancellation)
            notes += try migration.unreadableValues(in: store).map(\.wording)
            return context.markingAllowed(
                try migration.findings(in: store, options: options, progress: watch.progress),
                migration
            )
        } catch { note(error) }
        return []
    }

    /// Notes why a store with a route cannot be migrated as it is: its layout, or why its rows cannot be asked.
    private mutating func note(_ error: StoreMigrationError) {
        if case .unexpectedLayout = error {
            obstacle = error.reason
        } else {
            isUncertain = true
            if case .stageFindings(_, let findings) = error, let first = findings.first {
                notes.append("the migration fails on rows: \(first.wording)")
            } else {
                notes.append("the rows could not be checked: \(error.reason)")
            }
        }
    }
}

/// Says what the versions of the app's model have to do with a refused step in a log, of which only the code is known.
func waysOut(ofRefusalIn diagnosis: Diagnosis, _ context: ModelContext?) -> [WayOut] {
    let codes: [CoreDataErrorCode] = [.migrationMissingMappingModel, .inferredMappingModel]
    let logged = codes.first { code in diagnosis.symptoms.contains { $0.kind == .code(code) } }
    guard let code = logged?.number, let context, context.merged.isEmpty else { return [] }
    guard diagnosis.writers.isEmpty else {
        switch diagnosis.writers.first(where: { $0.place == nil })?.forecast {
        case .migrates, .migratesAlong, .migratesUnseen:
            let words: Wording =
                "the log says \(code), but Core Data migrates this store: the log is about another store, or an app with another model"
            return [WayOut(words)]
        case .opens, .stopsInStages, .failsOnRows, .refused, .sourceModelMissing, .unknown, nil:
            return []
        }
    }
    let current = context.current
    let refused = context.named.filter { $0.hashes != current.hashes }.compactMap { version in
        if case .refused(let mapping) = Outlook(from: version, context).forecast {
            mapping.refusals.first.map { refusal -> Wording in
                "the step from '\(version.name)' to '\(current.name)' is refused: \(refusal.diagnostic.wording)"
            }
        } else {
            nil
        }
    }
    let none: Wording =
        "no version of this model gives \(code): the app in the log had another model, or another current version"
    return (refused.isEmpty ? [none] : Array(refused.prefix(3))).map { WayOut($0) }
}

import Diagnostics
import LogReading
import MappingInference
import ModelHashing
import ObjectModel

/// Says what the versions of the app's model have to do with a refused step in a log, of which only the code is known.
func waysOut(ofRefusalIn diagnosis: Diagnosis, _ context: ModelContext?) -> [WayOut] {
    let codes: [CoreDataErrorCode] = [.migrationMissingMappingModel, .inferredMappingModel]
    let logged = codes.first { code in diagnosis.symptoms.contains { $0.kind == .code(code) } }
    guard let code = logged?.number, let context, context.merged.isEmpty else { return [] }
    if diagnosis.file != nil {
        switch diagnosis.writers.first(where: { $0.place == nil })?.forecast {
        case .migrates, .migratesAlong, .migratesUnseen:
            return [
                WayOut(
                    "the log says \(code), but Core Data migrates this store: the log is about another store, or an app with another model"
                )
            ]
        case .opens, .stopsInStages, .failsOnRows, .refused, .sourceModelMissing, .unknown, nil:
            return []
        }
    }
    guard diagnosis.writers.isEmpty else { return [] }
    let current = context.current
    let refused = context.named.filter { $0.hashes != current.hashes }.compactMap {
        version -> WayOut? in
        guard case .refused(let mapping) = Outlook(from: version, context).forecast,
            let refusal = mapping.refusals.first
        else { return nil }
        let reason = refusal.diagnostic.wording
        return WayOut(
            "the step from '\(version.name)' to '\(current.name)' is refused: \(reason)"
        )
    }
    guard refused.isEmpty else { return Array(refused.prefix(3)) }
    return [
        WayOut(
            "no version of this model gives \(code): the app in the log had another model, or another current version"
        )
    ]
}

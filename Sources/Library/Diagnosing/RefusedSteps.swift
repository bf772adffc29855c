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

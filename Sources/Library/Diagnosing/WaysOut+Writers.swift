import Essentials
import MappingInference
import StoreMigration

/// What to do with a store of the version that wrote it, the best first.
func waysOut(
    of writer: Diagnosis.Writer,
    _ store: String,
    _ model: String,
    isOwnModelUsable: Bool
) -> [WayOut] {
    if let obstacle = writer.obstacle { return waysOut(around: obstacle, store, model) }
    let plan = "momtool plan \(model) --store \(store)"
    let migrate = "momtool migrate \(store) --model \(model) -o Migrated.sqlite"
    switch writer.forecast {
    case .opens, .unknown: return []
    case .migrates(let mapping, let rows):
        guard !mapping.losses.isEmpty || !rows.isEmpty else {
            return [WayOut("migrate a copy as Core Data would", migrate)]
        }
        return [
            WayOut("see what would be lost", plan),
            WayOut("migrate a copy and allow the loss", migrate + " --allow-data-loss"),
        ]
    case .failsOnRows:
        return [
            WayOut("see the rows that are affected", plan),
            WayOut(
                "give the new property a default value or make it optional; or fill the rows in a"
                    + " custom stage",
                "momtool migrate \(store) --stages Stages.yml -o Migrated.sqlite"
            ),
        ]
    case .migratesAlong(let road, _, let rows):
        return waysOut(along: road, rows, store, model)
    case .migratesUnseen:
        let advice =
            "say under policies: in .momtool.yml what the policies of the mapping model do; only then can "
            + "momtool plan and migrate say or do what the app does"
        return [WayOut(advice), WayOut("see what the migration does", plan)]
    case .stopsInStages(let path, _):
        let staged = "momtool plan \(model) --stages \(shellWord(path)) --store \(store)"
        return [
            WayOut("list the version in the first of the app's stages, and look again", staged)
        ]
    case .refused:
        return [
            WayOut("see what is refused, and the way around it", plan),
            refusedWay(writer.roundabout, store, model),
        ]
    case .sourceModelMissing:
        guard !writer.isForeign else {
            let what = isOwnModelUsable ? "the model in the store" : "the names of its tables"
            let decompile = "momtool decompile \(store) -o Model"
            return [WayOut("see which app it is of, by \(what)", decompile)]
        }
        return searches(
            store,
            model,
            isOwnModelUsable: isOwnModelUsable,
            isPruned: writer.isPruned
        )
    }
}

/// What to do where the app itself brings the store to the current version.
private func waysOut(
    along road: AppRoad,
    _ rows: [RowFinding],
    _ store: String,
    _ model: String
) -> [WayOut] {
    var stages = ""
    if case .stages(let path) = road { stages = " --stages \(shellWord(path))" }
    let plan = WayOut(
        rows.isEmpty ? "see what the migration does" : "see what would be lost, or fails",
        "momtool plan \(model)\(stages) --store \(store)"
    )
    let migrate = "momtool migrate \(store) --model \(model)\(stages) -o Migrated.sqlite"
    if rows.contains(where: \.risk.isFatal) { return [plan] }
    return [
        plan,
        rows.isEmpty
            ? WayOut("migrate a copy as the app does", migrate)
            : WayOut("migrate a copy and allow the loss", migrate + " --allow-data-loss"),
    ]
}

/// What to do where the store lacks what its model has: nothing that begins with a migration, which is refused.
private func waysOut(
    around obstacle: Diagnosis.Obstacle,
    _ store: String,
    _ model: String
) -> [WayOut] {
    let repair = "momtool repair \(store) --model \(model)"
    guard let asks = obstacle.asks else {
        let verify = "momtool verify \(store) --model \(model)"
        return [WayOut("see what is not as the model says, and take a backup", verify)]
    }
    let first =
        asks.isEmpty
        ? "repair what can be repaired without inventing values; without -o, only print what would be done"
        : "take it from a backup; or repair a copy with what only you can know: "
            + asks.map { "\($0.problem): \($0.remedy)" }.joined(separator: "; ")
    let given = asks.compactMap(\.asksFor).map { " --set \(shellWord($0))=VALUE" }.joined()
    return [
        WayOut(first, "\(repair)\(given) -o Repaired.sqlite"),
        WayOut(
            "then migrate the repaired copy, which is refused first where something would be lost",
            "momtool migrate Repaired.sqlite --model \(model) -o Migrated.sqlite"
        ),
    ]
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
    /// Whether the store is of another model.
    fileprivate var isForeign: Bool {
        if case .foreign = identity { true } else { false }
    }

    /// Whether the version was taken out of the model.
    fileprivate var isPruned: Bool {
        if case .pruned = identity { true } else { false }
    }
}

import Diagnostics
import LogReading
import MappingInference
import StoreFormat
import StoreMigration

/// What to do with a store of the version that wrote it, the best first.
func waysOut(of writer: Diagnosis.Writer, _ words: StoreWords) -> [WayOut] {
    let ways = allWaysOut(of: writer, words)
    guard writer.isUncertain else { return ways }
    let plan = ways.lazy.compactMap(\.command).first { $0.begins(with: .plan) }
    let advice: Wording = "correct what prevents a forecast, as shown above, and try again"
    return [WayOut(advice, plan ?? words.planning)]
}

private func allWaysOut(of writer: Diagnosis.Writer, _ words: StoreWords) -> [WayOut] {
    if let gone = writer.gone { return waysOut(of: writer, gone: gone, words) }
    guard writer.obstacle == nil else {
        return [WayOut("see what differs from the model, and make a backup", words.verifying)]
    }
    let plan = words.planning
    if writer.goesBack { return waysBack(from: writer, words) }
    switch writer.forecast {
    case .opens, .unknown: return []
    case .migrates(_, let rows):
        // What does not run here is left to the app.
        guard rows.allSatisfy(\.isLoss) else {
            return [WayOut("see what the migration does", plan)]
        }
        return waysForward(losing: rows, words)
    case .failsOnRows:
        return [
            WayOut("see the rows that are affected", plan),
            WayOut(
                "change the model as described above, or correct the rows in a custom stage beforehand",
                words.migratingInStages
            ),
        ]
    case .migratesAlong(let road, _, let rows): return waysOut(along: road, rows, words)
    case .migratesUnseen:
        return [WayOut(policyAdvice), WayOut("see what the migration does", plan)]
    case .stopsInStages(let refusal):
        let plan = HelpfulCommand.call(
            .plan,
            .text(words.model),
            .stages(shellWord(refusal.path)),
            .store(words.store)
        )
        return [WayOut("correct the app's stages, and try again", plan)]
    case .refused:
        return [
            WayOut("see what is refused, and how to avoid it", plan),
            refusedWay(writer.roundabout, words),
        ]
    case .sourceModelMissing:
        guard !writer.identity.isForeign else {
            guard words.isOwnModelUsable else {
                let inspect: HelpfulCommand = .call(.inspect, .text(words.store))
                return [WayOut("find its app by the names of its entities", inspect)]
            }
            let decompile: HelpfulCommand = .call(.decompile, .text(words.store), .output("Model"))
            return [WayOut("find its app by the model in the store", decompile)]
        }
        let isLocked = if case .absent = writer.identity { true } else { false }
        return searches(words, isLocked: isLocked)
    }
}

private func waysForward(losing rows: [RowFinding], _ words: StoreWords) -> [WayOut] {
    (rows.allSatisfy(\.isNamed) ? [] : [WayOut("see what would be lost", words.planning)])
        + declaring(rows) + [
            migrating(words.migrating, losing: rows, "migrate a copy as Core Data would")
        ]
}

private func declaring(_ rows: [RowFinding]) -> [WayOut] {
    let advice: Wording =
        "declare what was renamed: set its renaming identifier in the model, which changes no hash of a version"
    return rows.contains(where: \.mayBeRename) ? [WayOut(advice)] : []
}

/// Advice to migrate, with the options that allow exactly these losses; with one for all of them if they are many.
private func migrating(
    _ words: [HelpfulCommand.Word],
    losing rows: [RowFinding],
    _ title: Wording,
    or start: Wording = "migrate a copy"
) -> WayOut {
    let names = Set(rows.filter { !$0.isNamed }.map(\.name)).sorted()
    let advice: [Advice] = names.count > 3 ? [.allowAllLosses] : names.map { .allowLoss($0) }
    return WayOut(
        names.isEmpty ? title : start + " and allow the loss",
        .call(.migrate, words + advice.map { .following($0) })
    )
}

/// Advice for a store that is newer than the app: it migrates back only on request.
private func waysBack(from writer: Diagnosis.Writer, _ names: StoreWords) -> [WayOut] {
    let ways = [
        WayOut("open it with an app that has its version, which is newer than this one's"),
        WayOut("see what is lost on the way back", names.planning),
    ]
    let losses: [RowFinding]
    switch writer.forecast {
    case .opens, .unknown, .sourceModelMissing: return []
    case .failsOnRows, .migratesUnseen: return ways
    case .refused where writer.roundabout == .nowhere: return ways
    case .refused, .stopsInStages: losses = []
    case .migrates(_, let rows), .migratesAlong(_, _, let rows): losses = rows
    }
    let words = names.migrating + [.following(.allowBackward)]
    let back: Wording = "migrate a copy back"
    return ways + [migrating(words, losing: losses, back, or: back)]
}

private let policyAdvice: Wording = """
    describe the policies of the mapping model under policies: in .momtool.yml; only then can \(.planning) predict \
    or do what the app does
    """

/// What to do where the app itself migrates the store to the current version.
private func waysOut(along road: AppRoad, _ rows: [RowFinding], _ names: StoreWords) -> [WayOut] {
    if case .planWithCode(let path, _, _) = road, !road.fails(on: rows) {
        return waysOut(ofPlanAt: path, names)
    }
    var stages: [HelpfulCommand.Word] = []
    if case .stages(let path) = road { stages = [.stages(shellWord(path))] }
    let plan = WayOut(
        rows.isEmpty ? "see what the migration does" : "see what would be lost, or fails",
        .call(.plan, [.text(names.model)] + stages + [.store(names.store)])
    )
    let words: [HelpfulCommand.Word] =
        [.text(names.store), .model(names.model)] + stages + [.output("Migrated.sqlite")]
    if rows.contains(where: \.risk.isFatal) { return [plan] }
    return [plan] + declaring(rows)
        + [migrating(words, losing: rows, "migrate a copy as the app does")]
}

/// What to do where the app follows a plan whose custom stages run code, which may carry values over.
private func waysOut(ofPlanAt path: String, _ words: StoreWords) -> [WayOut] {
    [
        WayOut("migrate it with the app: its code is part of the migration"),
        WayOut(
            "to migrate or test it here, see the plan, and write the effect of the code into the stages file that this prints",
            .call(.plan, .stages(shellWord(path)))
        ),
        WayOut("then migrate a copy with that file", words.migratingInStages),
    ]
}

private func refusedWay(_ roundabout: Diagnosis.Roundabout?, _ words: StoreWords) -> WayOut {
    let migrate = HelpfulCommand.call(.migrate, words.migrating)
    switch roundabout {
    case nil: return WayOut("migrate a copy, through other versions if necessary", migrate)
    case .through(let title): return WayOut("migrate a copy: \(title)", migrate)
    case .nowhere?:
        return WayOut(
            "write a stages file with a map or a mapping model for the step, as no chain of versions leads there",
            words.migratingInStages
        )
    }
}

extension StoreWords {
    /// Writes the model in the store as a version of the app's model.
    fileprivate var adopting: HelpfulCommand {
        isOfSwift
            ? .call(.generate, .frozen(name: "NAME", store: store), .output("NAME.swift"))
            : .call(.decompile, .text(store), .output("Model"))
    }
}

/// Where to look for a version that no model at hand has.
private func searches(_ words: StoreWords, isLocked: Bool) -> [WayOut] {
    (words.isOwnModelUsable
        ? [
            WayOut(
                "use the model in the store as a version of the app's model",
                words.adopting
            ),
            WayOut(
                "migrate a copy, starting from the model in the store",
                .call(.migrate, words.migrating)
            ),
        ] : []) + [
            WayOut(
                "look for the version in every commit of the repository",
                .call(.identify, .text(words.store), .model(words.model), .inRepository)
            )
        ]
        + (isLocked
            ? []
            : [
                WayOut(
                    """
                    restore the version as it shipped: with git restore from the commit that has it, otherwise by hand; a lock \
                    made before that records the edited version
                    """
                ),
                WayOut(
                    "only then lock the versions that shipped, so that none is edited again",
                    .call(.lock, .text(words.model))
                ),
            ])
}

/// Advice about versions that stages list twice: from the given stages, or where to look.
func waysOut(ofStagesIn context: ModelContext?, _ words: StoreWords) -> [WayOut] {
    let faults = context?.faultyStages?.faults ?? []
    guard !faults.isEmpty else {
        return [
            WayOut(
                """
                look for a version that two stages list: a lightweight stage lists the versions that it starts from, and a \
                custom stage lists both of its versions; V2 → V3 follows `[V1]`, not `[V1, V2]`
                """,
                .call(.plan, .stages("Stages.yml"))
            ),
            WayOut(
                "if none is listed twice, look for two versions with equal hashes, and remove one from the list",
                words.linting
            ),
        ]
    }
    var places: [String] = []
    for path in faults.compactMap(\.location?.path) where !places.contains(path) {
        places.append(path)
    }
    return places.map { path in
        let relevant = faults.filter { $0.location?.path == path }
            .map { "\($0.location.map { "\($0)" } ?? path): \($0.wording)" as Wording }
        return WayOut(
            "list each version once, in the stages of the app too: \(relevant.joined(separator: "; "))",
            .call(.plan, .stages(shellWord(path)))
        )
    }
}

/// What to do with a repairable store: repair a copy, and examine it, before a migration removes what is missing.
func waysOut(
    by repair: StoreRepair,
    _ names: StoreWords,
    taking version: [HelpfulCommand.Word] = []
) -> [WayOut] {
    let words = [.text(names.store)] + (version.isEmpty ? [.model(names.model)] : version)
    let output = HelpfulCommand.Word.output("Repaired.sqlite")
    let next = repairedWay(names.isNamed ? names.model : nil)
    // Files have their own advice.
    let left = repair.remaining.filter { $0.rule != .missingExternalFile }
    let last = corrections(of: left, in: names.store)
    guard !repair.steps.isEmpty || !repair.obstacles.isEmpty else { return last }
    guard !repair.obstacles.isEmpty else {
        let advice: Wording = "repair what can be repaired without inventing values; \(.rehearsal)"
        return [WayOut(advice, .call(.repair, words + [output])), next] + last
    }
    let asks = repair.obstacles.map { "\($0.problem): \($0.remedy)" as Wording }
        .joined(separator: "; ")
    guard repair.obstacles.allSatisfy({ !$0.advice.isEmpty }) else {
        let advice: Wording = "restore it from a backup, as a repair cannot fix everything: \(asks)"
        return [WayOut(advice, .call(.repair, words))] + last
    }
    var known: Set<Advice> = []
    let given = repair.obstacles.flatMap(\.advice).filter { known.insert($0).inserted }
        .map { HelpfulCommand.Word.following($0) }
    return [
        WayOut(
            "restore it from a backup; or repair a copy with values that only you know: \(asks)",
            .call(.repair, words + given + [output])
        ), next,
    ] + last
}

/// What to do about faults without a known repair.
func corrections(of findings: [Diagnostic], in store: String) -> [WayOut] {
    findings.filter { $0.severity == .error }.corrections(ofStore: store).map { words, left in
        let all = left.prefix(5).map { finding in
            // Without rows the reason begins with the element.
            (finding.rows.flatMap { _ in finding.element }.map { "\($0): " } ?? "") + finding.reason
        }.joined(separator: "; ")
        let more: Wording = left.count > 5 ? "; and \(left.count - 5) more" : ""
        return WayOut("\(words), as momtool cannot repair them: \(all)\(more)")
    }
}

func wayToModel(of subject: String) -> WayOut {
    let advice: Wording = """
        name the app's model, and all models merged with it, to learn which version wrote it and what Core Data does
        """
    return WayOut(advice, .call(.doctor, .text(subject), .model("MODEL")))
}

/// Advice for a store of merged models, one of which has changed.
func mergedWay(_ models: [String], _ store: String) -> WayOut {
    WayOut(
        """
        for Core Data, ship the merged model of each release in the app; here, migrate a copy to the current \
        versions of all models
        """,
        .call(.migrate, [.text(store)] + models.map { .model($0) } + [.output("Migrated.sqlite")])
    )
}

func wayOut(of code: CoreDataErrorCode, _ words: StoreWords) -> WayOut? {
    switch code {
    case .incompatibleVersionHash, .migrationMissingSourceModel,
        .managedObjectModelReferenceNotFound:
        WayOut(
            "find out which version wrote the store",
            .call(.identify, .text(words.store), .model(words.model))
        )
    case .migrationConstraintViolation:
        WayOut(
            "count the equal values under the new constraint, and merge or delete such objects in a stage before it",
            words.planning
        )
    case .migration, .inferredMappingModel, .migrationMissingMappingModel:
        WayOut("see what the migration does", words.planning)
    case .stagedMigrationBackward:
        WayOut("open the store with an app that has its version, or restore an older backup")
    case let code where (1550...1680).contains(code.number):
        WayOut("count the rows that violate the rules of the model", words.validating)
    case .managedObjectConstraintMerge, .managedObjectMerge:
        WayOut(
            "set a merge policy by property (NSMergeByPropertyObjectTrumpMergePolicy), or look for the existing object before you insert another"
        )
    case .persistentStoreOpen, .persistentStoreTimeout:
        WayOut("check the path and the folder, and whether another process holds the file")
    case .stagedMigrationFrameworkVersionMismatch:
        WayOut("migrate the store once without stages", .call(.migrate, words.migrating))
    case .coreData, .migrationManagerSourceStore,
        .migrationManagerDestinationStore, .entityMigrationPolicy:
        WayOut("read the underlying error for details")
    case .persistentStoreTypeMismatch:
        WayOut("open it with the type that its file has, mostly NSSQLiteStoreType")
    case .persistentStoreIncompatibleSchema:
        WayOut("use the configuration that made it, and compare its tables", words.verifying)
    case .migrationCancelled: WayOut("open the store again, which starts the migration anew")
    case .sqlite:
        WayOut("look at NSSQLiteErrorDomain in the user info of the error: it has SQLite's code")
    default: nil
    }
}

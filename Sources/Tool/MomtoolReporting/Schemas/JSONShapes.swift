import MappingInference

enum JSONShapes {
    static let definitions = ShapeNotation.read(text, knowing: known).shapes

    private static let known = [
        "cloudKitVerdict": ShapeNotation.oneOf(CloudKitVerdict.allCases.map(\.rawValue)),
        "unit": ShapeNotation.oneOf(RowRisk.Unit.allCases.map(\.name)),
    ]

    private static let text = """
        side := { name: string, checksum: string }
        verdict := "no-effect-on-hash" | "lightweight" | "lightweight-though-undocumented" | "depends-on-rows" |
          "loses-data" | "needs-custom-stage" | "impossible"
        versionCommits := [{ version: string, path: string, first: string, date: string, author: string,
          subject: string, last?: string, tags: [string] }]
        semantics := { steps?: [step], error?: string }
        historyPart := { name?: string "The author or the entity.", transactions: integer, changes: integer,
          firstDay?: string, lastDay?: string }
        severity := "error" | "warning" | "note"
        model = report { model: string "The path.", versions: [version],
          versionNames?: [string] "With --current: all versions; MODEL#VERSION shows another one." }
        version = { name: string, current: boolean, identifiers: [string],
          checksum: string "Apple's version checksum, in base64.", counts: {integer},
          entities?: [entity] "But with --brief.", outline?: [{ name: string, parent?: string, attributes: integer,
          relationships: integer }] "With --brief: how many properties each entity has.", configurations: [string],
          fetchRequests: [string], composites: [{ name: string, attributes: [attribute] }] }
        entity = { name: string, parent?: string, abstract: boolean, className?: string, renamingIdentifier?: string,
          versionHashModifier?: string, attributes: [attribute], relationships: [relationship],
          fetchedProperties: [string], indexes: [string], uniquenessConstraints: [[string]] }
        attribute = { name: string, type: string "As in sources, such as Integer 64.", optional: boolean,
          transient: boolean, derivation?: string,
          defaultValue?: string "As sources write it; of a date, seconds since 2001.",
          minimum?: string "The least value or length.", maximum?: string "The greatest value or length.",
          regularExpression?: string, renamingIdentifier?: string "The name in older versions.",
          versionHashModifier?: string }
        relationship = { name: string, destination?: string, inverse?: string, toMany: boolean, ordered: boolean,
          optional: boolean, deleteRule: "No Action" | "Nullify" | "Cascade" | "Deny", renamingIdentifier?: string,
          versionHashModifier?: string }
        hashes = report { model: string, versions: [{ name: string, current: boolean,
          checksum?: string "Apple's version checksum, in base64.",
          digest?: string "Apple's digest of all hashes, in base64.",
          entities: {string} "The hash of each, in hexadecimal.", notUnderstood?: {[string]}, unproven?: {[string]} }] }
        difference = report { from: side, to: side, oneStore?: { opens: boolean, equal: [string], unequal: [string] },
          verdict: verdict "The worst of all.", isEmpty: boolean, movedEntities: [string], changes: [change],
          refusals: [refusal], suspectedRenames: [rename], meant?: [string] }
        change = { element?: string, change: string, from?: string, to?: string, rule: string, verdict: verdict,
          movesHash: boolean, effect: string "What happens to rows.",
          evidence: string "What shows that Core Data does so.", cure?: string, queries?: [string], cloudKit?: {
          verdict: cloudKitVerdict, effect: string, evidence: string
          } "What it means for the CloudKit schema, if it is mirrored.", fromPlace?: place, toPlace?: place }
        refusal = { rule: string, code?: integer "Core Data's error.", reason: string, evidence: string,
          element?: string, cure: string "What makes the step possible." }
        rename = { entity?: string, from: string, to: string, elementID: string "The renaming identifier to write.",
          place?: place }
        place = { path: string, line?: integer, column?: integer }
        unreadable = report { path: string, error: string "Why the file, one of several, could not be read." }
        store = report { store: string "The path.", uuid: string, frameworkVersion?: integer, system?: string,
          versionIdentifiers: [string], checksum: string "Computed from the hashes, in base64.",
          hashes?: {string} "The hash of each entity, in hexadecimal.", entities: [{ number: integer "Z_ENT.",
          name: string, parent?: string, rows: integer, greatestKey: integer, model?: entity }], bytes: integer,
          hasHistory: boolean, cloudKitTables: [string], applicationKeys: [string], hasModel: boolean, sql?: [string],
          history?: { total: historyPart, authors: [historyPart], entities: [historyPart],
          old: historyPart "What is older than 30 days.", bytes?: integer,
          oldBytes?: integer "About how many bytes its removal frees." }, sizes?: [{ kind: string, name?: string,
          table?: string, entities?: [string], bytes: integer, unused: integer }] "With --bytes.", files?: {
          logBytes: integer, externalFiles: integer, externalBytes: integer } "With --bytes." }
        rowDifferences = report { old: string "The path of the old store.", new: string, differences?: [{
          object: string, entity: string, change: string, properties: [{ name: string, old?: any, new?: any }]
          }] "Absent with --summary.", entities: [{ entity: string, added: integer, removed: integer, changed: integer,
          same: integer }], total: { added: integer, removed: integer, changed: integer, same: integer } }
        identity = report { store: string, model: string, versions: [string] "Those whose hashes are the store's.",
          writer?: string, proof?: string, nearest?: string,
          pruned?: string "The version that wrote the store and was removed from the model.",
          prunedOn?: string "The day of the removal, such as 2026-11-24.", locked?: string
          "The version in the lock whose source is missing, was changed or cannot be read.",
          remark?: string, differences: [{ entity: string, difference: string, changes: [string] }],
          commits?: versionCommits "With --git: those that had the versions.",
          error?: string "Why the store could not be read." }
        plan = report { store?: string, result?: string, from: string, to: string,
          verdict?: verdict "The worst of all; absent where a mapping model decides.",
          summary: string "The verdict in words, or its replacement.", entities: [{ mapping: string, from?: string,
          to?: string }], changes: [{ element: string, change: string, rule: string, verdict: verdict,
          summary: string "The verdict in words.", effect: string,
          cloudKit?: string "What it means for the CloudKit schema, if it is mirrored." }], damage?: [damage],
          findings: [string], rejections?: [string], losses?: [loss], meant?: [string], uncertain?: [string],
          tables?: [table], steps?: [{ purpose: string, effort: "schema" | "rows", sql?: string "With --sql.",
          causes: [string] }], room?: { copyBytes: integer, inPlaceBytes: integer, backupBytes: integer,
          freeBytes?: integer, copySeconds: number, inPlaceSeconds: number, memoryBytes: integer
          } "What the migration approximately needs of the file system and the processor." }
        damage = { rule: string, severity: severity, element?: string, count: integer, keys: [integer], message: string,
          remedy: string, command?: string }
        loss = { name: string "As --allow-data-loss takes it.", count: integer, unit: string, keys: [integer],
          reason: string }
        table = { table: string, treatment: string,
          uniqueIndexes?: [string] "Those that are new: equal values make the migration fail." }
        step = { kind: string, stage?: string, from: string, to: string,
          remark?: string "What is unknown about it, as its stage runs Swift." }
        stagedPlan = report { apple: semantics, stepwise: semantics, damage?: [damage], findings?: [string],
          losses?: [loss], uncertain?: [string], programs?: [{ step: string, statements: string }] }
        outcomes = report { stores: [outcome] }
        outcome = { formatVersion?: integer "In the lines of a journal.", command?: string "In the lines of a journal.",
          store: string, result?: string, status: "migrated" | "exported" | "repaired" | "sound" | "identified" |
          "unknown" | "healthy" | "ill" | "done" | "refused" | "failed", from?: string, to?: string, damage?: [damage],
          losses: [loss], messages: [string], tables?: [table], steps?: [step], summary: string }
        repair = report { store: string, isDone: boolean, output?: string, steps: [{ purpose: string, lost?: string,
          sql?: string }], obstacles: [{ problem: string, remedy: string, asksFor?: string }], remaining: [string] }
        diagnosis = report { subject: string "The path of the store or the log.", log?: string, agreement?: {
          line: integer, isSame: boolean, differences: [string] }, writers: [writer], symptoms: [symptom], file?: file,
          findings: [storeFinding], waysOut: [{ advice: string, command?: string }] }
        writer = { place?: string, versions: [string], commits: versionCommits, proof?: string, writer?: string,
          nearest?: string, pruned?: string "The version that was removed from the model.", locked?: string
          "The version in the lock whose source is missing, was changed or cannot be read.",
          remark?: string, differences: [string], outcome: "opens" | "migrates" | "fails" | "refuses" |
          "no source model" | "unknown" "What Core Data does with the store.", codes: [integer], forecast: [string] }
        symptom = { line: integer, code?: integer, title: string, meaning: string }
        file = { bytes: integer, logBytes: integer, journalBytes: integer, pages: integer, freePages: integer,
          historyPages?: integer, historyChanges: integer, system?: string, hasModel: boolean, facts: [string] }
        storeFinding = { rule: string, severity: severity, entity?: string, property?: string, message: string,
          count: integer, keys: [integer], text: string }
        settings = report { configuration?: string "The path of the file, if there is one.",
          versions: "changeable" | "all" "The versions that are checked.",
          order: [string] "The versions from the oldest to the newest.",
          releases: [string] "The patterns of tags that are releases; every tag if there are none.",
          unshipped: [string] "The versions that have not shipped.",
          allowDataLoss: [string] "What every migration may drop; * is all.",
          losses: {[string]} "What the steps into versions may drop; * is all.", migration: "direct" | "stepwise",
          stages: [string], mappingModels: [string], policies: {string} "What each migration policy does.",
          rows: {string} "The files with the rows of versions in the corpus.",
          joinTables: [string], claimants: [string],
          rules: {string} "The setting of each named rule: off or a severity.", houseRules: [{ rule: string,
          for: string, severity: severity }] "The rules of the team.", ignore: [{ rule?: string, element?: string,
          version?: string, reason: string }] }
        work = report { command: string,
          isDry: boolean "True if nothing was written: the files are those that would be.", files: [{
          path: string "A file, or a folder that is replaced as a whole.", state: "written" | "unchanged" |
          "removed" "What happened to it; if isDry is true, what would happen to it." }],
          messages: [string] "The messages.",
          patch?: string "With --dry-run: a unified diff, as git apply takes it.",
          verdict?: string "What the step to the edited version means to stores.",
          plan?: string "With --plan: what migrate does with stores from before.",
          findings: [finding] "Warnings and notes about the run." }
        explanation = report { rule: string, family: string, severity: severity, summary: string, rationale: string,
          reporter: string "The command that reports it.", apple?: string "What Apple's tools say.",
          fix?: string "What lint --fix does about a violation.",
          fixMovesHash?: boolean "Whether that changes the version hash." }
        meaning = report { rule: string, summary: string, rationale: string }
        acceptance = report { system: {any} "The Mac that ran the kit.",
          momtool: string "The version that made the kit.", counts: {integer}, rules: [{ rule: string, evidence: string,
          counts: {integer}, items: [string] }], findings: [{ item: string, check: string, outcome: string,
          message: string }], unmatched: [string] }
        findings = report { command: string "The command that looked, or that failed.",
          subject: string "What it looked at, in words or as a path.",
          subjects?: [string] "The paths of what was looked at one by one.",
          extent?: string "What was looked at, in numbers, in words.", counts: { error: integer, warning: integer,
          note: integer }, fixed?: [{ fix: string "What was done.", path: string,
          line?: integer "From 1, in the file before the change.", column?: integer,
          isGuess: boolean "Whether somebody has to check it."
          }] "What lint --fix wrote, before it looked for what is left.", findings: [finding] }
        finding = { rule: string "The stable ID of the rule; momtool rules describes it.", severity: severity,
          message: string, path?: string, line?: integer "From 1.", column?: integer "From 1, in UTF-8 bytes.",
          element?: string "An entity or a property, as Book.title.",
          version?: string "The version of the model that it is in.", notes: [note], rows?: { count: integer,
          unit: unit "What is counted.", keys: [integer] "The Z_PK of the first of the rows."
          } "The rows of a store that it is about.",
          loss?: string "The name of what is lost or would be, as Book.notes.",
          fix?: string "What lint --fix does about it.", edit?: { path: string, firstLine: integer "From 1.",
          lines: integer "How many lines are replaced.", text: string "What is there afterwards." } }
        note = { message: string, path?: string, line?: integer, column?: integer }
        rules = report { rules: [{ rule: string, family: string, severity: severity, summary: string,
          fix?: string "What lint --fix does about a violation.",
          fixMovesHash?: boolean "Whether that changes the version hash." }] }
        tests = report { cases: [{ group: string "The folder of cases, or the model.", name: string, status: "passed" |
          "failed" | "recorded" | "skipped", lines: [string] "What differs, or why it was skipped.", seconds: number,
          path?: string "The file of the first difference that has a place.", line?: integer "Its line there, from 1."
          }], passed: integer, failed: integer, recorded: integer, skipped: integer, seconds: number }
        """
}

package import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import ModelDiffing
import ObjectModel
import StoreFormat
package import StoreMigration

package struct MigrationReport: Sendable, TextReport, KeyedReport {
    /// Absent for a plan without one.
    package var store: String?
    /// The space and time, for the first of several steps only; absent without a store.
    package var room: RoomLine?
    /// Absent before there is one.
    package var result: String?
    private let from: String
    private let to: String
    /// The worst verdict of all; absent where none decides, as for a mapping model.
    var verdict: Verdict?
    var verdictWords: String
    private var entities: [EntityMapping]
    var changes: [Judgement]
    /// Faults of the store before, and additions of the app; absent without a store.
    package var damage: [StoreDamage]?
    /// What the rows forbid, or would lose; absent without a store.
    private var findings: [RowFinding]?
    /// What the new version's rules reject at the next save of each row; absent without a store.
    package var rejections: [Diagnostic]?
    /// Losses and requirements for rows that are named in the configuration or the lock; absent when there are none.
    package var meant: [String]?
    /// Absent for a mapping model, a map, and where nothing is done.
    var program: MigrationProgram?
    private var showsSQL = false
    var hasNoRowAtStake = false
    /// Whether rows may have equal values under a new uniqueness constraint.
    private var mayHaveDuplicates = false

    init(from: String, to: String, mapping: InferredMapping) {
        (self.from, self.to) = (from, to)
        (verdict, verdictWords) = (mapping.verdict, mapping.verdict.words)
        (entities, changes) = (mapping.entityMappings, mapping.judgements)
        mayHaveDuplicates = mapping.risks.contains { $0.constraint != nil }
    }

    /// Creates the report of a step by a mapping model or a map, which `title` names.
    private init(from: String, to: String, by title: String) {
        (self.from, self.to) = (from, to)
        verdictWords = "mapping model, \(title)"
        (entities, changes) = ([], [])
    }

    /// Creates the report of two versions with equal hashes: Core Data never takes the step.
    private init(unchanged source: ModelVersion, _ destination: ModelVersion) {
        let mapping = MigrationPlan(from: source, to: destination).mapping.neverTaken
        self.init(from: source.name, to: destination.name, mapping: mapping)
        let unhashed = (source.model.entities + destination.model.entities).first {
            !$0.gaps.isEmpty
        }
        verdict = unhashed == nil ? .noEffectOnHash : nil
        verdictWords =
            unhashed.map { "unknown: the hash of '\($0.name)' is unknown; all others are equal" }
            ?? "nothing to do: the hashes are equal, so Core Data opens stores of one with the other"
        entities = []
    }

    /// Creates a report for each step between versions, the first with the findings before it; a single one without steps.
    ///
    /// The store and the findings of its rows are nil without one.
    package static func reports(
        of migration: Migration,
        store: String? = nil,
        findings: [RowFinding]? = nil,
        showsSQL: Bool = false
    ) -> [MigrationReport] {
        let steps = migration.steps(after: findings ?? []).enumerated()
            .filter(\.element.step.kind.changesVersion)
        var reports = steps.map { index, step in
            var report = MigrationReport(step)
            (report.program, report.showsSQL) = (step.program, showsSQL)
            report.findings = findings?.filter { ($0.step ?? steps.first?.offset) == index }
            return report
        }
        if reports.isEmpty, let source = migration.source, let destination = migration.destination {
            reports = [MigrationReport(unchanged: source, destination)]
        }
        guard !reports.isEmpty else { return [] }
        reports[0].store = store
        if steps.isEmpty { reports[0].findings = findings }
        if let findings, migration.route.isDirect { reports[0].answer(findings) }
        return reports
    }

    private init(_ step: Migration.Step) {
        let (from, to) = (step.step.source.name, step.step.destination.name)
        if step.step.kind == .lightweight, let mapping = step.mapping {
            self.init(from: from, to: to, mapping: mapping)
            return
        }
        let file = step.mappingModel?.split(separator: "/").last
        let title = file.map { "by \($0)" } ?? step.title
        self.init(from: from, to: to, by: title)
    }

    package static func statements(of program: MigrationProgram) -> String {
        program.steps.map(MomtoolReporting.text).joined(separator: "\n")
    }

    static func text(of findings: [RowFinding]) -> String {
        let texts = findings.filter { $0.isLoss && !$0.isComputedLater }
            .map { "\($0.name) (\($0.amount))" }
        return texts.isEmpty ? "" : "; allowed losses: " + texts.joined(separator: ", ")
    }

    static let shape = """
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
        """
    package var jsonObject: JSONObject {
        [
            "store": store, "room": room, "result": result, "from": from, "to": to,
            "verdict": verdict?.identifier, "summary": verdictWords,
            "entities": entities.map(MomtoolReporting.jsonObject),
            "changes": changes.map(MomtoolReporting.jsonObject),
            "damage": damage?.map(MomtoolReporting.jsonObject), "findings": findingLines,
            "rejections": rejections?.map(\.worded.message),
            "losses": findings.map(lossObjects), "meant": meant, "uncertain": uncertain,
            "tables": tables,
            "steps": program?.steps.map { MomtoolReporting.jsonObject($0, withSQL: showsSQL) },
        ]
    }

    private var findingLines: [String] { (findings ?? []).map(\.wording.commandWords) }

    /// Join tables that Core Data may look for under another name; absent when there are none.
    private var uncertain: [String]? {
        guard let program, !program.uncertain.isEmpty else { return nil }
        return program.uncertain.map(\.wording.commandWords)
    }

    package var text: String {
        var parts = [
            "\(store.map { "\($0): " } ?? "")\(from) → \(to): \(answeredVerdict)".onOneLine
        ]
        let shown = changes.filter { $0.verdict != .noEffectOnHash }
        if !shown.isEmpty {
            let rows = shown.map {
                [$0.change.element, $0.change.words.line, $0.verdict.words, $0.effect]
            }
            parts.append("changes\n" + textTable(rows))
        }
        let mirrored = shown.compactMap { item in
            item.cloudKit.map { [item.change.element, $0.line] }
        }
        if !mirrored.isEmpty { parts.append("mirroring\n" + textTable(mirrored)) }
        if shown.count < changes.count {
            let count = (changes.count - shown.count).counted("more change")
            parts.append("no effect on stores: \(count)")
        }
        if let tables {
            parts.append("tables\n" + textTable(tables.map { [$0.table, words(of: $0)] }))
        }
        if let damage, !damage.isEmpty {
            let rows = damage.map { [$0.wording.commandWords] }
            parts.append("before the migration\n" + textTable(rows))
        }
        let findings = findingLines
        if !findings.isEmpty { parts.append("rows\n" + textTable(findings.map { [$0] })) }
        if let meant { parts.append(meantLine(meant).onOneLine) }
        // The rows whose values no case of an enum has are among the rejections too.
        let enumLines = (rejections ?? []).filter(\.isUnreadableInSwift).map(\.worded.message)
        let rejected = (rejections ?? []).map(\.worded.message).filter { !enumLines.contains($0) }
        if !rejected.isEmpty {
            parts.append("at the next save\n" + textTable(rejected.map { [$0] }))
        }
        if !enumLines.isEmpty {
            parts.append("when the app reads them\n" + textTable(enumLines.map { [$0] }))
        }
        if let uncertain { parts.append("join tables\n" + textTable(uncertain.map { [$0] })) }
        if showsSQL, let program { parts.append(Self.statements(of: program)) }
        return parts.joined(separator: "\n\n")
    }

    package var summary: String {
        let counts = Dictionary(grouping: program?.changes ?? [], by: \.treatment)
            .mapValues(\.count)
        let list = TableTreatment.allCases.compactMap { treatment in
            counts[treatment].map { "\($0) \(treatment.pastTense)" }
        }
        let what = list.isEmpty ? "nothing to do" : "tables: " + list.joined(separator: ", ")
        let loss = Self.text(of: findings ?? [])
        return "\(store ?? ""): \(from) → \(to) in \(result ?? "place"); \(what)\(loss)"
    }
}

func meantLine(_ names: [String]) -> String {
    "allowed losses (.momtool.yml or the lock): \(names.joined(separator: ", "))"
}

extension ModelChange { var element: String { subject.path ?? "the model" } }

private func causes(of step: ProgramStep) -> [String] {
    step.causes.map { "\($0.element): \($0.words.line)" }
}

private func text(of step: ProgramStep) -> String {
    let reasons = causes(of: step).map { "--   because of \($0)" }
    return textLines(["-- \(step.purpose)"] + reasons) + "\n\(step.sql);"
}

private func jsonObject(_ step: ProgramStep, withSQL showsSQL: Bool) -> JSONObject {
    [
        "purpose": step.purpose, "effort": step.effort.rawValue,
        "sql": showsSQL ? step.sql : nil, "causes": causes(of: step),
    ]
}

private func jsonObject(_ mapping: EntityMapping) -> JSONObject {
    ["mapping": mapping.name, "from": mapping.sourceEntity, "to": mapping.destinationEntity]
}

private func jsonObject(_ judgement: Judgement) -> JSONObject {
    [
        "element": judgement.change.element, "change": judgement.change.words.line,
        "rule": judgement.rule, "verdict": judgement.verdict.identifier,
        "summary": judgement.verdict.words, "effect": judgement.effect,
        "cloudKit": judgement.cloudKit?.line,
    ]
}

func lossObjects(_ findings: [RowFinding]) -> [JSONObject] {
    findings.filter { $0.isLoss && !$0.isComputedLater }.map { loss in
        [
            "name": loss.name, "count": loss.count, "unit": loss.risk.unit.rawValue,
            "keys": loss.examples, "reason": loss.reason.commandWords,
        ]
    }
}

func jsonObject(_ damage: StoreDamage) -> JSONObject {
    let finding = damage.finding
    return [
        "rule": finding.rule, "severity": finding.severity, "element": finding.element,
        "count": finding.count, "keys": finding.keys, "message": finding.reason.commandWords,
        "remedy": damage.remedy, "command": damage.command.map { Wording($0).commandWords },
    ]
}

extension TableTreatment {
    fileprivate var pastTense: String {
        switch self {
        case .create: "created"
        case .keep: "kept"
        case .alter: "altered"
        case .update: "updated"
        case .rebuild: "rebuilt"
        case .drop: "dropped"
        }
    }
}

extension Verdict {
    var words: String {
        switch self {
        case .noEffectOnHash: "no effect on the hash"
        case .lightweight: "lightweight"
        case .lightweightThoughUndocumented: "lightweight though undocumented"
        case .dependsOnRows: "depends on the rows"
        case .losesData: "loses data"
        case .needsCustomStage: "needs a custom stage or mapping"
        case .impossible: "impossible"
        }
    }
}

extension MigrationReport {
    /// An estimate of the space and time for the migration of a store.
    package struct RoomLine: Sendable, Encodable {
        /// The bytes for a new file, as `-o` writes it.
        package var copyBytes: Int
        package var inPlaceBytes: Int
        package var backupBytes: Int
        /// The free bytes where the store is; absent where the system does not tell.
        package var freeBytes: Int?
        /// Of the processor, as those in place.
        package var copySeconds: Double
        package var inPlaceSeconds: Double
        package var memoryBytes: Int

        package init(_ room: MigrationRoom, free: Int?) {
            (copyBytes, inPlaceBytes, backupBytes) = (room.ofCopy, room.inPlace, room.ofBackup)
            freeBytes = free
            memoryBytes = room.memory
            func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
            copySeconds = rounded(room.seconds(ofCopy: true))
            inPlaceSeconds = rounded(room.seconds(ofCopy: false))
        }
    }

    package struct TableLine: Sendable, Encodable {
        package var table: String
        package var treatment: String
        /// The new unique indexes, which make the migration fail on rows with equal values; absent without any.
        package var uniqueIndexes: [String]?

        init(_ change: TableChange, _ program: MigrationProgram) {
            (table, treatment) = (change.table, change.treatment.rawValue)
            let indexes = program.newUniqueIndexes(of: change.table)
            uniqueIndexes = indexes.isEmpty || change.treatment == .create ? nil : indexes
        }
    }

    /// Absent without a program.
    var tables: [TableLine]? {
        program.map { program in program.changes.map { TableLine($0, program) } }
    }

    private static let noRow = "no row of this store prevents it"

    /// Notes on changes that depend on rows that no row of the store forbids them, where that is so.
    mutating func answer(_ findings: [RowFinding]) {
        let entities = Set(findings.flatMap(\.names).compactMap { $0.split(separator: ".").first })
        for index in changes.indices
        where changes[index].verdict == .dependsOnRows
            && !entities.contains(changes[index].change.element.split(separator: ".").first ?? "")
        { changes[index].ruling.effect = Self.noRow }
        hasNoRowAtStake = findings.isEmpty
    }

    /// The verdict for people, with the answer of the rows where they decide.
    var answeredVerdict: String {
        let isAnswered = hasNoRowAtStake && verdict == .dependsOnRows
        return verdictWords + (isAnswered ? ", and \(Self.noRow)" : "")
    }

    /// What happens to a table, for people; that rows may forbid it, unless they were asked.
    func words(of line: TableLine) -> String {
        guard let indexes = line.uniqueIndexes else { return line.treatment }
        let words =
            line.treatment + ", and \(indexes.count == 1 ? "a unique index" : "unique indexes")"
        guard mayHaveDuplicates, !hasNoRowAtStake else { return words }
        return words + ": with equal values the migration fails (134110)"
    }
}

import Essentials
package import Diagnostics
package import MappingInference
import MigrationPlanning
import ModelDiffing
import ObjectModel
import StoreFormat
package import StoreMigration

package struct MigrationReport: Sendable, TextReport {
    package struct EntityLine: Sendable, Encodable {
        /// The name that Apple's inference gives the mapping, such as `IEM_Copy_Person`.
        package var mapping: String
        package var from: String?
        package var to: String?
    }

    package struct ChangeLine: Sendable, Encodable {
        /// Such as `Person.name`.
        package var element: String
        /// Such as `type: Integer 16 → Integer 32`.
        package var change: String
        package var rule: String
        /// The verdict, by its name for programs.
        package var verdict: String
        package var summary: String
        package var effect: String
        /// `nil` where it is not mirrored.
        package var cloudKit: String?
    }

    package struct StepLine: Sendable, Encodable {
        package var purpose: String
        /// What its time grows with: `schema` or `rows`.
        package var effort: String
        /// The statement; absent where it was not asked for.
        package var sql: String?
        package var causes: [String]
    }

    package struct LossLine: Sendable, Encodable {
        /// Such as `Notice` or `Book.notes`.
        package var name: String
        package var count: Int
        /// `rows`, `values`, `links` or `records`.
        package var unit: String
        package var keys: [Int64]
        package var reason: String

        init(_ finding: RowFinding) {
            name = finding.name
            count = finding.count
            unit = finding.risk.unit.rawValue
            keys = finding.examples
            reason = finding.reason.commandWords
        }

        fileprivate var amount: String { count.counted(RowRisk.Unit(rawValue: unit)?.name ?? unit) }
    }

    /// A fault of the store before, or an addition of the app.
    package struct DamageLine: Sendable, Encodable {
        package var rule: String
        /// `note` for an addition of the app.
        package var severity: String
        /// Absent where it is about neither an entity nor a property.
        package var element: String?
        /// The number of rows, values or objects of the schema.
        package var count: Int
        package var keys: [Int64]
        package var message: String
        package var remedy: String
        /// The command that does it; absent where none can.
        package var command: String?

        init(_ damage: StoreDamage) {
            let finding = damage.finding
            rule = finding.rule.rawValue
            severity = finding.severity.rawValue
            element = finding.element
            (count, keys, message) = (finding.count, finding.keys, finding.reason.commandWords)
            (remedy, command) = (damage.remedy, damage.command.map { Wording($0).commandWords })
        }
    }

    /// Absent for a plan without one.
    package var store: String?
    /// The space and time, for the first of several steps only; absent without a store.
    package var room: RoomLine?
    /// Absent before there is one.
    package var result: String?
    package var from: String
    package var to: String
    /// The worst verdict of all, by its name for programs; absent where none decides, as for a mapping model.
    package var verdict: String?
    /// The verdict in words, or what takes its place.
    package var verdictWords: String
    package var entities: [EntityLine]
    package var changes: [ChangeLine]
    /// Faults of the store before; absent without a store.
    package var damage: [DamageLine]?
    /// What the rows forbid, or would lose.
    package var findings: [String]
    /// What the new version's rules reject at the next save of each row; absent without a store.
    package var rejections: [String]?
    /// Absent without a store.
    package var losses: [LossLine]?
    /// Losses and demands on rows that are named in the configuration or the lock; absent when there are none.
    package var meant: [String]?
    /// Join tables that Core Data may look for under another name; absent when there are none.
    package var uncertain: [String]?
    /// Absent without a store.
    package var tables: [TableLine]?
    /// Absent without a store.
    package var steps: [StepLine]?
    private var showsSQL = false
    private var damageLines: [String] = []
    /// The rows whose values no case of an enum has, in text; they are among the rejections too.
    private var enumLines: [String] = []
    var hasNoRowAtStake = false

    private enum CodingKeys: String, CodingKey {
        case store, result, from, to, verdict
        case verdictWords = "summary"
        case entities, changes, damage, findings, rejections,
            losses,
            meant, uncertain, tables, steps, room
    }

    package init(from: String, to: String, mapping: InferredMapping) {
        self.from = from
        self.to = to
        (verdict, verdictWords) = (mapping.verdict.identifier, mapping.verdict.words)
        entities = mapping.entityMappings.map {
            EntityLine(mapping: $0.name, from: $0.sourceEntity, to: $0.destinationEntity)
        }
        changes = mapping.judgements.map { judgement in
            ChangeLine(
                element: judgement.change.subject.path ?? "the model",
                change: judgement.change.words.line,
                rule: judgement.rule.rawValue,
                verdict: judgement.verdict.identifier,
                summary: judgement.verdict.words,
                effect: judgement.effect,
                cloudKit: judgement.cloudKit?.line
            )
        }
        findings = []
    }

    /// Creates the report of a step by a mapping model or a map, which `title` names.
    private init(from: String, to: String, by title: String) {
        (self.from, self.to) = (from, to)
        verdictWords = "mapping model, \(title)"
        (entities, changes, findings) = ([], [], [])
    }

    /// Creates the report of two versions with equal hashes: Core Data never takes the step.
    private init(unchanged source: ModelVersion, _ destination: ModelVersion) {
        let mapping = MigrationPlan(from: source, to: destination).mapping.neverTaken
        self.init(from: source.name, to: destination.name, mapping: mapping)
        let unhashed = (source.model.entities + destination.model.entities).first {
            !$0.gaps.isEmpty
        }
        verdict = unhashed == nil ? Verdict.noEffectOnHash.identifier : nil
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
            if let program = step.program { report.add(program, showsSQL: showsSQL) }
            if let findings {
                report.add(findings.filter { ($0.step ?? steps.first?.offset) == index })
            }
            return report
        }
        if reports.isEmpty, let source = migration.source, let destination = migration.destination {
            reports = [MigrationReport(unchanged: source, destination)]
        }
        guard !reports.isEmpty else { return [] }
        reports[0].store = store
        if let findings, steps.isEmpty { reports[0].add(findings) }
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

    package mutating func add(_ damage: [StoreDamage]) {
        self.damage = damage.map(DamageLine.init)
        damageLines = damage.map(\.wording.commandWords)
    }

    package mutating func add(_ findings: [RowFinding]) {
        self.findings = findings.map(\.wording.commandWords)
        losses = findings.filter(\.isLoss).map(LossLine.init)
    }

    /// Adds what the new version's rules reject in the migrated rows.
    package mutating func add(rejections: [Diagnostic]) {
        self.rejections = rejections.map(\.worded.message)
        enumLines = rejections.filter { [.enumValueUnknown, .missingSwiftValue].contains($0.rule) }
            .map(\.worded.message)
    }

    package mutating func add(_ program: MigrationProgram, showsSQL: Bool) {
        tables = program.changes.map { TableLine($0, program) }
        steps = program.steps.map { StepLine($0, withSQL: showsSQL) }
        uncertain = program.uncertain.isEmpty ? nil : program.uncertain.map(\.wording.commandWords)
        self.showsSQL = showsSQL
    }

    package static func statements(of program: MigrationProgram) -> String {
        program.steps.map { StepLine($0, withSQL: true).text }.joined(separator: "\n")
    }

    package static func text(of findings: [RowFinding]) -> String {
        text(of: findings.filter(\.isLoss).map(LossLine.init))
    }

    private static func text(of losses: [LossLine]) -> String {
        let texts = losses.map { "\($0.name) (\($0.amount))" }
        return texts.isEmpty ? "" : "; allowed losses: " + texts.joined(separator: ", ")
    }

    package var text: String {
        var parts = [
            "\(store.map { "\($0): " } ?? "")\(from) → \(to): \(answeredVerdict)".onOneLine
        ]
        let silent = Verdict.noEffectOnHash.identifier
        let shown = changes.filter { $0.verdict != silent }
        if !shown.isEmpty {
            let rows = shown.map { [$0.element, $0.change, $0.summary, $0.effect] }
            parts.append("changes\n" + textTable(rows))
        }
        let mirrored = shown.compactMap { line in line.cloudKit.map { [line.element, $0] } }
        if !mirrored.isEmpty { parts.append("mirroring\n" + textTable(mirrored)) }
        if shown.count < changes.count {
            let count = (changes.count - shown.count).counted("more change")
            parts.append("no effect on stores: \(count)")
        }
        if let tables {
            parts.append("tables\n" + textTable(tables.map { [$0.table, words(of: $0)] }))
        }
        if !damageLines.isEmpty {
            parts.append("before the migration\n" + textTable(damageLines.map { [$0] }))
        }
        if !findings.isEmpty { parts.append("rows\n" + textTable(findings.map { [$0] })) }
        if let meant { parts.append(meantLine(meant).onOneLine) }
        let rejected = (rejections ?? []).filter { !enumLines.contains($0) }
        if !rejected.isEmpty {
            parts.append("at the next save\n" + textTable(rejected.map { [$0] }))
        }
        if !enumLines.isEmpty {
            parts.append("when the app reads them\n" + textTable(enumLines.map { [$0] }))
        }
        if let uncertain { parts.append("join tables\n" + textTable(uncertain.map { [$0] })) }
        if showsSQL, let steps {
            let lines = steps.map(\.text)
            parts.append(lines.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    package var summary: String {
        let counts = Dictionary(grouping: tables ?? [], by: \.treatment).mapValues(\.count)
        let list = TableTreatment.allCases.compactMap { treatment in
            counts[treatment.rawValue].map { "\($0) \(treatment.pastTense)" }
        }
        let what = list.isEmpty ? "nothing to do" : "tables: " + list.joined(separator: ", ")
        let loss = Self.text(of: losses ?? [])
        return "\(store ?? ""): \(from) → \(to) in \(result ?? "place"); \(what)\(loss)"
    }
}

func meantLine(_ names: [String]) -> String {
    "allowed losses (.momtool.yml or the lock): \(names.joined(separator: ", "))"
}

extension MigrationReport.StepLine {
    fileprivate init(_ step: MigrationStep, withSQL showsSQL: Bool) {
        self.init(
            purpose: step.purpose,
            effort: step.effort.rawValue,
            sql: showsSQL ? step.sql : nil,
            causes: step.causes.map { "\($0.subject.path ?? "the model"): \($0.words.line)" }
        )
    }

    fileprivate var text: String {
        textLines(["-- \(purpose)"] + causes.map { "--   because of \($0)" })
            + (sql.map { "\n\($0);" } ?? "")
    }
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

import Diagnostics
package import MigrationPlanning
import ObjectModel
package import StoreMigration

/// The effect of a list of stages on a store, by both semantics, as `momtool plan --stages` gives it.
package struct StagedPlanReport: Sendable, TextReport, KeyedReport {
    package struct Step: Sendable, Encodable, Hashable {
        /// `lightweight`, `map`, `willMigrate` or `didMigrate`.
        package var kind: String
        /// Absent for a step of no stage.
        package var stage: String?
        package var from: String
        package var to: String
        /// What is unknown about the step, as its stage runs Swift; absent where all is known.
        package var remark: String?
    }

    package struct Way: Sendable, Encodable, Hashable {
        /// Absent when the list does not lead there.
        package var steps: [Step]?
        package var error: String?
    }

    package var apple: Way
    package var stepwise: Way
    /// Faults of a store before; absent without one.
    private var damage: [StoreDamage]?
    /// What the rows of a store forbid or lose; absent without one.
    private var findings: [RowFinding]?
    /// Join tables that Core Data may look for under another name; absent when there are none.
    private var uncertain: [String]?
    /// Absent when they were not asked for.
    private var programs: [Program]?

    static let shape = """
        semantics := { steps?: [step], error?: string }
        stagedPlan = report { apple: semantics, stepwise: semantics, damage?: [damage], findings?: [string],
          losses?: [loss], uncertain?: [string], programs?: [{ step: string, statements: string }] }
        step = { kind: string, stage?: string, from: string, to: string,
          remark?: string "What is unknown about it, as its stage runs Swift." }
        """
    package var jsonObject: JSONObject {
        [
            "apple": apple, "stepwise": stepwise,
            "damage": damage?.map(MomtoolReporting.jsonObject), "findings": findingLines,
            "losses": findings.map(lossObjects), "uncertain": uncertain, "programs": programs,
        ]
    }

    private var findingLines: [String]? { findings?.map(\.wording.commandWords) }

    package struct Program: Sendable, Encodable, Hashable {
        package var step: String
        package var statements: String
    }

    package var isPossible: Bool { apple.steps != nil || stepwise.steps != nil }

    /// Plans by both semantics, from the version with a checksum to another.
    ///
    /// `remark` returns what is unknown about the step between two versions.
    package init(
        _ manager: StagedMigrationManager,
        from checksum: String,
        to target: String,
        remark: (_ from: String, _ to: String) -> String? = { _, _ in nil }
    ) {
        func step(_ step: RouteStep) -> Step {
            var line = Step(step, manager)
            if step.kind.changesVersion { line.remark = remark(line.from, line.to) }
            return line
        }
        func way(_ semantics: StageSemantics) -> Way {
            do throws(StagedPlanError) {
                let steps = try manager.plan(from: checksum, to: target, semantics: semantics)
                return Way(steps: steps.map(step), error: nil)
            } catch { return Way(steps: nil, error: "\(error)") }
        }
        apple = way(.apple)
        stepwise = way(.stepwise)
    }

    /// Adds the answers of a store to the plan.
    package mutating func add(
        _ migration: Migration,
        findings: [RowFinding],
        damage: [StoreDamage]
    ) {
        (self.damage, self.findings) = (damage, findings)
        let tables = migration.uncertain.map(\.wording.commandWords)
        uncertain = tables.isEmpty ? nil : tables
    }

    package mutating func addStatements(of migration: Migration, after findings: [RowFinding] = [])
    {
        programs = migration.steps(after: findings).compactMap { step in
            step.program.map {
                Program(step: step.title, statements: MigrationReport.statements(of: $0))
            }
        }
    }

    package var text: String {
        let parts = [
            ("before the migration", damage?.map(\.wording.commandWords)),
            ("rows", findingLines), ("join tables", uncertain),
        ]
        let lists = parts.compactMap { title, lines in
            lines.flatMap { lines in
                lines.isEmpty ? nil : "\(title)\n" + textLines(lines.map { "  \($0)" })
            }
        }
        let statements = (programs ?? []).map { "-- \($0.step.onOneLine)\n\($0.statements)" }
        return ([steps] + lists + statements).joined(separator: "\n\n")
    }

    private var steps: String {
        let (first, second) = (lines(of: apple), lines(of: stepwise))
        guard first != second else { return first.isEmpty ? "nothing to do" : textLines(first) }
        let parts =
            ["as Core Data does it (--semantics apple)"] + first.map { "  " + $0 }
            + ["version by version (--semantics stepwise)"] + second.map { "  " + $0 }
        return textLines(parts)
    }

    /// A line for each step; consecutive lightweight steps of one stage share one.
    private func lines(of way: Way) -> [String] {
        guard let steps = way.steps else { return ["error: \(way.error ?? "")"] }
        var groups: [(step: Step, count: Int)] = []
        for step in steps {
            if let last = groups.last, last.step.kind == "lightweight", step.kind == "lightweight",
                last.step.stage == step.stage, last.step.to == step.from
            {
                groups[groups.count - 1].step.to = step.to
                groups[groups.count - 1].count += 1
            } else {
                groups.append((step, 1))
            }
        }
        return groups.flatMap { step, count -> [String] in
            let title = step.stage.map { "\($0): " } ?? ""
            let steps = count == 1 ? "" : ", \(count) steps, each to the next version"
            let line =
                switch step.kind {
                case "lightweight", "map": "\(title)\(step.kind) \(step.from) → \(step.to)\(steps)"
                default: "\(title)\(step.kind) at \(step.from)"
                }
            return [line] + (step.remark.map { ["  \($0)"] } ?? [])
        }
    }
}

extension StagedPlanReport.Step {
    init(_ step: RouteStep, _ manager: StagedMigrationManager) {
        kind = step.kind.rawValue
        stage = step.stage.map { manager.stages[$0].title }
        (from, to) = (step.source.name, step.destination.name)
    }
}

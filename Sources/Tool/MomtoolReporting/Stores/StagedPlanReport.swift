import Diagnostics
package import MigrationPlanning
import ObjectModel
package import StoreMigration

/// What a list of stages does to a store, by both semantics, as `momtool plan --stages` gives it.
package struct StagedPlanReport: Sendable, Encodable, Rendering {
    /// A step of a plan.
    package struct Step: Sendable, Encodable, Hashable {
        /// What is done: `lightweight`, `map`, `willMigrate` or `didMigrate`.
        package var kind: String
        /// What the stage is called; absent for a step of no stage.
        package var stage: String?
        /// The version that the step starts from.
        package var from: String
        /// The version that the store then has.
        package var to: String
        /// What is not known of the step, as its stage runs Swift; absent where all is known.
        package var remark: String?
    }

    /// What one semantics makes of the list.
    package struct Way: Sendable, Encodable, Hashable {
        /// The steps, in order; absent when the list does not lead there.
        package var steps: [Step]?
        /// Why it does not.
        package var error: String?
    }

    /// As Core Data walks the list.
    package var apple: Way
    /// Through every version.
    package var stepwise: Way
    /// What was wrong with a store before; absent without one.
    package var damage: [MigrationReport.DamageLine]?
    /// What the rows of a store say; absent without one.
    package var findings: [String]?
    /// What would be lost; absent without a store.
    package var losses: [MigrationReport.LossLine]?
    /// Join tables that Core Data may look for under another name; absent when there are none.
    package var uncertain: [String]?
    /// The statements of each step; absent when they were not asked for.
    package var programs: [Program]?

    /// What was wrong with the store before, as text has it.
    private var damageLines: [String]?

    private enum CodingKeys: String, CodingKey {
        case apple, stepwise, damage, findings, losses, uncertain, programs
    }

    /// The statements of a step.
    package struct Program: Sendable, Encodable, Hashable {
        /// What the step does.
        package var step: String
        /// The statements, each with what it does and why.
        package var statements: String
    }

    /// Whether one of both leads there.
    package var isPossible: Bool { apple.steps != nil || stepwise.steps != nil }

    /// Plans the way by both semantics.
    ///
    /// - Parameters:
    ///   - manager: the stages.
    ///   - checksum: the checksum of the version that a store has.
    ///   - target: the checksum of the version that it shall get.
    ///   - remark: what is not known of the step from one version to another, by their names.
    package init(
        _ manager: StagedMigrationManager,
        from checksum: String,
        to target: String,
        remark: (_ from: String, _ to: String) -> String? = { _, _ in nil }
    ) {
        func step(_ step: StagedStep) -> Step {
            var line = Step(step, manager)
            if step.kind.changesVersion { line.remark = remark(line.from, line.to) }
            return line
        }
        func way(_ semantics: StageSemantics) -> Way {
            do throws(StagedPlanError) {
                let plan = try manager.plan(from: checksum, to: target, semantics: semantics)
                return Way(steps: plan.steps.map(step), error: nil)
            } catch {
                return Way(steps: nil, error: "\(error)")
            }
        }
        apple = way(.apple)
        stepwise = way(.stepwise)
    }

    /// Adds what a store makes of the plan.
    package mutating func add(
        _ migration: Migration,
        findings: [RowFinding],
        damage: [StoreDamage]
    ) {
        self.damage = damage.map(MigrationReport.DamageLine.init)
        damageLines = damage.map(\.wording.commandWords)
        self.findings = findings.map(\.wording.commandWords)
        losses = findings.filter(\.isLoss).map(MigrationReport.LossLine.init)
        let tables = migration.uncertain.map(\.wording.commandWords)
        uncertain = tables.isEmpty ? nil : tables
    }

    /// Adds the statements of each step.
    package mutating func addStatements(of migration: Migration, after findings: [RowFinding] = [])
    {
        programs = migration.steps(after: findings).compactMap { step in
            step.program.map {
                Program(step: step.title, statements: MigrationReport.statements(of: $0))
            }
        }
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        let parts = [
            ("before the migration", damageLines), ("rows", findings), ("join tables", uncertain),
        ]
        let lists = parts.compactMap { title, lines in
            lines.flatMap { lines in
                lines.isEmpty
                    ? nil : "\(title)\n" + textLines(lines.map { "  \($0)" })
            }
        }
        let statements = (programs ?? []).map { "-- \($0.step.onOneLine)\n\($0.statements)" }
        return ([steps] + lists + statements).joined(separator: "\n\n")
    }

    private var steps: String {
        let (first, second) = (lines(of: apple), lines(of: stepwise))
        guard first != second else {
            return first.isEmpty ? "nothing to do" : textLines(first)
        }
        let parts =
            ["as Core Data does it (--semantics apple)"] + first.map { "  " + $0 }
            + ["through every version (--semantics stepwise)"] + second.map { "  " + $0 }
        return textLines(parts)
    }

    /// A line for each step; lightweight steps of one stage that follow each other are one.
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
                case "lightweight", "map":
                    "\(title)\(step.kind) \(step.from) → \(step.to)\(steps)"
                default: "\(title)\(step.kind) at \(step.from)"
                }
            return [line] + (step.remark.map { ["  \($0)"] } ?? [])
        }
    }
}

extension StagedPlanReport.Step {
    init(_ step: StagedStep, _ manager: StagedMigrationManager) {
        kind = step.kind.rawValue
        stage = step.stage.map { manager.stages[$0].title }
        (from, to) = (step.source.name, step.destination.name)
    }
}

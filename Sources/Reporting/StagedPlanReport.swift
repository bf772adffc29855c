package import MigrationPlanning
import ObjectModel

/// What a list of stages does to a store, by both semantics, as `momtool plan --stages` gives it.
package struct StagedPlanReport: Sendable, Codable, Rendering {
    /// A step of a plan.
    package struct Step: Sendable, Codable, Hashable {
        /// What is done: `lightweight`, `map`, `willMigrate` or `didMigrate`.
        package var kind: String
        /// What the stage is called; absent for a step of no stage.
        package var stage: String?
        /// The version that the step starts from.
        package var from: String
        /// The version that the store then has.
        package var to: String
    }

    /// What one semantics makes of the list.
    package struct Way: Sendable, Codable, Hashable {
        /// The steps, in order; absent when the list does not lead there.
        package var steps: [Step]?
        /// Why it does not.
        package var error: String?
    }

    /// As Core Data walks the list.
    package var apple: Way
    /// Through every version.
    package var stepwise: Way

    /// Whether one of both leads there.
    package var isPossible: Bool { apple.steps != nil || stepwise.steps != nil }

    /// Plans the way by both semantics.
    ///
    /// - Parameters:
    ///   - manager: the stages.
    ///   - checksum: the checksum of the version that a store has.
    ///   - target: the checksum of the version that it shall get.
    package init(_ manager: StagedMigrationManager, from checksum: String, to target: String) {
        func way(_ semantics: StageSemantics) -> Way {
            do throws(StagedPlanError) {
                let plan = try manager.plan(from: checksum, to: target, semantics: semantics)
                return Way(steps: plan.steps.map { Step($0, manager) }, error: nil)
            } catch {
                return Way(steps: nil, error: "\(error)")
            }
        }
        apple = way(.apple)
        stepwise = way(.stepwise)
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        let (first, second) = (lines(of: apple), lines(of: stepwise))
        guard first != second else {
            return first.isEmpty ? "nothing to do" : first.joined(separator: "\n")
        }
        let parts =
            ["as Core Data does it (--semantics apple)"] + first.map { "  " + $0 }
            + ["through every version (--semantics stepwise)"] + second.map { "  " + $0 }
        return parts.joined(separator: "\n")
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
        return groups.map { step, count in
            let title = step.stage.map { "\($0): " } ?? ""
            let steps = count == 1 ? "" : ", \(count) steps, each to the next version"
            return switch step.kind {
            case "lightweight", "map": "\(title)\(step.kind) \(step.from) → \(step.to)\(steps)"
            default: "\(title)\(step.kind) at \(step.from)"
            }
        }
    }
}

extension StagedPlanReport.Step {
    fileprivate init(_ step: StagedStep, _ manager: StagedMigrationManager) {
        switch step {
        case .migrate(let plan, let stage):
            kind = "lightweight"
            self.stage = stage.map { manager.stages[$0].title }
            (from, to) = (plan.source.name, plan.destination.name)
        case .map(let plan, let stage):
            kind = "map"
            self.stage = manager.stages[stage].title
            (from, to) = (plan.source.name, plan.destination.name)
        case .willMigrate(let version, let stage):
            kind = "willMigrate"
            self.stage = manager.stages[stage].title
            (from, to) = (version.name, version.name)
        case .didMigrate(let version, let stage):
            kind = "didMigrate"
            self.stage = manager.stages[stage].title
            (from, to) = (version.name, version.name)
        }
    }
}

/// The plan of a migration as `momtool plan` gives it: one report for each step.
package struct MigrationPlanReport: Sendable, Rendering {
    package var steps: [MigrationReport]

    package init(_ steps: [MigrationReport]) { self.steps = steps }

    package func rendered(as format: ReportFormat) -> String {
        let texts = steps.map { $0.rendered(as: format) }
        guard format == .json else { return texts.joined(separator: "\n\n") }
        return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ",\n"))]"
    }
}

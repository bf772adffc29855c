import Diagnostics
import Essentials
import MappingInference
import ModelChecking
import ModelDiffing
import ModelDrawing
import ObjectModel

/// What `momtool check` found, as one comment on a pull request: verdicts, losses, refusals with their cures, a picture.
///
/// The first line is a mark by which the comment is found again, so that the next run updates it.
package struct CheckComment: Sendable {
    /// What was found.
    package var report: FindingReport
    /// The steps that the change makes or edits, each with the path of its model.
    package var steps: [(model: String, difference: DiffReport)]

    package init(_ report: FindingReport, steps: [(model: String, difference: DiffReport)]) {
        (self.report, self.steps) = (report, steps)
    }

    /// The mark of the comment.
    package static let mark = "<!-- momtool -->"

    /// The most characters; GitHub takes 65,536 and GitLab more.
    private static let limit = 60_000
    /// The most rows of a table.
    private static let rowLimit = 40
    /// The longest text of a picture.
    private static let pictureLimit = 20_000

    /// The comment in Markdown.
    package var text: String {
        for hasPictures in [true, false] {
            let text = text(hasPictures: hasPictures)
            if text.count <= Self.limit { return text }
        }
        let text = text(hasPictures: false)
        // A cut inside a table leaves it readable.
        return String(text.prefix(Self.limit)) + "\n\n… the rest is in the report of the run"
    }

    private func text(hasPictures: Bool) -> String {
        var parts = [
            Self.mark, "### Core Data models: \(report.summary)",
            "Looked at: \(cell(report.subject)).",
        ]
        for step in steps where !step.difference.diff.isEmpty {
            parts += Self.parts(of: step.difference, step.model, hasPicture: hasPictures)
        }
        let grave = report.findings.filter { $0.diagnostic.severity > .note }
        let notes = report.findings.filter { $0.diagnostic.severity == .note }
        if !grave.isEmpty { parts.append(table(of: grave)) }
        if !notes.isEmpty {
            parts.append(
                "<details><summary>\(notes.count.counted("note"))</summary>\n\n\(table(of: notes))\n\n</details>"
            )
        }
        if !grave.isEmpty {
            parts.append("`momtool explain RULE` tells what a rule requires and why.")
        }
        // A name in a model must not mention a user.
        return parts.joined(separator: "\n\n").replacing("@", with: "@\u{200B}")
    }

    private func table(of findings: [Finding]) -> String {
        let rows = findings.prefix(Self.rowLimit).map { finding in
            let diagnostic = finding.diagnostic
            let line = diagnostic.location?.line.map { ":\($0)" } ?? ""
            return [
                diagnostic.severity.rawValue, code(diagnostic.rule.rawValue),
                diagnostic.location == nil ? "" : code(finding.path(in: report) + line),
                cell(finding.wholeMessage),
            ]
        }
        let more = findings.count - rows.count
        return markdownTable(heading: ["", "Rule", "Place", "Finding"], rows)
            + (more > 0 ? "\n\nand \(more) more" : "")
    }

    private static func parts(
        of difference: DiffReport,
        _ model: String,
        hasPicture: Bool
    ) -> [String] {
        var parts = [
            "#### \(code(model)): \(cell(difference.from.name)) → \(cell(difference.to.name)): "
                + "**\(difference.headline)**"
                + (difference.meant.isEmpty ? "" : ", named as meant")
        ]
        let refusals = difference.mapping.refusals.prefix(rowLimit).map { refusal in
            "- \(refusal.path.map { code($0) + ": " } ?? "")\(cell(refusal.text)); \(cell(refusal.cure))"
        }
        if !refusals.isEmpty {
            parts.append("Core Data infers no mapping:\n\n" + refusals.joined(separator: "\n"))
        }
        let telling = difference.mapping.judgements.filter { $0.verdict > .noEffectOnHash }
            .sorted { $0.verdict > $1.verdict }
        var advice = SaidAdvice()
        let rows = telling.prefix(rowLimit).map { judgement in
            [
                code(judgement.change.subject.path ?? "model"),
                cell(judgement.change.words.line), cell(judgement.verdict.words),
                cell(
                    [judgement.effect, advice.new(for: judgement) ?? "", judgement.cloudKit?.line ?? ""]
                        .filter { !$0.isEmpty }.joined(separator: "\n")
                ),
            ]
        }
        if !rows.isEmpty {
            parts.append(markdownTable(heading: ["Element", "Change", "Verdict", "Effect"], rows))
        }
        let more = telling.count - rows.count
        if more > 0 { parts.append("and \(more.counted("more change"))") }
        let silent = difference.mapping.judgements.count - telling.count
        if silent > 0 {
            parts.append("\(silent.counted("change")) without effect on stores.")
        }
        if !difference.meant.isEmpty {
            parts.append("Named as meant: " + difference.meant.map(code).joined(separator: ", "))
        }
        let picture = difference.diagram.changedPart().changedRows().mermaid
        if hasPicture, picture.count <= pictureLimit {
            parts.append("```mermaid\n\(picture)\n```")
        }
        return parts
    }
}

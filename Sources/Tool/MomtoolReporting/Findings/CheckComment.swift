import Diagnostics
import Essentials
import MappingInference
package import ModelChecking
import ModelDiffing
import ModelDrawing
import ObjectModel

/// The findings of `momtool check` as one comment on a pull request: verdicts, losses, refusals with cures, a diagram.
///
/// The first line is a mark by which the next run finds and updates the comment.
package struct CheckComment: Sendable {
    package var report: FindingReport
    package var steps: [Step]
    package var whole: [WholeModel]
    /// The git revision that the steps lead from; `nil` where they lead from the version before the current one.
    package var revision: String?
    /// The number of omitted notes, which the revision has too.
    private let oldNotes: Int

    package init(
        _ report: FindingReport,
        steps: [Step],
        whole: [WholeModel] = [],
        since revision: String? = nil,
        known: Set<Finding> = []
    ) {
        let steps = steps.filter { !$0.difference.diff.isEmpty }
        var report = report
        let count = report.findings.count
        report.findings.removeAll(where: known.contains)
        oldNotes = count - report.findings.count
        // The table of its step shows the changes.
        report.findings.removeAll { finding in
            finding.diagnostic.rule == "changed-since" && finding.diagnostic.severity == .note
                && steps.contains { $0.tells(of: finding.diagnostic) }
        }
        self.report = report.inRepository
        self.steps = steps.map {
            Step(FindingReport.inRepository($0.model), $0.difference, isShipped: $0.isShipped)
        }
        (self.whole, self.revision) = (whole, revision)
    }

    package struct Step: Sendable {
        let model: String
        let difference: DiffReport
        let isShipped: Bool

        /// A shipped step edits a version in place, which then opens none of its stores.
        package init(_ model: String, _ difference: DiffReport, isShipped: Bool) {
            (self.model, self.difference, self.isShipped) = (model, difference, isShipped)
        }

        fileprivate var headline: String {
            isShipped ? "its stores do not open" : difference.headline
        }

        fileprivate func tells(of note: Diagnostic) -> Bool {
            guard let element = note.element,
                model == "." || note.location?.path.hasPrefix(model) == true
            else { return false }
            return difference.mapping.judgements.contains {
                ($0.change.subject.path ?? "the model") == element
            }
        }
    }

    package struct WholeModel: Sendable {
        let model: String
        let versions: [String]
        let isNew: Bool

        package init(model: String, versions: [String], isNew: Bool) {
            (self.model, self.versions, self.isNew) = (model, versions, isNew)
        }

        fileprivate var heading: String {
            let names = versions.isEmpty ? "" : ", with " + versions.map(prose).listed(most: 10)
            let path = codeSpan(FindingReport.inRepository(model))
            return "#### \(path): **\(isNew ? "new" : "gone")**\(names)"
        }
    }

    /// The comment on folders without models, not to be written where there is none yet.
    package static func withoutModels(in folders: [String]) -> String {
        let names = folders.map { codeSpan(FindingReport.inRepository($0)) }.listed(most: 5)
        return """
            \(mark)
            \(silentMark)

            ### Core Data models: none is left

            There is no model, lock or case in \(names).
            """
    }

    package static let mark = "<!-- momtool -->"
    /// The second line of a comment that need not be written where there is none yet.
    package static let silentMark = "<!-- momtool: nothing -->"

    /// The most bytes, which are more than the units of any other count; GitHub takes 65,536 and GitLab more.
    private static let limit = 60_000
    private static let rowLimit = 40
    private static let diagramLimit = 20_000
    private static let entryLimit = 8_000

    package var text: String {
        for hasDiagrams in [true, false] {
            let text = text(hasDiagrams: hasDiagrams)
            if text.utf8.count <= Self.limit { return text }
        }
        // A cut between the lines of a table leaves it readable.
        let bytes = text(hasDiagrams: false).utf8.prefix(Self.limit)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast().map { String(Substring($0)) }
        let fence = lines.last { $0.hasPrefix("```") || $0.hasPrefix("~~~") }
        let end = fence.map { $0.hasSuffix("yaml") ? ["\($0.dropLast(4))"] : [] } ?? []
        return (lines + end + ["", "… the rest is in the report of the run"])
            .joined(separator: "\n")
    }

    private func text(hasDiagrams: Bool) -> String {
        let grave = report.findings.filter { $0.diagnostic.severity > .note }
        // Findings unrelated to a change, such as notes on versions that shipped, do not justify a comment.
        let isSilent = steps.isEmpty && whole.isEmpty && grave.isEmpty
        var parts = [Self.mark + (isSilent ? "\n" + Self.silentMark : "")]
        if report.findings.isEmpty {
            let new = oldNotes == 0 ? "" : "new "
            parts.append("### Core Data models: nothing \(new)found in \(prose(report.subject))")
        } else {
            parts.append("### Core Data models: \(report.summary)")
            parts.append("Looked at: \(prose(report.subject)).")
        }
        parts += whole.prefix(Self.rowLimit).map(\.heading)
        for step in steps { parts += self.parts(of: step, hasDiagram: hasDiagrams) }
        let notes = report.findings.filter { $0.diagnostic.severity == .note }
        if oldNotes > 0 {
            let revision = revision.map { " at \(codeSpan($0))" } ?? ""
            let verb = oldNotes == 1 ? "was" : "were"
            let notes = oldNotes.counted("note")
            parts.append("Left out: \(notes) that \(verb) there\(revision) already.")
        }
        if !grave.isEmpty { parts.append(table(of: grave)) }
        if !notes.isEmpty {
            parts.append(
                "<details><summary>\(notes.count.counted("note"))</summary>\n\n\(table(of: notes))\n\n</details>"
            )
        }
        if !grave.isEmpty {
            parts.append("`momtool rules RULE` shows what a rule requires and why.")
        }
        if let losses { parts.append(losses) }
        return parts.joined(separator: "\n\n")
    }

    /// All unnamed losses, to be pasted at once.
    private var losses: String? {
        let entry = lossesEntry(for: report.findings).map(\.onOneLine).joined(separator: "\n")
        guard !entry.isEmpty else { return nil }
        guard entry.utf8.count <= Self.entryLimit else {
            return "The log of the run has the losses above as one entry of `.momtool.yml`."
        }
        let fence = entry.contains("```") ? "~~~~~~~~" : "```"
        let place = entry.hasPrefix("losses:") ? "as one entry" : "as entries below `losses:`"
        return "All losses above \(place) of `.momtool.yml`; keep what you intend:\n\n"
            + "\(fence)yaml\n\(entry)\n\(fence)"
    }

    private func table(of findings: [Finding]) -> String {
        let rows = findings.prefix(Self.rowLimit).map { finding in
            let diagnostic = finding.diagnostic
            let line = diagnostic.location?.line.map { ":\($0)" } ?? ""
            return [
                diagnostic.severity.rawValue, codeSpan(diagnostic.rule.rawValue),
                diagnostic.location == nil ? "" : codeSpan(finding.path(in: report) + line),
                finding.proseMessage,
            ]
        }
        let more = findings.count - rows.count
        return commentTable(heading: ["", "Rule", "Place", "Finding"], rows)
            + (more > 0 ? "\n\nand \(more) more" : "")
    }

    private func parts(of step: Step, hasDiagram: Bool) -> [String] {
        let difference = step.difference
        var parts = [
            "#### \(codeSpan(step.model)): \(prose(difference.from.name)) → \(prose(difference.to.name + ":")) "
                + "**\(step.headline)**" + (difference.meant.isEmpty ? "" : ", allowed")
        ]
        if step.isShipped {
            let name = prose(difference.to.name)
            parts.append(
                "\(name) shipped and was edited in place: Core Data no longer finds a version for its stores (134130). "
                    + "The table shows what a new version with the same edit would do."
            )
        }
        let refusals = difference.mapping.refusals.prefix(Self.rowLimit).map { refusal in
            "- \(refusal.path.map { codeSpan($0) + ": " } ?? "")\(prose(refusal.text)); \(prose(refusal.cure))"
        }
        if !refusals.isEmpty {
            parts.append("Core Data cannot infer a mapping:\n\n" + refusals.joined(separator: "\n"))
        }
        parts += Self.changes(difference.mapping.judgements, meant: difference.meant)
        if !difference.meant.isEmpty {
            parts.append(
                "Allowed losses: " + difference.meant.map(codeSpan).joined(separator: ", ")
            )
        }
        let (old, new) = (difference.from.model, difference.to.model)
        let diagram = Diagram(from: old, to: new, diff: difference.diff).changedPart()
            .changedRows().mermaid
        if hasDiagram, diagram.utf8.count <= Self.diagramLimit {
            parts.append("```mermaid\n\(diagram)\n```")
        } else {
            parts.append(
                "The diagram is too large for a comment; this lists every change: "
                    + codeSpan(command(comparing: step))
            )
        }
        return parts
    }

    /// The table of changes, worst first, with the number of omitted ones, which no store and no code sees.
    private static func changes(_ judgements: [Judgement], meant: [String]) -> [String] {
        let shown = judgements.filter { $0.verdict > .noEffectOnHash || $0.change.isSeenByCode }
            .sorted { $0.verdict > $1.verdict }
        var advice = PrintedAdvice(meant: meant)
        let rows = shown.prefix(rowLimit).map { judgement in
            let note = [
                judgement.effect, advice.new(for: judgement) ?? "", judgement.cloudKit?.line ?? "",
            ]
            return [
                codeSpan(judgement.change.subject.path ?? "model"),
                prose(judgement.change.words.line), prose(judgement.verdict.words),
                prose(note.filter { !$0.isEmpty }.joined(separator: "\n")),
            ]
        }
        let table = commentTable(heading: ["Element", "Change", "Verdict", "Effect"], rows)
        let more = shown.count - rows.count
        let silent = judgements.count - shown.count
        return (rows.isEmpty ? [] : [table])
            + (more > 0 ? ["and \(more.counted("more change"))"] : [])
            + (silent > 0 ? ["\(silent.counted("change")) without effect on stores and code."] : [])
    }

    private func command(comparing step: Step) -> String {
        let versions = (step.difference.from.name, step.difference.to.name)
        let old =
            revision.map { "--against \(shellWord($0))" }
            ?? "--from \(shellWord(versions.0)) --to \(shellWord(versions.1))"
        return "momtool diff \(shellWord(step.model)) \(old)"
    }
}

extension Finding {
    /// The message and the notes as Markdown, where a place is code also with spaces in its path.
    fileprivate var proseMessage: String {
        let notes = diagnostic.notes.map { note in
            ([prose(note.wording)] + note.lines.map { prose($0.onOneLine) }).joined(
                separator: "<br>"
            )
                + (note.location.map { " (\(codeSpan("\($0)")))" } ?? "")
        }
        return ([prose(diagnostic.wording)] + notes).joined(separator: "<br>")
    }
}

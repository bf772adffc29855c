package import Diagnostics
package import MappingInference
package import ModelDiffing
package import ObjectModel

package struct DiffReport: Sendable {
    /// The old version, by its name, followed by that of its bundle where two are compared.
    package var from: ModelVersion
    package var to: ModelVersion
    package var diff: ModelDiff
    package var mapping: InferredMapping
    /// The queries that decide what depends on rows, by change.
    package var queries: [String: [String]]
    /// Whether both open one store; `nil` where that was not asked.
    package var fit: StoreFit?

    /// The values of enums that no case has any more.
    package var enumFindings: [Diagnostic] = []
    /// The possible renames, in the words of lint.
    package var renames: [Diagnostic]

    /// What the step drops or requires of rows and the configuration or the lock allows.
    package var meant: [String] = []

    package var notCompared: [String] = []

    package var edits: String?

    /// Whether nothing is an error, as in git's driver, which has no status.
    package var isForGit = false

    /// Creates a report; `queries` are by the path of their subject, such as `Person.name`.
    package init(
        from: ModelVersion,
        to: ModelVersion,
        diff: ModelDiff,
        mapping: InferredMapping,
        queries: [String: [String]] = [:],
        fit: StoreFit? = nil
    ) {
        self.from = from
        self.to = to
        self.diff = diff
        self.mapping = mapping
        self.queries = queries
        self.fit = fit
        renames = diff.suspicions.map(\.diagnostic)
    }

    package var diagnostics: [Diagnostic] {
        let all = diff.conflicts.map(\.diagnostic) + renames + enumFindings
        guard isForGit else { return all }
        return all.map { finding in
            var finding = finding
            finding.severity = min(finding.severity, .warning)
            return finding
        }
    }

    package static let formats: [ReportFormat] = [.text, .json, .markdown, .edits]

    package func rendered(as format: ReportFormat) -> String {
        switch format {
        case .json: json(jsonObject(self))
        case .markdown: markdown
        case .edits: edits ?? text
        case .text, .sarif, .github, .gitlab, .junit: text
        }
    }

    var headline: String {
        guard diff.isEmpty else { return mapping.verdict.words }
        return notCompared.isEmpty ? "no difference" : "no difference in the understood part"
    }

    func queries(for judgement: Judgement) -> [String] {
        guard judgement.verdict == .dependsOnRows || judgement.verdict == .losesData else {
            return []
        }
        return judgement.change.subject.path.flatMap { queries[$0] } ?? []
    }

    private var text: String {
        var lines = ["\(from.name) → \(to.name): \(headline)"]
        var advice = PrintedAdvice(meant: meant)
        for judgement in mapping.judgements {
            let element = judgement.change.subject.path ?? "model"
            lines.append(
                "  \(element): \(judgement.change.words.line)"
                    + " [\(judgement.verdict.words): \(judgement.effect)]"
            )
            let places = [
                judgement.change.fromLocation.map { "from \($0)" },
                judgement.change.toLocation.map { "to \($0)" },
            ].compactMap(\.self)
            if !places.isEmpty { lines.append("      " + places.joined(separator: ", ")) }
            lines += judgement.change.addedProperties.map { "      + \($0)" }
            lines += queries(for: judgement).map { "      decided by: \($0)" }
            if let cure = advice.new(for: judgement) { lines.append("      \(cure)") }
            if let cloudKit = judgement.cloudKit { lines.append("      \(cloudKit.line)") }
        }
        if !mapping.refusals.isEmpty {
            lines += ["", "no mapping can be inferred:"]
            lines += mapping.refusals.map { refusal in
                let path = refusal.path.map { "\($0): " } ?? ""
                return "  \(path)\(refusal.text); \(refusal.cure)"
            }
        }
        if !meant.isEmpty { lines += ["", meantLine(meant)] }
        if !diff.movedEntities.isEmpty {
            lines += ["", "changed entity hashes: " + diff.movedEntities.joined(separator: ", ")]
        }
        if !notCompared.isEmpty {
            let names = notCompared.joined(separator: ", ")
            lines += ["", "not compared, as momtool does not understand them: \(names)"]
        }
        if !diagnostics.isEmpty {
            lines +=
                [""]
                + diagnostics.flatMap { $0.commandWords.split(separator: "\n").map(String.init) }
        }
        if let fit { lines += ["", "one store: " + fit.headline] + fit.lines.map { "  " + $0 } }
        return lines.map(\.onOneLine).joined(separator: "\n")
    }

    private var markdown: String {
        var parts = ["### \(cell(from.name)) → \(cell(to.name)): \(headline)"]
        var advice = PrintedAdvice(meant: meant)
        let rows = mapping.judgements.map { judgement in
            let note =
                ([judgement.effect] + judgement.change.addedProperties.map { "+ \($0)" }
                + queries(for: judgement)
                + [advice.new(for: judgement) ?? "", judgement.cloudKit?.line ?? ""])
                .filter { !$0.isEmpty }.joined(separator: "\n")
            return [
                code(judgement.change.subject.path ?? "model"), cell(judgement.change.words.line),
                cell(judgement.verdict.words), cell(note),
            ]
        }
        if !rows.isEmpty {
            parts.append(markdownTable(heading: ["Element", "Change", "Verdict", "Effect"], rows))
        }
        if !mapping.refusals.isEmpty {
            parts.append(
                "No mapping can be inferred:\n\n"
                    + mapping.refusals.map { refusal in
                        "- \(refusal.path.map { code($0) + ": " } ?? "")\(cell(refusal.text))"
                            + "; \(cell(refusal.cure))"
                    }.joined(separator: "\n")
            )
        }
        if !meant.isEmpty {
            parts.append("Allowed losses: " + meant.map(code).joined(separator: ", "))
        }
        if !diff.movedEntities.isEmpty {
            let names = diff.movedEntities.map(code).joined(separator: ", ")
            parts.append("Changed entity hashes: \(names)")
        }
        if !notCompared.isEmpty {
            let names = notCompared.map(code).joined(separator: ", ")
            parts.append("Not compared, as momtool does not understand them: \(names)")
        }
        let questions = questions
        if !questions.single.isEmpty {
            parts.append(
                questions.single.map { "- \(cell($0.worded.message))" }.joined(separator: "\n")
            )
        }
        for group in questions.groups {
            let pairs = group.pairs.map { rename in
                let owner = rename.entity.map { "\(code($0)): " } ?? ""
                let identifier =
                    rename.elementID == rename.from
                    ? "" : ", by the identifier \(code(rename.elementID))"
                return "- \(owner)\(code(rename.from)) → \(code(rename.to))\(identifier)"
            }
            parts.append(([group.advice, ""] + pairs).joined(separator: "\n"))
        }
        if let fit {
            let lines = fit.lines.map { "- \(cell($0))" }
            parts.append((["One store: " + fit.headline] + lines).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }
}

extension StoreFit {
    fileprivate var headline: String {
        (opensOneStore ? "both models open it, " : "only one model opens it, ") + words
    }

    fileprivate var lines: [String] {
        entities.compactMap { entity in
            switch entity.relation {
            case .equal: nil
            case .onlyInFirst: "\(entity.name): only in the first"
            case .onlyInSecond: "\(entity.name): only in the second"
            case .unknown: "\(entity.name): no hash, as momtool does not understand part of it"
            case .different(let properties):
                "\(entity.name): the hash differs"
                    + (properties.isEmpty ? "" : " by " + properties.joined(separator: ", "))
            }
        }
    }
}

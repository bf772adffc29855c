package import Diagnostics
package import MappingInference
import MigrationPlanning
package import ModelDiffing
import ModelHashing
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

    /// Whether the new version is a locked one that was edited in place, and opens none of its stores.
    package var isShipped = false

    /// Whether nothing is an error, as in git's driver, which has no status.
    package var isForGit = false

    /// Creates a report; `queries` are by the path of their subject, such as `Person.name`.
    package init(
        from: ModelVersion,
        to: ModelVersion,
        diff: ModelDiff,
        mapping: InferredMapping,
        queries: [String: [String]] = [:]
    ) {
        (self.from, self.to, self.diff, self.mapping) = (from, to, diff, mapping)
        self.queries = queries
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
        guard diff.isEmpty else {
            let code = to.path.hasSuffix(".swift") ? 134504 : 134130
            return (isShipped ? "its stores no longer open (\(code)); as a new version: " : "")
                + mapping.verdict.words
        }
        return notCompared.isEmpty ? "no difference" : "no difference in the understood part"
    }

    func queries(for judgement: Judgement) -> [String] {
        guard judgement.verdict == .dependsOnRows || judgement.verdict == .losesData else {
            return []
        }
        return judgement.change.subject.path.flatMap { queries[$0] } ?? []
    }

    private var lists: [(heading: String, names: [String])] {
        [
            ("changed entity hashes", diff.movedEntities),
            ("not compared, as momtool does not understand them", notCompared),
        ].filter { !$0.names.isEmpty }
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
        for (heading, names) in lists {
            lines += ["", "\(heading): \(names.joined(separator: ", "))"]
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
        for (heading, names) in lists {
            let title = heading.prefix(1).uppercased() + heading.dropFirst()
            parts.append("\(title): \(names.map(code).joined(separator: ", "))")
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

extension DiffReport {
    /// Compares all of two versions, without asking what rows decide.
    package init(comparing old: ModelVersion, _ new: ModelVersion) {
        let step = InferredStep.between(old, new)
        self.init(
            from: old,
            to: new,
            diff: step.diff,
            mapping: step.mapping.taken(from: old, to: new, isWhole: old.isWhole && new.isWhole)
        )
    }
}

/// The advice that a report has given, so that a sentence appears once.
struct PrintedAdvice {
    private var printed: Set<String> = []
    /// Agreed losses, which need no advice.
    private let meant: Set<String>

    init(meant: [String]) { self.meant = Set(meant) }

    mutating func new(for judgement: Judgement) -> String? {
        let isMeant = judgement.change.subject.path.map(meant.contains) ?? false
        guard !isMeant || !judgement.verdict.isInferable else { return nil }
        return judgement.cure.flatMap { printed.insert($0).inserted ? $0 : nil }
    }
}

extension DiffReport {
    /// The advice for all possible renames.
    private static let renameAdvice =
        "Each of these may be a rename: if it is, set the renaming identifier of the new one to the old name; "
        + "otherwise the data of the old one is dropped."

    private static let classAdvice =
        "Each of these may be a rename, and SwiftData cannot rename a class: if it is, keep the old name, or move "
        + "the objects in a custom stage; otherwise the data of the old one is dropped."

    /// The questions, with the renames that share one sentence; a single one has its own words.
    var questions: (single: [Diagnostic], groups: [(advice: String, pairs: [RenameSuspicion])]) {
        func key(_ diagnostic: Diagnostic) -> [String] {
            [diagnostic.rule.rawValue, diagnostic.element ?? "", diagnostic.message]
        }
        let suspicions = Dictionary(firstOf: diff.suspicions.map { (key($0.diagnostic), $0) })
        let pairs = renames.compactMap { suspicions[key($0)] }
        let groups = [
            (advice: Self.renameAdvice, pairs: pairs.filter { !$0.isOfClass }),
            (advice: Self.classAdvice, pairs: pairs.filter(\.isOfClass)),
        ].filter { $0.pairs.count > 1 }
        let grouped = Set(groups.flatMap(\.pairs).map { key($0.diagnostic) })
        return (diagnostics.filter { !grouped.contains(key($0)) }, groups)
    }
}

let diffShape = """
    difference = report { from: side, to: side, oneStore?: { opens: boolean, equal: [string], unequal: [string] },
      verdict: verdict "The worst of all.", isEmpty: boolean, movedEntities: [string], changes: [change],
      refusals: [refusal], suspectedRenames: [rename], meant?: [string], removedCases?: [string] }
    change = { element?: string, change: string, from?: string, to?: string, rule: string, verdict: verdict,
      movesHash: boolean, effect: string "What happens to rows.",
      evidence: string "What shows that Core Data does so.", cure?: string, queries?: [string], cloudKit?: {
      verdict: cloudKitVerdict, effect: string, evidence: string
      } "What it means for the CloudKit schema, if it is mirrored.", fromPlace?: place, toPlace?: place }
    refusal = { rule: string, code?: integer "Core Data's error.", reason: string, evidence: string,
      element?: string, cure: string "What makes the step possible." }
    rename = { entity?: string, from: string, to: string, elementID: string "The renaming identifier to write.",
      place?: place }
    """
func jsonObject(_ report: DiffReport) -> JSONObject {
    let (diff, mapping) = (report.diff, report.mapping)
    let removedCases = report.enumFindings.map(\.worded.message)
    return [
        "from": jsonObject(report.from), "to": jsonObject(report.to),
        "oneStore": report.fit.map(jsonObject), "verdict": mapping.verdict.identifier,
        "isEmpty": diff.isEmpty, "movedEntities": diff.movedEntities,
        "changes": mapping.judgements.map { jsonObject($0, report.queries(for: $0)) },
        "refusals": mapping.refusals.map(jsonObject),
        "suspectedRenames": diff.suspicions.map(jsonObject),
        "meant": report.meant.isEmpty ? nil : report.meant,
        "removedCases": removedCases.isEmpty ? nil : removedCases,
    ]
}

private func jsonObject(_ version: ModelVersion) -> JSONObject {
    ["name": version.name, "checksum": version.checksum]
}

private func jsonObject(_ fit: StoreFit) -> JSONObject {
    [
        "opens": fit.opensOneStore,
        "equal": fit.entities.filter { $0.relation == .equal }.map(\.name),
        "unequal": fit.entities.filter { $0.relation != .equal }.map(\.name),
    ]
}

private func jsonObject(_ judgement: Judgement, _ queries: [String]) -> JSONObject {
    let change = judgement.change
    let words = change.words
    return [
        "element": change.subject.path, "change": words.what, "from": words.from, "to": words.to,
        "rule": judgement.rule, "verdict": judgement.verdict.identifier,
        "movesHash": change.movesVersionHash, "effect": judgement.effect,
        "evidence": judgement.evidence.rawValue, "cure": judgement.cure,
        "queries": queries.isEmpty ? nil : queries, "cloudKit": judgement.cloudKit.map(jsonObject),
        "fromPlace": change.fromLocation, "toPlace": change.toLocation,
    ]
}

private func jsonObject(_ ruling: CloudKitRuling) -> JSONObject {
    [
        "verdict": ruling.verdict.rawValue, "effect": ruling.effect,
        "evidence": ruling.evidence.rawValue,
    ]
}

private func jsonObject(_ refusal: Refusal) -> JSONObject {
    [
        "rule": refusal.rule, "code": refusal.code?.number, "reason": refusal.reason,
        "evidence": refusal.evidence.rawValue, "element": refusal.path, "cure": refusal.cure,
    ]
}

private func jsonObject(_ rename: RenameSuspicion) -> JSONObject {
    [
        "entity": rename.entity, "from": rename.from, "to": rename.to,
        "elementID": rename.elementID, "place": rename.toSource.element,
    ]
}

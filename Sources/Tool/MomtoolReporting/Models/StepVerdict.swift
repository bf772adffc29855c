import Diagnostics
import MappingInference
import ModelDiffing
import ModelHashing
package import ObjectModel

package struct StepVerdict: Sendable {
    /// Such as `Shop 2 → Shop 3: loses Stop.label`.
    package var line: String

    package init(from old: ModelVersion, to new: ModelVersion) {
        let step = InferredStep.between(old, new)
        let title =
            old.name == new.name ? "\(old.name), before → after" : "\(old.name) → \(new.name)"
        guard old.hashes != new.hashes else {
            let words = step.diff.isEmpty ? "no difference" : "no effect on the hash"
            line = "\(title): \(words)".onOneLine
            return
        }
        line = "\(title): \(Self.words(of: step.mapping, step.losses))".onOneLine
    }

    private static func words(of mapping: InferredMapping, _ losses: [StepLoss]) -> String {
        var parts: [String] = []
        let refusals = mapping.refusals.map { refusal in
            (refusal.path.map { "\($0): " } ?? "") + refusal.text
        }
        if !refusals.isEmpty { parts.append("no mapping can be inferred: \(listed(refusals))") }
        // As in `diff`, a loss of some rows only depends on the rows.
        let open = Set(
            mapping.judgements.filter { $0.verdict == .dependsOnRows }
                .compactMap(\.change.subject.path)
        )
        let isLost = { (loss: StepLoss) in
            loss.kind == .dropped && open.isDisjoint(with: loss.names)
        }
        let dropped = losses.filter(isLost).map(\.name)
        if !dropped.isEmpty { parts.append("drops \(listed(dropped, by: ", "))") }
        let asked = losses.filter { !isLost($0) }.map { "\($0.name): \($0.effect)" }
        if !asked.isEmpty { parts.append("depends on the rows: \(listed(asked))") }
        return parts.isEmpty ? mapping.verdict.words : parts.joined(separator: "; ")
    }

    /// A list that fits on a line, however long.
    private static func listed(_ items: [String], by separator: String = "; ") -> String {
        let more = items.count > 5 ? "\(separator)\(items.count - 5) more" : ""
        return items.prefix(5).joined(separator: separator) + more
    }
}

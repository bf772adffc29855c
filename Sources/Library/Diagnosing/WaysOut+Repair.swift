import Diagnostics
import Essentials
import LogReading
import StoreMigration

/// What to do with a store that can be repaired: repair a copy, and examine it.
///
/// Nothing else is done to the store: a migration may remove what the repair restores. `isNamed` says whether the model was
/// given, and `version` names the one of several to repair by.
func waysOut(
    by repair: StoreRepair,
    _ store: String,
    _ model: String,
    isNamed: Bool,
    taking version: [HelpfulCommand.Word] = []
) -> [WayOut] {
    let words = [.text(store)] + (version.isEmpty ? [.model(model)] : version)
    let output = HelpfulCommand.Word.output("Repaired.sqlite")
    let next = repairedWay(isNamed ? model : nil)
    let last = unmended(by: repair)
    guard !repair.steps.isEmpty || !repair.obstacles.isEmpty else { return last }
    guard !repair.obstacles.isEmpty else {
        let advice: Wording = "repair what can be repaired without inventing values; \(.rehearsal)"
        return [WayOut(advice, .call(.repair, words + [output])), next] + last
    }
    let asks = repair.obstacles.map { "\($0.problem): \($0.remedy)" as Wording }
        .joined(separator: "; ")
    guard repair.obstacles.allSatisfy({ !$0.advice.isEmpty }) else {
        let advice: Wording = "restore it from a backup, as a repair cannot fix everything: \(asks)"
        return [WayOut(advice, .call(.repair, words))] + last
    }
    var known: Set<Advice> = []
    let given = repair.obstacles.flatMap(\.advice).filter { known.insert($0).inserted }
        .map { HelpfulCommand.Word.following($0) }
    return [
        WayOut(
            "restore it from a backup; or repair a copy with values that only you know: \(asks)",
            .call(.repair, words + given + [output])
        ), next,
    ] + last
}

/// What to do about faults without a known repair.
private func unmended(by repair: StoreRepair) -> [WayOut] {
    // Files have their own advice.
    let left = repair.remaining.filter {
        $0.severity == .error && $0.rule != "missing-external-file"
    }
    guard !left.isEmpty else { return [] }
    let all = left.prefix(5).map { finding in
        (finding.element.map { "\($0): " } ?? "") + finding.reason
    }.joined(separator: "; ")
    let more: Wording = left.count > 5 ? "; and \(left.count - 5) more" : ""
    return [
        WayOut(
            "correct these objects in the app, or restore the store from a backup, as momtool cannot repair them: \(all)\(more)"
        )
    ]
}

extension StoreRepair {
    /// Whether it repairs anything, automatically or by answers that a call can give.
    var isOfHelp: Bool {
        !steps.isEmpty || !obstacles.isEmpty && obstacles.allSatisfy { !$0.advice.isEmpty }
    }
}

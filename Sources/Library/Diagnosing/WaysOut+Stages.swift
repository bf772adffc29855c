import Diagnostics
import LogReading

/// Advice about versions that stages list twice: from the given stages, or where to look.
func waysOut(ofStagesIn context: ModelContext?, _ model: String) -> [WayOut] {
    let faults = context?.faultyStages?.faults ?? []
    guard !faults.isEmpty else {
        return [
            WayOut(
                """
                look for a version that two stages list: a lightweight stage lists the versions that it starts from, and a \
                custom stage lists both of its versions; V2 → V3 follows `[V1]`, not `[V1, V2]`
                """,
                .call(.plan, .stages("Stages.yml"))
            ),
            WayOut(
                "if none is listed twice, look for two versions with equal hashes, and remove one from the list",
                .call(.lint, .text(model), .allVersions)
            ),
        ]
    }
    var places: [String] = []
    for path in faults.compactMap(\.location?.path) where !places.contains(path) {
        places.append(path)
    }
    return places.map { path in
        let relevant = faults.filter { $0.location?.path == path }
            .map { "\($0.location.map { "\($0)" } ?? path): \($0.wording)" as Wording }
        return WayOut(
            "list each version once, in the stages of the app too: \(relevant.joined(separator: "; "))",
            .call(.plan, .stages(shellWord(path)))
        )
    }
}

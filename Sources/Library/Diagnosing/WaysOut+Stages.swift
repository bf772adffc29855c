import Diagnostics
import LogReading

/// What to do about versions that stages list twice: what the stages at hand show, else where to look.
func waysOut(ofStagesIn context: ModelContext?, _ model: String) -> [WayOut] {
    let faults = context?.faultyStages?.faults ?? []
    guard !faults.isEmpty else {
        return [
            WayOut(
                """
                look for a version that two stages list: a lightweight stage lists the versions that it leads on from, and a \
                custom stage both of its own; after `[V1]` comes V2 → V3, not after `[V1, V2]`
                """,
                .call(.plan, .stages("Stages.yml"))
            ),
            WayOut(
                "if none is listed twice, look for two versions with equal hashes, and take one from the list",
                .call(.lint, .text(model), .allVersions)
            ),
        ]
    }
    var places: [String] = []
    for path in faults.compactMap(\.location?.path) where !places.contains(path) {
        places.append(path)
    }
    return places.map { path in
        let told = faults.filter { $0.location?.path == path }
            .map { "\($0.location.map { "\($0)" } ?? path): \($0.wording)" as Wording }
        return WayOut(
            "list each version once, in the stages of the app too: \(told.joined(separator: "; "))",
            .call(.plan, .stages(shellWord(path)))
        )
    }
}

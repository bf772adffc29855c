import Diagnostics
package import MigrationPlanning
import ObjectModel

extension StoreVersions {
    /// Finds the way around a direct step that is refused; throws when there is none, with the missing steps.
    package func detour(from source: ModelVersion) throws(MomtoolError) -> VersionGraph.Detour {
        func place(_ version: ModelVersion, in versions: [ModelVersion]) -> Int? {
            versions.lastIndex { $0.isSame(as: version) }
        }
        let versions = place(source, in: all) == nil ? [source] + all : all
        guard let start = place(source, in: versions), let end = place(destination, in: versions)
        else { throw MomtoolError(.refused, saying: "the version has no model", "unknown-version") }
        switch VersionGraph(versions: versions).route(from: start, to: end) {
        case .detour(let detour): return detour
        case .none(let refused, let deadEnds):
            var error = MomtoolError(refusing: refused)
            error.deadEnds = deadEnds
            error.remarks += error.deadEndNote.map { ["note: \($0)"] } ?? []
            throw error
        case .nothingToDo, .direct:
            throw MomtoolError(refusing: MigrationPlan(from: source, to: destination))
        }
    }
}

extension MomtoolError {
    fileprivate init(refusing plan: MigrationPlan) {
        self.init(.refused, saying: plan.mapping.refusals.map(\.diagnostic))
    }

    /// The steps that block every route; `nil` for another reason.
    var deadEndNote: String? {
        guard !deadEnds.isEmpty else { return nil }
        let steps = deadEnds.map { "\($0.source.name) → \($0.destination.name)" }
        return "no chain of steps leads there; missing: \(steps.joined(separator: ", "))"
    }
}

extension VersionGraph.Detour {
    /// Such as `V1 → V2 → V3`.
    package var title: String {
        ([refused.source.name] + plans.map(\.destination.name)).joined(separator: " → ")
    }

    package var reason: String {
        let reasons = refused.mapping.refusals.map { refusal in
            let place = [refusal.entity, refusal.property].compactMap(\.self)
            return "\(place.joined(separator: ".")): \(refusal.reason)"
        }
        return "\(refused.source.name) → \(refused.destination.name) is refused in one step ("
            + "\(reasons.joined(separator: "; "))); the route is \(title)"
    }
}

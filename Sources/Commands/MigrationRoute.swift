import Diagnostics
import MappingInference
import MigrationPlanning
import ModelHashing
import ModelLoading
import ObjectModel
import Reporting

/// The way around a direct step that is refused, found without a stages file.
struct MigrationRoute {
    /// The steps, each of which Core Data would infer.
    let plans: [MigrationPlan]
    /// The direct step.
    private let refused: MigrationPlan

    /// Searches the way among the versions of some bundles.
    ///
    /// - Throws: `CommandFailure` when there is none; it says which steps are missing and what would make them legal.
    init(from source: ModelVersion, to destination: ModelVersion, _ bundles: [ModelBundle]) throws {
        var versions = bundles.flatMap(\.versions)
        if !versions.contains(where: { $0.path == source.path && $0.name == source.name }) {
            versions.insert(source, at: 0)
        }
        let graph = VersionGraph(versions: versions)
        switch graph.route(from: source.checksum, to: destination.checksum) {
        case .chain(let plans, let refused):
            self.plans = plans
            self.refused = refused
        case .none(let refused, let deadEnds):
            throw CommandFailure(.refused, Self.proposal(refused, deadEnds))
        case .nothingToDo, .direct, .unknownVersion:
            let plan = MigrationPlan(from: source, to: destination)
            throw CommandFailure(.refused, plan.mapping.refusals.map(\.diagnostic.description))
        }
    }

    /// The names of the versions on the way, as `V1 → V2 → V3`.
    var title: String {
        ([plans[0].source.name] + plans.map(\.destination.name)).joined(separator: " → ")
    }

    /// Why it goes in steps.
    var notes: [String] {
        let reasons = refused.mapping.refusals.map { refusal in
            let place = [refusal.entity, refusal.property].compactMap(\.self)
            return "\(place.joined(separator: ".")): \(refusal.reason)"
        }
        return [
            "note: \(refused.source.name) → \(refused.destination.name) is refused in one step ("
                + "\(reasons.joined(separator: "; "))); it goes \(title)"
        ]
    }

    /// The stages that go through every version of the way.
    var manager: StagedMigrationManager {
        let versions = [plans[0].source] + plans.map(\.destination)
        return StagedMigrationManager([
            .lightweight(
                LightweightMigrationStage(
                    versions.map { ManagedObjectModelReference($0) }
                )
            )
        ])
    }

    /// What is dropped on the way although both ends have it, as `Person.name`.
    var detourLosses: [String] {
        let gone = Set(refused.mapping.losses.compactMap(\.element))
        let graph = ModelGraph(refused.source.model)
        var found: Set<String> = []
        for loss in plans.flatMap(\.mapping.losses) {
            guard let element = loss.element, !gone.contains(element) else { continue }
            let parts = element.split(separator: ".", maxSplits: 1).map(String.init)
            guard let entity = graph.entity(parts[0]),
                parts.count == 1 || graph.property(parts[1], of: entity) != nil
            else { continue }
            found.insert(element)
        }
        return found.sorted()
    }

    private static func proposal(_ refused: MigrationPlan, _ deadEnds: [MigrationPlan]) -> [String]
    {
        let refusals = refused.mapping.refusals.map(\.diagnostic.description)
        let steps = deadEnds.map { "\($0.source.name) → \($0.destination.name)" }
        let missing =
            "note: no chain of steps leads there; missing: " + steps.joined(separator: ", ")
        return refusals + [missing]
            + deadEnds.flatMap { plan in
                guard let bridge = BridgingVersion(for: plan) else {
                    return [
                        "note: nothing was found that makes \(plan.source.name) → "
                            + "\(plan.destination.name) legal; write a mapping or a map for it"
                    ]
                }
                let (source, destination) = (plan.source.name, plan.destination.name)
                return bridge.words(from: source, to: destination).map { line in
                    line.hasPrefix(" ") ? line : "note: \(line)"
                }
            }
    }
}

extension DataLoss {
    /// What is dropped whole, as `Person.name`; `nil` for what is only narrowed.
    fileprivate var element: String? {
        switch self {
        case .entity(let name): name
        case .attribute(let entity, let property, _), .relationship(let entity, let property):
            "\(entity).\(property.name)"
        case .order, .additionalLinks, .linksOutOfReach, .precision: nil
        }
    }
}

import Diagnostics
package import ModelDiffing
import ModelHashing
package import ObjectModel

/// A version between two others that turns a refused direct step into two legal ones.
///
/// What is refused is kept in its old form under its name, and added in its new form under another name; the new
/// version continues the latter by a renaming identifier, which is not part of any hash. A custom stage between the
/// versions moves the values (the recipe of WWDC22, MigrationBehaviour, "Staged migration"). Both steps have been
/// planned and are legal.
package struct BridgingVersion: Sendable, Hashable {
    package var model: ManagedObjectModel
    /// The new version, with renaming identifiers that continue what the version between holds for it.
    package var next: ManagedObjectModel
    /// The difference between the new version and the version between.
    package var diff: ModelDiff { differences.value }
    private let differences: Later<ModelDiff>
    /// The renamings in the new version, which keep its hashes.
    package var renamings: [Renaming]

    package struct Renaming: Sendable, Hashable {
        /// Such as `Person.name`.
        package var element: String
        /// `nil` when the present one has to go.
        package var identifier: String?
    }

    /// Works out a version between the ends of a refused step; `nil` for a legal step, or where no attempt makes it
    /// legal.
    package init?(for plan: MigrationPlan) {
        guard !plan.isLegal else { return nil }
        var bridge = BridgeBuilder(plan)
        bridge.build()
        let middle = bridge.middle
        let end = ModelVersion(name: plan.destination.name, model: bridge.next)
        guard end.checksum == plan.destination.checksum,
            MigrationPlan(from: plan.source, to: middle).isLegal,
            MigrationPlan(from: middle, to: end).isLegal
        else { return nil }
        model = bridge.model
        next = bridge.next
        renamings = bridge.renamings
        differences = Later { ModelDiffing.diff(ModelMatching(from: plan.destination, to: middle)) }
    }
}

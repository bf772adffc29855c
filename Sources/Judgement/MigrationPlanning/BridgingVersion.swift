package import MappingInference
package import ModelDiffing
import ModelHashing
package import ObjectModel

/// A version between two others that makes the way legal, because the direct step is refused.
///
/// What is refused is kept in its old form under its name, and is there in its new form under another name; the new
/// version takes the latter over by a renaming identifier, which is not part of any hash. A custom stage between
/// the versions moves the values (the recipe of WWDC22, MigrationBehaviour, "Staged migration"). Both steps have
/// been planned and are legal.
package struct BridgingVersion: Sendable, Hashable {
    /// The model of the version between.
    package var model: ManagedObjectModel
    /// The new version, with renaming identifiers that take over what the version between holds for it.
    package var next: ManagedObjectModel
    /// What differs between the new version as it is and the version between.
    package var diff: ModelDiff
    /// What has to be renamed in the new version, which leaves its hashes alone.
    package var renamings: [Renaming]

    /// A renaming identifier that the new version needs.
    package struct Renaming: Sendable, Hashable {
        /// The entity or property, such as `Person.name`.
        package var element: String
        /// The renaming identifier; `nil` when the one that is there has to go.
        package var identifier: String?
    }

    /// Works out a version between the ends of a refused step.
    ///
    /// There is none when the step is legal, or when nothing that is tried makes it so.
    ///
    /// - Parameters:
    ///   - plan: the step.
    ///   - options: what inference may do beyond what is on record.
    package init?(for plan: MigrationPlan, options: InferenceOptions = InferenceOptions()) {
        guard !plan.isLegal else { return nil }
        var bridge = BridgeBuilder(plan)
        bridge.build(options)
        let middle = ModelVersion(name: "between", model: bridge.model)
        let end = ModelVersion(name: plan.destination.name, model: bridge.next)
        guard end.checksum == plan.destination.checksum,
            MigrationPlan(from: plan.source, to: middle, options: options).isLegal,
            MigrationPlan(from: middle, to: end, options: options).isLegal
        else { return nil }
        model = bridge.model
        next = bridge.next
        renamings = bridge.renamings
        diff = ModelDiffing.diff(ModelMatching(from: plan.destination, to: middle))
    }
}

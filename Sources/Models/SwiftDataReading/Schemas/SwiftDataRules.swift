package import Diagnostics

extension RuleID {
    /// A part of Swift sources whose form in a store is unknown; its entity has no hash.
    package static let swiftNotUnderstood: RuleID = "swift-not-understood"
    /// A class where SwiftData stores values, at which it stops.
    package static let swiftClassStored: RuleID = "swift-class-stored"
    /// Something in Swift sources that is read in the natural way, but was never seen in a store.
    package static let swiftUnproven: RuleID = "swift-unproven"
    package static let swiftSyntax: RuleID = "swift-syntax"
    /// A version or plan that is made at run time.
    package static let swiftNotReadable: RuleID = "swift-not-readable"
    /// A model that differs with the conditions of `#if`.
    package static let swiftCondition: RuleID = "swift-condition"
    /// Two classes of one name in one version.
    package static let swiftDuplicateClass: RuleID = "swift-duplicate-class"
    /// A version that shipped reaches a class or struct that changes with the app.
    package static let frozenVersionReachesLiveType: RuleID = "frozen-version-reaches-live-type"
    /// A migration plan without a stage between two of its versions.
    package static let stageMissing: RuleID = "stage-missing"
    /// A stage that is not a step of its plan's list of versions.
    package static let stageOrder: RuleID = "stage-order"
    /// A function of a stage that fetches a class which the version at that point lacks.
    package static let stageFetchesOtherType: RuleID = "stage-fetches-other-type"
    /// A version that its app's migration plan does not list.
    package static let versionNotInPlan: RuleID = "version-not-in-plan"
    /// A container that is opened with other classes than the last version of its plan has.
    package static let containerListDiffers: RuleID = "container-list-differs"
    /// A container that opens the file of another with fewer classes.
    package static let containerDropsClasses: RuleID = "container-drops-classes"
    package static let planNotUsed: RuleID = "plan-not-used"
    package static let identifierReused: RuleID = "identifier-reused"
    /// Relationships whose spelling decides whether SwiftData finds their inverse.
    package static let inverseNotWritten: RuleID = "inverse-not-written"
    package static let swiftNoModel: RuleID = "swift-no-model"
}

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
    /// A migration plan without a stage between two of its versions.
    package static let stageMissing: RuleID = "stage-missing"
    /// A stage that is not a step of its plan's list of versions.
    package static let stageOrder: RuleID = "stage-order"
    package static let swiftNoModel: RuleID = "swift-no-model"
}

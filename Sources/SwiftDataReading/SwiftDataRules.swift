public import Diagnostics

extension RuleID {
    /// Something in Swift sources whose form in a store is not known; its entity has no hash.
    public static let swiftNotUnderstood: RuleID = "swift-not-understood"
    /// Something in Swift sources that is read in the natural way, but was never seen in a store.
    public static let swiftUnproven: RuleID = "swift-unproven"
    /// A file or declaration that is no whole Swift.
    public static let swiftSyntax: RuleID = "swift-syntax"
    /// A version or plan that is made at run time.
    public static let swiftNotReadable: RuleID = "swift-not-readable"
    /// A model that differs with the conditions of `#if`.
    public static let swiftCondition: RuleID = "swift-condition"
    /// Two classes of one name in one version.
    public static let swiftDuplicateClass: RuleID = "swift-duplicate-class"
    /// Sources without a `@Model` class.
    public static let swiftNoModel: RuleID = "swift-no-model"
}

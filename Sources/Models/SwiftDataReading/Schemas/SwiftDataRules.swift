package import Diagnostics

extension RuleID {
    package static let swiftNotUnderstood: RuleID = "swift-not-understood"
    package static let swiftClassStored: RuleID = "swift-class-stored"
    package static let swiftUnproven: RuleID = "swift-unproven"
    package static let swiftSyntax: RuleID = "swift-syntax"
    package static let swiftNotReadable: RuleID = "swift-not-readable"
    package static let swiftCondition: RuleID = "swift-condition"
    package static let swiftDuplicateClass: RuleID = "swift-duplicate-class"
    package static let stageMissing: RuleID = "stage-missing"
    package static let stageOrder: RuleID = "stage-order"
    package static let swiftNoModel: RuleID = "swift-no-model"
}

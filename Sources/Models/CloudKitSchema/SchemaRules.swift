package import Diagnostics

extension RuleID {
    static let duplicateName: RuleID = "duplicate-name"

    package static let surplusItem: RuleID = "cloudkit-surplus"
    package static let fieldName: RuleID = "cloudkit-field-name"
    package static let unsupportedProperty: RuleID = "cloudkit-attribute-type"
    package static let unproven: RuleID = "cloudkit-unproven"
}

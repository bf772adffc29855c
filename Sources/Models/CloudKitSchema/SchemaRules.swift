package import Diagnostics

extension RuleID {
    static let duplicateName: RuleID = "duplicate-name"

    /// A record type or field that nothing in the model makes.
    package static let surplusItem: RuleID = "cloudkit-surplus"
    /// A name that CloudKit does not allow, or that two items of a schema would share.
    package static let fieldName: RuleID = "cloudkit-field-name"
    /// A property of a type that mirroring does not know.
    package static let unsupportedProperty: RuleID = "cloudkit-attribute-type"
    /// Something whose record types or fields no published schema has shown.
    package static let unproven: RuleID = "cloudkit-unproven"
}

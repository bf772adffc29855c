import Diagnostics

extension Rule {
    /// By family, then by ID.
    package static let all = structure + apple + versions + migration + rows + cloudKit + style

    package static func named(_ id: String) -> Rule? { all.first { $0.id.rawValue == id } }

    private static let apple: [Rule] = [
        classNotFound, defaultOutsideLimits, entityNameCase, impossibleCount, impossibleLimits,
        insecureTransformer, invalidConstraint, invalidCustomClass, missingInverse,
        noActionDeleteRule, propertyNameCase, reservedPropertyName, sharedClassName, toOneCount,
        swiftdataUnsupported, tooManyProperties, undefinedAttributeType, unknownDerivation,
    ]

    private static let rows: [Rule] = [missingSwiftValue, rowsDecide]

    private static let style: [Rule] = [
        literalRenamingIdentifier, mandatoryValueWithoutDefault, missingInverseEntity,
        redundantRenamingIdentifier, sourceForm, unknownIgnoredRule, unmatchedLoss, unmatchedIgnore,
    ]
}

import Diagnostics
import Essentials

extension Rule {
    /// By family, then by ID.
    package static let all = structure + apple + versions + migration + rows + cloudKit + style

    package static func named(_ id: String) -> Rule? { all.first { $0.id.rawValue == id } }

    /// Reads rules without examples: `ID (SEVERITY, CHECK): SUMMARY`, and the reason below.
    ///
    /// Without a check the reader reports it. An ID alone is the position of another rule of the family.
    static func table(_ family: Family, _ text: String, with others: [Rule] = []) -> [Rule] {
        let checks: [String: RuleCheck] = [
            "lock": .lock, "stages": .stages, "project": .project, "planning": .planning,
            "schema": .schema, "schemaStep": .schemaStep,
        ]
        return TextRow.rows(of: text).compactMap { row in
            let parts = row.head.split(separator: "): ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return others.first { $0.id.rawValue == row.head } }
            let words = parts[0].split { " (,".contains($0) }.map(String.init)
            return Severity(rawValue: words[1]).map { severity in
                Rule(
                    .named(
                        RuleID(rawValue: words[0]),
                        family,
                        severity,
                        by: words.count > 2 ? checks[words[2]] ?? .reading : .reading
                    ),
                    summary: parts[1],
                    rationale: row.lines.joined(separator: " ")
                )
            }
        }
    }

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

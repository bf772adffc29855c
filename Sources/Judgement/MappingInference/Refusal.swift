package import Diagnostics

/// Something that Core Data would refuse before it looks at a single row, or whose outcome is unknown.
package struct Refusal: Sendable, Hashable {
    /// The rule that is broken.
    package var rule: RuleID
    /// The error that Core Data gives; `nil` where none is on record.
    package var code: CoreDataErrorCode?
    /// Whether Core Data raises an exception instead of returning the error.
    package var raisesException: Bool = false
    /// The reason as Core Data words it, where its words are known.
    package var reason: String
    /// What the refusal rests on; a guess is momtool's own, and never said to be Apple's.
    package var evidence: Evidence
    /// The entity, as the new version names it where it goes on.
    package var entity: String?
    /// The property, as the new version names it where it goes on.
    package var property: String?
    /// Where it was in the old version.
    package var fromLocation: FileLocation?
    /// Where it is in the new version.
    package var toLocation: FileLocation?
    /// What to do instead; imperative.
    package var cure: String

    /// The reason with Core Data's error where it is on record; a guess says that it is one.
    package var text: String {
        if evidence.isGuess { return "momtool cannot tell what Core Data does: \(reason)" }
        return code.map { "\(reason) (\($0.number))" } ?? reason
    }

    /// The refusal as a diagnostic, at the location in the new version.
    package var diagnostic: Diagnostic {
        let error = code.map { " (\($0.number) \($0.constantName))" } ?? ""
        return Diagnostic(
            rule,
            evidence.isGuess
                ? "momtool cannot tell whether a mapping can be inferred: \(reason)"
                : "no mapping can be inferred: \(reason)\(error)",
            at: toLocation ?? fromLocation,
            element: entity.map { entity in property.map { "\(entity).\($0)" } ?? entity },
            notes: (fromLocation.map { [Diagnostic.Note("it was here", at: $0)] } ?? [])
                + [Diagnostic.Note(cure)]
        )
    }
}

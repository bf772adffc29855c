package import Diagnostics

/// Something that Core Data would refuse before it looks at a row, or whose outcome is unknown.
package struct Refusal: Sendable, Hashable {
    package var rule: RuleID
    /// Core Data's error; `nil` where none is on record.
    package var code: CoreDataErrorCode?
    /// Whether Core Data raises an exception instead of returning the error.
    package var raisesException: Bool = false
    /// The reason in Core Data's words, where these are known.
    package var reason: String
    /// A guess is momtool's own, and never presented as Apple's.
    package var evidence: Evidence
    /// The entity, by its new name if it continues.
    package var entity: String?
    /// The property, by its new name if it continues.
    package var property: String?
    package var fromLocation: FileLocation?
    package var toLocation: FileLocation?
    /// What to do instead; imperative.
    package var cure: String

    /// The reason with Core Data's error where it is on record; a guess is marked as one.
    package var text: String {
        if evidence.isGuess { return "momtool cannot tell what Core Data does: \(reason)" }
        return code.map { "\(reason) (\($0.number))" } ?? reason
    }

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

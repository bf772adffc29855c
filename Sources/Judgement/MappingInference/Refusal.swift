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
    /// The old and the new type of the property, such as `Integer 16 → String`; `nil` where others are refused.
    package var types: String?
    package var fromLocation: FileLocation?
    package var toLocation: FileLocation?
    /// What to do instead; imperative.
    package var cure: String

    package var path: String? {
        entity.map { entity in property.map { "\(entity).\($0)" } ?? entity }
    }

    /// The reason with Core Data's error where it is on record; a guess is marked as one.
    package var text: String {
        if evidence.isGuess { return "momtool cannot tell what Core Data does: \(reason)" }
        return code.map { "\(reason) (\($0.number))" } ?? reason
    }

    /// The property with its types, then the reason.
    package var subject: String {
        let types = types.map { " (\($0))" } ?? ""
        return (path.map { "\($0)\(types): " } ?? "") + reason
    }

    /// The subject with Core Data's error where it is on record.
    package var sentence: String {
        subject + (code.map { " (\($0.number) \($0.constantName))" } ?? "")
    }

    package var diagnostic: Diagnostic {
        Diagnostic(
            rule,
            evidence.isGuess
                ? "momtool cannot tell whether a mapping can be inferred: \(sentence)"
                : "no mapping can be inferred: \(sentence)",
            at: toLocation ?? fromLocation,
            element: path,
            notes: (fromLocation.map { [Diagnostic.Note("it was here", at: $0)] } ?? [])
                + [Diagnostic.Note(cure)]
        )
    }
}

import Diagnostics
import MappingInference
import ModelDiffing
import ModelEditing
import ObjectModel

extension Rule {
    static let missingRenamingIdentifier = Rule(
        .named("missing-renaming-identifier", .migration, .error),
        summary: "Renaming identifiers are kept in later versions",
        rationale: """
            A renamed item keeps its renaming identifier permanently: it matches the next version, and also a direct \
            step from the oldest version to the newest.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>",
            """
            <entity name='A'>◀<attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        isAnsweredByMapping: true,
        fix: .keepingHash("sets the identifier again, if nothing else has it"),
        check: .step { step in
            step.diff.suspicions.filter(\.hasLostIdentifier).map { $0.violation(in: step) }
        }
    )
}

extension RenameSuspicion {
    /// Whether the later version lost a renaming identifier that the earlier one has.
    var hasLostIdentifier: Bool {
        ground == .nameInsteadOfIdentifier || ground == .staleIdentifier && elementID != from
    }

    func violation(in step: CheckedStep) -> Violation {
        let loss = step.loss(behind: self)
        return Violation(
            diagnostic.wording,
            at: diagnostic.location,
            element: diagnostic.element,
            notes: diagnostic.notes,
            fix: fixOfIdentifier(in: step.to),
            severity: loss == nil ? .note : step.lossSeverity,
            loss: loss?.name
        )
    }

    /// Sets the identifier of the old element, or removes one that is the plain name.
    ///
    /// There is none if another item of the version has that identifier: a person must decide which of the two
    /// continues the old one.
    private func fixOfIdentifier(in version: ModelVersion) -> Fix? {
        // The other spelling has a rule of its own.
        guard !version.path.hasSuffix(".swift"), !toSource.has("renamingIdentifier") else {
            return nil
        }
        let owners = version.model.entities
        let rivals =
            if let entity {
                owners.first { $0.name == entity }.map {
                    CheckedProperty.all(of: $0).filter { $0.name != to }.map(\.matchingIdentifier)
                } ?? []
            } else {
                owners.filter { $0.name != to }.map(\.matchingIdentifier)
            }
        guard !rivals.contains(elementID) else { return nil }
        return elementID == to
            ? Fix(
                "remove the renaming identifier of '\(to)'",
                at: toSource.element,
                .tag(.remove("elementID"))
            )
            : Fix(
                "set the renaming identifier of '\(to)' to '\(elementID)'",
                at: toSource.element,
                .tag(.set("elementID", elementID))
            )
    }
}

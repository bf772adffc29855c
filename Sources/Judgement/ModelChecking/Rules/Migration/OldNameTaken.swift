import Diagnostics
import ObjectModel

extension Rule {
    static let oldNameTaken = Rule(
        .named("old-name-taken", .migration, .warning),
        summary: "No new property takes the values of a renamed one",
        rationale: """
            A renaming identifier stays after the rename, as it matches later versions. A new property with the old \
            name then continues the renamed one, which begins empty. Keep the identifier on the renamed property, and \
            give the new one its own identifier.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/></entity>",
            """
            <entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/>
            <attribute name='a' optional='YES' attributeType='String' elementID='a2'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/></entity>",
            """
            <entity name='A'>◀<attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        check: .step { step in
            let old = Dictionary(
                firstOf: step.from.model.entities.map { ($0.matchingIdentifier, $0) }
            )
            return step.to.model.entities.flatMap { entity -> [Violation] in
                guard let before = old[entity.matchingIdentifier] else { return [] }
                return takers(in: entity, of: before)
            }
        }
    )
}

/// The matched properties, by their plain names, with renamed ones whose old names are used again.
private func takers(in entity: Entity, of before: Entity) -> [Violation] {
    CheckedProperty.all(of: before).compactMap { owner in
        guard let identifier = owner.renamingIdentifier, identifier != owner.name,
            let taker = entity.property(identifier), taker.matchingIdentifier == identifier,
            let rest = entity.property(owner.name), rest.matchingIdentifier != identifier
        else { return nil }
        let path = "\(entity.name).\(taker.name)"
        return Violation(
            "'\(path)' takes the values of '\(owner.name)', whose renaming identifier is '\(identifier)'; "
                + "'\(owner.name)' will be empty",
            at: taker.source.element,
            element: path,
            notes: [
                Diagnostic.Note(
                    "keep '\(identifier)' as its renaming identifier",
                    at: rest.source.element
                )
            ]
        )
    }
}

import Diagnostics
import ObjectModel

extension Rule {
    /// Each entity has its own class.
    static let sharedClassName = Rule(
        "shared-class-name",
        .apple,
        .warning,
        summary: "Each entity has its own class",
        rationale: """
            `+entity()` of a class that two entities claim is ambiguous; Core Data \
            warns that multiple entity descriptions claim it and fetches the wrong \
            one. NSManagedObject itself may be shared.
            """,
        appleText: """
            Multiple NSEntityDescriptions claim the NSManagedObject subclass 'X' so \
            +entity is unable to disambiguate
            """,
        passing: [
            """
            <entity name='A' representedClassName='A'/><entity name='B' representedClassName='NSManagedObject'/>
            <entity name='C' representedClassName='NSManagedObject'/>
            """
        ],
        failing: [
            """
            <entity name='A' representedClassName='Thing'/>
            <entity name='B' ◀representedClassName='Thing'/>
            """
        ],
        check: .model { model in
            var owners: [String: Entity] = [:]
            return model.entities.compactMap { entity in
                guard let name = entity.className, !name.isEmpty, name != "NSManagedObject" else {
                    return nil
                }
                guard let owner = owners.updateValue(owners[name] ?? entity, forKey: name) else {
                    return nil
                }
                return Violation(
                    "give '\(entity.name)' a class of its own: '\(owner.name)' has '\(name)' too",
                    at: entity.source.location(of: "representedClassName"),
                    element: entity.name,
                    notes: [Diagnostic.Note("the other one is here", at: owner.source.element)]
                )
            }
        }
    )
}

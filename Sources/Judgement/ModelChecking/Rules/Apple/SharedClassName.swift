import Diagnostics
import ObjectModel

extension Rule {
    static let sharedClassName = Rule(
        .named("shared-class-name", .apple, .note),
        summary: "Each entity has its own class",
        rationale: """
            `+entity()` is ambiguous for a class that two entities claim; Core Data warns that multiple entity \
            descriptions claim it and fetches the wrong one. NSManagedObject itself may be shared. One finding covers \
            all entities of a class.
            """,
        appleText: """
            Multiple NSEntityDescriptions claim the NSManagedObject subclass 'X' so \
            +entity is unable to disambiguate
            """,
        passing: """
            <entity name='A' representedClassName='A'/><entity name='B' representedClassName='NSManagedObject'/>
            <entity name='C' representedClassName='NSManagedObject'/>
            """,
        failing: """
            <entity name='A' representedClassName='Thing'/>
            <entity name='B' ◀representedClassName='Thing'/>
            <entity name='C' representedClassName='Thing'/>
            """,
        check: .model { model in
            let owners = Dictionary(grouping: model.entities) { $0.className ?? "" }
            return model.entities.compactMap { entity in
                guard let name = entity.className, !name.isEmpty, name != "NSManagedObject",
                    let sharers = owners[name], sharers.count > 1, sharers[1].name == entity.name
                else { return nil }
                let list = sharers.map { "'\($0.name)'" }.listed(most: 4)
                return Violation(
                    "\(sharers.count) entities have the class '\(name)': give each its"
                        + " own: \(list)",
                    at: entity.source.location(of: "representedClassName"),
                    element: entity.name,
                    notes: [Diagnostic.Note("the first one is here", at: sharers[0].source.element)]
                )
            }
        }
    )
}

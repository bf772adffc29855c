import Diagnostics
import ObjectModel

extension Rule {
    static let classNotFound = Rule(
        .named("class-not-found", .apple, .warning, by: .project),
        summary: "Core Data can find the class of each entity",
        rationale: """
            Core Data looks up a class by its Objective-C name, which is `Module.Name` for a Swift class without \
            `@objc(Name)`. If it finds none, it creates plain NSManagedObject objects, and casts fail.
            """,
        appleText: """
            Unable to load class named 'X' for entity 'Y'. Class not found, using default NSManagedObject instead.
            """
    )

    static let entityNameCase = Rule(
        .named("entity-name-case", .apple, .note),
        summary: "Entity names begin with an upper-case letter",
        rationale: """
            Xcode requires it, and generated classes have the name of their entity. None of 38,420 entities in \
            published models breaks the rule.
            """,
        passing: "<entity name='Order'/>",
        failing: "<entity ◀name='order'/>",
        check: .model { model in
            model.entities.filter { $0.name.first?.isLowercase ?? false }.map { entity in
                Violation(
                    "begin the name of '\(entity.name)' with an upper-case letter",
                    at: entity.source.location(of: "name"),
                    element: entity.name
                )
            }
        }
    )

    static let invalidConstraint = Rule(
        .named("invalid-constraint", .apple, .warning),
        summary: "Uniqueness constraints are made of stored attributes and to-one relationships",
        rationale: """
            A to-many, transient or derived-from-many property has no column, so it cannot have a unique index.
            """,
        passing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/><uniquenessConstraints>
            <uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints></entity>
            """,
        failing: """
            <entity name='A'><attribute name='a' optional='YES' transient='YES' attributeType='String'/><uniquenessConstraints>
            ◀<uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints></entity>
            """,
        check: .model { model in
            model.entities.flatMap { entity in
                entity.uniquenessConstraints.flatMap { constraint in
                    constraint.properties.compactMap { name -> Violation? in
                        guard let property = model.graph.property(name, of: entity)?.0,
                            property.isTransient || (property as? Relationship)?.isToMany ?? false
                        else { return nil }
                        return Violation(
                            "remove '\(name)' from the uniqueness constraint: it has no column",
                            at: constraint.source.element,
                            element: entity.name
                        )
                    }
                }
            }
        }
    )

    static let invalidCustomClass = Rule(
        .named("invalid-custom-class", .apple, .note),
        summary: "Custom classes of attributes are Objective-C classes",
        rationale: """
            Core Data looks up the class by its Objective-C name when the model is loaded; a Swift array or generic \
            type has none, and it logs a fault.
            """,
        appleText: """
            Declared Objective-C type "[Int64]" for attribute named relatedIDs is not \
            valid
            """,
        passing:
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' customClassName='NSArray' valueTransformerName='NSSecureUnarchiveFromData'/></entity>",
        failing: """
            <entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='NSSecureUnarchiveFromData'
              ◀customClassName='[Int64]'/></entity>
            """,
        check: .each(\.attributes) { attribute in
            // SwiftData writes such names itself, and reads the values without the class.
            guard let name = attribute.customClassName, !name.hasPrefix("Array<"),
                name.contains(where: { "[]<>?:(), ".contains($0) })
            else { return nil }
            return Violation(
                "name an Objective-C class for '\(attribute.name)', such as NSArray; '\(name)' is not one",
                of: "customClassName"
            )
        }
    )

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

/// One attribute more than Xcode accepts silently.
private let attributes = (0...100).map {
    "<attribute name='a\($0)0' optional='YES' attributeType='String'/>"
}
.joined(separator: "\n")

extension Rule {
    static let tooManyProperties = Rule(
        .named("too-many-properties", .apple, .warning),
        summary: "Entities have at most 100 properties",
        rationale: """
            Xcode warns about larger ones: every fetch reads the whole row. Move what is seldom read into a separate \
            entity.
            """,
        passing: "<entity name='A'/>",
        failing: RuleExample("<entity ◀name='A'>" + attributes + "</entity>"),
        check: .model { model in
            zip(model.entities, model.properties).compactMap { entity, properties in
                guard properties.count > 100 else { return nil }
                return Violation(
                    "split '\(entity.name)': it has \(properties.count) properties",
                    at: entity.source.location(of: "name"),
                    element: entity.name
                )
            }
        }
    )
}

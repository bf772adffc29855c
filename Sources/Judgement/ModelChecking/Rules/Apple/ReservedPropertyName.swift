import Diagnostics
import ObjectModel

extension Rule {
    static let reservedPropertyName = Rule(
        .named("reserved-property-name", .apple, .warning),
        summary: "Property names do not hide methods of NSManagedObject",
        rationale: """
            A property may not have the name of a method without arguments of NSObject or NSManagedObject: the \
            generated accessor would replace the method, such as `isDeleted` or `description`, which Core Data calls.
            """,
        appleText: """
            The property's name cannot be the same as any no-parameter method name of \
            NSObject or NSManagedObject
            """,
        passing:
            "<entity name='A'><attribute name='summary' optional='YES' attributeType='String'/></entity>",
        failing:
            "<entity name='A'><attribute ◀name='description' optional='YES' attributeType='String'/></entity>",
        check: .model { model in
            model.forEachProperty { property, entity in
                guard reservedNames.contains(property.name) else { return nil }
                return Violation(
                    "rename '\(property.name)': NSManagedObject has a method of this name",
                    at: property.source.location(of: "name"),
                    element: "\(entity.name).\(property.name)"
                )
            }
        }
    )
}

/// The methods without arguments and the properties of NSObject and NSManagedObject in Apple's documentation.
private let reservedNames: Set<String> = [
    "accessibilityElements", "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues",
    "changedValuesForCurrentEvent", "class", "classForCoder", "classForKeyedArchiver", "copy",
    "dealloc", "debugDescription", "description", "entity", "faultingState", "finalize",
    "hasChanges", "hasPersistentChangedValues", "hash", "init", "isDeleted", "isFault",
    "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
    "observationInfo", "prepareForDeletion", "release", "retain", "retainCount", "self",
    "superclass", "validateForDelete", "validateForInsert", "validateForUpdate", "willSave",
    "didSave", "willTurnIntoFault", "didTurnIntoFault", "zone",
]

import Diagnostics
import ModelCompiling
import ModelLanguage
import ObjectModel

extension Rule {
    static let defaultOutsideLimits = Rule(
        .named("default-outside-limits", .apple, .warning),
        summary: "Default values are within their limits",
        rationale: """
            A new object is invalid until its default is replaced. Zero, which Xcode writes for numbers that code \
            always sets, is ignored.
            """,
        passing:
            "<entity name='A'><attribute name='a' attributeType='Integer 16' minValueString='1' defaultValueString='1'/></entity>",
        failing: """
            <entity name='A'><attribute name='a' attributeType='Integer 16' minValueString='2'
              ◀defaultValueString='1'/></entity>
            """,
        check: .each(\.attributes) { attribute in
            guard attribute.type != .string, let value = attribute.defaultValue?.magnitude,
                value != 0,
                value < attribute.validation.minimum?.magnitude ?? -.infinity
                    || value > attribute.validation.maximum?.magnitude ?? .infinity
            else { return nil }
            return Violation(
                "choose a default of '\(attribute.name)' within its limits",
                of: attribute.type == .date
                    ? "defaultDateTimeInterval" : "defaultValueString"
            )
        }
    )

    static let impossibleLimits = Rule(
        .named("impossible-limits", .apple, .warning),
        summary: "The minimum of an attribute is not above its maximum",
        rationale: "No value is within such limits, so nothing can be saved.",
        passing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16' minValueString='1' maxValueString='2'/></entity>",
        failing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16'
              ◀minValueString='3' maxValueString='2'/></entity>
            """,
        check: .each(\.attributes) { attribute in
            guard let minimum = attribute.validation.minimum?.magnitude,
                let maximum = attribute.validation.maximum?.magnitude, minimum > maximum
            else { return nil }
            return Violation(
                "lower the minimum of '\(attribute.name)' below its maximum",
                of: attribute.type == .date ? "minDateTimeInterval" : "minValueString"
            )
        }
    )

    static let insecureTransformer = Rule(
        .named("insecure-transformer", .apple, .note),
        summary: "Transformable attributes name a secure value transformer",
        rationale: """
            The default transformer unarchives any class named in the data, which is unsafe, and Core Data logs that \
            at every launch. Another transformer must be able to read existing stores: NSSecureUnarchiveFromData reads \
            only archives of property-list classes.
            """,
        appleText: """
            E.p is using a nil or insecure value transformer. Please switch to \
            NSSecureUnarchiveFromDataTransformerName or a custom NSValueTransformer \
            subclass of NSSecureUnarchiveFromDataTransformer [2]
            """,
        passing:
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='NSSecureUnarchiveFromData'/></entity>",
        failing:
            "<entity name='A'><attribute ◀name='t' optional='YES' attributeType='Transformable'/></entity>",
        """
        <entity name='A'><attribute name='t' optional='YES' attributeType='Transformable'
          ◀valueTransformerName='NSKeyedUnarchiveFromData'/></entity>
        """,
        check: .each(\.attributes) { attribute in
            let name = attribute.valueTransformerName ?? ""
            guard attribute.type == .transformable, !attribute.isTransient, isInsecure(name)
            else { return nil }
            return Violation(
                "name a secure value transformer for '\(attribute.name)', such as"
                    + " NSSecureUnarchiveFromData",
                of: name.isEmpty ? "name" : "valueTransformerName"
            )
        }
    )

    static let propertyNameCase = Rule(
        .named("property-name-case", .apple, .note),
        summary: "Property names begin with a lower-case letter",
        rationale: """
            Xcode's editor requires it: key-value coding relies on it to find accessors. Models that shipped with \
            capitals still work, and renaming their properties would need a migration, so this is a note.
            """,
        passing:
            "<entity name='A'><attribute name='title' optional='YES' attributeType='String'/></entity>",
        failing:
            "<entity name='A'><attribute ◀name='Title' optional='YES' attributeType='String'/></entity>",
        check: .eachProperty { property in
            guard property.name.first?.isUppercase ?? false else { return nil }
            return Violation("begin the name of '\(property.name)' with a lower-case letter")
        }
    )

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
        check: .eachProperty { property in
            guard reservedNames.contains(property.name) else { return nil }
            return Violation("rename '\(property.name)': NSManagedObject has a method of this name")
        }
    )

    static let swiftdataUnsupported = Rule(
        .named("swiftdata-unsupported", .apple, .note),
        summary: "A model used with SwiftData has only what SwiftData supports",
        rationale: """
            Xcode warns about abstract entities, inheritance and uniqueness constraints on several attributes if "Used \
            with SwiftData" is on. Turn it off if no `@Model` class opens the stores.
            """,
        passing: "<entity name='A' isAbstract='YES'/>",
        failing: RuleExample(
            """
            <entity name='A' isAbstract='YES'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/><uniquenessConstraints>
            <uniquenessConstraint><constraint value='a'/><constraint value='b'/></uniquenessConstraint>
            </uniquenessConstraints></entity>
            <entity name='B' parentEntity='A'/>
            """,
            modelAttributes: "usedWithSwiftData='YES'"
        ),
        check: .model { model in
            model.entities.flatMap { swiftDataFindings(in: $0, of: model.model) }.map {
                Violation($0.wording, at: $0.location, element: $0.element)
            }
        }
    )

    static let undefinedAttributeType = Rule(
        .named("undefined-attribute-type", .apple, .warning),
        summary: "Stored attributes have a type",
        rationale: """
            Apple allows only transient attributes to have no type: a stored one has no column type, and the \
            coordinator refuses the model. It is a warning because a few published models have such attributes.
            """,
        appleText: "NSUndefinedAttributeType is valid for transient properties",
        passing: "<entity name='A'><attribute name='t' optional='YES' transient='YES'/></entity>",
        failing: "<entity name='A'><attribute ◀name='t' optional='YES'/></entity>",
        check: .each(\.attributes) { attribute in
            guard attribute.type == .undefined, !attribute.isTransient,
                attribute.derivation == nil,
                !attribute.unrecognized.contains(where: { $0.name == "attributeType" })
            else { return nil }
            return Violation("give '\(attribute.name)' a type, or make it transient")
        }
    )

    static let unknownDerivation = Rule(
        .named("unknown-derivation", .apple, .warning),
        summary: "Derived attributes are derived from existing properties",
        rationale: """
            The key path of a derivation leads from a property of the entity to an attribute or a count of objects, \
            with functions that Core Data has; saving fails with any other derivation.
            """,
        passing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='d' optional='YES' attributeType='String' derived='YES' derivationExpression='canonical:(a)'/></entity>
            """,
        failing: """
            <entity name='A'><attribute name='d' optional='YES' attributeType='String' derived='YES'
              ◀derivationExpression='canonical:(b)'/></entity>
            """,
        """
        <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
        <attribute name='d' optional='YES' attributeType='String' derived='YES'
          ◀derivationExpression='frobnicate:(a)'/></entity>
        """,
        """
        <entity name='A'><attribute name='d' optional='YES' attributeType='Integer 64' derived='YES'
          ◀derivationExpression='bs.@count.name'/>
        <relationship name='bs' optional='YES' toMany='YES' destinationEntity='B' inverseName='a' inverseEntity='B'/></entity>
        <entity name='B'><relationship name='a' optional='YES' maxCount='1' destinationEntity='A' inverseName='bs' inverseEntity='A'/></entity>
        """,
        check: .model { model in
            model.each(\.attributes) { attribute, entity in
                guard let text = attribute.derivation?.expression,
                    let expression = try? PredicateExpression(parsing: text),
                    let reason = fault(of: expression, model.graph, entity)
                else { return nil }
                return Violation(
                    "derive '\(attribute.name)' from \(reason)",
                    of: "derivationExpression"
                )
            }
        }
    )
}

private func isInsecure(_ transformer: String) -> Bool {
    [
        "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSUnarchiveFromData", "NSUnarchiveFromDataTransformerName",
    ].contains(transformer)
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

/// Why the expression is not a derivation; `nil` if it is one.
private func fault(
    of expression: PredicateExpression,
    _ graph: ModelGraph,
    _ entity: Entity
) -> String? {
    switch expression {
    case .keyPath(.evaluatedObject, let path):
        return pathFault(path.split(separator: ".").map(String.init)[...], graph, entity)
    case .keyPath(let base, _): return fault(of: base, graph, entity)
    case .function(let operand, let selector, let arguments):
        guard knownFunctions.contains(selector) else {
            return "a function that Core Data has: it has no '\(selector)'"
        }
        let parts = [operand].compactMap(\.self) + arguments
        return parts.lazy.compactMap { fault(of: $0, graph, entity) }.first
    case .aggregate(let parts): return parts.lazy.compactMap { fault(of: $0, graph, entity) }.first
    case .constant, .evaluatedObject, .variable, .subquery, .ternary, .symbol: return nil
    }
}

private func pathFault(
    _ path: ArraySlice<String>,
    _ graph: ModelGraph,
    _ entity: Entity
) -> String? {
    guard let key = path.first else { return nil }
    let rest = path.dropFirst()
    if key.hasPrefix("@") {
        guard knownOperators.contains(key) else {
            return "an existing operator: there is no '\(key)'"
        }
        guard key == "@count", let next = rest.first else { return pathFault(rest, graph, entity) }
        return "the count alone: '\(next)' cannot follow '@count'"
    }
    if ["self", "SELF"].contains(key) { return pathFault(rest, graph, entity) }
    guard let (property, _) = graph.property(key, of: entity) else {
        return "a property of '\(entity.name)': it has no '\(key)'"
    }
    if let relationship = property as? Relationship {
        guard let name = relationship.destinationEntity, let next = graph.entity(name) else {
            return nil
        }
        return pathFault(rest, graph, next)
    }
    // The elements of a composite follow its name.
    let isComposite = (property as? Attribute)?.type == .composite
    guard !isComposite, let next = rest.first, !next.hasPrefix("@") else { return nil }
    return "a relationship: '\(key)' of '\(entity.name)' is an attribute and has no '\(next)'"
}

private let knownOperators: Set<String> = [
    "@count", "@sum", "@min", "@max", "@avg", "@distinctUnionOfObjects", "@unionOfObjects",
]

/// The functions of Apple's language, some of which derivations allow.
private let knownFunctions: Set<String> = [
    "now", "canonical:", "uppercase:", "lowercase:", "length:", "count:", "sum:", "min:", "max:",
    "average:", "median:", "mode:", "stddev:", "add:to:", "from:subtract:", "multiply:by:",
    "divide:by:", "modulus:by:", "sqrt:", "log:", "ln:", "raise:toPower:", "exp:", "ceiling:",
    "floor:", "abs:", "trunc:", "random", "random:", "bitwiseAnd:with:", "bitwiseOr:with:",
    "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "onesComplement:", "noindex:",
    "castObject:toType:", "objectFrom:withIndex:", "distanceToLocation:fromLocation:", "valueFor:",
]

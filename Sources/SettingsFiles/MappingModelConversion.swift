public import Diagnostics
public import MigrationPlanning
import ModelLanguage
public import ObjectModel

extension RuleID {
    /// A mapping model hands an entity to a class of its own.
    public static let mappingPolicy: RuleID = "mapping-policy"
}

/// Turns a mapping model into value expressions that a stage can carry out.
///
/// Entities that the mapping model does not lead to get no objects, as with Core Data. A migration policy is code
/// and is refused by its name, unless Swift code of that name is registered with the migration.
///
/// - Parameters:
///   - source: the mapping model.
///   - path: the path that diagnostics name.
///   - policyNames: the names under which policies are registered, as the mapping model spells them.
/// - Returns: the map, with an error for each policy that is not registered.
public func stageMap(
    of source: MappingModelSource,
    path: String,
    policyNames: Set<String> = []
) -> Diagnosed<StageMap> {
    var map = StageMap(copiesRest: false)
    var diagnostics: [Diagnostic] = []
    for mapping in source.entityMappings {
        let policy = mapping.policyClassName.flatMap { $0 == "NSEntityMigrationPolicy" ? nil : $0 }
        if let policy, !policyNames.contains(policy) {
            let message =
                "the mapping '\(mapping.effectiveName)' runs the migration policy '\(policy)', which is code; "
                + "write what it does as SQL in didMigrate, as a map, or as a Swift handler, or register "
                + "a Swift policy of that name with the migration"
            diagnostics.append(
                Diagnostic(.mappingPolicy, message, at: SourceLocation(path: path))
            )
            continue
        }
        var entity = StageMap.EntityMap(
            name: mapping.effectiveName,
            source: mapping.sourceName,
            destination: mapping.destinationName,
            condition: mapping.sourcePredicate,
            copiesRest: false,
            policyName: policy
        )
        for property in mapping.attributes {
            entity.values[property.name] =
                property.valueExpression ?? .keyPath(.variable("source"), property.name)
        }
        for property in mapping.relationships {
            entity.values[property.name] = relationshipValue(property, path, &diagnostics)
        }
        map.entities.append(entity)
    }
    return Diagnosed(map, diagnostics)
}

private func relationshipValue(
    _ property: MappingModelSource.PropertyMapping,
    _ path: String,
    _ diagnostics: inout [Diagnostic]
) -> PredicateExpression {
    if let expression = property.valueExpression { return expression }
    var objects = PredicateExpression.keyPath(.variable("source"), property.name)
    if let keyPath = property.sourceKeyPath {
        do {
            objects = try PredicateExpression(parsing: keyPath)
        } catch {
            let message = "the source path of '\(property.name)' is not understood: \(error)"
            diagnostics.append(
                Diagnostic(.unreadableMappingValue, message, at: SourceLocation(path: path))
            )
        }
    }
    guard let name = property.sourceMappingName else { return objects }
    return .function(
        operand: .variable("manager"),
        selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
        arguments: [.constant(.string(name)), objects]
    )
}

package import Diagnostics
package import MigrationPlanning
import ModelLanguage
package import ObjectModel

extension RuleID { package static let mappingPolicy: RuleID = "mapping-policy" }

/// What a known migration policy does, so that its mapping runs without its code.
package enum MappingPolicy: Sendable, Hashable {
    /// It creates no objects: those of its entity are deleted.
    case delete
    /// It makes what the mapping says, as without a policy.
    case copy
    /// It makes what a map says for the same entities, and for others made from its objects.
    case map(StageMap)
    /// It is Swift code, registered under this name.
    case code(String)
    /// It is declared in a file that cannot be read, which is reported where that is named.
    case unreadable

    /// Takes a word of settings; `nil` where it is the path of a map.
    package init?(word: String) {
        switch word {
        case "delete": self = .delete
        case "copy": self = .copy
        default: return nil
        }
    }

    /// The class of a policy without its module, and without the mapping model that settings may name before it.
    package static func shortName(_ name: String) -> String {
        name.split { $0 == "." || $0 == "/" }.last.map(String.init) ?? name
    }
}

/// Turns a mapping model into value expressions; an undeclared policy is an error.
///
/// Policies are by class name, with or without module.
package func stageMap(
    of source: MappingModelSource,
    path: String,
    declaring policies: [String: MappingPolicy]
) -> Diagnosed<StageMap> {
    var plain = source
    var replacements: [StageMap.EntityMap] = []
    var registered: Set<String> = []
    var lacking: [Diagnostic] = []
    plain.entityMappings = source.entityMappings.compactMap { mapping in
        guard let name = mapping.policyClassName else { return mapping }
        var mapping = mapping
        switch policies[name] ?? policies[MappingPolicy.shortName(name)] {
        case .delete: return nil
        case .copy: mapping.policyClassName = nil
        case .code(let name):
            mapping.policyClassName = name
            registered.insert(name)
        case .map(let map):
            let own = map.entities.filter {
                $0.name == mapping.effectiveName
                    || ($0.source == mapping.sourceName
                        && $0.destination == mapping.destinationName)
            }
            guard !own.isEmpty else {
                lacking.append(missingEntity(of: mapping, in: map, policy: name, path))
                return nil
            }
            replacements += own.map { entity in
                var entity = entity
                entity.name = mapping.effectiveName
                return entity
            }
            // A policy may make further objects, of entities that the mapping model does not map.
            replacements += map.entities.filter { entity in
                entity.source == mapping.sourceName
                    && !source.entityMappings.contains {
                        $0.sourceName == entity.source && $0.destinationName == entity.destination
                    } && !replacements.contains(entity)
            }
            return nil
        case .unreadable:
            let reason = "the entry of policies: for '\(name)' cannot be read"
            lacking.append(Diagnostic(.mappingPolicy, reason, at: FileLocation(path: path)))
            return nil
        case nil: break
        }
        return mapping
    }
    let rest = stageMap(of: plain, path: path, policyNames: registered)
    var map = rest.value
    map.entities += replacements
    return Diagnosed(map, lacking + rest.diagnostics)
}

/// The error for a policy declared as a map that does not map an entity of the policy.
private func missingEntity(
    of mapping: MappingModelSource.EntityMapping,
    in map: StageMap,
    policy: String,
    _ path: String
) -> Diagnostic {
    let ends = [mapping.sourceName, mapping.destinationName].compactMap(\.self)
    let place = map.entities.lazy.compactMap { $0.locations[""] }.first
    let what = "'\(mapping.effectiveName)' (\(ends.joined(separator: " → ")))"
    return Diagnostic(
        .mappingPolicy,
        "the map of policies: for '\(policy)' lacks the mapping \(what): add it there",
        at: place ?? FileLocation(path: path)
    )
}

/// Turns a mapping model into value expressions that a stage can run.
///
/// Entities that the mapping model does not map to get no objects, as with Core Data. A migration policy is code and is
/// refused by its name, unless Swift code of that name is registered with the migration.
package func stageMap(
    of source: MappingModelSource,
    path: String,
    policyNames: Set<String> = []
) -> Diagnosed<StageMap> {
    var map = StageMap(copiesRest: false)
    var diagnostics = undeclaredPolicies(of: source, path: path, policyNames)
    for mapping in source.entityMappings {
        diagnostics += mapping.unreadReasons.map {
            Diagnostic(.unreadableMappingValue, $0, at: FileLocation(path: path))
        }
        let policy = mapping.customPolicyClassName
        if let policy, !policyNames.contains(policy) { continue }
        var entity = StageMap.EntityMap(
            name: mapping.effectiveName,
            source: mapping.sourceName,
            destination: mapping.destinationName,
            condition: mapping.sourcePredicate,
            copiesRest: false,
            policyName: policy
        )
        entity.userInfo = Dictionary(mapping.userInfo.map { ($0.key, $0.value) }) { $1 }
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

private func undeclaredPolicies(
    of source: MappingModelSource,
    path: String,
    _ policyNames: Set<String>
) -> [Diagnostic] {
    var mappings: [(policy: String, names: [String])] = []
    for mapping in source.entityMappings {
        guard let policy = mapping.customPolicyClassName, !policyNames.contains(policy) else {
            continue
        }
        let name = "'\(mapping.effectiveName)'"
        if let place = mappings.firstIndex(where: { $0.policy == policy }) {
            mappings[place].names.append(name)
        } else {
            mappings.append((policy, [name]))
        }
    }
    return mappings.map { policy, names in
        let subject =
            names.count == 1
            ? "the mapping \(names[0]) runs" : "the mappings \(names.joined(separator: ", ")) run"
        let message =
            "\(subject) the migration policy '\(policy)', which is code; "
            + "describe it in .momtool.yml, as policies: {\(policy): copy}, delete or the path of "
            + "a map; or write it as SQL in didMigrate, as a map, or as a Swift handler, or register "
            + "a Swift policy of that name with Migrator(policies:)"
        return Diagnostic(.mappingPolicy, message, at: FileLocation(path: path))
    }
}

private func relationshipValue(
    _ property: MappingModelSource.PropertyMapping,
    _ path: String,
    _ diagnostics: inout [Diagnostic]
) -> PredicateExpression {
    if let expression = property.valueExpression { return expression }
    var objects = PredicateExpression.keyPath(.variable("source"), property.name)
    if let keyPath = property.sourceKeyPath {
        do { objects = try PredicateExpression(parsing: keyPath) } catch {
            let message = "the source path of '\(property.name)' is not understood: \(error)"
            diagnostics.append(
                Diagnostic(.unreadableMappingValue, message, at: FileLocation(path: path))
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

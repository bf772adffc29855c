import Diagnostics
import ModelLanguage
import ObjectModel

extension Rule {
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
            model.forEachAttribute { attribute, entity in
                guard let text = attribute.derivation?.expression,
                    let expression = try? PredicateExpression(parsing: text),
                    let reason = fault(of: expression, model.graph, entity)
                else { return nil }
                return Violation(
                    "derive '\(attribute.name)' from \(reason)",
                    at: attribute.source.location(of: "derivationExpression"),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

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

import MappingInference
package import ModelLanguage
package import ObjectModel

/// The stored value of the old version that a property of a map copies.
struct StoredOrigin {
    var property: MappedProperty
    var path: [String]
    var attribute: Attribute
    var isOptional: Bool
}

extension AttributeMapping {
    mutating func take(_ origin: StoredOrigin, for attribute: Attribute, isOptional: Bool) {
        (source, sourceElementPath, fill) = (origin.property, origin.path, nil)
        conversion = AttributeConversion(from: origin.attribute, to: attribute)
        let becomesMandatory = origin.isOptional && !isOptional && attribute.derivation == nil
        nullReplacement = becomesMandatory ? attribute.defaultValue : nil
    }

    /// The mapping with a conversion between Decimal and the other numbers, which inference takes for unproven: a
    /// person wrote this one down, and what does not fit is counted.
    var withNumbersConverted: AttributeMapping {
        guard case .incompatible(let old, let new) = conversion,
            old == .decimal && new.isNumber || old.isNumber && new == .decimal
        else { return self }
        var mapping = self
        mapping.conversion = .unverified(from: old, to: new)
        return mapping
    }

    var withoutIncompatibleSource: AttributeMapping {
        let converted = withNumbersConverted
        guard case .incompatible = converted.conversion else { return converted }
        return AttributeMapping(destination: destination, elementPath: elementPath, source: nil)
    }
}

extension AttributeType {
    /// The function of a map that converts a value to this type; `nil` when none does.
    package func cast(of value: String, from own: AttributeType) -> String? {
        guard self != .transformable else { return "{'@archive': …} for a constant" }
        guard row.column != nil, let sourceName, own.isCastable(to: self) else { return nil }
        return "{cast: [\(value), \(sourceName.lowercased())]}"
    }

    /// How a map converts a value to this type, which nothing does without being asked.
    func cure(of value: String, from own: AttributeType) -> String {
        cast(of: value, from: own).map { "; give it an expression, such as \($0)" }
            ?? ", to which no value can be cast; give it a constant, or set it in a script of the stage"
    }

    /// Whether a map may cast a value of this type to another type.
    package func isCastable(to type: AttributeType) -> Bool {
        switch values {
        case .string, .uri, .undefined: true
        case .boolean: type.isNumber || [.decimal, .string].contains(type)
        case .integer, .double, .float, .decimal, .date:
            type.isNumber || [.decimal, .string, .date].contains(type)
        case .uuid: [.uuid, .string, .binary].contains(type)
        case .binary: [.uuid, .string, .binary].contains(type)
        case .transformable: type == .binary
        case .objectID: type.isInteger || type == .string
        case .composite: false
        }
    }

    /// Whether values are numbers that SQLite calculates with, unlike Decimal.
    package var isNumber: Bool { isInteger || [.boolean, .double, .float].contains(self) }
}

extension PredicateExpression {
    /// The keys of an expression that is a path from the source object; `nil` when it is none.
    package var sourcePath: [String]? {
        switch self {
        case .keyPath(let operand, let path):
            let keys = path.split(separator: ".").map(String.init)
            switch operand {
            case .variable("source"), .evaluatedObject: return keys
            default: return operand.sourcePath.map { $0 + keys }
            }
        case .function(let operand?, let selector, let arguments)
        where ["valueForKeyPath:", "valueForKey:"].contains(selector):
            guard case .constant(.string(let path))? = arguments.first else { return nil }
            return PredicateExpression.keyPath(operand, path).sourcePath
        default: return nil
        }
    }
}

extension StageMap {
    /// Returns what the map reads of the old version that the inferred step drops, such as `Person.name`.
    ///
    /// Core Data has dropped it when an app's `didMigrate` runs, so that no stage of an app can do what the map does.
    package func dropped(from source: ModelVersion, to target: ModelVersion) -> [String] {
        let read = Set(entities.filter { $0.destination != nil }.flatMap { reads(of: $0, source) })
        return stepLosses(from: source, to: target).filter { loss in
            switch loss.risk.kind {
            case .removedEntity, .removedAttribute, .removedRelationship:
                loss.names.contains(where: read.contains)
            default: false
            }
        }.map(\.name)
    }

    private func reads(of map: EntityMap, _ version: ModelVersion) -> [String] {
        guard let name = map.source else { return [] }
        let graph = ModelGraph(version.model)
        let paths = map.values.values.flatMap(\.sourcePaths) + (map.condition?.sourcePaths ?? [])
        return [name]
            + paths.flatMap { path in
                var owner = graph.entity(name)
                var names: [String] = []
                for (index, key) in path.enumerated() {
                    guard let entity = owner else { break }
                    let lineage = graph.lineage(of: entity)
                    // The elements of a composite attribute are lost one by one.
                    names += lineage.map { ([$0.name] + path[index...]).joined(separator: ".") }
                    names += lineage.map { "\($0.name).\(key)" }
                    owner = lineage.lazy.flatMap(\.relationships).first { $0.name == key }?
                        .destinationEntity.flatMap(graph.entity)
                    if let owner { names.append(owner.name) }
                }
                return names
            }
    }
}

extension PredicateExpression {
    /// The paths from the source object that the expression reads.
    fileprivate var sourcePaths: [[String]] {
        if let path = sourcePath { return [path] }
        return switch self {
        case .keyPath(let operand, _), .subquery(let operand, _, _): operand.sourcePaths
        case .function(let operand, _, let arguments):
            ([operand].compactMap(\.self) + arguments).flatMap(\.sourcePaths)
        case .aggregate(let elements): elements.flatMap(\.sourcePaths)
        case .ternary(let condition, let left, let right):
            condition.sourcePaths + [left, right].flatMap(\.sourcePaths)
        case .constant, .evaluatedObject, .variable, .symbol: []
        }
    }
}

extension Predicate {
    fileprivate var sourcePaths: [[String]] {
        switch self {
        case .constant: []
        case .comparison(let parts): [parts.left, parts.right].flatMap(\.sourcePaths)
        case .and(let parts), .or(let parts): parts.flatMap(\.sourcePaths)
        case .not(let part): part.sourcePaths
        }
    }
}

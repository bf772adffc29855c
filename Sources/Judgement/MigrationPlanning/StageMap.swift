package import Diagnostics
package import MappingInference
package import ModelLanguage
package import ObjectModel

/// The value expressions of a custom stage: how to create objects of the next version from those of the current one.
///
/// The declarative subset that mapping models use (MigrationBehaviour, "Mapping models"). Entities of the next version
/// without a mapping are copied from the entity that inference matches them with.
public struct StageMap: Sendable, Hashable {
    /// The mapping of one entity.
    public struct EntityMap: Sendable, Hashable {
        /// The name by which relationship functions find the resulting objects.
        public var name: String
        /// The entity of the current version; `nil` for an entity that gets no objects.
        public var source: String?
        /// The entity of the next version; `nil` when the objects are dropped.
        public var destination: String?
        /// `nil` for all objects.
        package var condition: Predicate?
        /// Attributes of the destination: objects with the same values there become one.
        package var findOrCreateKeys: [String] = []
        /// The values of attributes and relationships; others are copied by name.
        package var values: [String: PredicateExpression]
        package var copiesRest: Bool
        /// The notes of the mapping model on the mapping, by key, as its editor shows them under User Info.
        public var userInfo: [String: String] = [:]
        /// The name of the migration policy that makes the objects; `nil` when the values suffice.
        package var policyName: String?
        /// The locations of the properties, by name, and under an empty name the mapping itself; empty in memory.
        package var locations: [String: FileLocation] = [:]

        package init(
            name: String? = nil,
            source: String?,
            destination: String?,
            condition: Predicate? = nil,
            values: [String: PredicateExpression] = [:],
            copiesRest: Bool = true,
            policyName: String? = nil
        ) {
            self.name = name ?? [source, destination].compactMap(\.self).joined(separator: "To")
            (self.source, self.destination, self.condition) = (source, destination, condition)
            (self.values, self.copiesRest, self.policyName) = (values, copiesRest, policyName)
        }
    }

    package var entities: [EntityMap]
    /// Whether entities without a mapping are copied as inference matches them.
    package var copiesRest: Bool

    package init(entities: [EntityMap] = [], copiesRest: Bool = true) {
        (self.entities, self.copiesRest) = (entities, copiesRest)
    }

    /// The functions of expressions besides Core Data's own, by selector.
    package enum Function {
        /// The first argument that is not nil.
        package static let coalesce = "coalesce:"
        /// A new UUID.
        package static let uuid = "uuid"
        /// The part of a text at an index, from 0, between separators.
        package static let split = "split:by:at:"
        /// The rest of a text after the first parts, including separators.
        package static let rest = "rest:by:from:"
        /// A value as another type: `CAST`.
        package static let cast = "castObject:toType:"
        /// The value at a key of the first object of an entity whose other key has a value.
        package static let lookup = "lookup:key:equals:value:"
        /// A constant without a literal form, by its kind and its text.
        package static let constant = "constant:of:"
        /// The texts that are not nil, joined by the first argument.
        package static let join = "join:"
        /// The value of the first object along a to-many relationship.
        package static let first = "firstOf:"
        /// The value of the last object along a to-many relationship.
        package static let last = "lastOf:"
        /// The object of an entity of the next version whose key has a value.
        package static let find = "find:key:equals:"
    }
}

/// The stored value of the old version that a property of a map copies.
struct StoredOrigin {
    var property: PropertyReference
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
        case .uuid, .binary: [.uuid, .string, .binary].contains(type)
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

    /// Returns the losses of entities whose objects no mapping of the mapping model at a path takes.
    package func lossesLeft(
        from source: ModelVersion,
        to target: ModelVersion,
        at path: String
    ) -> [StepLoss] {
        source.model.entities.filter { !copiesRest && !$0.isAbstract && !takes($0.name) }.map {
            old in
            let stays = target.model.entities.contains { $0.name == old.name }
            return StepLoss(leftOut: old, stays: stays, byMappingModelAt: path)
        }
    }

    /// Whether the map leaves a loss of the inferred step as it is, or what that requires of rows.
    package func leavesOpen(_ loss: StepLoss, from source: ModelVersion) -> Bool {
        let risk = loss.risk
        let own = entities.filter { $0.destination == risk.destinationEntity }
        func name(_ entity: String?, _ key: String) -> String { "\(entity ?? "").\(key)" }
        let set = entities.flatMap { map in
            map.values.filter { $1.sourcePath != [$0] }.map { name(map.destination, $0.key) }
        }
        let isSet = !Set(set).isDisjoint(with: loss.names)
        return switch risk.kind {
        case .removedEntity, .becomesAbstract: copiesRest && !takes(risk.sourceEntity)
        case .removedAttribute, .removedRelationship:
            copiesRest
                && Set(entities.flatMap { reads(of: $0, source) }).isDisjoint(with: loss.names)
        case .newUniquenessConstraint(let properties):
            own.allSatisfy(\.findOrCreateKeys.isEmpty)
                && (!copiesRest
                    || Set(set).isDisjoint(
                        with: properties.map { name(risk.destinationEntity, $0.destination.name) }
                    ))
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .nullInMandatoryRelationship:
            (copiesRest || !own.isEmpty) && !isSet
        default: copiesRest && !isSet
        }
    }

    private func takes(_ entity: String) -> Bool {
        entities.contains { $0.source == entity && $0.destination != nil }
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

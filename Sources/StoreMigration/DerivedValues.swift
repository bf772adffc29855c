import MappingInference
import ModelLanguage
import ObjectModel
import SQLiteAccess
import StoreFormat

/// The statements that compute derived attributes which are new, or derived in another way than before.
///
/// Core Data computes them when an object is saved; rows that are there already must be computed once.
func derivedValueSteps(_ correspondence: EntityCorrespondence) -> [MigrationStep] {
    let values = DerivedValues(correspondence: correspondence)
    return correspondence.destination.entities.flatMap { entity -> [MigrationStep] in
        guard let definition = correspondence.destinationGraph.entity(entity.name) else {
            return []
        }
        return definition.attributes.compactMap { attribute in
            guard !attribute.isTransient, let derivation = attribute.derivation else { return nil }
            let reference = PropertyReference(entity: entity.name, name: attribute.name)
            guard values.mustCompute(reference, derivation) else { return nil }
            return values.step(reference, derivation)
        }
    }
}

private struct DerivedValues {
    let correspondence: EntityCorrespondence

    private var layout: StoreLayout { correspondence.destination }

    /// Whether some rows have no value yet, or one that was derived in another way.
    func mustCompute(_ reference: PropertyReference, _ derivation: Attribute.Derivation) -> Bool {
        let key = EntityCorrespondence.AttributeKey(property: reference.mapped, path: [])
        return correspondence.pairs.contains { pair in
            guard let mapping = pair.attributes[key] else { return false }
            guard let origin = mapping.source else { return true }
            let old = correspondence.sourceGraph.entity(origin.declaredBy)?.attributes
                .first { $0.name == origin.name }
            return old?.derivation != derivation
        }
    }

    func step(
        _ reference: PropertyReference,
        _ derivation: Attribute.Derivation
    ) -> MigrationStep? {
        guard derivation.filteringPredicate == nil,
            let table = layout.table(of: reference.entity),
            let column = layout.column(of: reference.name, declaredBy: reference.entity),
            let expression = try? PredicateExpression(parsing: derivation.expression),
            let value = sql(
                expression.withCollectionFunctions,
                of: reference.entity,
                in: table.name
            )
        else { return nil }
        let numbers = numberList(layout.numbers(ofHierarchy: reference.entity))
        return MigrationStep(
            "compute \(reference)",
            .rows,
            "UPDATE \(quotedIdentifier(table.name)) SET \(quotedIdentifier(column.name)) = \(value) "
                + "WHERE Z_ENT IN (\(numbers))"
        )
    }

    /// The value of an expression for a row of a table; `nil` for forms that have none in SQL.
    private func sql(
        _ expression: PredicateExpression,
        of entity: String,
        in table: String
    ) -> String? {
        switch expression {
        case .keyPath(.evaluatedObject, let path):
            return value(at: path.split(separator: ".").map(String.init), of: entity, in: table)
        case .function(nil, "now", _):
            // Seconds since 2001-01-01, which is this Julian day.
            return "((julianday('now') - 2451910.5) * 86400.0)"
        case .function(nil, let selector, let arguments):
            guard arguments.count == 1 else { return nil }
            if let function = Self.textFunctions[selector] {
                return sql(arguments[0], of: entity, in: table).map { "\(function)(\($0))" }
            }
            guard let function = Self.collectionFunctions[selector],
                case .keyPath(.evaluatedObject, let path) = arguments[0]
            else { return nil }
            let keys = path.split(separator: ".").map(String.init)
            return collection(function, keys, of: entity, in: table)
        default:
            return nil
        }
    }

    private static let textFunctions = [
        "canonical:": "momtool_canonical", "uppercase:": "momtool_uppercase",
        "lowercase:": "momtool_lowercase",
    ]

    private static let collectionFunctions = [
        "count:": "count", "sum:": "total", "min:": "min", "max:": "max", "average:": "avg",
    ]

    /// The value at a path: an attribute, or an attribute across one to-one relationship.
    private func value(at keys: [String], of entity: String, in table: String) -> String? {
        if keys.count == 1 {
            return layout.column(of: keys[0], declaredBy: entity).map {
                "\(quotedIdentifier(table)).\(quotedIdentifier($0.name))"
            }
        }
        guard keys.count == 2, let target = destination(of: keys[0], from: entity),
            case .foreignKey(_, let key, _, _)? = layout.storage(of: keys[0], declaredBy: entity),
            let column = layout.column(of: keys[1], declaredBy: target.entity)
        else { return nil }
        return
            "(SELECT d.\(quotedIdentifier(column.name)) FROM \(quotedIdentifier(target.table)) AS d "
            + "WHERE d.Z_PK = \(quotedIdentifier(table)).\(quotedIdentifier(key)))"
    }

    /// A function over the objects of a to-many relationship, or over one attribute of theirs.
    private func collection(
        _ function: String,
        _ keys: [String],
        of entity: String,
        in table: String
    ) -> String? {
        guard (1...2).contains(keys.count), let target = destination(of: keys[0], from: entity)
        else { return nil }
        let own = "\(quotedIdentifier(table)).Z_PK"
        let rows: String
        switch layout.storage(of: keys[0], declaredBy: entity) {
        case .inverseForeignKey(_, let column, _, _)?, .ownerColumn(_, let column, _)?:
            rows =
                "\(quotedIdentifier(target.table)) AS d WHERE d.\(quotedIdentifier(column)) = \(own)"
        case .joinTable(let name, let source, let destination, _)?:
            rows = """
                \(quotedIdentifier(name)) AS j JOIN \(quotedIdentifier(target.table)) AS d \
                ON d.Z_PK = j.\(quotedIdentifier(destination)) \
                WHERE j.\(quotedIdentifier(source)) = \(own)
                """
        case .foreignKey?, RelationshipStorage.none?, nil:
            return nil
        }
        if keys.count == 1 { return "(SELECT \(function)(*) FROM \(rows))" }
        return layout.column(of: keys[1], declaredBy: target.entity).map {
            "(SELECT \(function)(d.\(quotedIdentifier($0.name))) FROM \(rows))"
        }
    }

    private func destination(
        of relationship: String,
        from entity: String
    ) -> (entity: String, table: String)? {
        let graph = correspondence.destinationGraph
        guard
            let name = graph.relationship(relationship, ofEntity: entity)?.destinationEntity,
            let table = layout.table(of: name)
        else { return nil }
        return (name, table.name)
    }
}

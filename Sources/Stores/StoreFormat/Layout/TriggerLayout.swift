import ModelLanguage
import ObjectModel
import SQLiteAccess

/// Lays out the triggers that keep derived attributes (SQLiteStores, "Derived attributes"), and names the derived
/// attributes of a form that no store has shown.
func triggerLayout(
    of model: NumberedModel,
    in layout: StoreLayout
) -> (triggers: [SchemaObject], unknown: [PropertyReference]) {
    var triggers: [SchemaObject] = []
    var unknown: [PropertyReference] = []
    for definition in model.definitions {
        for leaf in definition.leaves where leaf.path.isEmpty {
            guard let derivation = leaf.attribute.derivation else { continue }
            let entity = definition.entity.name
            let made = derivedTriggers(
                of: PropertyReference(entity: entity, name: leaf.name),
                derivation,
                in: layout,
                model
            )
            triggers += made ?? []
            if made == nil { unknown.append(PropertyReference(entity: entity, name: leaf.name)) }
        }
    }
    return (triggers, unknown)
}

/// The table and column of one derived attribute, from which statements are built.
private struct DerivedColumn {
    var table: String
    var column: String
    var attribute: PropertyReference

    func trigger(
        on firingTable: String,
        _ kind: String,
        event: String,
        condition: String? = nil,
        update: String,
        isInsert: Bool,
        rows: String
    ) -> SchemaObject {
        let name = "Z_DA_\(firingTable)_\(attribute.entity)_\(attribute.name)_\(kind)"
        let firing = quotedIdentifier(firingTable)
        let when = condition.map { " WHEN (\($0))" } ?? ""
        let verb = isInsert ? "InsertUpdated" : "Updated"
        let arguments = [
            quotedText(table), "Z_ENT", "Z_PK", quotedText(attribute.name),
            quotedIdentifier(column),
        ]
        let sql =
            "CREATE TRIGGER \(quotedIdentifier(name)) AFTER \(event) ON \(firing) FOR EACH ROW"
            + "\(when) BEGIN \(update); SELECT NSCoreDataDATrigger\(verb)AffectedObjectValue"
            + "(\(arguments.joined(separator: ", "))) FROM \(quotedIdentifier(table)) "
            + "WHERE \(rows); END"
        return SchemaObject(kind: .trigger, name: name, table: firingTable, sql: sql)
    }
}

private func derivedTriggers(
    of attribute: PropertyReference,
    _ derivation: Attribute.Derivation,
    in layout: StoreLayout,
    _ model: NumberedModel
) -> [SchemaObject]? {
    guard derivation.filteringPredicate?.isEmpty != false,
        let table = layout.table(of: attribute.entity),
        let column = layout.column(of: attribute),
        let form = DerivationForm(derivation.expression)
    else { return nil }
    let derived = DerivedColumn(table: table.name, column: column.name, attribute: attribute)
    switch form {
    case .count(let relationship):
        return layout.links(relationship, of: attribute.entity, as: .inverseKey)
            .map { countTriggers(derived, table: $0.table, key: $0.key) }
    case .value(let relationship, let name):
        guard let links = layout.links(relationship, of: attribute.entity, as: .key),
            let position = model.positions[attribute.entity],
            let place = model.place(of: relationship, in: position),
            let destination = place.relationship.destinationEntity,
            let table = layout.table(of: destination),
            let value = layout.column(of: name, declaredBy: destination)
        else { return nil }
        return valueTriggers(derived, key: links.key, table: table.name, value: value.name)
    }
}

private enum DerivationForm {
    case count(relationship: String)
    case value(relationship: String, attribute: String)

    init?(_ expression: String) {
        let parsed = try? PredicateExpression(parsing: expression)
        switch parsed?.withCollectionFunctions {
        case .function(operand: nil, selector: "count:", let arguments):
            guard case .keyPath(.evaluatedObject, let name)? = arguments.first,
                arguments.count == 1, !name.contains(".")
            else { return nil }
            self = .count(relationship: name)
        case .keyPath(.evaluatedObject, let path):
            let keys = path.split(separator: ".").map(String.init)
            guard keys.count == 2 else { return nil }
            self = .value(relationship: keys[0], attribute: keys[1])
        default: return nil
        }
    }
}

private func countTriggers(_ derived: DerivedColumn, table: String, key: String) -> [SchemaObject] {
    let (own, column) = (quotedIdentifier(derived.table), quotedIdentifier(derived.column))
    let (counted, key) = (quotedIdentifier(table), quotedIdentifier(key))
    func trigger(_ kind: String, _ event: String, _ row: String, _ value: String) -> SchemaObject {
        derived.trigger(
            on: table,
            "PARAMETER_" + kind,
            event: event,
            condition: "\(row).\(key) NOT NULL",
            update: "UPDATE \(own) SET \(column) = \(value) WHERE Z_PK = \(row).\(key)",
            isInsert: false,
            rows: "Z_PK = \(row).\(key)"
        )
    }
    return [
        trigger("INSERT", "INSERT", "NEW", "IFNULL(\(column), 0) + 1"),
        trigger("UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(column) + 1"),
        trigger("UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(column) - 1"),
        trigger("DELETE", "DELETE", "OLD", "\(column) - 1"),
        derived.trigger(
            on: derived.table,
            "SOURCE_INSERT",
            event: "INSERT",
            update: "UPDATE \(own) SET \(column) = (SELECT IFNULL(COUNT(\(key)), 0) FROM "
                + "\(counted) WHERE \(key) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK",
            isInsert: true,
            rows: "Z_PK = NEW.Z_PK"
        ),
    ]
}

private func valueTriggers(
    _ derived: DerivedColumn,
    key: String,
    table: String,
    value: String
) -> [SchemaObject] {
    let (own, column) = (quotedIdentifier(derived.table), quotedIdentifier(derived.column))
    let (source, key, value) = (
        quotedIdentifier(table), quotedIdentifier(key), quotedIdentifier(value)
    )
    let pull =
        "UPDATE \(own) SET \(column) = (SELECT \(value) FROM \(source) WHERE Z_PK = NEW.\(key)) "
        + "WHERE Z_PK = NEW.Z_PK"
    let push = "UPDATE \(own) SET \(column) = NEW.\(value) WHERE \(key) = NEW.Z_PK"
    func trigger(_ isOwn: Bool, _ event: String, _ change: String) -> SchemaObject {
        derived.trigger(
            on: isOwn ? derived.table : table,
            (isOwn ? "SOURCE_" : "PARAMETER_") + event,
            event: event + change,
            update: isOwn ? pull : push,
            isInsert: event == "INSERT",
            rows: isOwn ? "Z_PK = NEW.Z_PK" : "\(key) = NEW.Z_PK"
        )
    }
    return [
        trigger(true, "INSERT", ""), trigger(true, "UPDATE", " OF \(key)"),
        trigger(false, "INSERT", ""), trigger(false, "UPDATE", " OF \(value)"),
    ]
}

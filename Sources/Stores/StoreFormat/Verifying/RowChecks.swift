package import Diagnostics
package import ObjectModel
import SQLiteAccess

struct RowCheck {
    var finding: Diagnostic
    var table: String
    /// The column that identifies the rows.
    var key = "Z_PK"
    var condition: String
}

extension RuleID {
    package static let foreignEntityNumber: RuleID = "foreign-entity-number"
    package static let abstractEntityRow: RuleID = "abstract-entity-row"
    package static let missingValue: RuleID = "missing-value"
    package static let wrongType: RuleID = "wrong-type"
    package static let duplicateValue: RuleID = "duplicate-value"
    package static let ownerlessRow: RuleID = "ownerless-row"
}

let rowDamage: [RuleID: Damage] = [
    .foreignEntityNumber: .entity("A row has the number of an entity of another table."),
    .abstractEntityRow: .person("A row of the store belongs to an abstract entity."),
    .missingValue: .value("A required attribute has no value."),
    .wrongType: .value("A stored value is not of its attribute's type."),
    .duplicateValue: .list("Rows of the store violate a uniqueness constraint."),
    .ownerlessRow: .person("A row has no owner that would delete it with itself."),
    "invalid-text": .person("A stored text is not UTF-8."),
]

/// An attribute, or an element of a composite one, with its column, and the conditions under which the value of row `t`
/// is wrong.
package struct CheckedValue {
    let leaf: NumberedModel.Leaf
    package let property: PropertyReference
    package let table: String
    package let column: String
    /// The condition that a row is of the entity.
    package let scope: String

    package var attribute: Attribute { leaf.attribute }
    /// The value in SQL.
    package var value: String { "t." + quotedIdentifier(column) }
    package var isMissing: String { "\(scope) AND \(value) IS NULL" }

    /// The condition that it is not of its type, and a name for what it should be; `nil` for an unknown type.
    package var isOfOtherType: (name: String, condition: String)? {
        storedForm(of: attribute.type, value).map {
            ($0.name, "\(scope) AND \(value) NOT NULL AND NOT (\($0.condition))")
        }
    }
}

extension LaidOut {
    package func checkedValue(of attribute: Attribute, in entity: String) -> CheckedValue? {
        value(of: NumberedModel.Leaf(name: attribute.name, path: [], attribute: attribute), entity)
    }

    /// The condition that a row `t` has the values of another, against a constraint; `nil` where a column is missing.
    package func isDuplicate(
        _ constraint: UniquenessConstraint,
        in entity: String,
        _ table: String
    ) -> String? {
        guard let names = layout.columns(of: constraint.properties, in: entity), has(table, names)
        else { return nil }
        let columns = names.map(quotedIdentifier)
        let list = columns.joined(separator: ", ")
        let present = columns.map { " AND t.\($0) NOT NULL" }.joined()
        let row = columns.map { "t.\($0)" }.joined(separator: ", ")
        return "\(isKind(of: entity))\(present) AND (\(row)) IN (SELECT \(list) FROM "
            + "\(quotedIdentifier(table)) AS t WHERE \(isKind(of: entity)) "
            + "GROUP BY \(list) HAVING COUNT(*) > 1)"
    }

    /// The value of an attribute or an element; `nil` where its column is missing.
    func value(of leaf: NumberedModel.Leaf, _ entity: String) -> CheckedValue? {
        guard let table = layout.table(of: entity)?.name,
            let column = layout.column(of: leaf.name, path: leaf.path, declaredBy: entity),
            has(table, [column.name, "Z_PK", "Z_ENT"])
        else { return nil }
        let name = ([leaf.name] + leaf.path).joined(separator: ".")
        return CheckedValue(
            leaf: leaf,
            property: PropertyReference(entity: entity, name: name),
            table: table,
            column: column.name,
            scope: isKind(of: entity)
        )
    }
}

/// The checks of all rows of a store, as conditions in SQL; each table is read once for all of its own.
struct RowChecks: LaidOut {
    let layout: StoreLayout
    let columns: [String: Set<String>]
    private let ownership: Ownership
    private(set) var checks: [RowCheck] = []

    init(of store: LaidOutStore) {
        (layout, columns) = (store.layout, store.columns)
        ownership = Ownership(of: store)
    }

    /// Checks rows of a store that has all columns of its layout.
    init(_ layout: StoreLayout) {
        self.layout = layout
        let columns = layout.columnsOfTables.map { ($0.table, Set($0.columns)) }
        self.columns = Dictionary(firstOf: columns)
        ownership = Ownership(layout, self.columns)
    }

    mutating func addAll() {
        for table in layout.tables where has(table.name, ["Z_PK", "Z_ENT"]) {
            addEntityNumberCheck(of: table)
        }
        for (definition, table) in definitions {
            addEntityChecks(of: definition, table)
            for leaf in definition.leaves {
                if let value = value(of: leaf, definition.entity.name) {
                    addValueChecks(of: value)
                    addExternalCheck(of: value)
                }
                addCaseCheck(of: leaf, definition.entity.name, table.name)
            }
            for relationship in definition.relationships {
                addRelationshipChecks(of: relationship, definition.entity, table)
            }
        }
        for join in layout.joinTables where has(join.name, join.columnNames) {
            addJoinChecks(of: join)
        }
    }

    /// Adds the checks that values are cases of the enums that sources declare.
    mutating func addCases() {
        for (definition, table) in definitions {
            for leaf in definition.leaves {
                addCaseCheck(of: leaf, definition.entity.name, table.name)
            }
        }
    }

    mutating func addOwnership() {
        for (definition, table) in definitions {
            addOwnershipCheck(of: definition.entity.name, table.name)
        }
    }

    /// Adds the checks of the model's rules for saved values.
    mutating func addRules() {
        for (definition, _) in definitions {
            let values = definition.leaves.compactMap { value(of: $0, definition.entity.name) }
            for value in values {
                for rule in ValueRule.rules(of: value.leaf.attribute) {
                    add(rule, value.property, value)
                }
                addElementCheck(of: value, among: values)
                let isNeeded = value.attribute.enumCases.isRequiredByClass
                if isNeeded { addMissing(value.property, in: value.table, where: value.isMissing) }
            }
        }
    }

    /// The entities whose rows can be told apart, with their tables.
    private var definitions: [(NumberedModel.Definition, EntityTable)] {
        layout.numbered.definitions.compactMap { definition in
            layout.table(of: definition.entity.name).flatMap { table in
                has(table.name, ["Z_PK", "Z_ENT"]) ? (definition, table) : nil
            }
        }
    }

    private mutating func add(
        _ rule: ValueRule,
        _ property: PropertyReference,
        _ value: CheckedValue
    ) {
        let (table, isBroken) = (value.table, "\(value.scope) AND \(rule.condition(value.value))")
        add(rule.rule, property, rule.message, severity: .warning, in: table, where: isBroken)
    }

    private mutating func addCaseCheck(
        of leaf: NumberedModel.Leaf,
        _ entity: String,
        _ table: String
    ) {
        if let required = leaf.required { addPresenceCheck(of: required, leaf, entity, table) }
        guard let cases = leaf.cases, let value = value(of: leaf, entity) else { return }
        let name = leaf.name.followed(by: leaf.path)
        add(ValueRule(cases: cases), PropertyReference(entity: entity, name: name), value)
    }

    private mutating func addPresenceCheck(
        of required: [String],
        _ leaf: NumberedModel.Leaf,
        _ entity: String,
        _ table: String
    ) {
        let columns = required.compactMap {
            layout.column(of: leaf.name, path: [$0], declaredBy: entity)?.name
        }
        guard columns.count == required.count, has(table, columns) else { return }
        let nulls = columns.map { "t.\(quotedIdentifier($0)) IS NULL" }
        let condition = ([isKind(of: entity)] + nulls).joined(separator: " AND ")
        let name = EnumCases.name(of: required, in: leaf.name)
        addMissing(PropertyReference(entity: entity, name: name), in: table, where: condition)
    }

    private mutating func addMissing(
        _ property: PropertyReference,
        in table: String,
        where isMissing: String
    ) {
        let words = EnumCases.missingValue
        add(.missingSwiftValue, property, words, severity: .warning, in: table, where: isMissing)
    }

    func filtered(_ isWanted: (RowCheck) -> Bool) -> RowChecks {
        var checks = self
        checks.checks = checks.checks.filter(isWanted)
        return checks
    }

    /// Runs the checks and returns a finding for each that rows fail; reports how many are done.
    ///
    /// The pass over a table also counts its rows, if requested.
    func run(
        on connection: SQLiteConnection,
        counting count: ((RowExtent) -> Void)? = nil,
        _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> [Diagnostic] {
        var uncounted = count == nil ? [:] : numbersByTable
        var counted = RowExtent()
        let findings = try connection.withProgress(progress, of: checks.count) {
            isDone throws(StoreError) in
            var findings: [Diagnostic] = []
            var start = 0
            while start < checks.count {
                let table = checks[start].table
                let numbers = uncounted.removeValue(forKey: table) ?? []
                let most = SQLiteConnection.countedConditions
                let batch = checks[start...].prefix(max(most - numbers.count, most / 2))
                    .prefix { $0.table == table }
                let counts = try connection.counts(
                    of: batch.map(\.condition) + numbers.map { "t.Z_ENT = \($0)" },
                    in: "\(quotedIdentifier(table)) AS t"
                )
                for (check, number) in zip(batch, counts) where number > 0 {
                    findings.append(try complete(check, count: number, on: connection))
                }
                for number in counts.dropFirst(batch.count) { counted.add(rows: number) }
                start += batch.count
                isDone(start)
            }
            return findings
        }
        count?(counted)
        return findings
    }

    private var numbersByTable: [String: [Int]] {
        var numbers: [String: [Int]] = [:]
        for entity in layout.entities {
            guard let table = layout.table(of: entity.name), has(table.name, ["Z_PK", "Z_ENT"])
            else { continue }
            numbers[table.name, default: []].append(entity.number)
        }
        return numbers
    }

    private func complete(
        _ check: RowCheck,
        count: Int,
        on connection: SQLiteConnection
    ) throws(StoreError) -> Diagnostic {
        let rows = "FROM \(quotedIdentifier(check.table)) AS t WHERE \(check.condition)"
        let keys = try connection.keys(check.key, rows)
        var finding = check.finding
        finding.rows = Diagnostic.AffectedRows(count: count, unit: "row", keys: keys)
        return finding
    }

    mutating func add(
        _ rule: RuleID,
        _ property: PropertyReference,
        _ message: String,
        severity: Severity = .error,
        in table: String,
        key: String = "Z_PK",
        where condition: String
    ) {
        let finding = Diagnostic(
            rule,
            message,
            severity: severity,
            entity: property.entity,
            property: property.name.isEmpty ? nil : property.name,
            rows: .uncounted
        )
        checks.append(RowCheck(finding: finding, table: table, key: key, condition: condition))
    }

    private mutating func addEntityNumberCheck(of table: EntityTable) {
        let root = PropertyReference(entity: table.rootEntity, name: "")
        let message = "entity number outside the hierarchy"
        let isForeign = "(\(isKind(of: table.rootEntity))) IS NOT 1"
        add(.foreignEntityNumber, root, message, in: table.name, where: isForeign)
    }

    private mutating func addEntityChecks(
        of definition: NumberedModel.Definition,
        _ table: EntityTable
    ) {
        let entity = definition.entity
        if entity.isAbstract, let number = layout.number(of: entity.name) {
            let whole = PropertyReference(entity: entity.name, name: "")
            let message = "abstract entity with rows of its own"
            add(.abstractEntityRow, whole, message, in: table.name, where: "t.Z_ENT = \(number)")
        }
        for constraint in entity.uniquenessConstraints {
            let property = PropertyReference(entity: entity.name, name: constraint.properties[0])
            let message = "\(constraint.properties.joined(separator: ", ")) not unique"
            if let condition = isDuplicate(constraint, in: entity.name, table.name) {
                add(.duplicateValue, property, message, in: table.name, where: condition)
            }
        }
    }

    /// Objects without an owner may be intended: only the app knows.
    private mutating func addOwnershipCheck(of entity: String, _ table: String) {
        guard let condition = ownership.isOwnerless(entity) else { return }
        let owners = ownership.owners(of: entity).map { "'\($0)'" }.joined(separator: ", ")
        let whole = PropertyReference(entity: entity, name: "")
        let message = "no owner (\(owners)), and nothing else refers to it"
        add(.ownerlessRow, whole, message, severity: .note, in: table, where: condition)
    }

    private mutating func addValueChecks(of checked: CheckedValue) {
        func add(_ rule: RuleID, _ message: String, where condition: String) {
            self.add(rule, checked.property, message, in: checked.table, where: condition)
        }
        // Elements of a composite may be absent with it; a derived value is as what it is computed from.
        let attribute = checked.attribute
        if !attribute.isOptional, checked.leaf.path.isEmpty, attribute.derivation == nil {
            add(.missingValue, "required, but without a value", where: checked.isMissing)
        }
        guard let wrong = checked.isOfOtherType else { return }
        add(.wrongType, "value is not a valid \(wrong.name)", where: wrong.condition)
        guard [.string, .uri].contains(checked.attribute.type.values) else { return }
        let value = checked.value
        let isBroken = "typeof(\(value)) = 'text' AND NOT \(encodingCheck)(\(value))"
        add("invalid-text", "text that is not UTF-8", where: "\(checked.scope) AND \(isBroken)")
    }
}

extension String {
    /// The name with that of an element below it; an enum's only element is named like the attribute and adds nothing.
    func followed(by path: [String]) -> String {
        path == [self] ? self : ([self] + path).joined(separator: ".")
    }
}

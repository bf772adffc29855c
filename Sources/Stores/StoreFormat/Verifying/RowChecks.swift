import Diagnostics
import ObjectModel
import SQLiteAccess

struct RowCheck {
    var finding: Diagnostic
    var table: String
    /// The column that identifies the rows.
    var key = "Z_PK"
    var condition: String
}

/// An attribute, or an element of a composite one, with its column, called `value` in SQL.
struct CheckedValue {
    let leaf: NumberedModel.Leaf
    let property: PropertyReference
    let table: String
    let value: String
    /// The condition that a row is of the entity.
    let scope: String
}

/// The checks of all rows of a store, as conditions in SQL; each table is read once for all of its own.
struct RowChecks: LaidOut {
    let graph: ModelGraph
    let numbered: NumberedModel
    let layout: StoreLayout
    let columns: [String: Set<String>]
    private let ownership: Ownership
    private(set) var checks: [RowCheck] = []

    private init(_ graph: ModelGraph, _ layout: StoreLayout, _ columns: [String: Set<String>]) {
        (self.graph, self.layout, self.columns) = (graph, layout, columns)
        ownership = Ownership(graph, layout, columns)
        numbered = NumberedModel(graph.model)
    }

    init(of store: LaidOutStore) { self.init(store.graph, store.layout, store.columns) }

    /// Checks rows of a store that has all columns of its layout.
    init(model: ManagedObjectModel, layout: StoreLayout) {
        let columns = layout.columnsOfTables.map { ($0.table, Set($0.columns)) }
        self.init(ModelGraph(model), layout, Dictionary(firstOf: columns))
    }

    mutating func addAll() {
        for table in layout.tables where has(table.name, ["Z_PK", "Z_ENT"]) {
            addEntityNumberCheck(of: table)
        }
        for (definition, table) in definitions {
            addEntityChecks(of: definition, table)
            for leaf in definition.leaves {
                if let value = value(of: leaf, definition.entity.name, table.name) {
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
        for (definition, table) in definitions {
            let values = definition.leaves.compactMap {
                value(of: $0, definition.entity.name, table.name)
            }
            for value in values {
                for rule in ValueRule.rules(of: value.leaf.attribute) {
                    add(rule, value.property, value)
                }
                addElementCheck(of: value, among: values)
            }
        }
    }

    /// The entities whose rows can be told apart, with their tables.
    private var definitions: [(NumberedModel.Definition, EntityTable)] {
        numbered.definitions.compactMap { definition in
            layout.table(of: definition.entity.name).flatMap { table in
                has(table.name, ["Z_PK", "Z_ENT"]) ? (definition, table) : nil
            }
        }
    }

    /// The value of an attribute or an element; `nil` where its column is missing.
    private func value(
        of leaf: NumberedModel.Leaf,
        _ entity: String,
        _ table: String
    ) -> CheckedValue? {
        guard let column = layout.column(of: leaf.name, path: leaf.path, declaredBy: entity),
            has(table, [column.name])
        else { return nil }
        let name = ([leaf.name] + leaf.path).joined(separator: ".")
        return CheckedValue(
            leaf: leaf,
            property: PropertyReference(entity: entity, name: name),
            table: table,
            value: "t." + quotedIdentifier(column.name),
            scope: isKind(of: entity)
        )
    }

    private mutating func add(
        _ rule: ValueRule,
        _ property: PropertyReference,
        _ value: CheckedValue
    ) {
        add(
            rule.rule,
            property,
            rule.message,
            severity: .warning,
            in: value.table,
            where: "\(value.scope) AND \(rule.condition(value.value))"
        )
    }

    private mutating func addCaseCheck(
        of leaf: NumberedModel.Leaf,
        _ entity: String,
        _ table: String
    ) {
        if let required = leaf.required { addPresenceCheck(of: required, leaf, entity, table) }
        guard let cases = leaf.cases, let value = value(of: leaf, entity, table) else { return }
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
        add(
            .missingSwiftValue,
            PropertyReference(entity: entity, name: EnumCases.name(of: required, in: leaf.name)),
            EnumCases.missingValue,
            severity: .warning,
            in: table,
            where: ([isKind(of: entity)] + nulls).joined(separator: " AND ")
        )
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
        let keys = try connection.rows(
            "SELECT \(check.key) FROM \(quotedIdentifier(check.table)) AS t "
                + "WHERE \(check.condition) ORDER BY \(check.key) "
                + "LIMIT \(Diagnostic.AffectedRows.keyLimit)"
        ).compactMap(\.first?.integer)
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
        add(
            .foreignEntityNumber,
            PropertyReference(entity: table.rootEntity, name: ""),
            "entity number outside the hierarchy",
            in: table.name,
            where: "(\(isKind(of: table.rootEntity))) IS NOT 1"
        )
    }

    private mutating func addEntityChecks(
        of definition: NumberedModel.Definition,
        _ table: EntityTable
    ) {
        let entity = definition.entity
        if entity.isAbstract, let number = layout.number(of: entity.name) {
            add(
                .abstractEntityRow,
                PropertyReference(entity: entity.name, name: ""),
                "abstract entity with rows of its own",
                in: table.name,
                where: "t.Z_ENT = \(number)"
            )
        }
        for constraint in entity.uniquenessConstraints {
            guard let names = layout.columns(of: constraint.properties, in: entity.name),
                has(table.name, names)
            else { continue }
            let columns = names.map(quotedIdentifier)
            let list = columns.joined(separator: ", ")
            let present = columns.map { " AND t.\($0) NOT NULL" }.joined()
            let row = columns.map { "t.\($0)" }.joined(separator: ", ")
            add(
                .duplicateValue,
                PropertyReference(entity: entity.name, name: constraint.properties[0]),
                "\(constraint.properties.joined(separator: ", ")) not unique",
                in: table.name,
                where: "\(isKind(of: entity.name))\(present) AND (\(row)) IN (SELECT \(list) FROM "
                    + "\(quotedIdentifier(table.name)) AS t WHERE \(isKind(of: entity.name)) "
                    + "GROUP BY \(list) HAVING COUNT(*) > 1)"
            )
        }
    }

    /// Objects without an owner may be intended: only the app knows.
    private mutating func addOwnershipCheck(of entity: String, _ table: String) {
        guard let condition = ownership.isOwnerless(entity) else { return }
        let owners = ownership.owners(of: entity).map { "'\($0)'" }.joined(separator: ", ")
        add(
            .ownerlessRow,
            PropertyReference(entity: entity, name: ""),
            "no owner (\(owners)), and nothing else refers to it",
            severity: .note,
            in: table,
            where: condition
        )
    }

    private mutating func addValueChecks(of checked: CheckedValue) {
        let (attribute, value) = (checked.leaf.attribute, checked.value)
        func add(_ rule: RuleID, _ message: String, where condition: String) {
            self.add(
                rule,
                checked.property,
                message,
                in: checked.table,
                where: "\(checked.scope) AND \(condition)"
            )
        }
        // Elements of a composite may be absent with it; a derived value is as what it is computed from.
        if !attribute.isOptional, checked.leaf.path.isEmpty, attribute.derivation == nil {
            add(.missingValue, "required, but without a value", where: "\(value) IS NULL")
        }
        guard let form = storedForm(of: attribute.type, value) else { return }
        let isWrong = "\(value) NOT NULL AND NOT (\(form.condition))"
        add(.wrongType, "value is not a valid \(form.name)", where: isWrong)
        guard [.string, .uri].contains(attribute.type.values) else { return }
        let isBroken = "typeof(\(value)) = 'text' AND NOT \(encodingCheck)(\(value))"
        add("invalid-text", "text that is not UTF-8", where: isBroken)
    }
}

extension String {
    /// The name with that of an element below it; an enum's only element is named like the attribute and adds nothing.
    func followed(by path: [String]) -> String {
        path == [self] ? self : ([self] + path).joined(separator: ".")
    }
}

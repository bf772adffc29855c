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

/// The checks of all rows of a store, as conditions in SQL; each table is read once for all of its own.
struct RowChecks {
    let graph: ModelGraph
    let numbered: NumberedModel
    let layout: StoreLayout
    /// The actual columns of the store, by table.
    let columns: [String: Set<String>]
    private let ownership: Ownership
    private(set) var checks: [RowCheck] = []

    init(model: ManagedObjectModel, layout: StoreLayout, columns: [String: Set<String>]) {
        graph = ModelGraph(model)
        ownership = Ownership(graph, layout, columns)
        numbered = NumberedModel(model)
        self.layout = layout
        self.columns = columns
    }

    init(model: ManagedObjectModel, layout: StoreLayout) {
        let tables = layout.tables.map { ($0.name, Set($0.columns.map(\.name))) }
        let joins = layout.joinTables.map { ($0.name, Set($0.columnNames)) }
        let columns = Dictionary(firstOf: tables + joins)
        self.init(model: model, layout: layout, columns: columns)
    }

    mutating func addAll() {
        for table in layout.tables where has(table.name, ["Z_PK", "Z_ENT"]) {
            addEntityNumberCheck(of: table)
        }
        for definition in numbered.definitions {
            guard let table = layout.table(of: definition.entity.name),
                has(table.name, ["Z_PK", "Z_ENT"])
            else { continue }
            addEntityChecks(of: definition, table)
            for leaf in definition.leaves {
                addValueChecks(of: leaf, definition.entity, table)
                addExternalCheck(of: leaf, definition.entity.name, table.name)
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
        for definition in numbered.definitions {
            guard let table = layout.table(of: definition.entity.name),
                has(table.name, ["Z_PK", "Z_ENT"])
            else { continue }
            for leaf in definition.leaves {
                addCaseCheck(of: leaf, definition.entity.name, table.name)
            }
        }
    }

    mutating func addOwnership() {
        for definition in numbered.definitions {
            guard let table = layout.table(of: definition.entity.name),
                has(table.name, ["Z_PK", "Z_ENT"])
            else { continue }
            addOwnershipCheck(of: definition.entity.name, table.name)
        }
    }

    /// Adds the checks of the model's rules for saved values.
    mutating func addRules() {
        for definition in numbered.definitions {
            guard let table = layout.table(of: definition.entity.name),
                has(table.name, ["Z_PK", "Z_ENT"])
            else { continue }
            for leaf in definition.leaves {
                addRules(of: leaf, definition.entity.name, table.name)
                addElementCheck(
                    of: leaf,
                    among: definition.leaves,
                    definition.entity.name,
                    table.name
                )
            }
        }
    }

    private mutating func addRules(of leaf: NumberedModel.Leaf, _ entity: String, _ table: String) {
        let rules = ValueRule.rules(of: leaf.attribute)
        guard !rules.isEmpty,
            let column = layout.column(of: leaf.name, path: leaf.path, declaredBy: entity),
            has(table, [column.name])
        else { return }
        let name = ([leaf.name] + leaf.path).joined(separator: ".")
        let value = "t." + quotedIdentifier(column.name)
        for rule in rules {
            add(
                rule.rule,
                PropertyReference(entity: entity, name: name),
                rule.message,
                severity: .warning,
                in: table,
                where: "\(isKind(of: entity)) AND \(rule.condition(value))"
            )
        }
    }

    private mutating func addCaseCheck(
        of leaf: NumberedModel.Leaf,
        _ entity: String,
        _ table: String
    ) {
        if let required = leaf.required { addPresenceCheck(of: required, leaf, entity, table) }
        guard let cases = leaf.cases,
            let column = layout.column(of: leaf.name, path: leaf.path, declaredBy: entity),
            has(table, [column.name])
        else { return }
        let rule = ValueRule(cases: cases)
        add(
            rule.rule,
            PropertyReference(entity: entity, name: leaf.name.followed(by: leaf.path)),
            rule.message,
            severity: .warning,
            in: table,
            where: "\(isKind(of: entity)) AND "
                + rule.condition("t." + quotedIdentifier(column.name))
        )
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
    func run(
        on connection: SQLiteConnection,
        _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> [Diagnostic] {
        var extent: RowExtent?
        return try run(on: connection, counting: &extent, progress)
    }

    /// Runs the checks; the pass over a table also counts its rows, if requested.
    func run(
        on connection: SQLiteConnection,
        counting extent: inout RowExtent?,
        _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> [Diagnostic] {
        var uncounted = extent == nil ? [:] : numbersByTable
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
                for (check, count) in zip(batch, counts) where count > 0 {
                    findings.append(try complete(check, count: count, on: connection))
                }
                for count in counts.dropFirst(batch.count) { counted.add(rows: count) }
                start += batch.count
                isDone(start)
            }
            return findings
        }
        if extent != nil { extent = counted }
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

    func has(_ table: String, _ names: [String]) -> Bool {
        columns[table]?.isSuperset(of: names) == true
    }

    func isKind(of entity: String, row: String = "t") -> String {
        // The numbers of a hierarchy have no gaps.
        let numbers = layout.numbers(ofHierarchy: entity)
        return "\(row).Z_ENT BETWEEN \(numbers.first ?? 0) AND \(numbers.last ?? 0)"
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

    private mutating func addValueChecks(
        of leaf: NumberedModel.Leaf,
        _ entity: Entity,
        _ table: EntityTable
    ) {
        let column = layout.column(of: leaf.name, path: leaf.path, declaredBy: entity.name)
        guard let column, has(table.name, [column.name]) else { return }
        let name = ([leaf.name] + leaf.path).joined(separator: ".")
        let property = PropertyReference(entity: entity.name, name: name)
        let value = "t." + quotedIdentifier(column.name)
        let scope = isKind(of: entity.name)
        // Elements of a composite may be absent with it.
        if !leaf.attribute.isOptional, leaf.path.isEmpty {
            add(
                .missingValue,
                property,
                "required, but without a value",
                in: table.name,
                where: "\(scope) AND \(value) IS NULL"
            )
        }
        guard let form = storedForm(of: leaf.attribute.type, value) else { return }
        add(
            .wrongType,
            property,
            "value is not a valid \(form.name)",
            in: table.name,
            where: "\(scope) AND \(value) NOT NULL AND NOT (\(form.condition))"
        )
        guard [.string, .uri].contains(leaf.attribute.type.values) else { return }
        add(
            .invalidText,
            property,
            "text that is not UTF-8",
            in: table.name,
            where: "\(scope) AND typeof(\(value)) = 'text' AND NOT \(encodingCheck)(\(value))"
        )
    }
}

extension String {
    /// The name with that of an element below it; an enum's only element is named like the attribute and adds nothing.
    func followed(by path: [String]) -> String {
        path == [self] ? self : ([self] + path).joined(separator: ".")
    }
}
